"""All methods of evolution: determinism, resuming, and a file of weights that plays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop import game
from flipdrop.errors import FlipdropError, LearningError
from flipdrop.evaluation import evaluation, read_weights
from flipdrop.learning import Budget, State, TrainingRun
from flipdrop.learning.genetic import (
    Evolution,
    EvolutionStrategy,
    OnlineGA,
    PositionGA,
    TournamentGA,
    genome,
)
from flipdrop.model_file import read_model_file, write_model_file
from flipdrop.players import player

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Make = Callable[[int], Evolution]


def tournament(name: str = "othello6", which: str = "D", **options: Any) -> Make:
    kind = game(name)
    settings = {"population": 6, "depth": 1, "benchmark_every": 8} | options
    return lambda seed: TournamentGA(kind, genome(which, kind), seed=seed, threads=2, **settings)


def strategy(name: str, which: str, **options: Any) -> Make:
    kind = game(name)
    settings = {"population": 6, "depth": 1, "benchmark_every": 8} | options
    return lambda seed: EvolutionStrategy(kind, genome(which, kind), seed=seed, threads=2, **settings)


def on_positions(learner: type[OnlineGA] | type[PositionGA], name: str, which: str, **options: Any) -> Make:
    kind = game(name)
    return lambda seed: learner(kind, genome(which, kind), seed=seed, depth=1, benchmark_every=8, **options)


LEARNERS: dict[str, Make] = {
    "R1": tournament(),
    "R1, openings": tournament(openings="random:4", openings_per_generation=3, fitness_measure="discs"),
    "R1, Connect Four": tournament("connect4", "lines", fitness_measure="wins"),
    "R1, squares": tournament("othello6", "B"),
    "cma": strategy("othello6", "D"),
    "cma, Connect Four": strategy("connect4", "lines", openings="random:4", openings_per_generation=2),
    "R2": on_positions(OnlineGA, "othello6", "Seven", rounds=2),
    "R2, games": on_positions(OnlineGA, "othello4", "D", rounds=1, fitness_measure="points"),
    "R2, Connect Four": on_positions(OnlineGA, "connect4", "lines", rounds=2, openings="random:3"),
    "R5": on_positions(PositionGA, "othello6", "Seven", generations=4, final="random"),
    "R5, games": on_positions(
        PositionGA, "connect4", "lines", generations=2, fitness_measure="points", keep_probability=0.7
    ),
}
learners = pytest.mark.parametrize("make", LEARNERS.values(), ids=LEARNERS.keys())


def story(learner: Evolution, points: list[dict[str, float]]) -> list[Any]:
    """All that a run has come to."""
    return [points, learner.games, learner.reused, learner.weights, learner.steps]


def resumed(learner: Evolution, make: Make, folder: Path) -> Evolution:
    """A learner that goes on where another one is, by way of a file."""
    state = learner.state()
    write_model_file(folder / "state", "checkpoint", state.metadata, state.arrays)
    other = make(learner.seed)
    other.restore(State(*read_model_file(folder / "state", "checkpoint")))
    other.games = learner.games
    return other


@pytest.mark.slow
@learners
def test_resuming(make: Make, tmp_path: Path) -> None:
    whole, other = make(3), make(4)
    expected = story(whole, [whole.step() for _ in range(8)])
    assert story(other, [other.step() for _ in range(8)]) != expected
    part, points = resumed(make(3), make, tmp_path), []
    for step in range(8):
        points.append(part.step())
        if step in (0, 1, 4, 7):
            part = resumed(part, make, tmp_path)
    assert story(part, points) == expected


@pytest.mark.slow
@learners
def test_text_output(make: Make, tmp_path: Path) -> None:
    learner = make(1)
    with pytest.raises(LearningError, match="take a step first"):
        learner.save_model(tmp_path / "best.weights")
    values = learner.step()
    assert values["fitness worst"] <= values["fitness mean"] <= values["fitness best"]
    assert len([name for name in values if name.startswith("score against alphabeta:depth=1")]) == 1
    learner.save_model(tmp_path / "best.weights")
    weights = read_weights(tmp_path / "best.weights", evaluation=learner.genome.base.evaluation)
    assert weights == learner.weights
    made = player(f"alphabeta:depth=2,evaluation={tmp_path}/best.weights", game=learner.game)
    start = learner.game.start()
    assert made.choose(start) in start.legal_moves


@learners
def test_signs_and_json_settings(make: Make) -> None:
    learner = make(2)
    for _ in range(6):
        learner.step()
        assert learner.best is not None
        assert np.isin(np.sign(learner.best) * learner.genome.signs, (0, 1)).all()
    assert json.loads(json.dumps(learner.settings))["depth"] == 1
    genes = " ".join(f"{gene:.3g}" for gene in learner.genes.values())
    assert learner.status.endswith(f" 6: {genes}")


def test_threads_change_nothing(tmp_path: Path) -> None:
    kind = game("othello6")
    found = []
    for threads in (1, 3):
        learner = TournamentGA(kind, genome("D", kind), population=8, depth=1, seed=1, threads=threads)
        found.append([learner.step() for _ in range(4)])
    assert found[0] == found[1]


@pytest.mark.parametrize(
    "make", [tournament(openings="random:4", openings_per_generation=5), strategy("othello6", "D")]
)
def test_evolution_improves_weights(make: Make) -> None:
    """Random weights of half the scale are no good; a few generations of real games are."""
    kind = game("othello6")
    bad = evaluation("D(1,9,-1,-1,15,0.5)")
    learner = make(7)
    learner.genome = genome(bad, kind)  # whom the best is measured against
    for _ in range(16):
        values = learner.step()
    score = next(value for name, value in values.items() if name.startswith("score against"))
    assert score > 0.6


@pytest.mark.parametrize(
    ("options", "expected_error"),
    [
        ({"threads": 0}, "0 threads"),
        ({"benchmark_every": -1}, "benchmark_every=-1"),
    ],
)
def test_invalid_common_settings(options: dict[str, Any], expected_error: str) -> None:
    kind = game("othello6")
    with pytest.raises(FlipdropError, match=expected_error):
        TournamentGA(kind, genome("D", kind), seed=1, **options)
    with pytest.raises(FlipdropError, match=expected_error):
        OnlineGA(kind, genome("D", kind), seed=1, **options)


def test_empty_budget() -> None:
    with pytest.raises(LearningError, match="a budget of 0 steps; it must be more than 0"):
        Budget(steps=0)


def test_checkpoints_of_version_0_1_resume(tmp_path: Path) -> None:
    make = tournament()
    learner = make(3)
    TrainingRun(learner, tmp_path / "x.weights").run(Budget(steps=2))
    checkpoint = (tmp_path / "x.weights.checkpoint").rename(tmp_path / "x.checkpoint")
    metadata, arrays = read_model_file(checkpoint, "checkpoint")
    old = {"fitness_measure": "worth", "openings_per_generation": "different", "benchmark_every": "every"}
    metadata["learner"] = "ga-R1"
    metadata["settings"] = {old.get(name, name): value for name, value in metadata["settings"].items()}
    write_model_file(checkpoint, "checkpoint", metadata, arrays)
    again = TrainingRun(make(3), tmp_path / "x.weights")
    again.resume()
    assert (again.steps, again.learner.games) == (2, learner.games)
