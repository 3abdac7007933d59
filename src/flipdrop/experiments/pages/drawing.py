"""Pictures as SVG: as files for any reader, or as parts of a page that follow the page's colours."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from flipdrop.experiments.plots import FAINT, GRID, INK, PAPER

if TYPE_CHECKING:
    from flipdrop.experiments.experiment import Picture

THEMED = {INK: "var(--ink)", FAINT: "var(--faint)", GRID: "var(--line)", PAPER: "var(--paper)"}
"""Colours of figures, and what a page calls them."""
_REM_AN_INCH = 7.0  # so that letters in figures are about as large as small print


def svg_file(picture: Picture) -> bytes:
    """A picture on white, with letters drawn, so that it looks the same everywhere."""
    return _drawn(picture, letters="path", paper="white")


def svg_part(picture: Picture, prefix: str) -> str:
    """A picture as part of a page, in the page's colours and letters.

    :param prefix: for the names inside the picture, which all pictures of a page share
    """
    text = _drawn(picture, letters="none", paper="none").decode()
    text = text[text.index("<svg") :]
    for mark in ('id="', 'href="#', "url(#"):
        text = text.replace(mark, f"{mark}{prefix}-")
    for colour, name in THEMED.items():
        text = text.replace(colour, name)
    width = _REM_AN_INCH * picture.size[0]
    return text.replace("<svg", f'<svg role="img" style="max-width: {width:g}rem"', 1)


def _drawn(picture: Picture, *, letters: str, paper: str) -> bytes:
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {
        "svg.fonttype": letters,
        "svg.hashsalt": "flipdrop",
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "xtick.color": INK,
        "ytick.color": INK,
        "legend.labelcolor": INK,
        "font.size": 10,
    }
    made = io.BytesIO()
    with mpl.rc_context(style):
        figure = Figure(figsize=picture.size, layout="constrained", facecolor=paper)
        FigureCanvasAgg(figure)
        picture.draw(figure)
        figure.savefig(made, format="svg", metadata={"Date": None, "Creator": None}, transparent=paper == "none")
    return made.getvalue()
