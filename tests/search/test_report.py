"""Proven values of reports against the exact solver."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.search import Mcts, Minimax, MoveReport, SearchReport, Solver
from flipdrop.search.values import WIN
from tests.search.test_solver import late_positions

if TYPE_CHECKING:
    from tests.strategies import AnyPosition

LATE: list[AnyPosition] = [
    position
    for game in (OthelloGame(8), OthelloGame(6), ConnectFourGame(), ConnectFourGame(6, 6, "c2"), ConnectFourGame(5, 5))
    for position in late_positions(game, 10, 10, seed=6)
    if not position.is_over
]
SEARCHES = [
    *(Minimax(depth=depth, all_moves=all_moves) for depth in (1, 2, 4, 30) for all_moves in (False, True)),
    *(Minimax(algorithm=algorithm, depth=5) for algorithm in ("minimax", "alphabeta")),
    *(Mcts(iterations=iterations, seed=1) for iterations in (20, 3000)),
    Mcts(iterations=3000, draw=0.25),
]


def scores(position: AnyPosition) -> dict[int, int]:
    """The true score of every move, for the side that makes it."""
    solution = Solver(moves=True, book=False, table=1).solve(position)
    assert solution.proven
    return {entry.move: entry.lower for entry in solution.moves}


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_proven_values_are_true(search: Minimax | Mcts) -> None:
    certain = 0
    for position in LATE:
        report, true = search.search(position), scores(position)
        for value, score in (
            (report.position_value, max(true.values())),
            *((report.value_of(entry), true[entry.move]) for entry in report.moves),
        ):
            certain += value.proven
            assert value.outcome in (None, sign(score)), (position, value)
            assert value.score in (None, score), (position, value)
    assert certain > 10


def test_search_to_the_end_is_proven() -> None:
    for position in LATE:
        report, true = Minimax(depth=30, all_moves=True).search(position), scores(position)
        assert report.position_value.outcome == sign(max(true.values()))
        assert report.position_value.score == max(true.values())
        assert report.value_of(report.moves[0]) == report.position_value


@pytest.mark.parametrize("position", LATE[::3], ids=lambda position: position.board)
def test_json_matches_solve(position: AnyPosition) -> None:
    solution = Solver(moves=True, book=False, table=1).solve(position)
    expected = solution.to_json()
    for report in (SearchReport.from_solution(solution), Minimax(depth=30, all_moves=True).search(position)):
        found = json.loads(json.dumps(report.to_json()))
        assert [found[key] for key in ("outcome", "score", "exact", "proven")] == [
            expected[key] for key in ("outcome", "score", "exact", "proven")
        ]
        assert found["value"] == expected["score"]
    found = SearchReport.from_solution(solution).to_json()
    assert {move["move"]: move["score"] for move in found["moves"]} == {
        move["move"]: move["score"] for move in expected["moves"]
    }
    assert all(move["exact"] and move["proven"] and not move["bound"] for move in found["moves"])


def test_a_guess_is_not_called_proven() -> None:
    found = Minimax(depth=4, all_moves=True).search(Othello()).to_json()
    assert (found["outcome"], found["score"], found["proven"], found["exact"]) == (None, None, False, False)
    for move in found["moves"]:
        assert (move["outcome"], move["score"], move["proven"], move["exact"]) == (None, None, False, False)
        assert not move["bound"]


@pytest.mark.parametrize(("transcript", "plies"), [("121212", 1), ("4455", 3), ("44556", 2)])
def test_plies_to_the_end_of_connect_four(transcript: str, plies: int) -> None:
    position = ConnectFour.from_transcript(transcript)
    assert Minimax(depth=4).search(position).position_value.plies == plies


def words(position: AnyPosition, value: float, *, proven: bool, exact: bool = True) -> str:
    entry = MoveReport(position.legal_moves[1], value, 0, exact)
    best = MoveReport(position.legal_moves[0], WIN + 64.0, 0)
    report = SearchReport(position, best.move, best.value, (best.move,), (best, entry), 1, 1, 0.1, proven=proven)
    return report.value_of(entry).describe()


def test_certainty_in_words() -> None:
    othello, four = Othello(), ConnectFour.from_transcript("4455")
    assert words(othello, WIN + 4.0, proven=True) == "+4 discs, proven"
    assert words(othello, WIN + 4.0, proven=False) == "win by 4 or more"
    assert words(othello, -WIN - 4.0, proven=True) == "-4 discs, proven"
    assert words(othello, -WIN - 4.0, proven=True, exact=False) == "loss"
    assert words(othello, WIN + 4.0, proven=True, exact=False) == ""  # at most a win is no news
    assert words(othello, 3.5, proven=False) == ""
    assert words(othello, 0.0, proven=True) == ""  # a search that has found a win may stop before this move is proven
    assert words(four, WIN + 36.0, proven=False) == "win in 3 plies"
    assert words(four, WIN + 38.0, proven=False) == "win in 1 ply"
    assert words(four, -WIN - 37.0, proven=False) == "loss in 2 plies"


def test_bounds_of_other_moves() -> None:
    position = next(p for p in LATE if len(p.legal_moves) > 2 and isinstance(p, Othello))
    solution = Solver(moves=True, book=False, table=1).solve(position)
    first, *rest = solution.moves
    cut = dataclasses.replace(
        solution, proven=False, moves=(first, *(dataclasses.replace(m, lower=-64, upper=64) for m in rest))
    )
    assert cut.has_answer
    report = SearchReport.from_solution(cut)
    assert report.position_value.score == solution.score
    assert [entry.exact for entry in report.moves] == [True, *(False for _ in rest)]
    assert all(entry.value <= report.value for entry in report.moves)
    assert not any(report.value_of(entry).exact for entry in report.moves[1:])
    assert not dataclasses.replace(cut, moves=cut.moves[1:]).has_answer
    assert not dataclasses.replace(cut, lower=-64, upper=64).has_answer


def test_text_without_internal_numbers() -> None:
    position = ConnectFour.from_transcript("4455")
    text = str(Minimax(depth=6, all_moves=True).search(position))
    assert "win in 3 plies" in text
    assert "1000" not in text.replace(",", "").split("nodes")[0]
