"""Drawings of a board: text for a terminal, SVG for a notebook or a page. Both render a `Scene`.

The SVG has no style sheet and no identifiers, so that many pictures fit on one page.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from flipdrop.games.base import Game
    from flipdrop.games.position import Position

CELL = 50  # units of the picture; the width in pixels is the caller's
MARGIN = 24
CAPTION = 30

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # not allowed in XML 1.0


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
    numbers: Mapping[int, int] = field(default_factory=dict)

    @property
    def column_names(self) -> list[str]:
        """Labels of the columns, in the game's notation."""
        if self.game.moves_name_columns:
            start = self.game.start()
            return [start.move_name(column) for column in range(self.game.columns)]
        return [chr(ord("a") + column) for column in range(self.game.columns)]

    @property
    def row_names(self) -> list[str]:
        """Labels of the rows; empty if moves do not name rows."""
        if self.game.moves_name_columns:
            return [""] * self.game.rows
        return [str(row + 1) for row in range(self.game.rows)]

    @property
    def palette(self) -> Palette:
        """The colours of the game."""
        return OTHELLO if self.game.family == "othello" else CONNECT_FOUR

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


def diagram(position: Position, **marks: Unpack[Marks]) -> str:
    """The board with coordinates and caption, as lines of text; a ``+`` marks a legal move."""
    scene = scene_of(position, **marks)
    labels = list(scene.cells)
    for cell in scene.legal:
        labels[cell] = "+"
    for cell, score in scene.scores.items():
        labels[cell] = format_score(score)
    width = max(len(label) for label in labels)
    columns, names = scene.game.columns, scene.row_names
    gutter = max(len(name) for name in names)
    header = " " * gutter + " " + " ".join(name.rjust(width) for name in scene.column_names)
    lines = [header.rstrip()]
    for row, name in enumerate(names):
        line = f"{name:>{gutter}}"
        for cell in range(row * columns, (row + 1) * columns):
            before = " " * (1 + width - len(labels[cell]))
            if cell == scene.last:
                before = before[:-1] + "["
            elif scene.last is not None and cell == scene.last + 1 and cell > row * columns:
                before = "]" + before[1:]
            line += before + labels[cell]
        lines.append(line + ("]" if (row + 1) * columns - 1 == scene.last else ""))
    return "\n".join([*lines, scene.caption(("X ", "O "))])


def format_score(score: object) -> str:
    """A score as a cell shows it: numbers with their sign, rounded to fit."""
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        return str(score)
    if isinstance(score, int) or score == int(score):
        return f"{int(score):+d}" if score else "0"
    return f"{score:+.2f}" if abs(score) < 10 else f"{score:+.0f}"


@dataclass(frozen=True)
class Palette:
    """The colours of one game."""

    board: str
    grid: str
    discs: dict[str, str]
    rims: dict[str, str]
    last: dict[str, str]
    hole: str | None
    note: str


OTHELLO = Palette(
    board="#2f7d4f",
    grid="#1d5736",
    discs={"X": "#1b1e22", "O": "#f6f4ee"},
    rims={"X": "#000000", "O": "#c9c5b8"},
    last={"X": "#ff7a59", "O": "#d9480f"},
    hole=None,
    note="#d8f3dc",
)
CONNECT_FOUR = Palette(
    board="#2457a6",
    grid="#1b4383",
    discs={"X": "#e03e36", "O": "#f7c948"},
    rims={"X": "#a82620", "O": "#c99a1b"},
    last={"X": "#ffffff", "O": "#5c3c00"},
    hole="#e9eef6",
    note="#1b2a41",
)


def svg(position: Position, *, width: int = 400, **marks: Unpack[Marks]) -> str:
    """The board as an ``<svg>`` element, `width` pixels wide."""
    return _svg(scene_of(position, **marks), width)


def game_svg(start: Position, moves: Sequence[int], *, width: int = 400) -> str:
    """A whole game in one picture: every disc where it was played, with the number of the move, as in newspapers."""
    numbers: dict[int, int] = {}
    cells, position = list(start.cells), start
    for move in moves:
        cell = position.cell_of(move)
        if cell is not None:
            cells[cell] = "XO"[position.to_move]
            numbers[cell] = len(numbers) + 1
        position = position.play(move)
    return _svg(replace(scene_of(position), cells="".join(cells), numbers=numbers), width)


def _svg(scene: Scene, width: int) -> str:
    game = scene.game
    palette = scene.palette
    wide, high = game.columns * CELL + 2 * MARGIN, game.rows * CELL + 2 * MARGIN + CAPTION
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{width}" '
        f'height="{round(width * high / wide)}" font-family="system-ui, sans-serif" text-anchor="middle">',
        f"<title>{escape(game.title)}: {escape(scene.caption())}</title>",
        f'<rect width="{wide}" height="{high}" rx="6" fill="#fbfaf7"/>',
        f'<rect x="{MARGIN}" y="{MARGIN}" width="{game.columns * CELL}" height="{game.rows * CELL}" rx="4" '
        f'fill="{palette.board}" stroke="{palette.grid}" stroke-width="2"/>',
    ]
    if palette.hole is None:
        parts.append(_grid(scene, palette))
    best = max((score for score in scene.scores.values() if isinstance(score, int | float)), default=None)
    for cell, mark in enumerate(scene.cells):
        parts += _cell(scene, palette, cell, mark, best)
    for column, name in enumerate(scene.column_names):
        for y in (MARGIN - 8, MARGIN + game.rows * CELL + 17):
            parts.append(_text(MARGIN + (column + 0.5) * CELL, y, name, 13, "#5b6066"))
    for row, name in enumerate(scene.row_names):
        for x in (MARGIN / 2, wide - MARGIN / 2):
            parts.append(_text(x, MARGIN + (row + 0.5) * CELL + 4, name, 13, "#5b6066"))
    parts.append(_text(wide / 2, high - 12, scene.caption(), 15 if game.columns > 4 else 12, "#23272b"))
    parts.append("</svg>")
    return "\n".join(part for part in parts if part)


def _grid(scene: Scene, palette: Palette) -> str:
    right, bottom = MARGIN + scene.game.columns * CELL, MARGIN + scene.game.rows * CELL
    path = "".join(f"M{MARGIN + i * CELL} {MARGIN}V{bottom}" for i in range(1, scene.game.columns))
    path += "".join(f"M{MARGIN} {MARGIN + i * CELL}H{right}" for i in range(1, scene.game.rows))
    return f'<path d="{path}" stroke="{palette.grid}" stroke-width="1.5" fill="none"/>'


def _cell(scene: Scene, palette: Palette, cell: int, mark: str, best: float | None) -> list[str]:
    x = MARGIN + (cell % scene.game.columns + 0.5) * CELL
    y = MARGIN + (cell // scene.game.columns + 0.5) * CELL
    parts = []
    if mark == "#":
        arm = CELL * 0.24
        parts.append(f'<circle cx="{x}" cy="{y}" r="{CELL * 0.4}" fill="{palette.grid}"/>')
        parts.append(
            f'<path d="M{x - arm} {y - arm}L{x + arm} {y + arm}M{x - arm} {y + arm}L{x + arm} {y - arm}" '
            f'stroke="{palette.board}" stroke-width="5" stroke-linecap="round"/>'
        )
    elif mark in palette.discs:
        rim = "#ffffff" if cell in scene.line else palette.rims[mark]
        stroke = 4 if cell in scene.line else 1.5
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="{CELL * 0.4}" fill="{palette.discs[mark]}" stroke="{rim}" '
            f'stroke-width="{stroke}"/>'
        )
    elif palette.hole is not None:
        parts.append(f'<circle cx="{x}" cy="{y}" r="{CELL * 0.4}" fill="{palette.hole}"/>')
    if cell in scene.numbers:
        ink = {"X": "#ffffff", "O": "#14181a"}[mark]
        parts.append(_text(x, y + 6, str(scene.numbers[cell]), 17, ink, weight=600))
    if cell == scene.last and mark in palette.last:
        parts.append(f'<circle cx="{x}" cy="{y}" r="5" fill="{palette.last[mark]}"/>')
    if cell in scene.scores:
        score = scene.scores[cell]
        stands_out = best is not None and score == best
        if stands_out:
            parts.append(f'<circle cx="{x}" cy="{y}" r="{CELL * 0.4}" fill="none" stroke="#ff922b" stroke-width="3"/>')
        parts.append(_text(x, y + 5, format_score(score), 15, palette.note, weight=700 if stands_out else 500))
    elif cell in scene.legal:
        parts.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{palette.note}" fill-opacity="0.55"/>')
    return parts


def _text(x: float, y: float, text: str, size: int, colour: str, weight: int = 400) -> str:
    text = _NOT_XML.sub("\ufffd", text)
    if not text:
        return ""
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" font-weight="{weight}">{escape(text)}</text>'
