"""Server for the Connect Four platform Saiblo: lines of numbers that carry what its programs get.

A program of the platform is a function that gets the size of the board, the forbidden cell, the board and the
opponent's last move, and returns its own. Here the same facts are lines of text. The first line of a game is ``ROWS
COLUMNS X Y``, where X and Y are the row and the column of the forbidden cell (``-1 -1`` for none). Every further line
is the opponent's last move, ``X Y``, or ``-1 -1`` if we begin; the answer is our move in the same form. Rows count from
0 at the top, columns from 0 at the left. A line of four numbers begins another game.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TextIO

from flipdrop.errors import PlayerError, quoted
from flipdrop.games import ConnectFourGame
from flipdrop.games.history import GameHistory
from flipdrop.interface.protocols.streams import read_lines, write_line
from flipdrop.players import SpecPlayer, checked_move
from flipdrop.players.player import send_history

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.players import Clock, Player

NO_CELL = (-1, -1)


def serve_saiblo(player: Player, commands: TextIO, answers: TextIO, *, clock: Clock | None = None) -> None:
    """Answers moves until the end of the stream.

    :param clock: of every move
    """
    server = SaibloServer(player, clock)
    for line in read_lines(commands):
        if answer := server.answer(line):
            write_line(answers, answer)


class SaibloServer:
    """The game that the lines describe."""

    def __init__(self, player: Player, clock: Clock | None = None) -> None:
        self._player, self._clock = player, clock
        self._history: GameHistory | None = None

    def answer(self, line: str) -> str:
        """Our move after a line of input; empty for a line that begins a game, or is empty."""
        match _numbers(line):
            case ():
                return ""
            case (rows, columns, x, y):
                self._history = GameHistory.of(platform_game(rows, columns, (x, y)).start())
                if isinstance(self._player, SpecPlayer):
                    self._player.check_supported(self._history.position.game)
                return ""
            case (x, y):
                return self._move((x, y))
        raise PlayerError(f"{quoted(line, 60)} holds neither the four numbers of a board nor the two of a move")

    def _move(self, last: tuple[int, int]) -> str:
        if self._history is None:
            raise PlayerError("a move before the line of the board: ROWS COLUMNS X Y")
        if last != NO_CELL:
            self._history = self._history.play(self._column(last))
        elif self._history.moves:
            raise PlayerError("-1 -1 is the first line of the side that begins, but the game has begun")
        position = self._history.position
        if position.is_over:
            return ""
        send_history(self._player, self._history.start, self._history.moves)
        move = checked_move(self._player, position, self._clock)
        self._history = self._history.play(move)
        return " ".join(map(str, landing(position, move)))

    def _column(self, cell: tuple[int, int]) -> int:
        assert self._history is not None
        position = self._history.position
        x, y = cell
        if y not in position.legal_moves or landing(position, y) != cell:
            raise PlayerError(f"no disc lands in row {x}, column {y} of {position.board}")
        return y


def landing(position: Position, move: int) -> tuple[int, int]:
    """Row and column of the cell where the disc of a legal move lands."""
    cell = position.cell_of(move)
    assert cell is not None  # Connect Four has no passes
    return divmod(cell, position.game.columns)


def platform_game(rows: int, columns: int, forbidden: tuple[int, int]) -> ConnectFourGame:
    """The game on a board as the platform describes it: rows count from the top."""
    plain = ConnectFourGame(columns, rows)
    if forbidden == NO_CELL:
        return plain
    x, y = forbidden
    if not (0 <= x < rows and 0 <= y < columns):
        raise PlayerError(f"the forbidden cell {x} {y} is not on a board of {rows} rows and {columns} columns")
    return ConnectFourGame(columns, rows, plain.cell_name(x * columns + y))


def _numbers(line: str) -> tuple[int, ...]:
    words = line.split()
    if not all(re.fullmatch(r"-?[0-9]{1,9}", word, re.ASCII) for word in words):
        raise PlayerError(f"{quoted(line, 60)} holds something that is no whole number")
    return tuple(map(int, words))
