"""A tournament's pictures: rating bars, the cross table as a heat map, the score as the games went on.

matplotlib is imported on use: it takes most of a second, and a tournament without a report needs none of it. Figures
are made without pyplot, so nothing global changes and nothing needs a screen.
"""

from __future__ import annotations

import io
import math
import re
from typing import TYPE_CHECKING, Any

from flipdrop.arena.reports.tables import elo_text, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from flipdrop.arena.tournament import TournamentResult

INK, FAINT, GRID = "#222222", "#6b6b6b", "#dddddd"
# Okabe and Ito's colours, which people with any colour vision tell apart; yellow is left out, being too pale for lines.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#333333")
STYLES: tuple[Any, ...] = ("solid", (0, (5, 2)), (0, (1, 1.4)), (0, (5, 2, 1, 2)))
HEAT = "PuOr"  # violet for won, orange for lost: told apart by the colour-blind too
_LINE = 34  # characters of a spec on one line
_LINES = 3
_DOTS = 160  # to the inch
_MARGIN = 0.2  # inches

Pictures = dict[str, "Callable[[TournamentResult], Figure]"]


def wrapped(spec: str, length: int = _LINE, lines: int = _LINES) -> str:
    """A spec on a few lines, broken after commas and slashes where possible; without its middle if it is too long.

    >>> print(wrapped("mcts:iterations=800,playout=depth,depth=15,evaluation=D", length=30))
    mcts:iterations=800,
    playout=depth,depth=15,
    evaluation=D
    """
    size = length * lines
    while len(made := _broken(shortened(spec, size), length)) > lines:
        size -= 1
    return "\n".join(made)


def _broken(text: str, length: int) -> list[str]:
    """The text on as few lines of this length as its commas and slashes let it be."""
    lines = [""]
    for part in re.findall(r"[^,/]*[,/]|[^,/]+", text):
        for piece in (part[i : i + length] for i in range(0, len(part), length)):
            if len(lines[-1]) + len(piece) <= length:
                lines[-1] += piece
            else:
                lines.append(piece)
    return lines


def rating_bars(table: TournamentResult) -> Figure:
    """Ratings with their intervals, the best at the top."""
    entries = table.entries
    labels = [f"{entry.rank}  {wrapped(entry.player)}" for entry in entries]
    heights = [0.32 + 0.15 * label.count("\n") for label in labels]
    figure = _figure(9.0, 1.3 + sum(heights))
    axes = figure.add_subplot()
    finite = [number for entry in entries for number in (entry.rating, *entry.interval) if math.isfinite(number)] or [
        0.0
    ]
    low, high = min(0.0, *finite), max(0.0, *finite)
    room = max(high - low, 40.0)
    places = _places(heights)
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
    _plain(axes, "Ratings")
    return figure


def heat_map(table: TournamentResult) -> Figure:
    """The cross table: what each row scored against each column."""
    import numpy as np

    count = len(table.entries)
    shares = np.full((count, count), np.nan)
    for row in range(count):
        for column in range(count):
            games = table.cross(row, column)
            if row != column and games.total:
                shares[row, column] = games.score
    cell = 0.62 if count <= 8 else 0.46
    figure = _figure(4.2 + cell * max(count, 3), 1.5 + cell * max(count, 3))
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
    labels = [f"{entry.rank}  {wrapped(entry.player, lines=lines)}" for entry in table.entries]
    axes.set_yticks(range(count), labels)
    axes.set_xticks(range(count), [str(entry.rank) for entry in table.entries])
    axes.tick_params(top=True, labeltop=True, bottom=False, labelbottom=False, length=0)
    _plain(axes, "Score of row against column, in percent", below=22)
    bar = figure.colorbar(image, ax=axes, fraction=0.046, pad=0.03, shrink=min(1.0, 4 / max(count, 1) + 0.4))
    bar.set_ticks([0, 0.25, 0.5, 0.75, 1], labels=["0", "25", "50", "75", "100%"])
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=8, colors=FAINT)
    return figure


def score_over_time(table: TournamentResult) -> Figure:
    """The score of each player so far, after each round of pairs; the lines are named where they end."""
    from matplotlib.ticker import FixedLocator, MaxNLocator

    count = len(table.entries)
    figure = _figure(10.5, max(4.6, 1.2 + 0.3 * count))
    axes = figure.add_subplot()
    courses = [table.history(place) for place in range(count)]
    longest = max((len(course) for course in courses), default=1)
    ends = []
    for place, course in enumerate(courses):
        colour, style = _look(place)
        rounds = range(1, len(course) + 1)
        marker = "o" if longest == 1 else None
        axes.plot(rounds, course, color=colour, linestyle=style, linewidth=1.7, marker=marker, zorder=3)
        ends.append(course[-1] if course else 0.5)
    inside = [share for course in courses for share in course[longest // 10 :]] or [0.5]
    low, high = max(-0.02, min(inside) - 0.06), min(1.02, max(inside) + 0.06)
    axes.set_ylim(low, high)
    axes.set_xlim(1 if longest > 1 else 0.5, max(longest, 1.5))
    _name_lines(axes, table, ends, (low, high), figure.get_figheight())
    axes.axhline(0.5, color=FAINT, linewidth=0.8, zorder=1)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_xlabel("round (a pair of games against each opponent)")
    axes.set_ylabel("score so far")
    axes.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f}%")
    axes.xaxis.set_major_locator(FixedLocator([1]) if longest <= 1 else MaxNLocator(integer=True))
    _plain(axes, "Score as the games went on")
    return figure


PICTURES: Pictures = {"ratings": rating_bars, "cross-table": heat_map, "score": score_over_time}
"""What draws each picture, by the name of its file."""


def png(figure: Figure) -> bytes:
    """A figure in dots."""
    made = io.BytesIO()
    figure.savefig(made, format="png", dpi=_DOTS, bbox_inches="tight", pad_inches=_MARGIN, metadata={"Software": None})
    return made.getvalue()


def svg(figure: Figure) -> bytes:
    """A figure in lines. The same figure gives the same bytes: no date, no random names."""
    import matplotlib as mpl

    made = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "flipdrop", "svg.fonttype": "path"}):
        figure.savefig(made, format="svg", bbox_inches="tight", pad_inches=_MARGIN, metadata={"Date": None})
    return made.getvalue()


def _figure(width: float, height: float) -> Figure:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained", facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def _plain(axes: Axes, title: str, below: float = 10) -> None:
    """Takes away what says nothing."""
    axes.set_title(title, loc="left", fontsize=12, color=INK, pad=below)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(axis="both", which="major", length=0, labelsize=9, labelcolor=INK)
    axes.xaxis.label.set(color=FAINT, fontsize=9)
    axes.yaxis.label.set(color=FAINT, fontsize=9)


def _places(heights: Sequence[float]) -> list[float]:
    """The middle of each row, from the top, for rows of these heights."""
    places, top = [], 0.0
    for height in heights:
        places.append(top + height / 2)
        top += height
    return places


def _bounded(number: float, low: float, high: float) -> float:
    return min(max(number, low), high)


def _darkness(colour: Iterable[float]) -> float:
    """How dark a colour looks, from 0 for white to 1 for black."""
    red, green, blue, _ = colour
    return 1 - (0.299 * red + 0.587 * green + 0.114 * blue)


def _look(place: int) -> tuple[str, Any]:
    """The colour and the style of a line: 28 that differ."""
    return COLOURS[place % len(COLOURS)], STYLES[place // len(COLOURS) % len(STYLES)]


def _name_lines(
    axes: Axes, table: TournamentResult, ends: Sequence[float], limits: tuple[float, float], inches: float
) -> None:
    """Writes the players' names at the right, each as near to the end of its line as the others let it."""
    low, high = limits
    room = high - low
    step = room * 0.2 / (inches - 1.1)
    order = sorted(range(len(ends)), key=lambda place: (-ends[place], place))
    heights = spread([_bounded(ends[place], low, high) for place in order], step)
    heights = [height - max(0.0, heights[0] - high) for height in heights]
    right = axes.get_xlim()[1]
    width = right - axes.get_xlim()[0]
    for place, height in zip(order, heights, strict=True):
        entry = table.entries[place]
        colour, style = _look(place)
        near, far = right + 0.015 * width, right + 0.06 * width
        axes.plot(
            [right, near, far], [ends[place], height, height],
            color=colour, linestyle=style, linewidth=1.2, clip_on=False, zorder=3,
        )  # fmt: skip
        text = f"{entry.rank}  {shortened(entry.player, 44)}"
        axes.text(far + 0.01 * width, height, text, va="center", fontsize=8.5, color=INK)


def spread(heights: Sequence[float], step: float) -> list[float]:
    """Heights from the top down, moved apart until they are a step from each other, each group about its middle.

    >>> [round(height, 2) for height in spread([1.0, 0.52, 0.5], 0.1)]
    [1.0, 0.56, 0.46]
    """
    groups: list[list[float]] = []  # each with its heights; they stand a step apart around their mean
    for height in heights:
        groups.append([height])
        while len(groups) > 1 and _top(groups[-1], step) > _bottom(groups[-2], step) - step:
            last = groups.pop()
            groups[-1] += last
    return [_top(group, step) - i * step for group in groups for i in range(len(group))]


def _top(group: list[float], step: float) -> float:
    return sum(group) / len(group) + step * (len(group) - 1) / 2


def _bottom(group: list[float], step: float) -> float:
    return sum(group) / len(group) - step * (len(group) - 1) / 2
