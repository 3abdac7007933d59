"""GTP client: sends an engine the moves of a game and asks it for its own. See `gtp_notation`.

Commands are sent without ids, because some engines echo ids wrongly. An answer to the wrong command is detected anyway:
output without a command is an error.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flipdrop.errors import one_line, quoted
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.games.history import find_move_sequence
from flipdrop.players.clock import Clock, time_for_move
from flipdrop.players.external.gtp_notation import (
    COLOURS,
    SET_CLOCK,
    SET_GAME,
    SET_POSITION,
    read_move,
    write_board,
    write_clock,
)
from flipdrop.players.external.process import EngineError
from flipdrop.players.external.session import EngineSession, legal_move

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.games.history import GameHistory
    from flipdrop.players.external.process import EngineProcess

_MAX_LINES = 1000  # of an answer; normal ones have a few
_NO_LIMIT = "time_settings 0 1 0"  # GTP's notation: overtime without moves
_UNLIMITED = ("", _NO_LIMIT)
_OF_LAST_GAME = "time_settings ? ? ?"  # differs from all settings, which are therefore sent in the new game
# Names of the games in engines that play several, letters and digits only.
_GAME_NAMES = {"othello": ("othello", "reversi"), "connect4": ("connectfour", "connect4", "fourinarow")}


class GtpSession(EngineSession):
    """A GTP session.

    :param passes: whether the engine takes passes; otherwise it has to find out by itself that a side cannot move
    """

    def __init__(self, engine: EngineProcess, *, passes: bool = True) -> None:
        super().__init__(engine)
        self._passes = passes
        self._known: dict[str, bool] = {}
        self._time = ""  # the last settings that were sent

    def handshake(self, deadline: float) -> None:
        self._knows(SET_GAME, deadline)

    def send_history(self, history: GameHistory, deadline: float) -> None:
        new_moves = None if self._sent is None else history.moves_since(self._sent)
        if new_moves is None:
            self._sent = None
            self._begin(history, deadline)
            new_moves = history.moves
        for position, move in zip(history.positions[len(history.moves) - len(new_moves) :], new_moves, strict=False):
            self._play(position, move, deadline)
        self._sent = history

    def move(self, history: GameHistory, clock: Clock | None, deadline: float) -> int:
        """Asks for the engine's move. The engine plays it on its own board."""
        position = history.position
        self._send_time(position, clock, deadline)
        answer = self._ask(f"genmove {COLOURS[position.to_move]}", deadline).strip()
        if answer.lower() == "resign":
            raise EngineError(f"resigned in {position!r}")
        move = legal_move(position, answer, read_move)
        self._sent = history.play(move)
        return move

    # Game and position

    def _begin(self, history: GameHistory, deadline: float) -> None:
        """Starts a new game from the history's first position."""
        start = history.start
        if self._time not in _UNLIMITED:
            self._time = _OF_LAST_GAME
        self._choose_game(start.game, deadline)
        self._ask("clear_board", deadline)
        if start == start.game.start():
            return
        if self._knows(SET_POSITION, deadline):
            self._ask(f"{SET_POSITION} {write_board(start)}", deadline)
            return
        moves = find_move_sequence(start.game.start(), start)
        if moves is None:
            raise EngineError(
                f"cannot be given {start!r}: it does not know {SET_POSITION}, and no move sequence to it was found"
            )
        position = start.game.start()
        for move in moves:
            self._play(position, move, deadline)
            position = position.play(move)

    def _choose_game(self, game: Game, deadline: float) -> None:
        if self._knows(SET_GAME, deadline):
            self._ask(f"{SET_GAME} {game.name}", deadline)
            return
        if "#" in game.start().cells:
            raise EngineError(f"cannot be given the forbidden cell of {game.name}: it does not know {SET_GAME}")
        if self._knows("set_game", deadline) and self._knows("list_games", deadline):
            self._ask(f"set_game {self._name_of(game, deadline)}", deadline)
        size = f"{game.columns}" if game.columns == game.rows else f"{game.columns} {game.rows}"
        try:
            self._ask(f"boardsize {size}", deadline)
        except _Refusal:
            if game not in (OthelloGame(), ConnectFourGame()):  # a program's default boards
                raise

    def _name_of(self, game: Game, deadline: float) -> str:
        """The name that an engine for several games has for this one."""
        names = self._ask("list_games", deadline).split("\n")
        called = _GAME_NAMES[game.family]
        for name in names:
            if "".join(filter(str.isalnum, name)).lower() in called:
                return name.strip()
        raise EngineError(f"does not play {game.title}; its games are {one_line(', '.join(names), 80)}")

    def _play(self, position: Position, move: int, deadline: float) -> None:
        if move != position.pass_move:
            self._ask(f"play {COLOURS[position.to_move]} {position.move_name(move)}", deadline)
        elif self._passes:
            try:
                self._ask(f"play {COLOURS[position.to_move]} pass", deadline)
            except _Refusal as refusal:
                raise EngineError(f"{refusal}; if it takes no passes, add the option passes=no") from None

    # Time

    def _send_time(self, position: Position, clock: Clock | None, deadline: float) -> None:
        if clock is None and self._time in _UNLIMITED:
            return
        settings, left = gtp_time(position, clock)
        if self._knows(SET_CLOCK, deadline):
            self._ask(f"{SET_CLOCK} {write_clock(clock)}", deadline)
        elif self._knows("time_settings", deadline):
            sends_left = bool(left) and self._knows("time_left", deadline)
            # Settings belong to a game: they are not sent again while only the remaining time changes.
            if not (sends_left and _without_main_time(settings) == _without_main_time(self._time)):
                self._ask(settings, deadline)
            if sends_left:
                self._ask(f"time_left {COLOURS[position.to_move]} {left}", deadline)
        self._time = settings

    # Commands

    def _knows(self, command: str, deadline: float) -> bool:
        if command not in self._known:
            try:
                self._known[command] = self._ask(f"known_command {command}", deadline).strip().lower() == "true"
            except _Refusal:
                self._known[command] = False
        return self._known[command]

    def _ask(self, command: str, deadline: float) -> str:
        """Sends a command and returns the answer, which may have several lines."""
        unsolicited = self._engine.unsolicited_line()
        if unsolicited:
            raise EngineError(f"sent {quoted(unsolicited)} without a command")
        self._engine.send(command, deadline)
        while not (first := self._engine.receive(deadline, after=command)).strip():
            pass
        if first[0] not in "=?":
            raise EngineError(
                f"answered {quoted(first)} to {quoted(command)}; an answer of GTP begins with = or ?, and ends with an "
                "empty line"
            )
        lines = [first[1:].strip()]
        while (line := self._engine.receive(deadline, after=command)).strip():
            lines.append(line)
            if len(lines) > _MAX_LINES:
                raise EngineError(f"answered {quoted(command)} with more than {_MAX_LINES} lines")
        answer = "\n".join(lines)
        if first[0] == "?":
            raise _Refusal(f"refused {quoted(command)}: {one_line(answer) or 'no reason given'}")
        return answer


class _Refusal(EngineError):
    """A GTP error response, which begins with a question mark."""


def _without_main_time(settings: str) -> list[str]:
    return settings.split()[2:]


def gtp_time(position: Position, clock: Clock | None) -> tuple[str, str]:
    """A clock in GTP's standard commands: ``time_settings``, and the arguments of ``time_left`` after the colour.

    Seconds are rounded down. A limit per move is overtime of one move. GTP has no increment; the engine sees it in the
    time that is left.
    """
    if clock is None or (clock.remaining is None and clock.move_limit is None):
        return _NO_LIMIT, ""
    if clock.move_limit is None:
        seconds = math.floor(clock.remaining or 0.0)
        return f"time_settings {seconds} 0 0", f"{seconds} 0"
    of_remaining = time_for_move(position, Clock(remaining=clock.remaining, increment=clock.increment))
    seconds = math.floor(min(clock.move_limit, of_remaining))
    return f"time_settings 0 {seconds} 1", f"{seconds} 1"
