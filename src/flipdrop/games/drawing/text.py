"""A board as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flipdrop.games.drawing.scene import scene_of

if TYPE_CHECKING:
    from typing import Unpack

    from flipdrop.games.drawing.scene import Marks
    from flipdrop.games.position import Position


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
