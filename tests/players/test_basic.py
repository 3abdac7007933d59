"""Players without a tree."""

from __future__ import annotations

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.evaluation import evaluation
from flipdrop.players import Clock, FlatMonteCarlo, GreedyPlayer, RandomPlayer


@pytest.mark.parametrize("start", [Othello.from_transcript("f5d6c3d3c4"), ConnectFour.from_transcript("4453")])
def test_greedy_move(start: Othello | ConnectFour) -> None:
    scored_by = evaluation("C" if isinstance(start, Othello) else "lines")
    values = {move: -scored_by.score(start.play(move)) for move in start.legal_moves}
    greedy = GreedyPlayer(scored_by)
    assert greedy.choose(start) == max(values, key=lambda move: values[move])
    assert {m.move: m.value for m in greedy.report(start).moves} == pytest.approx(values)


def test_greed_takes_a_win() -> None:
    assert GreedyPlayer().choose(ConnectFour.from_transcript("121212")) == 0


def test_random_moves() -> None:
    position = Othello.from_transcript("f5d6c3")
    chosen = [RandomPlayer(seed).choose(position) for seed in range(200)]
    for move in position.legal_moves:
        assert 20 < chosen.count(move) < 100  # 50 each on average


def test_flat_counts_games() -> None:
    position = ConnectFour.from_transcript("121212")
    report = FlatMonteCarlo(games=130, seed=2).report(position)
    assert report.best == 0
    assert report.value == 1
    assert report.nodes == 130 * len(position.legal_moves)
    assert [m.visits for m in report.moves] == [130] * 7
    assert report.moves == FlatMonteCarlo(games=130, seed=2, threads=2).report(position).moves
    assert report.moves != FlatMonteCarlo(games=130, seed=3).report(position).moves


def test_flat_without_time_still_answers() -> None:
    report = FlatMonteCarlo(games=10**9).report(Othello(), Clock(move_limit=0))
    assert report.moves[0].visits > 0
    assert report.best == report.moves[0].move
