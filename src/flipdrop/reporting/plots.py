"""Elements of plots, in one style that reads on light and dark pages.

Pages replace the colours `INK`, `FAINT`, `GRID` and `PAPER` by those of the reader's theme; `COLOURS` suit both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, GRID, PAPER = "#1f2328", "#6e7781", "#d8dee4", "#fefefe"
COLOURS = ("#2b7fd4", "#d9661f", "#1a9a6c", "#b455b8", "#c79a12", "#7a8794")
"""Distinguishable with any colour vision, and readable on white and on black."""
LINE_STYLES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.4)), (0, (5, 2, 1, 2)))


def new_axes(figure: Figure, *, x_label: str, y_label: str) -> Axes:
    """The axes of a figure with a single plot, with faint horizontal lines."""
    axes = figure.add_subplot()
    axes.set_xlabel(x_label, color=INK)
    axes.set_ylabel(y_label, color=INK)
    despine(axes)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def despine(axes: Axes) -> None:
    """Removes spines and tick marks."""
    axes.set_facecolor("none")
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(axis="both", which="both", length=0, labelcolor=INK, labelsize=9)


def set_ticks(axes: Axes, places: Sequence[float], labels: Sequence[str] | None = None) -> None:
    """Ticks on the horizontal axis at these places only, labelled with their numbers if not given."""
    axes.set_xticks(places, [f"{place:,}" for place in places] if labels is None else labels)
    axes.set_xticks([], minor=True)


def even_line(axes: Axes, at: float = 0.5, *, vertical: bool = False) -> None:
    """A dashed line where both sides are equally good."""
    line = axes.axvline if vertical else axes.axhline
    line(at, color=FAINT, linewidth=1, linestyle=(0, (4, 3)), zorder=1)


def error_bars(
    axes: Axes,
    positions: Sequence[float],
    values: Sequence[float],
    intervals: Sequence[Sequence[float | None]],
    *,
    label: str = "",
    colour: str = COLOURS[0],
    joined: bool = True,
    marker: str = "o",
    horizontal: bool = False,
    **style: Any,
) -> None:
    """Points with their intervals as bars; an infinite end has no bar.

    :param positions: on the horizontal axis, or on the vertical one with `horizontal`
    :param style: further settings of matplotlib's error bars
    """
    lows, highs = (
        np.array([value if ends[i] is None else ends[i] for value, ends in zip(values, intervals, strict=True)], float)
        for i in (0, 1)
    )
    centre = np.array(values, float)
    reach = np.maximum(0, np.stack([centre - lows, highs - centre]))
    axes.errorbar(
        centre if horizontal else positions,
        positions if horizontal else centre,
        xerr=reach if horizontal else None,
        yerr=None if horizontal else reach,
        fmt=f"{marker}-" if joined else marker,
        color=colour,
        markersize=5,
        label=label or None,
        **{"linewidth": 1.4, "elinewidth": 1.4, "capsize": 2.5, "zorder": 3} | style,
    )


def reported_points(
    axes: Axes, x: Iterable[float], y: Iterable[float], *, label: str | None = None, colour: str = COLOURS[5]
) -> None:
    """Diamonds for the numbers of a report, distinct from measured ones."""
    axes.plot(list(x), list(y), "D", color=colour, markerfacecolor="none", markersize=7, label=label)


def legend(axes: Axes, **options: Any) -> None:
    """A legend without a frame, above the panel unless `loc` is given."""
    above = {} if "loc" in options else {"loc": "lower left", "bbox_to_anchor": (0, 1.01), "borderaxespad": 0}
    chosen: dict[str, Any] = {"frameon": False, "fontsize": 9, "labelcolor": INK, "ncols": 4, "columnspacing": 1.4}
    axes.legend(**chosen | above | options)


def line_style(number: int) -> tuple[str, Any]:
    """The colour and the dashes of a line: 24 that differ."""
    return COLOURS[number % len(COLOURS)], LINE_STYLES[number // len(COLOURS) % len(LINE_STYLES)]


def spread_labels(heights: Sequence[float], step: float) -> list[float]:
    """Heights in descending order, moved apart to a distance of `step`, each group around its mean: for labels.

    >>> [round(height, 2) for height in spread_labels([1.0, 0.52, 0.5], 0.1)]
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
