"""Exact values against plain minimax in Python, known results."""

from __future__ import annotations

import json
import math
import random
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello, game
from flipdrop.errors import FlipdropError, OptionError, SearchError
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.kernel import OthelloEvaluator, OthelloSolver, SolveRequest, new_pattern_network
from flipdrop.search import Engine, Solution, Solver
from flipdrop.search.solver import _memory, engine_evaluator

if TYPE_CHECKING:
    from tests.strategies import AnyGame, AnyPosition

SOLVED = Path(__file__).parents[1] / "data" / "solver_positions.json"


def score_of_end(position: AnyPosition) -> int:
    """The score of a finished game, for the side to move."""
    sign = 1 if position.to_move == 0 else -1
    if isinstance(position, Othello):
        return sign * position.margin
    return sign * (position.result or 0) * (position.cells.count("-") // 2 + 1)


def true_score(position: AnyPosition) -> int:
    """By looking at everything."""
    if position.is_over:
        return score_of_end(position)
    return max(-true_score(position.play(move)) for move in position.legal_moves)


def late_positions(game: AnyGame, empty: int, count: int, seed: int) -> list[AnyPosition]:
    """Positions with at most `empty` empty cells, some of them finished, from games that avoid an early end."""
    source = random.Random(seed)
    found: list[AnyPosition] = []
    while len(found) < count:
        position: AnyPosition = game.start()
        wanted = source.randint(0, empty)
        while not position.is_over and position.cells.count("-") > wanted:
            children = [position.play(move) for move in position.legal_moves]
            position = source.choice([child for child in children if not child.is_over] or children)
        if position.cells.count("-") <= wanted:
            found.append(position)
    return found


GAMES: list[tuple[AnyGame, int]] = [
    (OthelloGame(4), 9),
    (OthelloGame(6), 8),
    (OthelloGame(8), 8),
    (ConnectFourGame(), 9),
    (ConnectFourGame(4, 4), 9),
    (ConnectFourGame(5, 6, "c3"), 9),
    (ConnectFourGame(4, 5, "b1"), 9),
    (ConnectFourGame(9, 8), 7),
    (ConnectFourGame(12, 10, "f6"), 8),
]


def forced_passes(size: int, count: int) -> list[Othello]:
    """Positions with 5 to 12 empty squares whose side to move has to pass."""
    source = random.Random(size)
    found: list[Othello] = []
    while len(found) < count:
        position, wanted = Othello(size=size), source.randint(5, 12)
        while not position.is_over and position.empties > wanted:
            position = position.play(source.choice(position.legal_moves))
        if not position.is_over and position.pass_move in position.legal_moves:
            found.append(position)
    return found


@pytest.mark.parametrize("size", [6, 8])
def test_forced_passes(size: int) -> None:
    """With one table, in which a wrong value would stay for the position after the pass."""
    solver, engine = Solver(table=1, line=False), Engine(nodes=10**6)
    for position in forced_passes(size, 30):
        after = position.play(position.legal_moves[0])
        score = Solver(table=1).solve(after).score
        assert score is not None
        assert solver.solve(position).score == -score
        assert solver.solve(after).score == score
        report = engine.search(position)
        assert report.proven
        assert report.position_value.score == -score


@pytest.mark.slow
@pytest.mark.parametrize(("game", "empty"), GAMES, ids=lambda value: getattr(value, "name", ""))
@pytest.mark.parametrize("threads", [1, 2])
def test_solutions_are_true(game: AnyGame, empty: int, threads: int) -> None:
    whole = Solver(moves=True, threads=threads, table=1, book=False)
    outcome = Solver(outcome_only=True, threads=threads, table=1, book=False)
    for position in late_positions(game, empty, 25, seed=empty):
        solution = whole.solve(position)
        score = true_score(position)
        assert (solution.lower, solution.upper, solution.guess, solution.proven) == (score, score, score, True)
        assert {m.move: m.lower for m in solution.moves} == {
            move: -true_score(position.play(move)) for move in position.legal_moves
        }
        assert all(m.exact for m in solution.moves)
        check_line(solution)
        assert outcome.solve(position).outcome == (score > 0) - (score < 0)


def check_line(solution: Solution) -> None:
    """Best play leads to the score that was promised."""
    position, sign = solution.position, 1
    if position.is_over:
        assert (solution.best, solution.line) == (None, ())
        return
    assert solution.line[0] == solution.best
    for move in solution.line:
        assert move in position.legal_moves
        position, sign = position.play(move), -sign
    assert position.is_over
    assert isinstance(position, Othello | ConnectFour)
    assert sign * score_of_end(position) == solution.score


def test_small_boards_from_the_start() -> None:
    assert Solver(table=16).solve(Othello(size=4)).score == -10
    for columns, rows, score in ((4, 4, 0), (5, 4, 0), (4, 5, 0), (5, 5, 0), (6, 4, -1), (6, 5, 0)):
        solution = Solver(table=16, line=False).solve(ConnectFour(columns=columns, rows=rows))
        assert (solution.score, solution.proven) == (score, True), (columns, rows)


@pytest.mark.slow
@pytest.mark.timing
def test_limits_leave_honest_bounds() -> None:
    hard = ConnectFour()
    for solver in (Solver(nodes=2000, book=False), Solver(seconds=0.05, book=False)):
        began = time.process_time()
        solution = solver.solve(hard)
        assert time.process_time() - began < 2
        assert not solution.proven
        assert solution.score is None
        assert solution.lower <= 1 <= solution.upper
        assert solution.best in hard.legal_moves
    opening = Othello.from_transcript("f5d6c3d3c4f4")
    solution = Solver(seconds=0.2).solve(opening)
    assert not solution.proven
    assert solution.seconds < 2
    assert solution.best in opening.legal_moves


def test_progress() -> None:
    reports: list[Solution] = []

    def stop_after_two(solution: Solution) -> None:
        reports.append(solution)
        if len(reports) == 2:
            raise StopIteration

    with pytest.raises(StopIteration):
        Solver(seconds=60).solve(Othello.from_transcript("f5d6c3d3c4f4"), progress=stop_after_two)
    assert reports[-1].nodes > 0

    def stop(solution: Solution) -> None:
        raise RuntimeError("enough")

    for position in (ConnectFour(), Othello()):
        with pytest.raises(RuntimeError, match="enough"):
            Solver(book=False).solve(position, progress=stop)


def test_solver_shared_by_threads() -> None:
    solver = Solver(table=1, line=False)
    positions = late_positions(ConnectFourGame(), 14, 30, seed=4)
    expected = [Solver(table=1, line=False).solve(position).score for position in positions]
    found: dict[int, list[int | None]] = {}
    workers = [
        threading.Thread(target=lambda i=i: found.update({i: [solver.solve(p).score for p in positions]}))
        for i in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(scores == expected for scores in found.values())
    assert len(found) == 4


def test_bad_settings_are_named() -> None:
    with pytest.raises(OptionError, match="table=0"):
        Solver(table=0)
    with pytest.raises(OptionError, match="seconds=0"):
        Solver(seconds=0)
    if _memory():
        with pytest.raises(SearchError, match="this machine has"):
            Solver(table=2**20).solve(Othello())


@pytest.mark.slow
def test_a_solution_as_json() -> None:
    solution = Solver(moves=True).solve(ConnectFour.from_transcript("121212"))
    read = solution.to_json()
    assert read["score"] == 18
    assert read["best"] == "1"
    assert read["moves"][0] == {"move": "1", "score": 18, "lower": 18, "upper": 18}
    assert {"position", "score", "best", "line", "nodes", "seconds", "exact"} <= set(read)


def test_ordering_network() -> None:
    ordered, by_hand = OthelloSolver(16, engine_evaluator(OthelloGame())), OthelloSolver(16)
    nodes = {ordered: 0, by_hand: 0}
    for seed in range(6):
        choices, position = random.Random(seed), OthelloGame().start()
        while position.cells.count("-") > 15 and position.legal_moves:
            position = position.play(choices.choice(position.legal_moves))
        found = {solver: solver.solve(position, SolveRequest()) for solver in nodes}
        for solver, solution in found.items():
            nodes[solver] += solution.nodes
        assert found[ordered].lower == found[by_hand].lower == found[ordered].upper == found[by_hand].upper
    assert nodes[ordered] != nodes[by_hand]


def test_ordering_networks_of_other_boards() -> None:
    network = new_pattern_network(OthelloGame(4).start(), patterns=[[0, 1, 2]], stages=[0])
    with pytest.raises(FlipdropError, match="the network is for Othello on 4x4, not for Othello on 8x8"):
        OthelloEvaluator(network, probcut=(0, 0, 0, 0, 0, 4))
    with pytest.raises(FlipdropError, match="finite numbers"):
        OthelloEvaluator(network, probcut=(0, 0, 0, 0, 0, math.nan))
    with pytest.raises(FlipdropError, match="6 or 8 numbers, not 7"):
        OthelloEvaluator(network, probcut=(0, 0, 0, 0, 0, 4, 5))


def test_endgames_of_plain_alpha_beta() -> None:
    cases = json.loads(SOLVED.read_text())
    assert len(cases) == 40
    for case in cases:
        position = game(case["game"]).position(case["board"])
        assert Solver(line=False).solve(position).score == case["score"], case
