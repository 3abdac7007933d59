"""`Scene`: the contents of a drawing, without its form; `Marks`: what a drawing shows besides the discs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.games.base import Game
    from flipdrop.games.position import Position


class Marks(TypedDict, total=False):
    """Arguments of the drawing functions."""

    last_move: int | str | None
    """The move just played; its disc is put in brackets, or gets a dot."""
    legal: bool
    """Whether to mark the legal moves."""
    scores: Mapping[int, object] | None
    """A label for the cell of each of these moves; in SVG the highest number stands out."""


@dataclass(frozen=True)
class Scene:
    """A board with its marks. Cells are numbered in reading order."""

    game: Game
    cells: str
    last: int | None
    legal: frozenset[int]
    scores: dict[int, object]
    line: frozenset[int]
    discs: tuple[int, int]
    state: str

    @property
    def column_names(self) -> list[str]:
        """Labels of the columns, in the game's notation."""
        start = self.game.start()
        if self.game.columns == start.move_space:
            return [start.move_name(column) for column in range(self.game.columns)]
        return [chr(ord("a") + column) for column in range(self.game.columns)]

    @property
    def row_names(self) -> list[str]:
        """Labels of the rows; empty if moves do not name rows."""
        if self.game.columns == self.game.start().move_space:
            return [""] * self.game.rows
        return [str(row + 1) for row in range(self.game.rows)]

    def caption(self, marks: tuple[str, str] = ("", "")) -> str:
        """Disc counts and the side to move, or the winner; each side after its mark."""
        counts = zip(marks, self.game.sides, self.discs, strict=True)
        return ", ".join(f"{mark}{side} {count}" for mark, side, count in counts) + f"; {self.state}"


def scene_of(
    position: Position,
    *,
    last_move: int | str | None = None,
    legal: bool = False,
    scores: Mapping[int, object] | None = None,
) -> Scene:
    if isinstance(last_move, str):
        last_move = position.parse_move(last_move)
    legal_cells = (position.cell_of(move) for move in position.legal_moves if legal)
    scored = {position.cell_of(move): score for move, score in (scores or {}).items()}
    return Scene(
        game=position.game,
        cells=position.cells,
        last=None if last_move is None else position.last_cell(last_move),
        legal=frozenset(cell for cell in legal_cells if cell is not None),
        scores={cell: score for cell, score in scored.items() if cell is not None},
        line=frozenset(position.winning_cells),
        discs=position.discs,
        state=_state(position),
    )


def _state(position: Position) -> str:
    sides = position.game.sides
    if position.result is None:
        return f"{sides[position.to_move]} to move"
    if position.result == 0:
        return "drawn"
    return f"{sides[0 if position.result > 0 else 1]} has won"
