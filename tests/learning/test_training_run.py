"""The training loop: budgets, checkpoints, curves, resuming."""

from __future__ import annotations

import csv
from random import Random
from time import sleep
from typing import TYPE_CHECKING

import numpy as np
import pytest

from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.store import Store, points_of, stored_runs
from flipdrop.errors import LearningError, ModelError
from flipdrop.games import game
from flipdrop.learning import Budget, Learner, State, TrainingRun
from flipdrop.model_file import write_model_file

if TYPE_CHECKING:
    from pathlib import Path


class Walker(Learner):
    """Learns nothing: walks at random, a step of ten games at a time."""

    name = "walker"

    def __init__(self, seed: int = 1, *, stride: float = 1.0, interrupted_at: int | None = None) -> None:
        self.game = game("othello4")
        self.seed = seed
        self.games = 0
        self.stride = stride
        self.place = np.zeros(2)
        self.steps = 0
        self.interrupted_at = interrupted_at

    @property
    def settings(self) -> dict[str, object]:
        return {"stride": self.stride, "directions": (1, -1)}

    def step(self) -> dict[str, float]:
        if self.steps == self.interrupted_at:
            raise KeyboardInterrupt
        random = Random(derive_seed(self.seed, self.steps))
        self.place = self.place + np.array([random.gauss(0, self.stride), 1])
        self.steps += 1
        self.games += 10
        return {"place": float(self.place[0])} if self.steps % 2 == 0 else {}

    def state(self) -> State:
        return State({"steps": self.steps}, {"place": self.place})

    def restore(self, state: State) -> None:
        self.steps = state.metadata["steps"]
        self.place = state.arrays["place"]

    def save_model(self, path: object) -> None:
        write_model_file(str(path), "walk", {}, {"place": self.place})


@pytest.mark.slow
def test_budgets(tmp_path: Path) -> None:
    for budget, games in ((Budget(steps=7), 70), (Budget(games=25), 30), (Budget(steps=5, games=20), 20)):
        walker = Walker()
        TrainingRun(walker, tmp_path / f"{games}.walk").run(budget)
        assert walker.games == games


@pytest.mark.parametrize("budget", [{"seconds": 0}, {"games": 0}, {"steps": -1}, {"seconds": float("nan")}])
def test_empty_budget(budget: dict[str, float]) -> None:
    with pytest.raises(LearningError, match="must be more than 0"):
        Budget(**budget)  # type: ignore[arg-type]


def test_resuming(tmp_path: Path) -> None:
    whole = Walker()
    curve = TrainingRun(whole, tmp_path / "whole.walk").run(Budget(steps=12))
    TrainingRun(Walker(), tmp_path / "parts.walk").run(Budget(steps=5))
    again = Walker()
    training_run = TrainingRun(again, tmp_path / "parts.walk")
    training_run.resume()
    resumed = training_run.run(Budget(steps=12))
    assert np.array_equal(again.place, whole.place)
    assert again.games == whole.games
    assert [(p.step, p.games, p.values) for p in resumed.points] == [(p.step, p.games, p.values) for p in curve.points]


def test_interrupt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flipdrop.learning.training_run._CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr("flipdrop.learning.training_run._MAX_CHECKPOINT_SHARE", 1e9)
    with pytest.raises(KeyboardInterrupt):
        TrainingRun(Walker(interrupted_at=8), tmp_path / "x.walk").run(Budget(steps=12))
    walker = Walker()
    training_run = TrainingRun(walker, tmp_path / "x.walk")
    training_run.resume()
    assert walker.steps == 8
    assert not (tmp_path / "x.walk").exists()
    training_run.run(Budget(steps=12))
    whole = Walker()
    TrainingRun(whole, tmp_path / "whole.walk").run(Budget(steps=12))
    assert np.array_equal(walker.place, whole.place)


def test_resuming_with_other_settings(tmp_path: Path) -> None:
    with pytest.raises(LearningError, match="nothing to resume"):
        TrainingRun(Walker(), tmp_path / "x.walk").resume()
    TrainingRun(Walker(), tmp_path / "x.walk").run(Budget(steps=1))
    TrainingRun(Walker(), tmp_path / "x.walk").resume()
    with pytest.raises(ModelError, match="seed 1, not 2"):
        TrainingRun(Walker(2), tmp_path / "x.walk").resume()
    with pytest.raises(ModelError, match="settings"):
        TrainingRun(Walker(stride=2), tmp_path / "x.walk").resume()


def test_curve_files(tmp_path: Path) -> None:
    curve = TrainingRun(Walker(), tmp_path / "x.walk").run(Budget(steps=6))
    with (tmp_path / "x.walk.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["games"]) for row in rows] == [20, 40, 60]
    assert [float(row["place"]) for row in rows] == pytest.approx([p.values["place"] for p in curve.points], rel=1e-4)
    assert (tmp_path / "x.walk.png").read_bytes().startswith(b"\x89PNG")


def test_the_store_keeps_the_run(tmp_path: Path) -> None:
    with Store(tmp_path / "runs.db") as store:
        training_run = TrainingRun(Walker(), tmp_path / "x.walk")
        number = training_run.record_in(store)
        assert stored_runs(store)[0].ended is None
        curve = training_run.run(Budget(steps=6))
        (run,) = stored_runs(store)
        assert (run.id, run.learner, run.game, run.seed) == (number, "walker", "othello4", 1)
        assert run.file == str((tmp_path / "x.walk").resolve())
        assert run.settings == {"stride": 1.0, "directions": [1, -1]}
        assert run.ended is not None
        assert [(p.step, p.values) for p in points_of(store, run.id)] == [(p.step, p.values) for p in curve.points]


def test_files_of_models_with_one_stem(tmp_path: Path) -> None:
    one, other = (TrainingRun(Walker(seed), tmp_path / name) for seed, name in ((1, "x.walk"), (2, "x.stroll")))
    one.run(Budget(steps=2))
    other.run(Budget(steps=3))
    again = TrainingRun(Walker(1), tmp_path / "x.walk")
    again.resume()
    assert (again.steps, other.checkpoint.exists()) == (2, True)
    assert len({path.name.partition(".")[2] for path in tmp_path.glob("x.*")}) == len(list(tmp_path.glob("x.*"))) >= 6


class Sleeper(Walker):
    """Takes long steps, in which it looks at the time."""

    def step(self) -> dict[str, float]:
        for _ in range(200):
            self.check_time()
            sleep(0.01)
        return super().step()


def test_step_cut_short(tmp_path: Path) -> None:
    run = TrainingRun(Sleeper(), tmp_path / "x.walk")
    run.run(Budget(seconds=0.3))
    assert run.steps == 0
    resumed = TrainingRun(Sleeper(), tmp_path / "x.walk")
    resumed.resume()
    resumed.run(Budget(seconds=run.seconds + 0.2))
    assert resumed.steps == 0
