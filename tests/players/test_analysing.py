"""Players that analyse."""

from __future__ import annotations

from typing import Any

import pytest

from flipdrop import (
    ConnectFour,
    GameHistory,
    Minimax,
    NotationError,
    Othello,
    PlayerError,
    RecordError,
    Solver,
    analyse,
    batch,
    player,
    review,
    solve,
)


def test_texts_and_positions() -> None:
    assert analyse("444", game="connect4").best == analyse(ConnectFour().play("4").play("4").play("4")).best
    assert solve(ConnectFour()).score == solve("", game="connect4").score == 1


def test_limits_and_players() -> None:
    report = analyse("f5d6c3", depth=3)
    assert report.depth == 3
    assert analyse(Othello(), player="mcts:iterations=30").nodes >= 30
    with_evaluation = analyse(Othello(), evaluation="Seven", depth=2)
    assert with_evaluation.depth == 2
    assert not with_evaluation.proven


def test_what_does_not_fit() -> None:
    with pytest.raises(PlayerError, match="limits of depth and nodes do not apply"):
        analyse(Othello(), player="greedy", depth=3)
    with pytest.raises(PlayerError, match="give player or evaluation"):
        analyse(Othello(), player="greedy", evaluation="D")


@pytest.mark.parametrize("given", [None, 5, Othello])
def test_what_is_no_position(given: Any) -> None:
    for call in (analyse, solve, GameHistory.of, Solver().solve, Minimax(depth=2).search, player("greedy").choose):
        with pytest.raises(NotationError, match="is no position; Othello\\(\\) is one"):
            call(given)
    for of_many in (batch.solve, batch.analyse):
        with pytest.raises(NotationError, match="is no position"):
            of_many([given])
    with pytest.raises(RecordError, match="is no game"):
        review(given)
