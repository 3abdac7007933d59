"""Values of many positions are those of single ones."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

from flipdrop import ConnectFour, FlipdropError, Othello, Position
from flipdrop.batch import Games, analyse, evaluate, solve, to_numpy
from flipdrop.batch.values import spread
from flipdrop.evaluation import evaluation
from flipdrop.search import Solver
from tests.strategies import random_line


def late(name: str, empties: int, count: int = 20) -> list[Position]:
    games = Games(name, 200, seed=2)
    found: list[Position] = []
    while len(found) < count:
        games.step(games.random_actions())
        found += [one for one in games.positions if one.empties == empties]
    return found[:count]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("name", "which"), [("othello", "D"), ("othello", "patterns"), ("connect4", "lines")])
def test_evaluate(name: str, which: str, threads: int) -> None:
    positions = [one for _ in range(40) for one in late(name, 20)]
    expected = [evaluation(which).score(position) for position in positions]
    assert evaluate(positions, which, threads=threads).tolist() == expected


def test_evaluate_with_a_function() -> None:
    line = random_line(Othello().game, random.Random(1))
    assert evaluate(line, lambda position: position.ply).tolist() == [one.ply for one in line]
    with pytest.raises(ZeroDivisionError):
        evaluate(line, lambda _: 1 / 0)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["othello", "connect4"])
def test_solve(name: str, threads: int) -> None:
    positions = late(name, 8)
    found = solve(positions, threads=threads)
    solver = Solver(moves=True)
    for i, position in enumerate(positions):
        solution = solver.solve(position)
        assert found.score[i] == solution.score
        if not position.is_over:
            assert solution.score == max(m.lower for m in solution.moves if m.move == found.best[i])
    assert found.proven.all()
    assert (found.outcome == np.sign(found.score)).all()
    assert len(found) == len(positions)


def test_planes_stand_for_positions() -> None:
    positions = late("connect4", 8)
    planes = to_numpy(positions)
    assert (solve(planes, game="connect4").score == solve(positions).score).all()
    assert (evaluate(planes, game="connect4") == evaluate(positions)).all()
    with pytest.raises(FlipdropError, match="give game="):
        solve(planes)


def test_solve_counts_a_finished_game() -> None:
    found = solve([ConnectFour.from_transcript("1212121")])
    assert found.score.tolist() == [-18]
    assert found.best.tolist() == [-1]


def test_analyse() -> None:
    positions = [one for one in late("othello", 6) if not one.is_over][:4]
    found = analyse(positions, seconds=5, threads=2)
    assert found.proven.all()
    assert found.value.tolist() == solve(positions).score.tolist()
    assert [report.best for report in found.reports] == found.best.tolist()
    assert len(found) == len(positions)


def test_an_error_passes_through() -> None:
    over = ConnectFour.from_transcript("1212121")
    with pytest.raises(FlipdropError, match="over"):
        analyse([over, over, over], threads=2)


def test_error_stops_the_searches_of_other_threads() -> None:
    """The search of the second position would not end by itself."""
    searching = threading.Event()

    def work(_: None, position: Position) -> int:
        if position.ply == 0:
            searching.wait()
            raise LookupError("enough")
        searching.set()
        return position.perft(40)

    with pytest.raises(LookupError):
        spread([Othello(), Othello().play("f5")], lambda: None, work, threads=2)


def test_evaluate_takes_positions_of_one_board() -> None:
    with pytest.raises(FlipdropError, match="no positions"):
        evaluate([])
    with pytest.raises(FlipdropError, match="those of one board"):
        evaluate([Othello(), ConnectFour()])
    with pytest.raises(FlipdropError, match="is no position"):
        evaluate(["f5"])  # type: ignore[list-item]
