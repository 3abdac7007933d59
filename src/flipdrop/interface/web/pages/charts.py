"""Pictures of an analysis as SVG: the score over a game, and the most visited part of a tree."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from flipdrop.interface.web.pages.game_panel import MARKS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from flipdrop.interface.web.schemas import TreeNode

_WIDE, _HIGH = 340, 120
_ROW = 40  # height of a depth of the tree
_READABLE = 24  # width of a block that its move's name fits into


def score_graph(graph: Sequence[float | None], cursor: int, marks: Mapping[int, str]) -> str:
    """The score for the first side over a game: what lies above the middle is good for it.

    :param graph: for each position of the game -1 .. 1, or None
    :param marks: of bad moves, by the number of the move from 0
    """
    step = _WIDE / max(1, len(graph) - 1)
    middle = _HIGH / 2

    def point(ply: int, value: float) -> str:
        return f"{ply * step:.1f} {middle - value * (middle - 4):.1f}"

    known = [(ply, value) for ply, value in enumerate(graph) if value is not None]
    parts = [f'<rect class="ground" width="{_WIDE}" height="{_HIGH}" rx="8"/>']
    if known:
        outline = "L".join(point(ply, value) for ply, value in known)
        ends = f"M{known[0][0] * step:.1f} {middle}L", f"L{known[-1][0] * step:.1f} {middle}Z"
        for half, top in (("above", 0.0), ("below", middle)):
            clip = f"inset({top}px 0 {_HIGH - middle - top}px 0)"
            parts.append(f'<g style="clip-path:{clip}"><rect width="{_WIDE}" height="{_HIGH}" fill="none"/>')
            parts.append(f'<path class="{half}" d="{ends[0]}{outline}{ends[1]}"/></g>')
        parts.append(f'<path class="line" d="M{outline}"/>')
    parts.append(f'<path class="zero" d="M0 {middle}H{_WIDE}"/>')
    for ply, mark in marks.items():
        value = graph[ply + 1] if ply + 1 < len(graph) else None
        if mark in MARKS and value is not None:
            at_x, at_y = point(ply + 1, value).split()
            parts.append(f'<circle class="dot {MARKS[mark]}" cx="{at_x}" cy="{at_y}" r="4"/>')
    parts.append(f'<path class="now" d="M{cursor * step:.1f} 0V{_HIGH}"/>')
    for ply in range(len(graph)):
        x = max(0.0, (ply - 0.5) * step)
        parts.append(f'<rect class="hit" x="{x:.1f}" width="{step:.1f}" height="{_HIGH}" data-ply="{ply}"/>')
    return f'<svg viewBox="0 0 {_WIDE} {_HIGH}">{"".join(parts)}</svg>'


def tree_picture(tree: Sequence[TreeNode]) -> str:
    """The most visited part of a tree: below each move its answers, as wide as the share of visits they took.

    A block is the greener the better the move is for whoever makes it.
    """
    total = sum(node.visits for node in tree)
    if not total:
        return ""
    blocks = list(_blocks(tree, 0.0, float(_WIDE), total, 0))
    depth = 1 + max(row for _, _, row, _ in blocks)
    parts = [_block(x, width, row, node) for x, width, row, node in blocks]
    return f'<svg viewBox="0 0 {_WIDE} {depth * _ROW}">{"".join(parts)}</svg>'


def _blocks(
    nodes: Sequence[TreeNode], x: float, width: float, visits: int, row: int
) -> Iterator[tuple[float, float, int, TreeNode]]:
    for node in nodes:
        own = width * node.visits / max(visits, 1)
        yield x, own, row, node
        yield from _blocks(node.children, x, own, node.visits, row + 1)
        x += own


def _block(x: float, width: float, row: int, node: TreeNode) -> str:
    if width < 2:
        return ""
    value = node.value if node.proof is None else {"win": 1.0, "draw": 0.0, "loss": -1.0}[node.proof]
    share = round(50 + 50 * max(-1.0, min(1.0, 2 * value)))  # most values lie near the middle
    colour = f"color-mix(in srgb, var(--good) {share}%, var(--bad))"
    name = escape(node.move)
    title = f"<title>{name}: {node.visits:,}</title>"
    parts = [
        f'<rect x="{x + 0.75:.1f}" y="{row * _ROW + 1}" width="{max(0.5, width - 1.5):.1f}" height="{_ROW - 2}" rx="4" '
        f'style="fill:{colour};fill-opacity:{0.42 if row % 2 else 0.6}">{title}</rect>'
    ]
    if width >= _READABLE:
        middle = x + width / 2
        short = width < 2 * _READABLE
        parts.append(f'<text x="{middle:.1f}" y="{row * _ROW + (24 if short else 18)}">{name}</text>')
        if not short:
            parts.append(f'<text class="count" x="{middle:.1f}" y="{row * _ROW + 32}">{compact(node.visits)}</text>')
    return f'<g class="{node.by}">{"".join(parts)}</g>'


def compact(count: int) -> str:
    """A large number in few characters.

    >>> compact(950), compact(12_345), compact(3_400_000)
    ('950', '12k', '3.4M')
    """
    if count < 1000:
        return str(count)
    if count < 1_000_000:
        return f"{count / 1e3:.1f}k" if count < 10_000 else f"{count // 1000}k"
    return f"{count / 1e6:.1f}M" if count < 1e9 else f"{count / 1e9:.1f}G"
