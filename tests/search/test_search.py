"""Progress reports of searches, and their time limits."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.evaluation import Evaluation
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.search import Mcts, Minimax

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.search import SearchReport


def watched(search: Minimax | Mcts, position: Position) -> tuple[SearchReport, list[SearchReport]]:
    """The result of a search, and its reports before that."""
    reports: list[SearchReport] = []
    return search.search(position, progress=reports.append), reports


@pytest.mark.parametrize("algorithm", ["alphabeta", "iterative"])
def test_each_depth_is_reported(algorithm: str) -> None:
    position = Othello.from_transcript("f5d6c3d3c4")
    report, reports = watched(Minimax(algorithm=algorithm, depth=6, nodes=10**9), position)
    assert [r.depth for r in reports] == [1, 2, 3, 4, 5, 6]
    assert [r.nodes for r in reports] == sorted(r.nodes for r in reports)
    assert (reports[-1].best, reports[-1].value, reports[-1].moves) == (report.best, report.value, report.moves)
    assert reports[3].value == Minimax(algorithm=algorithm, depth=4).search(position).value


@pytest.mark.parametrize("threads", [1, 2])
def test_a_tree_is_reported_while_it_grows(threads: int) -> None:
    reports: list[SearchReport] = []

    def stop_after_three(report: SearchReport) -> None:
        reports.append(report)
        if len(reports) == 3:
            raise StopIteration

    with pytest.raises(StopIteration):
        Mcts(seconds=60, threads=threads).search(Othello(), progress=stop_after_three)
    totals = [r.nodes for r in reports]
    assert totals == sorted(totals)
    assert all(r.best in r.position.legal_moves for r in reports)


@pytest.mark.parametrize(
    "search", [Mcts(iterations=20_000, seed=3), Minimax(nodes=50_000), Minimax(), Mcts(nodes=9000)]
)
def test_progress_does_not_change_the_result(search: Minimax | Mcts) -> None:
    report, _ = watched(search, Othello())
    assert report.moves == search.search(Othello()).moves


@pytest.mark.timing
@pytest.mark.parametrize("search", [Mcts(seconds=60), Minimax(seconds=60), Mcts(seconds=60, threads=2)])
def test_exception_in_progress_ends_the_search(search: Minimax | Mcts) -> None:
    def stop(report: SearchReport) -> None:
        raise RuntimeError("seen enough")

    began = time.perf_counter()
    with pytest.raises(RuntimeError, match="seen enough"):
        search.search(Othello(), progress=stop)
    assert time.perf_counter() - began < 20


def slow(position: Position) -> float:
    """An evaluation that a student might write."""
    began = time.process_time()
    while time.process_time() < began + 0.01:
        pass
    return 0.0


SLOW: Evaluation = evaluation_of(slow)


@pytest.mark.timing
@pytest.mark.parametrize(
    ("search", "position"),
    [
        (Mcts(seconds=0.1, playouts=10_000), ConnectFour(columns=12, rows=12)),
        (Mcts(seconds=0.1, playouts=10_000, threads=2), ConnectFour(columns=12, rows=12)),
        (Mcts(seconds=0.1, playout="depth", depth=1, evaluation=SLOW), Othello()),
        (Mcts(seconds=0.1, bias=1, evaluation=SLOW), Othello()),
        (Mcts(seconds=0.1, guide=14), Othello()),
        (Minimax(seconds=0.1, evaluation=SLOW), Othello()),
        (Minimax(seconds=0.1, algorithm="minimax", evaluation=SLOW), Othello()),
    ],
    ids=["playouts", "playouts-threads", "playout-evaluation", "bias", "guide", "iterative", "minimax"],
)
def test_slow_steps_do_not_overrun_the_time(search: Minimax | Mcts, position: Position) -> None:
    # Each of these once took from one to twelve seconds. Processor time: other processes do not matter.
    began = time.process_time()
    report = search.search(position)
    assert time.process_time() - began < 0.6
    assert report.best in position.legal_moves


def test_complete_searches_are_proven() -> None:
    drawn = ConnectFour.from_transcript("5471256622612712662157437715763153533344")
    report = Minimax(depth=2).search(drawn)
    assert (report.value, report.proven) == (0, True)
    assert not Minimax(depth=1).search(drawn).proven
    # With time to spare it ends there, instead of deepening what has no depth.
    assert Minimax(seconds=60).search(drawn).depth == 2
