"""Plots of a tournament: ratings with their intervals, the cross table as a heat map, the score over time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flipdrop.reporting.figures import new_figure
from flipdrop.reporting.formatting import elo_text, shortened, wrapped
from flipdrop.reporting.plots import COLOURS, FAINT, GRID, INK, despine, line_style, spread_labels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from flipdrop.arena.tournament import TournamentResult

HEAT = "PuOr"  # violet for won, orange for lost: distinguishable by the colour-blind too


def rating_bars(result: TournamentResult) -> Figure:
    """Ratings with their intervals, the best at the top."""
    entries = result.entries
    labels = [f"{entry.rank}  {wrapped(entry.name)}" for entry in entries]
    heights = [0.32 + 0.15 * label.count("\n") for label in labels]
    figure = new_figure(9.0, 1.3 + sum(heights))
    axes = figure.add_subplot()
    finite = [number for entry in entries for number in (entry.rating, *entry.interval) if math.isfinite(number)] or [
        0.0
    ]
    low, high = min(0.0, *finite), max(0.0, *finite)
    room = max(high - low, 40.0)
    places = [sum(heights[:row]) + height / 2 for row, height in enumerate(heights)]
    for entry, place in zip(entries, places, strict=True):
        rating = _bounded(entry.rating, low, high)
        ends = [_bounded(end, low - 0.05 * room, high + 0.05 * room) for end in entry.interval]
        axes.barh(place, rating, height=0.2, color=COLOURS[0], alpha=0.35, zorder=2)
        axes.hlines(place, ends[0], ends[1], color=COLOURS[0], linewidth=1.8, zorder=3)
        axes.plot([rating], [place], "o", color=COLOURS[0], markersize=5.5, zorder=4)
        for end, shown, arrow in zip(entry.interval, ends, "<>", strict=True):
            if math.isinf(end):
                axes.plot([shown], [place], arrow, color=COLOURS[0], markersize=7, zorder=4, clip_on=False)
        axes.annotate(
            elo_text(entry.rating),
            (max(ends[1], rating, 0.0), place),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            color=INK,
        )
    axes.axvline(0, color=FAINT, linewidth=0.8, zorder=1)
    axes.set_yticks(places, labels)
    axes.set_ylim(sum(heights) + 0.05, -0.05)
    axes.set_xlim(low - 0.08 * room, high + 0.16 * room)
    axes.set_xlabel("Elo (mean 0), with 95% intervals")
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    _titled(axes, "Ratings")
    return figure


def heat_map(result: TournamentResult) -> Figure:
    """The cross table: what each row scored against each column."""
    import numpy as np

    count = len(result.entries)
    shares = np.full((count, count), np.nan)
    for row in range(count):
        for column in range(count):
            games = result.cross(row, column)
            if row != column and games.total:
                shares[row, column] = games.score
    cell = 0.62 if count <= 8 else 0.46
    figure = new_figure(4.2 + cell * max(count, 3), 1.5 + cell * max(count, 3))
    axes = figure.add_subplot()
    edges = np.arange(count + 1) - 0.5
    seen = np.ma.masked_invalid(shares)
    image = axes.pcolormesh(edges, edges, seen, cmap=HEAT, vmin=0.0, vmax=1.0, edgecolors="white", linewidth=1.5)
    axes.set_aspect("equal")
    axes.invert_yaxis()
    for (row, column), share in np.ndenumerate(shares):
        if not math.isnan(share):
            colour = "white" if _darkness(image.to_rgba(share)) > 0.5 else INK
            text = f"{100 * share:.0f}"
            axes.text(column, row, text, ha="center", va="center", fontsize=9 if count <= 8 else 8, color=colour)
    for place in range(count):
        axes.text(place, place, "–", ha="center", va="center", fontsize=9, color=FAINT)
    lines = 3 if count <= 8 else 2
    labels = [f"{entry.rank}  {wrapped(entry.name, lines=lines)}" for entry in result.entries]
    axes.set_yticks(range(count), labels)
    axes.set_xticks(range(count), [str(entry.rank) for entry in result.entries])
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    _titled(axes, "Score of row against column, in percent", pad=22)
    bar = figure.colorbar(image, ax=axes, fraction=0.046, pad=0.03, shrink=min(1.0, 4 / max(count, 1) + 0.4))
    bar.set_ticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "25", "50", "75", "100%"])
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=8, colors=FAINT)
    return figure


def score_over_time(result: TournamentResult) -> Figure:
    """The score of each player so far, after each round of pairs; the lines are named where they end."""
    from matplotlib.ticker import FixedLocator, MaxNLocator

    count = len(result.entries)
    figure = new_figure(10.5, max(4.6, 1.2 + 0.3 * count))
    axes = figure.add_subplot()
    curves = [result.history(place) for place in range(count)]
    longest = max((len(curve) for curve in curves), default=1)
    ends = []
    for place, curve in enumerate(curves):
        colour, style = line_style(place)
        rounds = range(1, len(curve) + 1)
        marker = "o" if longest == 1 else None
        axes.plot(rounds, curve, color=colour, linestyle=style, linewidth=1.7, marker=marker, zorder=3)
        ends.append(curve[-1] if curve else 0.5)
    inside = [share for curve in curves for share in curve[longest // 10 :]] or [0.5]
    low, high = max(-0.02, min(inside) - 0.06), min(1.02, max(inside) + 0.06)
    axes.set_ylim(low, high)
    axes.set_xlim(1 if longest > 1 else 0.5, max(longest, 1.5))
    _name_lines(axes, result, ends, (low, high), figure.get_figheight())
    axes.axhline(0.5, color=FAINT, linewidth=0.8, zorder=1)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_xlabel("round (a pair of games against each opponent)")
    axes.set_ylabel("score so far")
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    axes.xaxis.set_major_locator(FixedLocator([1]) if longest <= 1 else MaxNLocator(integer=True))
    _titled(axes, "Score over time")
    return figure


PLOTS: dict[str, tuple[str, Callable[[TournamentResult], Figure]]] = {
    "ratings": ("Ratings", rating_bars),
    "cross-table": ("Cross table", heat_map),
    "score": ("Score over time", score_over_time),
}
"""The title of each plot and the function that draws it, by the name of its file."""


def _titled(axes: Axes, title: str, pad: float = 10) -> None:
    despine(axes)
    axes.set_title(title, loc="left", fontsize=12, color=INK, pad=pad)
    axes.xaxis.label.set(color=FAINT, fontsize=9)
    axes.yaxis.label.set(color=FAINT, fontsize=9)


def _bounded(number: float, low: float, high: float) -> float:
    return min(max(number, low), high)


def _darkness(colour: Iterable[float]) -> float:
    """The darkness of a colour, from 0 for white to 1 for black."""
    red, green, blue, _ = colour
    return 1 - (0.299 * red + 0.587 * green + 0.114 * blue)


def _name_lines(
    axes: Axes, result: TournamentResult, ends: Sequence[float], limits: tuple[float, float], inches: float
) -> None:
    """Writes the players' names at the right, each as near to the end of its line as the others let it."""
    low, high = limits
    room = high - low
    step = room * 0.2 / (inches - 1.1)
    order = sorted(range(len(ends)), key=lambda place: (-ends[place], place))
    heights = spread_labels([_bounded(ends[place], low, high) for place in order], step)
    heights = [height - max(0.0, heights[0] - high) for height in heights]
    right = axes.get_xlim()[1]
    width = right - axes.get_xlim()[0]
    for place, height in zip(order, heights, strict=True):
        entry = result.entries[place]
        colour, style = line_style(place)
        near, far = right + 0.015 * width, right + 0.06 * width
        axes.plot(
            [right, near, far], [ends[place], height, height],
            color=colour, linestyle=style, linewidth=1.2, clip_on=False, zorder=3,
        )  # fmt: skip
        text = f"{entry.rank}  {shortened(entry.name, 44)}"
        axes.text(far + 0.01 * width, height, text, va="center", fontsize=8.5, color=INK)
