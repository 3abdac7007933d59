"""Plots of a sweep: for one option a curve of the score and one of the margin, for two options a heat map of each."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.reporting.figures import new_figure, png, svg
from flipdrop.reporting.plots import COLOURS, FAINT, GRID, INK, despine, error_bars

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from flipdrop.arena.parameter_sweep import GridPoint, Measure, SweepResult

POINT, BEST = COLOURS[:2]
HEAT, PALE = "viridis", 0.6  # from this share of the scale on, its colours are too pale for white letters
WORSE, MAY = "is not the best", "may be the best too"
MEASURES: tuple[Measure, Measure] = ("score", "margin")
TITLES = {"score": "score", "margin": "mean margin"}
MAX_NUMBERS = 12  # values of an option up to which each cell of a heat map shows its number


def sweep_plot(result: SweepResult, suffix: str) -> bytes:
    """The plot of a sweep as a file.

    :param suffix: ``.png`` or ``.svg``
    """
    figure = _curves(result) if len(result.sweep.axes) == 1 else _heat_maps(result)
    return svg(figure) if suffix.lower() == ".svg" else png(figure)


def _figure(result: SweepResult, width: float, height: float) -> Figure:
    figure = new_figure(width, height)
    sweep = result.sweep
    # A constrained layout leaves room for a title of several lines, but does not break them.
    title = "\n".join(
        line
        for text in (f"{sweep.spec} against {sweep.against}", f"{sweep.game}, {_games(result)}, seed {sweep.seed}")
        for line in textwrap.wrap(text, int(width * 10), break_on_hyphens=False)
    )
    figure.suptitle(title, fontsize=10, color=INK, x=0.02, ha="left")
    return figure


def _games(result: SweepResult) -> str:
    counts = sorted({point.tally.games.total for point in result.points})
    number = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    repeats = f" in {result.sweep.repeats} repeats" if result.sweep.repeats > 1 else ""
    return f"{number} games a point{repeats}"


def _curves(result: SweepResult) -> Figure:
    (axis,) = result.sweep.axes
    entries = result.in_order
    places = [
        float(point.values[0]) if axis.is_numeric else float(axis.values.index(point.values[0])) for point, _ in entries
    ]
    width = 8.0 if axis.is_numeric else max(5.0, min(12.0, 1.2 * len(places) + 2))
    figure = _figure(result, width, 6.5)
    panels = figure.subplots(2, 1, sharex=True)
    for panel, measure in zip(panels, MEASURES, strict=True):
        _curve(panel, result, places, measure, joined=axis.is_numeric)
    figure.align_ylabels(panels)
    panels[1].set_xlabel(axis.name, color=INK, fontsize=10)
    if not axis.is_numeric:
        panels[1].set_xticks(range(len(axis.values)), axis.values)
        panels[1].set_xlim(-0.5, len(axis.values) - 0.5)
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="outside lower left",
        ncols=4,
        frameon=False,
        fontsize=8,
        labelcolor=FAINT,
    )
    return figure


def _curve(panel: Axes, result: SweepResult, places: Sequence[float], measure: Measure, *, joined: bool) -> None:
    entries = result.in_order
    values = [point.measured(measure) for point, _ in entries]
    even, spread = (0.5 if measure == "score" else 0.0), max(values) - min(values)
    if min(values) - spread <= even <= max(values) + spread:  # else the line would squeeze the curve
        panel.axhline(even, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    if joined:
        panel.plot(places, values, color=GRID, linewidth=1.5, zorder=2)
    if result.sweep.repeats > 1:
        aside = 0.008 * (max(places) - min(places))  # of the bars
        across = [place - aside for place in places for _ in range(result.sweep.repeats)]
        up = [repeat[MEASURES.index(measure)] for point, _ in entries for repeat in point.repeats]
        panel.scatter(across, up, s=9, color=FAINT, alpha=0.7, linewidths=0, zorder=3, label="one repeat")
    ranks = ["did best" if point is result.best else MAY if may else WORSE for point, may in entries]
    for label, edge, fill in ((WORSE, POINT, "white"), (MAY, POINT, POINT), ("did best", BEST, BEST)):
        chosen = [i for i, rank in enumerate(ranks) if rank == label]
        if chosen:
            error_bars(
                panel,
                [places[i] for i in chosen],
                [values[i] for i in chosen],
                [entries[i][0].to_json()[f"{measure}_interval"] for i in chosen],
                label=label,
                colour=edge,
                joined=False,
                markerfacecolor=fill,
                elinewidth=1,
                capsize=2,
                zorder=4,
            )
    despine(panel)
    panel.set_ylabel(f"{TITLES[measure]}, 95% interval", color=INK, fontsize=10)
    panel.grid(axis="y", color=GRID, linewidth=0.6)
    panel.set_axisbelow(True)


def _heat_maps(result: SweepResult) -> Figure:
    coarse, fine = ([entry for entry in result.in_order if entry[0].is_fine == is_fine] for is_fine in (False, True))
    passes = [coarse]
    if fine:  # with those coarse points that lie among the fine ones
        among = [{point.values[i] for point, _ in fine} for i in range(2)]
        passes.append([e for e in result.in_order if e[0].values[0] in among[0] and e[0].values[1] in among[1]])
    grids = [_grid(result, entries) for entries in passes]
    columns = max(len(grid[0]) for grid in grids)
    rows = [len(grid[1]) for grid in grids]
    width = max(9.0, min(18.0, 2 * (0.6 * columns + 2)))
    figure = _figure(result, width, sum(max(2.6, min(8.0, 0.42 * count + 1.4)) for count in rows) + 0.8)
    panels = figure.subplots(len(passes), 2, squeeze=False, gridspec_kw={"height_ratios": [max(4, n) for n in rows]})
    for row, (entries, grid) in enumerate(zip(passes, grids, strict=True)):
        for panel, measure in zip(panels[row], MEASURES, strict=True):
            _heat_map(figure, panel, result, entries, grid, measure)
            if len(passes) > 1:
                panel.set_title(
                    f"{TITLES[measure]}, {'fine' if row else 'coarse'} pass", loc="left", fontsize=10, color=INK
                )
    figure.supxlabel(
        "thick frame: did best; white frames: may be the best too", fontsize=8, color=FAINT, x=0.02, ha="left"
    )
    return figure


def _grid(result: SweepResult, entries: Sequence[tuple[GridPoint, bool]]) -> tuple[list[str], list[str]]:
    """The values of the two options that some points have, in order."""
    found: list[list[str]] = []
    for i, axis in enumerate(result.sweep.axes):
        values = {point.values[i] for point, _ in entries}
        found.append(sorted(values, key=float if axis.step is not None else axis.values.index))
    return found[0], found[1]


def _heat_map(
    figure: Figure,
    panel: Axes,
    result: SweepResult,
    entries: Sequence[tuple[GridPoint, bool]],
    grid: tuple[list[str], list[str]],
    measure: Measure,
) -> None:
    from matplotlib.patches import Rectangle

    across, up = grid
    cells = np.full((len(up), len(across)), np.nan)
    at: dict[tuple[int, int], tuple[GridPoint, bool]] = {}
    for point, may in entries:
        place = up.index(point.values[1]), across.index(point.values[0])
        cells[place] = point.measured(measure)
        at[place] = point, may
    image = panel.imshow(cells, cmap=HEAT, origin="lower", aspect="auto")
    pale = float(np.nanmin(cells) + PALE * (np.nanmax(cells) - np.nanmin(cells)))
    for (y, x), (point, may) in sorted(at.items(), key=lambda item: item[1][0] is result.best):
        if max(len(across), len(up)) <= MAX_NUMBERS:
            text = f"{cells[y, x]:.2f}" if measure == "score" else f"{cells[y, x]:+.1f}"
            panel.text(x, y, text, ha="center", va="center", fontsize=8, color="white" if cells[y, x] <= pale else INK)
        if may or point is result.best:
            colour, line = (BEST, 3.0) if point is result.best else ("white", 1.4)
            size = 0.9
            panel.add_patch(
                Rectangle((x - size / 2, y - size / 2), size, size, fill=False, edgecolor=colour, linewidth=line)
            )
    _ticks(panel.xaxis, across)
    _ticks(panel.yaxis, up)
    despine(panel)
    panel.set_xlabel(result.sweep.axes[0].name, color=INK, fontsize=10)
    panel.set_ylabel(result.sweep.axes[1].name, color=INK, fontsize=10)
    panel.set_title(TITLES[measure], loc="left", fontsize=10, color=INK)
    bar = figure.colorbar(image, ax=panel)
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=8, labelcolor=FAINT)


def _ticks(axis: Any, values: Sequence[str]) -> None:
    """Every value, or every n-th one so that labels do not overlap."""
    every = math.ceil(len(values) / 12)
    axis.set_ticks(range(0, len(values), every), values[::every])
