"""Players that prove what they play."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.errors import PlayerError
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.players import Clock, LevelPlayer, SearchPlayer, SolverPlayer, player
from flipdrop.search import Mcts, Minimax, SearchReport, Solver
from flipdrop.search.values import winning_margin
from tests.search.test_solver import late_positions

if TYPE_CHECKING:
    from tests.strategies import AnyPosition

LATE: list[AnyPosition] = [
    position
    for game in (OthelloGame(8), OthelloGame(6), ConnectFourGame(), ConnectFourGame(6, 6, "c2"))
    for position in late_positions(game, 9, 12, seed=2)
    if len(position.legal_moves) > 1
]


def keeps_the_score(position: AnyPosition, move: int) -> bool:
    """Whether a move is as good as the best."""
    solver = Solver(book=False, table=1)
    after = solver.solve(position.play(move)).score
    assert after is not None
    return -after == solver.solve(position).score


@pytest.mark.parametrize("spec", ["perfect", "solver:seconds=20", "perfect:threads=2", "iterative:seconds=20"])
def test_late_moves_are_perfect(spec: str) -> None:
    one = player(spec)
    assert len(LATE) > 20
    for position in LATE:
        assert keeps_the_score(position, one.choose(position))
        # A search stands in for a proof only when there is no time for one.
        assert one.choose(position, Clock(move_limit=0)) in position.legal_moves


@pytest.mark.parametrize("position", LATE[::4], ids=lambda p: p.board)
def test_a_proof_reads_as_the_search_would(position: AnyPosition) -> None:
    solution = Solver(moves=True, book=False, table=1).solve(position)
    proof, search = SearchReport.from_solution(solution), Minimax(depth=30, all_moves=True).search(position)
    assert proof.proven
    assert (proof.value, {m.move: m.value for m in proof.moves}) == (
        search.value,
        {m.move: m.value for m in search.moves},
    )
    tree = SearchReport.from_solution(solution, draw=0.25)
    assert tree.value == {1: 1, 0: 0.25, -1: -1}[solution.outcome or 0]


def test_margins_of_connect_four() -> None:
    won = ConnectFour.from_transcript("121212")
    assert Solver(table=1).solve(won).score == 18
    assert winning_margin(won, 18) == won.play("1").cells.count("-") + 1
    assert winning_margin(Othello(), -12) == 12


def test_timed_searches_solve_endgames() -> None:
    position = late_positions(OthelloGame(8), 8, 1, seed=9)[0]
    for spec in ("iterative:seconds=10", "mcts:seconds=10"):
        made = player(spec)
        assert isinstance(made, SearchPlayer)
        report = made.report(position)
        assert (report.proven, report.note) == (True, "solved")
        assert report.seconds < 5
    for spec in ("iterative:seconds=0.3,endgame=no", "mcts:iterations=50", "alphabeta:depth=2"):
        made = player(spec)
        assert isinstance(made, SearchPlayer)
        assert made.report(position).note == ""
    opening = Othello.from_transcript("f5d6c3")
    assert SearchPlayer(Mcts(seconds=0.2)).report(opening).note == ""  # far too early


def test_search_after_a_failed_proof() -> None:
    opening = ConnectFour(columns=9, rows=7)  # no book knows it, and no half a second proves it
    report = SolverPlayer(seconds=0.4).report(opening)
    assert not report.proven
    assert report.nodes > 100
    assert report.seconds == pytest.approx(0.4, abs=0.1)  # proof and search together


def test_the_highest_level_is_perfect() -> None:
    level = LevelPlayer(10)
    assert level.player_of(ConnectFourGame()).spec == "perfect"
    assert level.player_of(ConnectFourGame(9, 8)).spec == "engine"
    source = random.Random(4)
    for position in source.sample([p for p in LATE if isinstance(p, ConnectFour)], 5):
        assert keeps_the_score(position, level.choose(position))


def test_finished_games_are_refused() -> None:
    with pytest.raises(PlayerError, match="the game is over"):
        player("perfect").choose(ConnectFour.from_transcript("1212121"))


@pytest.mark.slow
def test_varied_moves() -> None:
    position = ConnectFourGame(5, 4).start()  # drawn, whichever of several columns is taken
    best = {
        entry.move
        for entry in Solver(moves=True).solve(position).moves
        if entry.lower == entry.upper == Solver().solve(position).score
    }
    chosen = {player(f"perfect:varied=yes,seed={seed}").choose(position) for seed in range(40)}
    assert len(best) > 1
    assert chosen == best
