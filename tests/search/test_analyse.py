"""Analyses: proofs where they fit into the time, else a search that uses all of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello, game
from flipdrop.errors import OptionError, SearchError
from flipdrop.evaluation import evaluation
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.search import Minimax, Solver
from flipdrop.search.analyse import Analysis, best_evaluation
from flipdrop.search.book import shipped_book
from flipdrop.search.connect_four_book import ConnectFourBook
from tests.search.test_solver import late_positions

if TYPE_CHECKING:
    from flipdrop.search import SearchReport
    from tests.strategies import AnyPosition

LATE: list[AnyPosition] = [
    position
    for of in (OthelloGame(8), OthelloGame(6), ConnectFourGame(), ConnectFourGame(9, 7, "c2"))
    for position in late_positions(of, 12, 3, seed=3)
    if not position.is_over
]
OPEN: list[AnyPosition] = [Othello.from_transcript("f5f4g3g4h3"), Othello(size=6), ConnectFour(columns=9, rows=10)]


@pytest.mark.parametrize("position", LATE, ids=lambda position: position.board)
def test_proof_of_every_move(position: AnyPosition) -> None:
    report = Analysis(seconds=20).search(position)
    true = {entry.move: entry.lower for entry in Solver(moves=True, book=False, table=1).solve(position).moves}
    assert report.proven
    assert {entry.move: report.value_of(entry).score for entry in report.moves} == true
    assert report.moves[0].move == report.best == report.line[0]
    assert true[report.best] == max(true.values()) == report.position_value.score
    assert report.seconds < 20


def test_book_comes_first() -> None:
    report = Analysis(seconds=0.001).search(ConnectFour())
    book = shipped_book(ConnectFour().game)
    assert isinstance(book, ConnectFourBook)
    assert report.note == "from the opening book"
    assert {entry.move: report.value_of(entry).score for entry in report.moves} == book.move_scores(ConnectFour())
    assert ConnectFour().move_name(report.best) == "4"
    assert report.position_value.score == 1
    assert report.position_value.describe() == "win in 41 plies"


@pytest.mark.slow
def test_solver_after_the_book() -> None:
    position = ConnectFour.from_transcript("44444432222")
    report = Analysis(seconds=30, threads=2).search(position)
    assert report.solved
    assert report.position_value.score == Solver(book=False).solve(position).score


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize("position", OPEN, ids=lambda position: position.board)
def test_search_uses_all_the_time(position: AnyPosition) -> None:
    seen: list[SearchReport] = []
    began = time.process_time()
    # Long enough that a first look that a busy machine delays still leaves time for the second search.
    report = Analysis(seconds=2.0).search(position, progress=seen.append)
    assert time.process_time() - began < 4
    assert not report.proven
    assert {entry.move for entry in report.moves} == set(position.legal_moves)
    assert all(entry.exact for entry in report.moves)
    assert report.depth >= seen[0].depth
    assert report.seconds > 1.5
    assert report.nodes >= seen[-1].nodes  # those of the first look count as well


@pytest.mark.timing
@pytest.mark.slow
def test_progress_can_end_every_stage() -> None:
    position = next(p for p in late_positions(OthelloGame(8), 24, 40, seed=8) if p.cells.count("-") > 22)
    for limit in (1, 40):
        shown: list[SearchReport] = []

        def annoyed(report: SearchReport, shown: list[SearchReport] = shown, limit: int = limit) -> None:
            shown.append(report)
            if len(shown) == limit:
                raise RuntimeError("seen enough")

        began = time.perf_counter()
        with pytest.raises(RuntimeError, match="seen enough"):
            Analysis(seconds=60).search(position, progress=annoyed)
        assert time.perf_counter() - began < 20


def test_best_evaluation() -> None:
    names = {
        name: best_evaluation(game(name)).name
        for name in ("othello", "othello6", "connect4", "connect4:9x7", "othello4")
    }
    assert names == {
        "othello": "patterns",
        "othello6": "Seven",
        "othello4": "Seven",
        "connect4": "patterns",
        "connect4:9x7": "lines",
    }


def test_another_evaluation_can_be_given() -> None:
    position = OPEN[0]
    search = Analysis(evaluation=evaluation("D"), threads=2, table=8).search_settings(position.game)
    assert search == Minimax(evaluation=evaluation("D"), all_moves=True, threads=2, table=8)


def test_mistakes_are_named() -> None:
    with pytest.raises(SearchError, match="the game is over"):
        Analysis().search(ConnectFour.from_transcript("1212121"))
    with pytest.raises(OptionError, match="seconds=0: expected a number of more than 0"):
        Analysis(seconds=0)
