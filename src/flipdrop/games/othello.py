"""Othello on 4x4, 6x6 and 8x8.

Moves are numbered row by row from a1 at the top left; the number after the last square is the pass, which is the only
legal move of a side that cannot place a disc while its opponent can. A board string holds the squares in reading order
and the side to move; the start of 4x4 Othello is ``-----OX--XO----- X``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from flipdrop.errors import IllegalPosition, NotationError, UnknownGame, quoted
from flipdrop.games import drawings
from flipdrop.games.base import Game
from flipdrop.games.transcripts import read_transcript
from flipdrop.kernel import OthelloPosition, Side

if TYPE_CHECKING:
    from typing import Self

SIZES = (4, 6, 8)

_CELLS = {**dict.fromkeys("Xx*Bb●", "X"), **dict.fromkeys("Oo0Ww○", "O"), **dict.fromkeys("-._", "-")}
_SIDES = {"X": Side.FIRST, "O": Side.SECOND}
_TRANSCRIPT = re.compile(r"\s*(pass|pa|ps|--|[a-z][0-9])", re.IGNORECASE)


@dataclass(frozen=True)
class OthelloGame(Game):
    """Othello on a board of `size` x `size`."""

    size: int = 8

    family = "othello"
    sides = ("black", "white")
    score_unit = "discs"
    row_separator = ""
    moves_name_columns = False
    discs_flip = True
    default_evaluation = "D"
    analysis_evaluation = "Seven"

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise UnknownGame(f"Othello of size {self.size}; it is played on 4x4, 6x6 or 8x8")

    @property
    def name(self) -> str:
        """``othello``, ``othello6`` or ``othello4``."""
        return "othello" if self.size == 8 else f"othello{self.size}"

    @property
    def title(self) -> str:
        return f"Othello {self.size}x{self.size}"

    @property
    def columns(self) -> int:
        return self.size

    @property
    def rows(self) -> int:
        return self.size

    @property
    def largest_score(self) -> int:
        return self.size**2

    def start(self) -> Othello:
        return Othello(size=self.size)

    def cell_name(self, cell: int) -> str:
        return f"{chr(ord('a') + cell % self.size)}{cell // self.size + 1}"

    def resized(self, columns: int, rows: int) -> OthelloGame:
        if columns != rows:
            raise UnknownGame(f"{columns}x{rows} is no board of {self.title}")
        return OthelloGame(columns)

    def from_board(self, text: str) -> Othello:
        return Othello(text)

    def is_board(self, text: str) -> bool:
        return len(text.strip()) > 8 and set(text).isdisjoint("12345678")

    def transcript_tokens(self, text: str) -> list[str]:
        tokens, at = [], 0
        text = text.rstrip()
        while at < len(text):
            match = _TRANSCRIPT.match(text, at)
            if match is None:
                raise NotationError(
                    f"transcript {quoted(text)}: {quoted(text[at:], 20)} is not a move; "
                    "a transcript is a row of squares such as f5d6c3"
                )
            tokens.append(match[1])
            at = match.end()
        return tokens


class Othello(OthelloPosition):
    """A position of Othello: an immutable value.

    >>> position = Othello().play("f5").play("d6")
    >>> position.to_move, position.discs, [position.move_name(m) for m in position.legal_moves][:3]
    (Side.FIRST, (3, 3), ['c3', 'c4', 'c5'])

    :param board: squares in reading order (``X`` black, ``O`` white, ``-`` empty), then the side to move; the start
        position if it is left out
    :param size: rows and columns of the start position
    """

    __slots__ = ()

    def __init__(self, board: str | None = None, *, size: int | None = None) -> None:
        if board is None:
            game = OthelloGame(8 if size is None else size)
            super().__init__(game.size, _start(game.size), Side.FIRST)
            return
        cells, side = _parse_board(board)
        if size is not None and (size < 0 or size * size != len(cells)):
            raise NotationError(f"board {quoted(board)} has {len(cells)} squares, which is not {size}x{size}")
        try:
            super().__init__(round(len(cells) ** 0.5), cells, side)
        except IllegalPosition as error:
            raise IllegalPosition(f"board {quoted(board, 90)}: {error}") from None

    @classmethod
    def from_transcript(cls, text: str, *, size: int = 8) -> Self:
        """The position after the moves of a transcript such as ``f5d6c3``, passes written or left out."""
        return cast("Self", read_transcript(cls(size=size), text)[1])

    @property
    def game(self) -> OthelloGame:
        return OthelloGame(self.size)

    @property
    def board(self) -> str:
        """The board string: squares in reading order, then the side to move."""
        return self.game.board(self.cells, self.to_move)

    @property
    def pass_move(self) -> int:
        """The number of the move that places no disc."""
        return self.move_space - 1

    @property
    def winning_cells(self) -> list[int]:
        """Always empty: no line wins in this game."""
        return []

    @property
    def empties(self) -> int:
        return self.cells.count("-")

    @property
    def final_score(self) -> int:
        """The disc difference of a finished game for the side to move; empty squares go to the winner."""
        return self.margin if self.to_move == Side.FIRST else -self.margin

    def cell_of(self, move: int) -> int | None:
        """The square in which a move places a disc; None for a pass."""
        self.move_name(move)  # raises IllegalMove unless there is such a move
        return None if move == self.pass_move else move

    def last_cell(self, move: int) -> int | None:
        """The square of the disc that the last move placed; None for a pass."""
        return self.cell_of(move)

    diagram = drawings.diagram
    svg = drawings.svg
    _repr_svg_ = drawings.svg
    __str__ = drawings.diagram

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.board!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.board,)


def _start(size: int) -> str:
    edge = "-" * ((size - 2) // 2)
    rows = [edge + "OX" + edge, edge + "XO" + edge]
    margin = "-" * size * ((size - 2) // 2)
    return margin + "".join(rows) + margin


def _parse_board(text: str) -> tuple[str, Side]:
    if not isinstance(text, str):
        raise TypeError(f"a board is a string such as '-----OX--XO----- X', not {text!r}; a size is size={text!r}")
    marks = "".join(text.split()).removesuffix(";")
    cells = [_CELLS.get(mark) for mark in marks]
    for mark, cell in zip(marks, cells, strict=True):
        if cell is None:
            raise NotationError(f"board {quoted(text, 90)}: {mark!r} is no square; use X, O and -")
    known = [cell for cell in cells if cell is not None]
    sizes = " or ".join(f"{n * n} ({n}x{n})" for n in SIZES)
    if len(known) - 1 not in (n * n for n in SIZES):
        raise NotationError(
            f"board {quoted(text, 90)}: {len(known)} marks; it takes {sizes} squares and the side to move, X or O"
        )
    if known[-1] not in _SIDES:
        raise NotationError(f"board {quoted(text, 90)} ends with {marks[-1]!r}; the side to move is X or O")
    return "".join(known[:-1]), _SIDES[known[-1]]
