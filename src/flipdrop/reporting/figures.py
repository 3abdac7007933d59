"""Figures as files, or as parts of an HTML page that follow the page's colours.

matplotlib is imported on use, for it takes most of a second. Figures are made without pyplot, so that nothing global
changes and no screen is needed.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from flipdrop.errors import ArenaError, FlipdropError, install_command, quoted
from flipdrop.reporting.plots import FAINT, GRID, INK, PAPER

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.figure import Figure

_CSS_VARIABLES = {INK: "var(--ink)", FAINT: "var(--faint)", GRID: "var(--line)", PAPER: "var(--paper)"}
_DPI = 160
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
    draw: Callable[[Figure], object]
    size: tuple[float, float] = (7.5, 4.0)


def svg_file(picture: Picture) -> bytes:
    """A picture on white with letters as paths, so that it looks the same everywhere."""
    return _render(picture, font="path", paper="white")


def inline_svg(picture: Picture, prefix: str) -> str:
    """A picture as part of a page, in the page's colours and font.

    :param prefix: for the ids inside the picture, which have to be unique on the page
    """
    text = embedded_svg(_render(picture, font="none", paper="none"), prefix)
    for colour, name in _CSS_VARIABLES.items():
        text = text.replace(colour, name)
    width = _REM_PER_INCH * picture.size[0]
    return text.replace("<svg", f'<svg style="max-width: {width:g}rem"', 1)


def matplotlib_installed() -> bool:
    return find_spec("matplotlib") is not None


def check_matplotlib() -> None:
    """Raises if figures cannot be drawn; to be called before the work whose results they show."""
    if not matplotlib_installed():
        raise FlipdropError(f"plots need matplotlib, which is not installed: {install_command('plot')}")


def _render(picture: Picture, *, font: str, paper: str) -> bytes:
    check_matplotlib()
    import matplotlib as mpl

    style: dict[Any, Any] = {
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": FAINT,
        "xtick.color": INK,
        "ytick.color": INK,
        "legend.labelcolor": INK,
        "font.size": 10,
    }
    with mpl.rc_context(style):
        figure = new_figure(*picture.size, paper=paper)
        picture.draw(figure)
        return svg(figure, font=font, transparent=paper == "none")


def new_figure(width: float, height: float, *, paper: str = "white") -> Figure:
    """An empty figure of this size in inches."""
    check_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", facecolor=paper)
    FigureCanvasAgg(figure)
    return figure


def svg(figure: Figure, *, font: str = "path", **options: Any) -> bytes:
    """An SVG file; the same figure gives the same bytes.

    :param font: ``path`` draws letters as outlines, which look the same everywhere; ``none`` leaves them as text
    """
    import matplotlib as mpl

    data = io.BytesIO()
    settings: dict[Any, Any] = {"svg.hashsalt": "flipdrop", "svg.fonttype": font}
    with mpl.rc_context(settings):
        figure.savefig(data, format="svg", metadata={"Date": None, "Creator": None}, **options)
    return data.getvalue()


def png(figure: Figure, **options: Any) -> bytes:
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=_DPI, metadata={"Software": None}, **options)
    return data.getvalue()


def embedded_svg(picture: bytes, prefix: str, label: str = "") -> str:
    """An SVG file as part of an HTML page.

    :param prefix: for the ids inside, which have to be unique on the page
    :param label: describes it to screen readers
    """
    text = picture.decode()
    text = text[text.index("<svg") :]
    for mark in ('id="', 'href="#', "url(#"):
        text = text.replace(mark, f"{mark}{prefix}-")
    described = f' aria-label="{escape(label)}"' if label else ""
    return text.replace("<svg", f'<svg role="img"{described}', 1)


def check_plot_file(path: Path) -> None:
    """Raises if a plot cannot be drawn and written there later."""
    check_matplotlib()
    if path.suffix.lower() not in (".png", ".svg"):
        raise ArenaError(f"plot {quoted(str(path))}; plots are written to files named .png or .svg")
    check_writable(path)


def check_writable(path: Path) -> None:
    """Raises if a file cannot be written there, as far as one can tell without writing it."""
    if path.is_dir():
        raise ArenaError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise ArenaError(f"{path}: there is no folder {path.parent}")
