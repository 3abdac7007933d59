"""Drawings of a board: text for a terminal, SVG for a notebook or a page. Both render a `Scene`."""

from flipdrop.games.drawing.svg import svg
from flipdrop.games.drawing.text import diagram

__all__ = ["diagram", "svg"]
