"""Pattern networks: convergence to the solver's values on small boards, determinism, resuming."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest

from flipdrop.arena.quick_match import results_against
from flipdrop.errors import FlipdropError
from flipdrop.evaluation import PatternModel
from flipdrop.games import game
from flipdrop.learning import Budget, TrainingRun
from flipdrop.learning.patterns import PatternLearner
from flipdrop.search import Solver

if TYPE_CHECKING:
    from pathlib import Path


def learner(name: str = "othello4", rule: Literal["q", "sarsa", "td"] = "td", **settings: Any) -> PatternLearner:
    return PatternLearner(game(name), rule, seed=settings.pop("seed", 1), opponents=(), **settings)


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["td", "sarsa", "q"])
@pytest.mark.parametrize("name", ["othello6", "connect4:5x4"])
def test_rules_beat_random_play(name: str, rule: Literal["q", "sarsa", "td"]) -> None:
    learning = learner(name, rule, batch=8000, patterns=None if name == "othello6" else "walks:20x6", stages=4)
    before = results_against(learning.player(), "random", learning.game, pairs=150, seed=1).games.score
    learning.step()
    after = results_against(learning.player(), "random", learning.game, pairs=150, seed=1).games.score
    assert after > 0.85
    assert after > before + 0.1


def test_it_can_learn_against_a_player() -> None:
    learning = learner("othello6", "sarsa", batch=3000, against="greedy:evaluation=A", against_epsilon=0.1)
    learning.step()
    assert results_against(learning.player(), "greedy:evaluation=A", learning.game, pairs=150, seed=1).games.score > 0.6


def test_batch_size_does_not_matter() -> None:
    one, two, other = learner(batch=300), learner(batch=100), learner(batch=300, seed=2)
    one.step()
    other.step()
    for _ in range(3):
        two.step()
    assert np.array_equal(one.model().weights, two.model().weights)
    assert not np.array_equal(one.model().weights, other.model().weights)


def test_resuming(tmp_path: Path) -> None:
    whole = learner(batch=200, decay=0.5)
    TrainingRun(whole, tmp_path / "whole.pattern").run(Budget(games=1000))
    TrainingRun(learner(batch=200, decay=0.5), tmp_path / "parts.pattern").run(Budget(games=400))
    again = learner(batch=200, decay=0.5)
    training_run = TrainingRun(again, tmp_path / "parts.pattern")
    training_run.resume()
    training_run.run(Budget(games=1000))
    assert np.array_equal(again.model().weights, whole.model().weights)
    read = PatternModel.read(tmp_path / "parts.pattern")
    assert np.array_equal(read.weights, whole.model().weights)
    assert read.made["games"] == 1000


def lost_results(learning: PatternLearner, games: int) -> int:
    """How many of its games against perfect play, which varies, end worse than the start position promises."""
    solver, pupil = Solver(moves=True, line=False), learning.player()
    promised = solver.solve(learning.game.start()).score or 0
    lost = 0
    for number in range(games):
        random, side, position = Random(number), number % 2, learning.game.start()
        while not position.is_over:
            if position.to_move == side:
                position = position.play(pupil.choose(position))
            else:
                moves = solver.solve(position).moves
                position = position.play(random.choice([m.move for m in moves if m.lower == moves[0].lower]))
        result = position.result or 0
        lost += np.sign(promised) * (1 - 2 * side) > result * (1 - 2 * side)
    return lost


def test_solver_supervision() -> None:
    learning = learner("connect4:5x4", patterns="blocks", solver_supervision_after=0, batch=2000)
    before = lost_results(learning, 30)
    learning.step()
    assert before > 10
    assert lost_results(learning, 30) == 0


def test_resuming_with_solver_supervision(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"patterns": "squares", "batch": 70, "solver_supervision_after": 100}
    whole, alone = learner("connect4:4x4", **settings), learner("connect4:4x4", patterns="squares", batch=100)
    alone.step()
    whole.step()
    whole.step()
    assert whole.games == 100
    assert np.array_equal(whole.model().weights, alone.model().weights)
    whole.step()
    assert not np.array_equal(whole.model().weights, alone.model().weights)
    TrainingRun(learner("connect4:4x4", **settings), tmp_path / "parts.pattern").run(Budget(games=100))
    again = learner("connect4:4x4", **settings)
    training_run = TrainingRun(again, tmp_path / "parts.pattern")
    training_run.resume()
    again.step()
    assert np.array_equal(again.model().weights, whole.model().weights)


def test_curve() -> None:
    learning = PatternLearner(game("othello4"), "td", seed=1, batch=50, opponents=("random", "greedy"))
    assert learning.step().keys() == {"score against random", "score against greedy"}


@pytest.mark.parametrize(
    "settings",
    [
        {"rate": float("nan")},
        {"rate": 0},
        {"epsilon": 1.5},
        {"lambda_": -0.1},
        {"stages": 0},
        {"batch": 0},
        {"patterns": "nonsense"},
        {"against": "solver:seconds=1"},
        {"solver_supervision_after": 100},
        {"solver_supervision_after": -1},
    ],
)
def test_bad_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(FlipdropError):
        learner(**settings)
