"""A board as an SVG picture: without style sheet and identifiers, so that many fit on one page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from flipdrop.games.drawing.scene import scene_of
from flipdrop.games.drawing.text import format_score

if TYPE_CHECKING:
    from typing import Unpack

    from flipdrop.games.drawing.scene import Marks, Scene
    from flipdrop.games.position import Position

CELL = 50  # units of the picture; the width in pixels is the caller's
MARGIN = 24
CAPTION = 30

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # not allowed in XML 1.0


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
    scene = scene_of(position, **marks)
    game = scene.game
    palette = OTHELLO if game.family == "othello" else CONNECT_FOUR
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
