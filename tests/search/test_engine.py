"""The Othello engine: exact at the end, consistent reports, limits, and errors. Its kernel has tests of its own."""

from __future__ import annotations

import random
from time import perf_counter
from typing import Any

import pytest

from flipdrop.errors import FlipdropError, SearchError
from flipdrop.games import Othello, OthelloGame, game
from flipdrop.search import Engine, SearchReport, Solver
from flipdrop.search.engine import solve_from


def position(empties: int, seed: int, size: int = 8) -> Othello:
    """A position of random play that is not over."""
    choices = random.Random(seed)
    while True:
        found = OthelloGame(size).start()
        while found.empties > empties and not found.is_over:
            found = found.play(choices.choice(found.legal_moves))
        if found.empties == empties and not found.is_over:
            return found


@pytest.mark.parametrize("seed", range(6))
def test_endgames_are_solved(seed: int) -> None:
    at = position(11 + seed % 3, seed)
    report = Engine(depth=8, lines=64).search(at)
    solution = Solver(moves=True).solve(at)
    assert report.proven
    assert report.selectivity == 100
    assert report.position_value.score == solution.score
    scores = {entry.move: entry.lower for entry in solution.moves}
    assert {entry.move: report.value_of(entry).score for entry in report.moves} == scores


def test_midgame_report() -> None:
    at = position(40, 1)
    seen: list[SearchReport] = []
    report = Engine(depth=9, lines=3).search(at, progress=seen.append)
    assert (report.depth, report.selectivity, report.proven) == (9, 73, False)
    assert [entry.value for entry in report.moves] == sorted((entry.value for entry in report.moves), reverse=True)
    assert len(report.moves) == 3
    assert report.best == report.moves[0].move == report.line[0]
    assert "depth 9 at 73%" in str(report)
    assert report.to_json()["selectivity"] == 73
    depths = [entry.depth for entry in seen]
    assert depths == sorted(depths)
    for move in report.line:
        at = at.play(move)


def test_same_search_twice() -> None:
    at = position(38, 2)
    first, second = (Engine(nodes=200_000).search(at) for _ in range(2))
    assert (first.best, first.value, first.line, first.nodes) == (second.best, second.value, second.line, second.nodes)


def test_limits() -> None:
    at = position(44, 3)
    assert Engine(nodes=50_000).search(at).nodes < 80_000
    began = perf_counter()
    report = Engine(seconds=0.1).search(at)
    assert perf_counter() - began < 3
    assert report.depth >= 1


def test_threads_agree_without_cuts() -> None:
    at = position(36, 4)
    one, two = (Engine(depth=6, selectivity=100, threads=threads).search(at) for threads in (1, 2))
    assert one.value == two.value


def test_depths_at_which_endgames_are_solved() -> None:
    assert [solve_from(depth) for depth in (1, 6, 10, 12, 20, 60)] == [2, 12, 20, 21, 25, 45]


def test_progress_may_end_it() -> None:
    def stop(_: SearchReport) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Engine(seconds=60).search(Othello(), progress=stop)


@pytest.mark.parametrize("name", ["othello4"])
def test_other_games(name: str) -> None:
    with pytest.raises(SearchError, match="the engine plays Othello on"):
        Engine(depth=2).search(game(name).start())


def test_selectivities() -> None:
    at = position(40, 5)
    found = [Engine(depth=5, selectivity=percent).search(at).selectivity for percent in (73, 74, 87, 96, 99, 100)]
    assert found == [73, 87, 87, 98, 99, 100]


@pytest.mark.parametrize("options", [{"depth": 0}, {"lines": 0}, {"seconds": 0.0}, {"table": 0}, {"selectivity": 72}])
def test_bad_options(options: dict[str, Any]) -> None:
    with pytest.raises(FlipdropError):
        Engine(**options)
