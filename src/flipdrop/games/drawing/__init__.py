"""Drawings of a board: text for a terminal, SVG for a notebook or a page. Both render a `Scene`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.games.drawing.scene import scene_of
from flipdrop.games.drawing.svg import draw_svg
from flipdrop.games.drawing.text import draw_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.games.position import Position

__all__ = ["diagram", "svg"]


def diagram(
    position: Position,
    *,
    last_move: int | str | None = None,
    legal: bool = False,
    scores: Mapping[int, object] | None = None,
) -> str:
    """The board as text.

    :param last_move: the move just played; its disc is put in brackets
    :param legal: mark the legal moves with a ``+``
    :param scores: a label for the cell of each of these moves
    """
    return draw_text(scene_of(position, last_move=last_move, legal=legal, scores=scores))


def svg(
    position: Position,
    *,
    last_move: int | str | None = None,
    legal: bool = False,
    scores: Mapping[int, object] | None = None,
    width: int = 400,
) -> str:
    """The board as an SVG picture, `width` pixels wide.

    :param last_move: the move just played; its disc gets a dot
    :param legal: mark the legal moves
    :param scores: a label for the cell of each of these moves; the highest number stands out
    """
    return draw_svg(scene_of(position, last_move=last_move, legal=legal, scores=scores), width)
