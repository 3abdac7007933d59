"""HTML for `_repr_html_` of results in notebooks: tables with captions, lines of text and line charts."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WIDTH, _HEIGHT = 640, 200  # pixels of a chart
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 10, 10, 22
_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf")


def html_table(
    heads: Sequence[str], rows: Iterable[Sequence[object]], *, caption: str = "", notes: Iterable[str] = ()
) -> str:
    """A table whose first column is left-aligned, with a caption above and notes below.

    >>> html_table(["move", "value"], [["d3", 1]])
    '<table><thead><tr><th style="text-align: left">move</th><th>value</th></tr></thead><tbody><tr><td \
style="text-align: left">d3</td><td>1</td></tr></tbody></table>'
    """
    title = f"<caption><b>{escape(caption)}</b></caption>" if caption else ""
    head = _row("th", heads)
    body = "".join(_row("td", row) for row in rows)
    below = "".join(f"<div>{escape(note)}</div>" for note in notes)
    return f"<table>{title}<thead>{head}</thead><tbody>{body}</tbody></table>{below}"


def _row(tag: str, cells: Iterable[object]) -> str:
    left = ' style="text-align: left"'
    return (
        "<tr>"
        + "".join(f"<{tag}{'' if i else left}>{escape(str(cell))}</{tag}>" for i, cell in enumerate(cells))
        + "</tr>"
    )


def html_lines(title: str, lines: Iterable[str]) -> str:
    """A title in bold and lines of text below it."""
    return f"<div><b>{escape(title)}</b></div>" + "".join(f"<div>{escape(line)}</div>" for line in lines)


def line_chart(
    lines: Sequence[tuple[str, Sequence[tuple[float, float]]]],
    *,
    title: str,
    across: str,
    limits: tuple[float, float] | None = None,
    marks: Sequence[tuple[float, float, str]] = (),
) -> str:
    """Lines of points as an SVG drawing, with a rule at 0 or in the middle of the scale.

    :param lines: a name, and points (x, y), for each line
    :param across: what x counts
    :param limits: of y; those of the points by default
    :param marks: points (x, y) with a text beside them
    """
    points = [point for _, of_line in lines for point in of_line]
    low_x, high_x = _limits([x for x, _ in points])
    low_y, high_y = limits or _limits([y for _, y in points])

    def at(x: float, y: float) -> tuple[str, str]:
        along = (x - low_x) / (high_x - low_x)
        up = (min(max(y, low_y), high_y) - low_y) / (high_y - low_y)
        return (
            f"{_LEFT + along * (_WIDTH - _LEFT - _RIGHT):.1f}",
            f"{_TOP + (1 - up) * (_HEIGHT - _TOP - _BOTTOM):.1f}",
        )

    parts = [f"<title>{escape(title)}</title>"]
    middle = 0.0 if low_y < 0 < high_y else (low_y + high_y) / 2
    (left, rule), (right, _) = at(low_x, middle), at(high_x, middle)
    parts.append(f'<line x1="{left}" y1="{rule}" x2="{right}" y2="{rule}" stroke="#999" stroke-width="1"/>')
    parts += [
        f'<text x="{_LEFT - 6}" y="{float(at(low_x, y)[1]) + 4:.1f}" text-anchor="end">{y:.4g}</text>'
        for y in dict.fromkeys((low_y, middle, high_y))
    ]
    parts += [
        f'<text x="{at(x, low_y)[0]}" y="{_HEIGHT - 6}" text-anchor="{anchor}">{x:.6g}</text>'
        for x, anchor in ((low_x, "start"), (high_x, "end"))
    ]
    parts.append(f'<text x="{_WIDTH / 2}" y="{_HEIGHT - 6}" text-anchor="middle">{escape(across)}</text>')
    for number, (name, of_line) in enumerate(lines):
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join(",".join(at(x, y)) for x, y in of_line)
        parts.append(f'<polyline fill="none" stroke="{colour}" stroke-width="1.6" points="{path}"/>')
        if len(lines) > 1:
            parts.append(f'<text x="{_LEFT + 6}" y="{_TOP + 12 + 13 * number}" fill="{colour}">{escape(name)}</text>')
    for x, y, text in marks:
        cx, cy = at(x, y)
        parts.append(f'<circle cx="{cx}" cy="{cy}" r="3.5" fill="#d62728"><title>{escape(text)}</title></circle>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
        f'font-family="sans-serif" font-size="11" fill="currentColor" role="img">{"".join(parts)}</svg>'
    )


def _limits(numbers: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest number, a distance apart."""
    if not numbers:
        return 0.0, 1.0
    low, high = min(numbers), max(numbers)
    return (low, high) if low < high else (low - 1, high + 1)
