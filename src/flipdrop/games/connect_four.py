"""Connect Four on every board from 4x4 to 12x12, with an optional forbidden cell.

Moves are numbered by column from 0; in notation columns are ``1`` to ``9``, then ``a``, ``b``, ``c``. A cell is named
by its column's letter and its row counted from the bottom: ``a1`` is the bottom left. A board string holds the rows
from the top, separated by ``/``, and the side to move; 4x4 with one disc is ``----/----/----/-X-- O``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from flipdrop.errors import IllegalPosition, NotationError, UnknownGame, quoted
from flipdrop.games import drawings
from flipdrop.games.base import Game
from flipdrop.games.transcripts import read_transcript
from flipdrop.kernel import ConnectFourPosition, Side

if TYPE_CHECKING:
    from typing import Self

SMALLEST, LARGEST = 4, 12

_CELLS = {**dict.fromkeys("Xx*", "X"), **dict.fromkeys("Oo0", "O"), **dict.fromkeys("-._", "-"), "#": "#"}
_SIDES = {"X": Side.FIRST, "O": Side.SECOND}


@dataclass(frozen=True)
class ConnectFourGame(Game):
    """Connect Four on `columns` x `rows`; no disc may occupy the cell `forbidden` (such as ``c3``)."""

    columns: int = 7
    rows: int = 6
    forbidden: str | None = None

    family = "connect4"
    sides = ("red", "yellow")
    score_unit = "plies"
    row_separator = "/"
    moves_name_columns = True
    discs_flip = False
    default_evaluation = "lines"
    analysis_evaluation = "lines"

    def __post_init__(self) -> None:
        if not all(SMALLEST <= n <= LARGEST for n in (self.columns, self.rows)):
            raise UnknownGame(f"Connect Four on {self.columns}x{self.rows}; boards are 4x4 to 12x12 (columns x rows)")
        if self.forbidden is not None:
            self.cell(self.forbidden)

    @property
    def name(self) -> str:
        """``connect4``, ``connect4:9x10``, ``connect4:12x12,forbid=c3``."""
        size = "" if (self.columns, self.rows) == (7, 6) else f"{self.columns}x{self.rows}"
        forbid = f"forbid={self.forbidden}" if self.forbidden else ""
        options = ",".join(filter(None, (size, forbid)))
        return f"connect4:{options}" if options else "connect4"

    @property
    def title(self) -> str:
        without = f" without {self.forbidden}" if self.forbidden else ""
        return f"Connect Four {self.columns}x{self.rows}{without}"

    def cell(self, name: str) -> int:
        """The number, in reading order, of a cell such as ``c3``."""
        match = re.fullmatch(r"([a-l])([1-9][0-9]?)", name)
        if match:
            column, row = ord(match[1]) - ord("a"), int(match[2])
            if column < self.columns and row <= self.rows:
                return (self.rows - row) * self.columns + column
        last = self.cell_name(self.columns - 1)
        raise UnknownGame(f"cell {quoted(name)} of Connect Four {self.columns}x{self.rows}; cells are a1 to {last}")

    def cell_name(self, cell: int) -> str:
        return f"{chr(ord('a') + cell % self.columns)}{self.rows - cell // self.columns}"

    @property
    def largest_score(self) -> int:
        return (self.columns * self.rows + 1) // 2

    def start(self) -> ConnectFour:
        return ConnectFour(columns=self.columns, rows=self.rows, forbidden=self.forbidden)

    def resized(self, columns: int, rows: int) -> ConnectFourGame:
        return ConnectFourGame(columns, rows)

    def from_board(self, text: str) -> ConnectFour:
        return ConnectFour(text)

    def is_board(self, text: str) -> bool:
        return not set(text).isdisjoint("/-._#*xXoO")

    def transcript_tokens(self, text: str) -> list[str]:
        return list("".join(text.split()))


class ConnectFour(ConnectFourPosition):
    """A position of Connect Four: an immutable value.

    >>> position = ConnectFour.from_transcript("4453")
    >>> position.to_move, position.discs, position.play("3").cells[-7:]
    (Side.FIRST, (2, 2), '--OXX--')

    :param board: rows from the top, separated by ``/`` (``X`` and ``O`` discs, ``-`` empty, ``#`` forbidden), then the
        side to move; the empty board if it is left out
    :param columns: columns of the empty board
    :param rows: rows of the empty board
    :param forbidden: a cell of the empty board that no disc may occupy, such as ``c3``
    """

    __slots__ = ()

    def __init__(
        self, board: str | None = None, *, columns: int = 7, rows: int = 6, forbidden: str | None = None
    ) -> None:
        if board is None:
            game = ConnectFourGame(columns, rows, forbidden)
            cells = ["-"] * (columns * rows)
            if forbidden is not None:
                cells[game.cell(forbidden)] = "#"
            super().__init__(columns, rows, "".join(cells), Side.FIRST)
            return
        if (columns, rows, forbidden) != (7, 6, None):
            raise NotationError("a board string says its own size and forbidden cell: leave out the other arguments")
        lines, side = _parse_board(board)
        try:
            super().__init__(len(lines[0]), len(lines), "".join(lines), side)
        except IllegalPosition as error:
            raise IllegalPosition(f"board {quoted(board, 90)}: {error}") from None

    @classmethod
    def from_transcript(cls, text: str, *, columns: int = 7, rows: int = 6, forbidden: str | None = None) -> Self:
        """The position after the moves of a transcript such as ``4453``."""
        return cast("Self", read_transcript(cls(columns=columns, rows=rows, forbidden=forbidden), text)[1])

    @property
    def game(self) -> ConnectFourGame:
        plain = ConnectFourGame(self.columns, self.rows)
        if self.forbidden is None:
            return plain
        return ConnectFourGame(self.columns, self.rows, plain.cell_name(self.forbidden))

    @property
    def board(self) -> str:
        """The board string: rows from the top, then the side to move."""
        return self.game.board(self.cells, self.to_move)

    @property
    def pass_move(self) -> None:
        """This game has no passes."""
        return None

    @property
    def empties(self) -> int:
        return self.cells.count("-")

    @property
    def margin(self) -> None:
        """Discs do not count in this game."""
        return None

    @property
    def final_score(self) -> int:
        """The score of a finished game for the side to move: 0, or minus the winner's discs in hand plus one."""
        return 0 if self.result == 0 else -(self.empties // 2 + 1)

    def flipped_by(self, move: int) -> list[int]:
        """No move flips discs in this game."""
        self.move_name(move)  # raises IllegalMove unless there is such a move
        return []

    def cell_of(self, move: int) -> int | None:
        """The cell where the disc of a legal move lands."""
        return self.landing_cell(move)

    def last_cell(self, move: int) -> int | None:
        """The cell of the disc that the last move placed: the topmost of its column."""
        self.move_name(move)  # raises IllegalMove unless there is such a move
        column = self.cells[move :: self.columns]
        top = next((row for row, mark in enumerate(column) if mark in "XO"), None)
        return None if top is None else top * self.columns + move

    diagram = drawings.diagram
    svg = drawings.svg
    _repr_svg_ = drawings.svg
    __str__ = drawings.diagram

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.board!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.board,)


def _parse_board(text: str) -> tuple[list[str], Side]:
    if not isinstance(text, str):
        raise TypeError(f"a board is a string such as '----/----/----/-X-- O', not {text!r}")
    shown = quoted(text, 90)
    *rows, last = text.strip().removesuffix(";").strip().replace("/", "\n").split("\n")
    bottom, _, side = last.strip().rpartition(" ")
    if not bottom:  # the side on a line of its own
        bottom, rows = (rows[-1], rows[:-1]) if rows else ("", [])
    if not rows and not bottom:
        raise NotationError(
            f"{shown} is neither a transcript such as 4453 nor a board: rows from the top, separated by /, then X or O"
        )
    if _CELLS.get(side) not in _SIDES:
        raise NotationError(f"board {shown} ends with {quoted(side, 20)}; the side to move is X or O")
    lines = []
    for row in [*rows, bottom]:
        marks = "".join(row.split())
        for mark in marks:
            if mark not in _CELLS:
                raise NotationError(f"board {shown}: {mark!r} is no cell; use X, O, - and #")
        lines.append("".join(_CELLS[mark] for mark in marks))
    if not any(lines):
        raise NotationError(f"board {shown} has no rows; write them from the top, separated by /, then X or O")
    if len({len(line) for line in lines}) != 1:
        raise NotationError(f"board {shown}: its rows have {[len(line) for line in lines]} cells, not all the same")
    return lines, _SIDES[_CELLS[side]]
