"""The learner of the engine's evaluation: labels, determinism, resuming, the ProbCut model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flipdrop.search
from flipdrop.errors import LearningError
from flipdrop.evaluation import PatternModel
from flipdrop.games import Othello, game
from flipdrop.kernel import OthelloEvaluator, Sampling, sample_positions
from flipdrop.learning import Budget, TrainingRun
from flipdrop.learning.patterns import EvaluationLearner
from flipdrop.learning.patterns.labels import HEADER, LABELLED
from flipdrop.learning.patterns.probcut import deviations, fit_probcut, sigma
from flipdrop.search import Solver
from flipdrop.search.solver import read_evaluator

PACKAGED = Path(flipdrop.search.__file__).parent / "data" / "othello6.pattern"
QUICK = {"positions": 200, "rounds": 2, "depth": 2, "solved": 8, "probcut": 10, "match": 2}


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
    names = [name for point in curve.points for name in point.values]
    assert sum("held-out error" in name for name in names) == 2 * 8  # rounds and stages
    assert names[-1] == "score against the package's network"
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
    assert isinstance(read_evaluator(parts), OthelloEvaluator)
    labels = [
        np.fromfile(tmp_path / f"{name}.pattern.positions", LABELLED, offset=HEADER) for name in ("whole", "parts")
    ]
    assert len(labels[0]) == whole.learner.games
    assert (labels[0] == labels[1]).all()


@pytest.mark.slow
def test_damaged_file_of_positions(tmp_path: Path) -> None:
    """What is missing of the stage at hand is made again; a file that lacks more, or of another run, is refused."""
    model, file = tmp_path / "cut.pattern", tmp_path / "cut.pattern.positions"

    def run(seed: int = 3, **budget: int) -> TrainingRun:
        made = TrainingRun(EvaluationLearner(game("othello6"), seed=seed, **QUICK | {"positions": 200_000}), model)
        if model.exists():
            made.resume()
        made.run(Budget(**budget))
        return made

    first = run(steps=2)
    whole = file.read_bytes()
    assert first.learner.games * LABELLED.itemsize + HEADER == len(whole)
    file.write_bytes(whole[:-1000])
    first = TrainingRun(EvaluationLearner(game("othello6"), seed=3, **QUICK | {"positions": 200_000}), model)
    first.resume()
    first.run(Budget(steps=2))  # no step is left
    assert len(file.read_bytes()) < len(whole)
    run(steps=3)
    assert file.read_bytes()[: len(whole)] == whole
    run(steps=10)
    file.write_bytes(b"something else" * 100)
    with pytest.raises(LearningError, match="is not the file of positions of this run"):
        run(steps=11)
    file.write_bytes(whole[: HEADER + 100 * LABELLED.itemsize])
    with pytest.raises(LearningError, match="has already learned from"):
        run(steps=11)


def test_first_round_learns() -> None:
    learning = learner(positions=2000, rounds=1)
    errors: dict[str, float] = {}
    while "9 to 12" not in learning.status:
        errors |= learning.step()
    values = learning.state()
    assert errors
    assert max(errors.values()) < 12  # discs; the standard deviation of the scores is about 15
    assert np.isfinite(values.arrays["weights"]).all()


def test_selective_labels() -> None:
    """Searches to the end with ProbCut: results of games, most of them the exact ones."""
    evaluator = read_evaluator(PACKAGED)
    settings = Sampling()
    settings.min_empties, settings.max_empties, settings.depth = 12, 16, 0
    own, _, exact = sample_positions(evaluator, settings, count=60, seed=6)
    settings.selectivity = 0
    again, _, selective = sample_positions(evaluator, settings, count=60, seed=6)
    assert (own == again).all()
    assert (selective % 2 == 0).all()
    assert (selective != exact).any()
    assert np.mean(selective == exact) > 0.5
    assert np.sqrt(np.mean((selective - exact) ** 2)) < 3  # discs


def test_start_with_a_network() -> None:
    packaged = PatternModel.read(PACKAGED)
    learning = learner(start=str(PACKAGED), rounds=1, selectivity=73, ended=12)
    assert (learning.model().weights == packaged.weights).all()
    assert learning.model().probcut == packaged.probcut
    errors: dict[str, float] = {}
    while "13 to 16" not in learning.status:
        errors |= learning.step()
    weights = learning.model().weights
    changed = (weights != packaged.weights).reshape(9, -1).any(axis=1)  # by stage
    assert changed.tolist() == [False] * 6 + [True] * 3
    assert max(errors.values()) < 8  # discs
    assert learning.model().made["start"] == packaged.made


def test_start_that_does_not_fit(tmp_path: Path) -> None:
    with pytest.raises(LearningError, match="need a network to begin with"):
        learner(selectivity=73)
    with pytest.raises(LearningError, match="need a network to begin with"):
        learner(ended=16)
    with pytest.raises(LearningError, match="No such file"):
        learner(start=str(tmp_path / "none.pattern"))
    with pytest.raises(LearningError, match="a network of another board"):
        learner(start=str(PACKAGED.with_name("othello.pattern")))


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
            end = deep + random.normal(0, 6) if empties == 14 else float("nan")
            rows.append([empties, *(deep + x for x in noise), end])
    known = deviations(np.array(rows), 64)
    found = fit_probcut(np.array(rows), 64)
    for empties, deep, shallow, size in known:
        if deep == empties:  # the end differs from the deepest search by 6, independently of the other errors
            truly = np.hypot(6, sigma(truth, empties, 10, shallow) if shallow < 10 else 0)
            assert size == pytest.approx(truly, rel=0.1)
        elif deep == 10:
            assert size == pytest.approx(sigma(truth, empties, deep, shallow), rel=0.1)
    assert np.mean([abs(sigma(found, *row[:3]) - row[3]) for row in known if row[1] < row[0]]) < 1.5
    constant, slope = found[6:]
    assert np.mean([abs(constant + slope * row[2] - row[3]) for row in known if row[1] == row[0]]) < 1.5


def test_other_games() -> None:
    for name in ("othello4", "connect4"):
        with pytest.raises(LearningError, match="the engine plays Othello on 8x8 and 6x6"):
            EvaluationLearner(game(name), seed=1)
