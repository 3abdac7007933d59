"""What the figures of experiments are drawn with, so that they look alike and read the same on light and dark pages.

Pages replace the colours `INK`, `FAINT`, `GRID` and `PAPER` by those of the reader's theme; `COLOURS` suit both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

INK, FAINT, GRID, PAPER = "#1f2328", "#6e7781", "#d8dee4", "#fefefe"
COLOURS = ("#2b7fd4", "#d9661f", "#1a9a6c", "#b455b8", "#c79a12", "#7a8794")
"""Told apart with any colour vision, and readable on white and on black."""
HEAT = "RdBu"
"""For heat maps around an even score."""


def panel(canvas: Canvas, *, across: str, up: str, rows: int = 1, columns: int = 1, place: int = 1) -> Axes:
    """A panel with plain axes and faint horizontal lines."""
    axes = canvas.add_subplot(rows, columns, place)
    axes.set_xlabel(across, color=INK)
    axes.set_ylabel(up, color=INK)
    plain(axes)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def plain(axes: Axes) -> None:
    """Takes away what says nothing."""
    axes.set_facecolor("none")
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(axis="both", which="both", length=0, labelcolor=INK, labelsize=9)


def even(axes: Axes, at: float = 0.5, words: str = "") -> None:
    """A dashed line where both are equally good."""
    axes.axhline(at, color=FAINT, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    if words:
        axes.annotate(
            words,
            (1, at),
            xycoords=("axes fraction", "data"),
            xytext=(-2, 3),
            textcoords="offset points",
            ha="right",
            color=FAINT,
            fontsize=8,
        )


def with_bars(
    axes: Axes,
    across: Sequence[float],
    values: Sequence[float],
    intervals: Sequence[Sequence[float | None]],
    *,
    label: str = "",
    colour: str = COLOURS[0],
    joined: bool = True,
    marker: str = "o",
) -> None:
    """Points with their intervals as bars; an end that is infinite has no bar."""
    lows, highs = (
        np.array([value if ends[i] is None else ends[i] for value, ends in zip(values, intervals, strict=True)], float)
        for i in (0, 1)
    )
    centre = np.array(values, float)
    axes.errorbar(
        across,
        centre,
        yerr=np.maximum(0, np.stack([centre - lows, highs - centre])),
        fmt=f"{marker}-" if joined else marker,
        color=colour,
        markersize=5,
        linewidth=1.4,
        elinewidth=1.4,
        capsize=2.5,
        label=label or None,
        zorder=3,
    )


def legend(axes: Axes, **options: Any) -> None:
    """A legend without a frame: above the panel, where it hides nothing, unless a place is named."""
    above = {} if "loc" in options else {"loc": "lower left", "bbox_to_anchor": (0, 1.01), "borderaxespad": 0}
    chosen: dict[str, Any] = {"frameon": False, "fontsize": 9, "labelcolor": INK, "ncols": 4, "columnspacing": 1.4}
    axes.legend(**chosen | above | options)
