"""Reports that get better while one waits."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from flipdrop.kernel import MctsTree
from flipdrop.search import Mcts, Minimax
from flipdrop.search.minimax import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.games import Position
    from flipdrop.search import SearchReport

_SLICE = 0.25  # s


def improving_reports(search: Minimax | Mcts, position: Position) -> Iterator[SearchReport]:
    """What a search has found out so far, again and again; the last report is its result.

    A search that is limited by nodes or simulations is made in one go, so that its result is the same whether anybody
    watches or not. One that is limited by time is made in steps: by depth, each of which begins anew, or by slices of
    time, which all grow the same tree.
    """
    if isinstance(search, Minimax) and search.nodes is None and (search.seconds or search.depth):
        yield from _deeper(search, position)
    elif isinstance(search, Mcts) and search.seconds and not (search.iterations or search.nodes or search.schedule):
        yield from _longer(search, position, search.seconds)
    else:
        yield search.search(position)


def _deeper(search: Minimax, position: Position) -> Iterator[SearchReport]:
    nodes, spent = 0, 0.0
    for depth in range(1, (search.depth or MAX_DEPTH) + 1):
        left = None if search.seconds is None else search.seconds - spent
        if left is not None and left <= 0:
            return
        report = search.with_options(depth=depth, seconds=left).search(position)
        nodes, spent = nodes + report.nodes, spent + report.seconds
        # A depth that was not reached says nothing new: time was up, or the last depth had settled everything.
        if report.depth == depth or depth == 1:
            yield dataclasses.replace(report, nodes=nodes, seconds=spent)
        if report.depth < depth:
            return


def _longer(search: Mcts, position: Position, seconds: float) -> Iterator[SearchReport]:
    tree = MctsTree()
    nodes, spent, step = 0, 0.0, 0
    while spent < seconds:
        part = search.with_options(seconds=min(_SLICE, seconds - spent), seed=(search.seed + step) % 2**64)
        report = part.search(position, tree=tree)
        nodes, spent, step = nodes + report.nodes, spent + report.seconds, step + 1
        yield dataclasses.replace(report, nodes=nodes, seconds=spent, seed=search.seed)
        if report.proven or report.note:
            return
