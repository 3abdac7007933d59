"""The learner of the engine's evaluation: labels, determinism, resuming, the ProbCut model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop.errors import LearningError
from flipdrop.evaluation import PatternModel
from flipdrop.games import Othello, game
from flipdrop.kernel import OthelloEvaluator, Sampling, sample_positions
from flipdrop.learning import Budget, TrainingRun
from flipdrop.learning.patterns import EvaluationLearner
from flipdrop.learning.patterns.probcut import deviations, fit_probcut, sigma
from flipdrop.search import Solver
from flipdrop.search.solver import read_ordering

if TYPE_CHECKING:
    from pathlib import Path

QUICK = {"positions": 200, "rounds": 2, "depth": 2, "solved": 8, "probcut": 10}


def learner(threads: int = 1, **settings: Any) -> EvaluationLearner:
    return EvaluationLearner(game("othello6"), seed=3, threads=threads, **QUICK | settings)


def board(own: int, other: int, size: int) -> Othello:
    squares = [8 * row + column for row in range(size) for column in range(size)]
    return Othello("".join("X" if own >> s & 1 else "O" if other >> s & 1 else "-" for s in squares) + " X")


def test_exact_labels() -> None:
    settings = Sampling()
    settings.min_empties, settings.max_empties, settings.depth = 5, 9, 0
    evaluator = learner().evaluator()
    own, other, values = sample_positions(evaluator, settings, count=60, seed=5)
    solver = Solver(line=False)
    for mine, theirs, value in zip(own.tolist(), other.tolist(), values.tolist(), strict=True):
        position = board(mine, theirs, 6)
        assert 5 <= position.empties <= 9
        assert solver.solve(position).score == value
    again = sample_positions(evaluator, settings, count=30, seed=5, first=30, threads=2)
    assert (own[30:] == again[0]).all()
    assert (values[30:] == again[2]).all()


@pytest.mark.slow
def test_run_is_reproducible_and_resumes(tmp_path: Path) -> None:
    whole = TrainingRun(learner(), tmp_path / "whole.pattern")
    curve = whole.run(Budget())
    assert whole.learner.finished
    errors = [value for point in curve.points for value in point.values.values()]
    assert len(errors) == 2 * 8  # rounds and stages
    parts = tmp_path / "parts.pattern"
    for steps in (5, 11, None):
        run = TrainingRun(learner(threads=2), parts)
        if steps != 5:
            run.resume()
        run.run(Budget(steps=steps) if steps else Budget())
    first, second = PatternModel.read(tmp_path / "whole.pattern"), PatternModel.read(parts)
    assert (first.weights == second.weights).all()
    assert first.probcut == second.probcut
    assert first.by_parity
    assert isinstance(read_ordering(parts), OthelloEvaluator)


def test_first_round_learns() -> None:
    learning = learner(positions=2000, rounds=1)
    errors: dict[str, float] = {}
    while "9 to 12" not in learning.status:
        errors |= learning.step()
    values = learning.state()
    assert errors
    assert max(errors.values()) < 12  # discs; the standard deviation of the scores is about 15
    assert np.isfinite(values.arrays["weights"]).all()


def test_fit_of_probcut() -> None:
    truth = (-0.1, 0.3, -0.6, 0.05, 0.9, 5.0)
    random = np.random.default_rng(1)
    rows = []
    for empties in (14, 22, 30, 38, 46):
        for _ in range(4000):
            deep = random.normal(0, 8)
            noise = [
                random.normal(0, sigma(truth, empties, 10, depth)) if depth < 10 else 0.0 for depth in range(1, 11)
            ]
            rows.append([empties, *(deep + x for x in noise), float("nan")])
    known = deviations(np.array(rows), 64)
    found = fit_probcut(np.array(rows), 64)
    for empties, deep, shallow, size in known:
        if deep == 10:
            assert size == pytest.approx(sigma(truth, empties, deep, shallow), rel=0.1)
    assert np.mean([abs(sigma(found, *row[:3]) - row[3]) for row in known]) < 1.5


def test_other_games() -> None:
    for name in ("othello4", "connect4"):
        with pytest.raises(LearningError, match="the engine plays Othello on 8x8 and 6x6"):
            EvaluationLearner(game(name), seed=1)
