"""Figures as SVG: files for any reader, or parts of an HTML page that follow the page's colours."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.reporting.plots import FAINT, GRID, INK, PAPER

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.reporting.plots import Canvas

_CSS_VARIABLES = {INK: "var(--ink)", FAINT: "var(--faint)", GRID: "var(--line)", PAPER: "var(--paper)"}
_REM_PER_INCH = 7.0  # makes letters in figures about as large as small print


@dataclass(frozen=True)
class Picture:
    """A figure of a report.

    :param name: of the file, without extension; unique in its section
    :param caption: what it shows
    :param draw: draws on an empty matplotlib figure (see `plots`)
    :param size: width and height in inches
    """

    name: str
    caption: str
    draw: Callable[[Canvas], object]
    size: tuple[float, float] = (7.5, 4.0)


def svg_file(picture: Picture) -> bytes:
    """A picture on white with letters as paths, so that it looks the same everywhere."""
    return _render(picture, font="path", paper="white")


def svg_part(picture: Picture, prefix: str) -> str:
    """A picture as part of a page, in the page's colours and font.

    :param prefix: for the ids inside the picture, which have to be unique on the page
    """
    text = _render(picture, font="none", paper="none").decode()
    text = text[text.index("<svg") :]
    for mark in ('id="', 'href="#', "url(#"):
        text = text.replace(mark, f"{mark}{prefix}-")
    for colour, name in _CSS_VARIABLES.items():
        text = text.replace(colour, name)
    width = _REM_PER_INCH * picture.size[0]
    return text.replace("<svg", f'<svg role="img" style="max-width: {width:g}rem"', 1)


def _render(picture: Picture, *, font: str, paper: str) -> bytes:
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    style: dict[Any, Any] = {
        "svg.fonttype": font,
        "svg.hashsalt": "flipdrop",
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "xtick.color": INK,
        "ytick.color": INK,
        "legend.labelcolor": INK,
        "font.size": 10,
    }
    data = io.BytesIO()
    with mpl.rc_context(style):
        figure = Figure(figsize=picture.size, layout="constrained", facecolor=paper)
        FigureCanvasAgg(figure)
        picture.draw(figure)
        figure.savefig(data, format="svg", metadata={"Date": None, "Creator": None}, transparent=paper == "none")
    return data.getvalue()
