"""Pictures of results: curves, bars, intervals, cross tables. Markup that the style sheet colours, by day and by night.

Plots stretch with the page, and their texts do not: lines are SVG of a hundred by a hundred units, drawn over whatever
room there is, and texts are put beside them. Everything that is not the program's own is escaped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from flipdrop.arena.reports.tables import share_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.arena.statistics import Games
    from flipdrop.arena.tournament import TournamentResult

COLOURS = 6
"""How many colours of lines the style sheet has: ``c0`` to ``c5``."""

_MOST_STRIPS = 120  # places of a curve that tell their values
_TICKS = 5


@dataclass(frozen=True)
class Line:
    """A line of a chart.

    :param points: across and up
    :param band: lower and upper ends around each point, if there are any
    """

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


def chart(
    lines: Sequence[Line],
    *,
    bounds: tuple[float, float] | None = None,
    level: float | None = None,
    across: Callable[[float], str] | None = None,
    up: Callable[[float], str] | None = None,
    caption: str = "",
) -> str:
    """Lines over a common axis; nothing if there are no points.

    :param bounds: the lowest and highest value of the vertical axis; what the lines need if it is not given
    :param level: a value that a line is drawn at, as one half for scores
    :param across: writes a value of the horizontal axis
    :param up: writes a value of the vertical axis
    :param caption: what the horizontal axis is
    """
    across, up = across or number_text, up or number_text
    seen = [point for line in lines for point in line.points if math.isfinite(point[1])]
    if not seen:
        return ""
    left, right = min(x for x, _ in seen), max(x for x, _ in seen)
    right = right if right > left else left + 1
    low, high = bounds or _bounds(lines, level)

    def place(x: float, y: float) -> str:
        return f"{100 * (x - left) / (right - left):.2f},{100 * (high - max(low, min(high, y))) / (high - low):.2f}"

    drawn = [_grid(low, high, level)]
    for i, line in enumerate(lines):
        colour = f"c{i % COLOURS}"
        if line.band:
            pairs = list(zip(line.points, line.band, strict=True))
            edge = [place(x, top) for (x, _), (_, top) in pairs] + [place(x, foot) for (x, _), (foot, _) in pairs[::-1]]
            drawn.append(f'<polygon class="band {colour}" points="{" ".join(edge)}"/>')
        path = " ".join(place(x, y) for x, y in line.points if math.isfinite(y))
        drawn.append(f'<polyline class="line {colour}" points="{path}"/>')
    drawn += _strips(lines, left, right, across, up)
    texts = [_tick("up", "bottom", (value - low) / (high - low), up(value)) for value in _ticks(low, high)]
    texts += [_tick("across", "left", (value - left) / (right - left), across(value)) for value in _ticks(left, right)]
    svg = f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{"".join(drawn)}</svg>'
    foot = f'<div class="fd-chart-caption">{escape(caption)}</div>' if caption else ""
    return f'<div class="fd-chart"><div class="plot">{svg}{"".join(texts)}</div>{foot}{_legend(lines, up)}</div>'


def _legend(lines: Sequence[Line], up: Callable[[float], str]) -> str:
    """The names of the lines, each with its newest value."""
    if len(lines) == 1 and not lines[0].name:
        return ""
    items = [
        f'<span class="item"><i class="c{i % COLOURS}"></i>{escape(line.name)} '
        f"<b>{escape(up(line.points[-1][1]))}</b></span>"
        for i, line in enumerate(lines)
        if line.points
    ]
    return f'<div class="fd-legend">{"".join(items)}</div>'


def _tick(axis: str, edge: str, share: float, label: str) -> str:
    return f'<span class="tick {axis}" style="{edge}:{100 * share:.1f}%">{escape(label)}</span>'


def _grid(low: float, high: float, level: float | None) -> str:
    drawn = []
    for value in _ticks(low, high):
        y = 100 * (high - value) / (high - low)
        drawn.append(f'<line class="grid" x1="0" x2="100" y1="{y:.2f}" y2="{y:.2f}"/>')
    if level is not None and low <= level <= high:
        y = 100 * (high - level) / (high - low)
        drawn.append(f'<line class="level" x1="0" x2="100" y1="{y:.2f}" y2="{y:.2f}"/>')
    return "".join(drawn)


def _strips(
    lines: Sequence[Line], left: float, right: float, across: Callable[[float], str], up: Callable[[float], str]
) -> list[str]:
    """Invisible strips that say, under the pointer, what the values are there."""
    values: dict[float, list[str]] = {}
    for line in lines:
        for x, y in line.points:
            values.setdefault(x, []).append(f"{line.name}: {up(y)}" if line.name else up(y))
    places = sorted(values)
    places = places[:: math.ceil(len(places) / _MOST_STRIPS)]
    edges = [left, *((one + two) / 2 for one, two in pairwise(places)), right]
    strips = []
    for x, (begin, end) in zip(places, pairwise(edges), strict=True):
        at, width = 100 * (begin - left) / (right - left), 100 * (end - begin) / (right - left)
        title = escape("\n".join([across(x), *values[x]]))
        strips.append(
            f'<rect class="hit" x="{at:.2f}" y="0" width="{width:.2f}" height="100"><title>{title}</title></rect>'
        )
    return strips


def _bounds(lines: Sequence[Line], level: float | None) -> tuple[float, float]:
    values = [y for line in lines for _, y in line.points if math.isfinite(y)]
    if level is not None:
        values.append(level)
    low, high = min(values), max(values)
    room = (high - low) * 0.08 or abs(high) * 0.1 or 1.0
    ends = [end for line in lines for band in line.band for end in band if math.isfinite(end)]
    if ends:  # a band that is far wider than its line is cut
        beyond = max(high - low, 20.0)
        low, high = max(min([low, *ends]), low - beyond), min(max([high, *ends]), high + beyond)
    return low - room, high + room


def _ticks(low: float, high: float) -> list[float]:
    """A few round numbers from low to high."""
    raw = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10, 20) if factor * power >= raw)
    first = math.ceil(low / step - 1e-9)
    return [number * step for number in range(first, math.floor(high / step + 1e-9) + 1)]


def number_text(value: float) -> str:
    """A number as axes write it.

    >>> number_text(1234567), number_text(1500), number_text(0.25), number_text(-3)
    ('1.23M', '1.5k', '0.25', '-3')
    """
    for size, name in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{name}"
    return f"{value + 0.0:.3g}"


def seconds_text(value: float) -> str:
    """A time as axes and lines write it.

    >>> seconds_text(4.2), seconds_text(75), seconds_text(7260)
    ('4 s', '1:15', '2:01:00')
    """
    whole = round(value)
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def score_bar(games: Games, *, label: str) -> str:
    """Wins, draws and losses as parts of one bar."""
    total = max(games.total, 1)
    parts = (("won", games.wins), ("drawn", games.draws), ("lost", games.losses))
    inner = "".join(f'<i class="{name}" style="width:{100 * count / total:.2f}%"></i>' for name, count in parts)
    return f'<div class="fd-scorebar" role="img" aria-label="{escape(label)}">{inner}</div>'


def interval(
    value: float,
    low: float,
    high: float,
    *,
    ends: tuple[float, float],
    rungs: Sequence[float] = (),
    label: str = "",
) -> str:
    """A value with its interval on an axis.

    :param ends: of the axis; what goes beyond is cut
    :param rungs: places of the axis that are marked instead of zero
    """
    first, last = ends

    def place(number: float) -> float:
        return 100 * (max(first, min(last, number)) - first) / (last - first)

    drawn = "".join(f'<i class="rung" style="left:{place(rung):.2f}%"></i>' for rung in rungs)
    if not rungs and first <= 0 <= last:
        drawn = f'<i class="zero" style="left:{place(0):.2f}%"></i>'
    width = max(place(high) - place(low), 0.8)
    drawn += f'<i class="reach" style="left:{place(low):.2f}%;width:{width:.2f}%"></i>'
    drawn += f'<i class="value" style="left:{place(value):.2f}%"></i>'
    return f'<div class="fd-interval" role="img" aria-label="{escape(label)}">{drawn}</div>'


def axis_ends(values: Sequence[float], *, least: float = 100.0) -> tuple[float, float]:
    """The ends of an axis that shows all of these, as far as they are finite, and zero."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    room = max(high - low, least) * 0.06
    middle, half = (low + high) / 2, max((high - low) / 2, least / 2)
    return middle - half - room, middle + half + room


def cross_table(table: TournamentResult, name: Callable[[str], str], *, corner: str) -> str:
    """What each player scored against each, coloured from lost to won. Cells carry ``data-pair``: ranks from 0."""
    heads = "".join(f"<th>{entry.rank}</th>" for entry in table.entries)
    rows = []
    for row, entry in enumerate(table.entries):
        cells = []
        for column in range(len(table.entries)):
            games = table.cross(row, column)
            if row == column or not games.total:
                cells.append(f'<td class="{"self" if row == column else ""}"></td>')
                continue
            tip = f"+{games.wins} ={games.draws} −{games.losses}"
            cells.append(
                f'<td class="score" data-pair="{row},{column}" style="--share:{games.score:.3f}" title="{tip}">'
                f"{share_text(games.score)}</td>"
            )
        rows.append(
            f'<tr><th>{entry.rank}</th><th class="name" title="{escape(entry.player)}">{escape(name(entry.player))}'
            f"</th>{''.join(cells)}</tr>"
        )
    return (
        '<div class="fd-scroll-x"><table class="fd-crosstable">'
        f'<thead><tr><th></th><th class="name">{escape(corner)}</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def properties(pairs: Sequence[tuple[str, str]]) -> str:
    """Names and values."""
    rows = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in pairs)
    return f'<dl class="fd-properties">{rows}</dl>'


def weight_bars(weights: Sequence[tuple[str, float]]) -> str:
    """Numbers of either sign, each with a bar from the middle."""
    largest = max((abs(weight) for _, weight in weights), default=0.0) or 1.0
    rows = []
    for name, weight in weights:
        share = 50 * abs(weight) / largest
        side = f"right:50%;width:{share:.2f}%" if weight < 0 else f"left:50%;width:{share:.2f}%"
        sign = "minus" if weight < 0 else ""
        rows.append(
            f"<span>{escape(name)}</span>"
            f'<span class="fd-signed-bar"><i class="{sign}" style="{side}"></i></span><b>{weight:+.3g}</b>'
        )
    return f'<div class="fd-weights">{"".join(rows)}</div>'


def square_table(numbers: Sequence[float]) -> str:
    """The weights of the squares of a quarter of the board, coloured by their sign and size."""
    largest = max((abs(number) for number in numbers), default=0.0) or 1.0
    side = math.isqrt(len(numbers))
    cells = "".join(
        f'<span class="{"minus" if number < 0 else ""}" style="--share:{abs(number) / largest:.3f}">{number:.3g}</span>'
        for number in numbers
    )
    return f'<div class="fd-square-weights" style="--side:{side}">{cells}</div>'
