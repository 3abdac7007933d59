"""What all plots share: colours, axes, and figures as files.

matplotlib is imported on use, for it takes most of a second. Figures are made without pyplot, so that nothing global
changes and no screen is needed.
"""

from __future__ import annotations

import io
from html import escape
from typing import TYPE_CHECKING, Any

from flipdrop.errors import ArenaError, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, GRID = "#222222", "#6b6b6b", "#dddddd"
# Okabe and Ito's colours, which people with any colour vision can distinguish; yellow is too pale for lines.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#333333")
STYLES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.4)), (0, (5, 2, 1, 2)))
_DPI = 160
_MARGIN = 0.2  # inches


def new_figure(width: float, height: float, *, background: str = "white") -> Figure:
    """A figure of this size in inches."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", facecolor=background)
    FigureCanvasAgg(figure)
    return figure


def plain_axes(axes: Axes, *, title: str = "", title_pad: float = 10, ink: str = INK, faint: str = FAINT) -> None:
    """Removes the frame and the tick marks."""
    if title:
        axes.set_title(title, loc="left", fontsize=12, color=ink, pad=title_pad)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(axis="both", which="both", length=0, labelsize=9, labelcolor=ink)
    axes.xaxis.label.set(color=faint, fontsize=9)
    axes.yaxis.label.set(color=faint, fontsize=9)


def line_style(number: int) -> tuple[str, Any]:
    """The colour and the dashes of a line: 28 that differ."""
    return COLOURS[number % len(COLOURS)], STYLES[number // len(COLOURS) % len(STYLES)]


def png(figure: Figure, *, tight: bool = True) -> bytes:
    return _saved(figure, "png", tight=tight, dpi=_DPI, metadata={"Software": None})


def svg(
    figure: Figure, *, tight: bool = True, text_as_path: bool = True, style: Mapping[str, Any] | None = None
) -> bytes:
    """An SVG file; the same figure gives the same bytes.

    :param text_as_path: draws letters as outlines, which look the same everywhere
    """
    import matplotlib as mpl

    fonts = {"svg.hashsalt": "flipdrop", "svg.fonttype": "path" if text_as_path else "none"}
    settings: dict[Any, Any] = fonts | dict(style or {})
    with mpl.rc_context(settings):
        return _saved(figure, "svg", tight=tight, metadata={"Date": None, "Creator": None})


def _saved(figure: Figure, kind: str, *, tight: bool, **options: Any) -> bytes:
    made = io.BytesIO()
    if tight:
        options |= {"bbox_inches": "tight", "pad_inches": _MARGIN}
    figure.savefig(made, format=kind, **options)
    return made.getvalue()


def embedded_svg(picture: bytes, name: str, *, colours: Mapping[str, str] | None = None, style: str = "") -> str:
    """An SVG file as part of an HTML page.

    :param name: describes it; it also prefixes the ids inside, which all pictures of a page share
    :param colours: replacements of colours, such as variables of the page
    :param style: CSS of the picture
    """
    text = picture.decode()
    text = text[text.index("<svg") :]
    prefix = "".join(letter for letter in name.lower() if letter.isalnum()) + "-"
    for mark in ('id="', 'href="#', "url(#"):
        text = text.replace(mark, mark + prefix)
    for colour, replacement in (colours or {}).items():
        text = text.replace(colour, replacement)
    attributes = f'role="img" aria-label="{escape(name)}"' + (f' style="{escape(style)}"' if style else "")
    return text.replace("<svg", f"<svg {attributes}", 1)


def check_plot_file(path: Path) -> None:
    """Raises if a plot cannot be written there later."""
    if path.suffix.lower() not in (".png", ".svg"):
        raise ArenaError(f"plot {quoted(str(path))}; plots are written to files named .png or .svg")
    check_writable(path)


def check_writable(path: Path) -> None:
    """Raises if a file cannot be written there, as far as one can tell without writing it."""
    if path.is_dir():
        raise ArenaError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise ArenaError(f"{path}: there is no folder {path.parent}")


def spread(heights: Sequence[float], step: float) -> list[float]:
    """Heights in descending order, moved apart to a distance of `step`, each group around its mean: for labels.

    >>> [round(height, 2) for height in spread([1.0, 0.52, 0.5], 0.1)]
    [1.0, 0.56, 0.46]
    """

    def top(group: list[float]) -> float:
        return sum(group) / len(group) + step * (len(group) - 1) / 2

    groups: list[list[float]] = []
    for height in heights:
        groups.append([height])
        while len(groups) > 1 and top(groups[-1]) > top(groups[-2]) - step * len(groups[-2]):
            last = groups.pop()
            groups[-1] += last
    return [top(group) - i * step for group in groups for i in range(len(group))]
