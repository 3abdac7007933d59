"""The Connect Four engine: proofs against the solver and plain minimax, zugzwang, limits and reports on every board."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings

from flipdrop import ConnectFour, game
from flipdrop.errors import SearchError
from flipdrop.games import ConnectFourGame
from flipdrop.search import Engine, SearchReport, Solver
from tests.evaluation.positions import reference_of_lines
from tests.search.test_solver import late_positions, true_score
from tests.strategies import CONNECT_FOUR_GAMES, connect_four_games, quiet_line, randoms

if TYPE_CHECKING:
    import random

# Few random games fill a large board: finding their endgames takes seconds.
BOARDS = [
    pytest.param(board, id=board.name, marks=[pytest.mark.slow] if board.columns * board.rows > 100 else [])
    for board in CONNECT_FOUR_GAMES
]
ZUGZWANG = json.loads((Path(__file__).parents[1] / "data" / "zugzwang_positions.json").read_text())


def late(game: ConnectFourGame, empty: int, count: int, seed: int) -> list[ConnectFour]:
    return [p for p in late_positions(game, empty, count, seed) if isinstance(p, ConnectFour) and not p.is_over]


# Proofs --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS)
def test_a_discarded_move_is_not_called_won(board: ConnectFourGame) -> None:
    """A search for one line discards the other moves by bounds, which may be those of a win."""
    for position in late(board, 7, 12, seed=1):
        report = Engine(depth=30).search(position)
        for entry in report.moves:
            value = report.value_of(entry)
            if value.exact:
                assert value.score == -true_score(position.play(entry.move)), (position, entry)


def test_a_move_that_only_draws_beside_a_win() -> None:
    report = Engine(depth=30).search(ConnectFour("--XX/--OX/--OO/O-XX O"))
    shown = {entry.move: report.value_of(entry) for entry in report.moves}
    assert shown[0].format() == "win in 5 plies"
    assert (shown[1].outcome, shown[1].bound) == (None, True)


@pytest.mark.parametrize("board", BOARDS)
def test_small_endgames_against_plain_minimax(board: ConnectFourGame) -> None:
    for position in late(board, 7, 12, seed=1):
        report = Engine(nodes=100_000).with_all_moves().search(position)
        assert report.proven
        assert report.position_value.score == true_score(position), position
        for entry in report.moves:
            assert report.value_of(entry).score == -true_score(position.play(entry.move)), (position, entry)


@pytest.mark.parametrize("board", [game("connect4"), ConnectFourGame(9, 10, "i5"), ConnectFourGame(12, 12)])
def test_outcomes_against_the_solver(board: ConnectFourGame) -> None:
    solver = Solver(moves=True)
    for position in late(board, 18, 8, seed=2):
        solution = solver.solve(position)
        scores = {entry.move: entry.lower for entry in solution.moves}
        for engine in (Engine(nodes=2_000_000), Engine(nodes=2_000_000, threads=2)):
            report = engine.search(position)
            if len(scores) == 1:
                continue
            assert report.proven
            assert report.position_value.outcome == solution.outcome
            assert (scores[report.best] > 0) == (solution.lower > 0)
            assert (scores[report.best] < 0) == (solution.lower < 0)
            for entry in report.moves:
                found = report.value_of(entry)
                assert found.score in (None, scores[entry.move])
                assert found.outcome in (None, (scores[entry.move] > 0) - (scores[entry.move] < 0))


def test_longest_resistance() -> None:
    solver = Solver(moves=True)
    lost = 0
    for position in late(ConnectFourGame(7, 7), 14, 150, seed=3):
        solution = solver.solve(position)
        if solution.outcome != -1 or len(solution.moves) < 2:
            continue
        lost += 1
        report = Engine(nodes=300_000).search(position)
        scores = {entry.move: entry.lower for entry in solution.moves}
        assert scores[report.best] == solution.score, position
    assert lost > 2


def test_book_of_exact_scores() -> None:
    report = Engine(seconds=1).search(ConnectFour())
    assert report.proven
    assert report.position.move_name(report.best) == "4"
    assert report.position_value.score == 1
    assert (
        Engine(depth=2).search(ConnectFour()).note == Engine(nodes=500, proofs=False).search(ConnectFour()).note == ""
    )


# Positions that a tree search or a shallow alpha-beta loses -----------------------------------------------------------


@pytest.mark.parametrize("entry", ZUGZWANG, ids=lambda entry: f"{entry['game']}, {'-'.join(entry['wrong'])}")
def test_zugzwang_and_short_tactics(entry: dict[str, Any]) -> None:
    position = game(entry["game"]).position(entry["board"])
    report = Engine(nodes=400_000).search(position)
    assert position.move_name(report.best) in entry["good"]


# Reports and limits --------------------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(board=connect_four_games(), source=randoms())
def test_moves_are_legal_and_values_in_range(board: ConnectFourGame, source: random.Random) -> None:
    for position in quiet_line(board, source)[::9]:
        if position.is_over:
            continue
        slow = reference_of_lines(position).legal_moves()
        for engine in (Engine(nodes=300), Engine(depth=2).with_all_moves()):
            report = engine.search(position)
            assert sorted(entry.move for entry in report.moves) == slow
            assert report.best == report.moves[0].move == report.line[0]
            last = position
            for move in report.line:
                last = last.play(move)
            for entry in report.moves:
                found = report.value_of(entry)
                assert found.expected_score
                assert found.sees_end or -1 <= found.number <= 1
            assert json.dumps(report.to_json())
            assert str(report)


@pytest.mark.parametrize("cell", ["a1", "d1", "g1", "a6", "d6", "d3"])
def test_forbidden_cells_anywhere(cell: str) -> None:
    """Whole games to a full board or a win, at the bottom, the top and in the middle."""
    position = ConnectFourGame(7, 6, cell).start()
    while not position.is_over:
        position = position.play(Engine(nodes=200).search(position).best)
    reference = reference_of_lines(position)
    assert reference.is_over
    assert position.result == reference.result
    if "-" not in position.cells and not reference.lines():
        assert position.result == 0


def test_same_position_same_report() -> None:
    position = ConnectFourGame(10, 9, "d4").start().play(4).play(4).play(3)
    for engine in (Engine(depth=6), Engine(nodes=20_000)):
        first = engine.search(position)
        engine.search(position.play(2))
        assert replace(engine.search(position), seconds=0) == replace(first, seconds=0)


def test_last_cell_and_full_board() -> None:
    position = next(p for p in late(ConnectFourGame(4, 4), 1, 50, seed=4) if p.cells.count("-") == 1)
    report = Engine(depth=3).search(position)
    assert [entry.move for entry in report.moves] == list(position.legal_moves)
    with pytest.raises(SearchError, match="the game is over"):
        Engine(depth=3).search(position.play(report.best))


@pytest.mark.timing
@pytest.mark.parametrize("name", ["connect4", "connect4:9x9,forbid=e5", "connect4:12x12"])
def test_time_limit(name: str) -> None:
    engine = Engine(seconds=0.1)
    position = game(name).start().play(0).play(1)
    for _ in range(5):
        began = time.process_time()
        position = position.play(engine.search(position).best)
        assert time.process_time() - began < 0.1 + 0.1


def test_progress_may_end_it() -> None:
    def stop(_: SearchReport) -> None:
        raise KeyboardInterrupt

    for threads in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            Engine(seconds=60, threads=threads).search(ConnectFourGame(12, 12).start(), progress=stop)


def test_options_of_othello() -> None:
    for engine in (Engine(depth=2, selectivity=90), Engine(depth=2, model=Path("x.pattern"))):
        with pytest.raises(SearchError, match="belongs to Othello"):
            engine.search(ConnectFour())
