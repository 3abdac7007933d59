"""Charts: SVG and HTML that the style sheet colours in the light and the dark theme.

Hand-made instead of NiceGUI's ECharts element for the first load, above all on a phone: that element loads 1.1 MB of
script and draws on a canvas, which style sheets do not reach. Ten of these charts with 100 points each are 115 kB of
markup, 12 kB compressed.
Lines are drawn in 100 by 100 units and stretched to the width of the page; their texts are HTML beside the SVG.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from markupsafe import Markup

from flipdrop.interface.web.pages.game_panel import MARKS
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import TreeNode

COLOURS = 6
"""The number of line colours in the style sheet: ``c0`` to ``c5``."""

_MAX_STRIPS = 120  # of a chart, each with a tooltip
_TICKS = 5
_WIDE, _HIGH = 340, 120
_DISC_STEP = 8  # the ends of a graph in discs are multiples of this
_ROW = 40  # height of a depth of the tree
_VISIBLE = 2  # least width of a block
_READABLE = 24  # width of a block that its move's name fits into


@dataclass(frozen=True)
class Line:
    """A line of a chart.

    :param points: (x, y)
    :param band: (low, high) around each point
    """

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


def number_text(value: float) -> str:
    """A number in few characters.

    >>> number_text(1234567), number_text(1500), number_text(0.25), number_text(-3)
    ('1.23M', '1.5k', '0.25', '-3')
    """
    for size, name in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= 0.9995 * size:
            return f"{value / size:.3g}{name}"
    return f"{value + 0.0:.3g}"


def typographic_minus(number: str) -> str:
    """With a minus sign that is as wide as a plus."""
    return number.replace("-", "−")


def seconds_text(t: Translator, value: float) -> str:
    """A time as axes write it: ``4 s``, ``1:15``, ``2:01:00``."""
    whole = round(value)
    if whole < 60:
        return t("analysis.seconds", seconds=whole)
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def chart(
    lines: Sequence[Line],
    *,
    bounds: tuple[float, float] | None = None,
    level: float | None = None,
    x_text: Callable[[float], str] = number_text,
    y_text: Callable[[float], str] = number_text,
    caption: str = "",
) -> Markup:
    """Lines over a common axis; empty without points.

    :param bounds: of the vertical axis; by default those of the lines
    :param level: a value with a dashed line, such as one half for scores
    :param caption: of the horizontal axis
    """
    seen = [point for line in lines for point in line.points if math.isfinite(point[1])]
    if not seen:
        return Markup()
    left, right = min(x for x, _ in seen), max(x for x, _ in seen)
    only = left if left == right else None  # one place, in the middle
    if only is not None:
        left, right = only - 1, only + 1
    low, high = bounds or _bounds(lines, level)
    return Markup(
        render(
            "chart",
            lines=lines,
            colours=COLOURS,
            x=lambda x: 100 * (x - left) / (right - left),
            y=lambda y: 100 * (high - max(low, min(high, y))) / (high - low),
            x_ticks=_ticks(left, right) if only is None else [only],
            y_ticks=_ticks(low, high),
            x_text=x_text,
            y_text=y_text,
            is_finite=math.isfinite,
            level=level if level is not None and low <= level <= high else None,
            strips=_strips(lines, left, right),
            caption=caption,
        )
    )


def _strips(lines: Sequence[Line], left: float, right: float) -> list[tuple[float, float, float]]:
    """Invisible strips, each with a tooltip: its left and right end, and the x whose values it shows."""
    places = sorted({x for line in lines for x, _ in line.points})
    places = places[:: math.ceil(len(places) / _MAX_STRIPS)]
    edges = [left, *((one + two) / 2 for one, two in pairwise(places)), right]
    return list(zip(edges, edges[1:], places, strict=False))


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


def axis_ends(values: Sequence[float], *, least: float = 100.0) -> tuple[float, float]:
    """The ends of an axis that holds zero and all finite values."""
    finite = [value for value in values if math.isfinite(value)]
    low, high = min([0.0, *finite]), max([0.0, *finite])
    room = max(high - low, least) * 0.06
    middle, half = (low + high) / 2, max((high - low) / 2, least / 2)
    return middle - half - room, middle + half + room


def sparkline(values: Sequence[float]) -> Markup:
    """A small line without axes; empty for fewer than two values."""
    if len(values) < 2:
        return Markup()
    low, high = min(values), max(values)
    span = high - low or 1.0
    points = " ".join(
        f"{100 * i / (len(values) - 1):.1f},{28 - 24 * (value - low) / span:.1f}" for i, value in enumerate(values)
    )
    return Markup(
        '<svg class="fd-sparkline" viewBox="0 0 100 32" preserveAspectRatio="none" aria-hidden="true">'
        f'<polyline points="{points}"/></svg>'
    )


def score_graph(
    graph: Sequence[float | None], cursor: int, marks: Mapping[int, str], *, unit: Literal["discs", "win"] = "win"
) -> str:
    """The score over a game; above the middle, the first side is ahead.

    :param graph: for each position of the game -1 .. 1, or a number of discs, or None
    :param marks: of bad moves, by the number of the move from 0
    :param unit: of `graph`
    """
    known = {ply: value for ply, value in enumerate(graph) if value is not None}
    end = 1.0
    if unit == "discs":
        end = max(_DISC_STEP, _DISC_STEP * math.ceil(max(map(abs, known.values()), default=0) / _DISC_STEP))
    texts = {ply: f"{value:+.0f}" if unit == "discs" else f"{50 + 50 * value:.0f}%" for ply, value in known.items()}
    points = {ply: value / end for ply, value in known.items()}
    dots = {ply + 1: MARKS[mark] for ply, mark in marks.items() if mark in MARKS and ply + 1 in points}
    step = _WIDE / max(1, len(graph) - 1)
    size = {"wide": _WIDE, "high": _HIGH, "step": step}
    ends = (f"+{end:.0f}", f"−{end:.0f}") if unit == "discs" else ("100%", "0%")
    return render(
        "score_graph", points=points, texts=texts, ends=ends, dots=dots, plies=len(graph), cursor=cursor, **size
    )


def tree_picture(tree: Sequence[TreeNode]) -> str:
    """The most visited part of a search tree: below each move its replies, as wide as their share of the visits.

    The better a move is for the side that plays it, the greener is its block.
    """
    total = sum(node.visits for node in tree)
    if not total:
        return ""
    blocks = [block for block in _blocks(tree, 0.0, float(_WIDE), total, 0) if block["width"] >= _VISIBLE]
    return render("tree", blocks=blocks, wide=_WIDE, row_height=_ROW, readable=_READABLE)


def _blocks(nodes: Sequence[TreeNode], x: float, width: float, visits: int, row: int) -> Iterator[dict[str, Any]]:
    for node in nodes:
        own = width * node.visits / max(visits, 1)
        value = node.value if node.proof is None else {"win": 1.0, "draw": 0.0, "loss": -1.0}[node.proof]
        percent = round(50 + 50 * max(-1.0, min(1.0, 2 * value)))  # most values lie near the middle
        yield {"x": x, "width": own, "row": row, "node": node, "percent": percent, "visits": number_text(node.visits)}
        yield from _blocks(node.children, x, own, node.visits, row + 1)
        x += own
