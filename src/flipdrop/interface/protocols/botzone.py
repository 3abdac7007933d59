"""Server of Botzone's protocol: one line of JSON for each turn, in and out.

The first line of a game holds its whole history, ``{"requests": [...], "responses": [...]}``: the requests are the
opponent's moves, the responses our own. Then the server asks the platform to keep it running, and every further line is
the request of one turn. A server that runs once gets the history in every turn and ends after its answer.

A move is ``{"x": COLUMN, "y": ROW}``, counted from 0 at the top left; ``{"x": -1, "y": -1}`` is a pass, and the first
request of the side that begins. In Connect Four the row of a request does not matter, for discs fall. The answer is
``{"response": MOVE}``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TextIO

from flipdrop.errors import PlayerError, quoted
from flipdrop.games.history import GameHistory
from flipdrop.interface.protocols.streams import read_lines, write_line
from flipdrop.players import checked_move
from flipdrop.players.player import send_history

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.players import Clock, Player

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
NO_MOVE = {"x": -1, "y": -1}


def serve_botzone(
    player: Player, game: Game, commands: TextIO, answers: TextIO, *, clock: Clock | None = None, once: bool = False
) -> None:
    """Answers turns until the end of the stream or of the game.

    :param clock: of every move
    :param once: end after the first answer
    """
    server = BotzoneServer(player, game, clock)
    for line in read_lines(commands):
        if not line.strip():
            continue
        write_line(answers, json.dumps({"response": server.answer(line)}, separators=(",", ":")))
        if once:
            return
        write_line(answers, KEEP_RUNNING)


class BotzoneServer:
    """The game that the requests describe."""

    def __init__(self, player: Player, game: Game, clock: Clock | None = None) -> None:
        self._player, self._game, self._clock = player, game, clock
        self._history = GameHistory.of(game.start())

    def answer(self, line: str) -> dict[str, int]:
        """Our move after a line of input."""
        turn = _read(line)
        if isinstance(turn.get("requests"), list):
            self._restore(turn["requests"], turn.get("responses", []))
        else:
            self._play(turn.get("request", turn.get("requests", turn)))
        position = self._history.position
        if position.is_over:
            raise PlayerError(f"the game is over: {position.board}")
        send_history(self._player, self._history.start, self._history.moves)
        move = checked_move(self._player, position, self._clock)
        self._history = self._history.play(move)
        return move_json(position, move)

    def _restore(self, requests: list[Any], responses: Any) -> None:
        if not isinstance(responses, list) or len(responses) != len(requests) - 1:
            raise PlayerError("there has to be one request more than responses")
        self._history = GameHistory.of(self._game.start())
        for number, request in enumerate(requests):
            self._play(request)
            if number < len(responses):
                self._play(responses[number])

    def _play(self, request: Any) -> None:
        position = self._history.position
        if _coordinates(request) == (-1, -1) and not self._history.moves:
            return  # we begin
        self._history = self._history.play(read_move(position, request))


def move_json(position: Position, move: int) -> dict[str, int]:
    """A move as the protocol writes it."""
    cell = position.cell_of(move)
    if cell is None:
        return dict(NO_MOVE)
    row, column = divmod(cell, position.game.columns)
    return {"x": column, "y": row}


def read_move(position: Position, request: Any) -> int:
    """The legal move that a request names."""
    x, y = _coordinates(request)
    for move in position.legal_moves:
        named = move_json(position, move)
        if named["x"] == x and (named["y"] == y or position.game.family == "connect4"):
            return move
    raise PlayerError(f"{quoted(json.dumps(request), 60)} is no legal move in {position.board}")


def _coordinates(request: Any) -> tuple[int, int]:
    match request:
        case {"x": int(x), "y": int(y)}:
            return x, y
        case {"x": int(x)}:
            return x, 0
    raise PlayerError(f'{quoted(json.dumps(request), 60)} is no move; a move is {{"x": COLUMN, "y": ROW}}')


def _read(line: str) -> dict[str, Any]:
    try:
        turn = json.loads(line)
    except (ValueError, RecursionError):
        turn = None
    if not isinstance(turn, dict):
        raise PlayerError(f"{quoted(line, 60)} is no line of JSON with an object")
    return turn
