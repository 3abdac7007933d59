"""Linear function approximation: its updates against a slow oracle, what it learns, and resuming."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop.arena.quick_match import results_against
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.games import Position, game
from flipdrop.learning import Budget, TrainingRun
from flipdrop.learning.linear import LinearLearner
from flipdrop.players import player
from flipdrop.players.learned import reward_of
from flipdrop.players.linear_values import LinearValues

if TYPE_CHECKING:
    from pathlib import Path

OTHELLO = game("othello")
SMALL: dict[str, Any] = {"seed": 1, "opponents": (), "batch": 2}


def slow_weights(learner: LinearLearner, rule: str, games: int) -> list[float]:
    """The weights after a step, by the rules of a textbook on lists, with random numbers drawn in the same order."""
    options, scale = learner.options, learner._inverse_variances.tolist()
    random = Random(derive_seed(learner.seed, "step", 0)).random
    weights = [0.0] * len(scale)

    def features(position: Position) -> list[float]:
        row: list[float] = learner.values.features_of([position])[0].tolist()
        return row

    def q(position: Position, move: int) -> float:
        after = position.play(move)
        if after.is_over:
            return -reward_of(learner.game, after.final_score, options.reward)
        return -sum(weight * feature for weight, feature in zip(weights, features(after), strict=True))

    for _ in range(games):
        position, before = learner.game.start(), None
        while not position.is_over:
            moves = position.legal_moves
            values = [q(position, move) for move in moves]
            index = int(random() * len(moves)) if random() < options.epsilon else values.index(max(values))
            if before is not None:
                # Q(s, a) of the move that led here is minus the weighted sum of this position's features.
                own = -sum(weight * feature for weight, feature in zip(weights, before, strict=True))
                next_value = max(values) if rule == "q" else values[index]
                error = -options.discount * next_value - own
                for n, feature in enumerate(before):
                    weights[n] += options.rate * error * scale[n] * -feature
            position = position.play(moves[index])
            before = features(position)
    return weights


@pytest.mark.parametrize("rule", ["q", "sarsa"])
@pytest.mark.parametrize("name", ["othello", "othello6", "connect4"])
@pytest.mark.parametrize("features", ["terms", "squares"])
def test_updates(rule: str, name: str, features: str) -> None:
    learner = LinearLearner(game(name), rule, **SMALL, features=features, discount=0.9, rate=0.01)
    expected = slow_weights(
        LinearLearner(game(name), rule, **SMALL, features=features, discount=0.9, rate=0.01), rule, 2
    )
    learner.step()
    assert learner.values.weights.tolist() == pytest.approx(expected)
    assert any(expected)


@pytest.mark.parametrize("rule", ["q", "sarsa"])
def test_learning(rule: str) -> None:
    """Against random play the score grows from about a half to nearly 1."""
    learner = LinearLearner(OTHELLO, rule, seed=1, opponents=())

    def score() -> float:
        return results_against(learner.player(), "random", OTHELLO, pairs=50, seed=2).games.score

    untrained = score()
    for _ in range(20):
        learner.step()
    assert untrained < 0.7
    assert score() > 0.9


@pytest.mark.slow
def test_squares_learn() -> None:
    learner = LinearLearner(OTHELLO, "q", seed=1, opponents=(), features="squares", batch=1500)
    learner.step()
    assert results_against(learner.player(), "random", OTHELLO, pairs=100, seed=2).games.score > 0.8
    weights = dict(zip(learner.values.names, learner.values.weights, strict=True))
    assert max(weights, key=weights.__getitem__) == "a1"


def test_resuming(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"seed": 3, "opponents": ("random",), "batch": 3, "halving": 5}
    whole = TrainingRun(LinearLearner(OTHELLO, "q", **settings), tmp_path / "whole.linear")
    curve = whole.run(Budget(steps=5))
    TrainingRun(LinearLearner(OTHELLO, "q", **settings), tmp_path / "parts.linear").run(Budget(steps=2))
    parts = TrainingRun(LinearLearner(OTHELLO, "q", **settings), tmp_path / "parts.linear")
    parts.resume()
    resumed = parts.run(Budget(steps=5))
    assert [(p.games, p.values) for p in resumed.points] == [(p.games, p.values) for p in curve.points]
    found = [LinearValues.read(path).weights.tolist() for path in (whole.model, parts.model)]
    assert found[0] == found[1]
    made = player(f"linear:model={whole.model}", game="othello")
    assert made.choose(OTHELLO.start()) in OTHELLO.start().legal_moves


def test_invalid_settings() -> None:
    with pytest.raises(LearningError, match="no rule 'td'; there are q, sarsa"):
        LinearLearner(OTHELLO, "td", seed=1)
    with pytest.raises(LearningError, match="no setting lambda; settings are batch"):
        LinearLearner(OTHELLO, "q", seed=1, lambda_=0.5)
    with pytest.raises(ValueError, match="features='moods': expected one of terms, squares"):
        LinearLearner(OTHELLO, "q", seed=1, features="moods")


def test_constant_features_have_no_rate() -> None:
    learner = LinearLearner(game("connect4:4x4"), "q", **SMALL)
    assert np.isfinite(learner._inverse_variances).all()
