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
from flipdrop.errors import ArenaError, LearningError, ModelError
from flipdrop.games import game
from flipdrop.learning import Budget, Learner, State, TrainingRun
from flipdrop.learning.learner import OutOfTime
from flipdrop.learning.training_run import RATING, RATING_HIGH, RATING_LOW
from flipdrop.model_file import write_model_file
from flipdrop.players import player as player_of

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.players import SpecPlayer


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


class Rated(Walker):
    """Plays at random, whatever it has learned."""

    def __init__(self, board: str = "connect4", *, every: int = 0) -> None:
        super().__init__()
        self.game = game(board)
        self._every = every

    @property
    def ladder_every(self) -> int:
        return self._every

    def player(self) -> SpecPlayer:
        return player_of("random", game=self.game)


def test_ratings_on_the_ladder(tmp_path: Path) -> None:
    run = TrainingRun(Rated(), tmp_path / "x.walk")
    assert run.rate_on_ladder(3)
    assert run.ladder_every == 3
    curve = run.run(Budget(steps=7))
    found = [(point.step, value) for point, value in curve.of(RATING)]
    assert [step for step, _ in found] == [3, 6]
    assert all(abs(value) < 300 for _, value in found), "random moves are rated 0, and 40 games have an error of 60"
    for point, value in curve.of(RATING):
        assert point.values[RATING_LOW] < value < point.values[RATING_HIGH]
    with (tmp_path / "x.walk.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [bool(row[RATING]) for row in rows] == [int(row["step"]) % 3 == 0 for row in rows]


def test_ratings_after_a_resumption_are_the_same(tmp_path: Path) -> None:
    runs = [TrainingRun(Rated(), tmp_path / name) for name in ("whole.walk", "parts.walk", "parts.walk")]
    for run, steps in zip(runs, (6, 3, 6), strict=True):
        if run.checkpoint.exists():
            run.resume()
        run.rate_on_ladder(2)
        run.run(Budget(steps=steps))
    assert [point.values for point in runs[0].curve.points] == [point.values for point in runs[2].curve.points]


def test_who_is_rated_by_default(tmp_path: Path) -> None:
    def rated(learner: Learner, every: int | None = None) -> bool:
        return TrainingRun(learner, tmp_path / "x.walk").rate_on_ladder(every)

    assert rated(Rated(every=5))
    assert not rated(Rated(every=5), 0)
    assert not rated(Rated())
    assert not rated(Rated("connect4:4x4", every=5))
    assert not rated(Walker())
    with pytest.raises(ArenaError, match="no published ladder"):
        rated(Rated("connect4:4x4"), 5)
    with pytest.raises(LearningError, match="leave --ladder out"):
        rated(Walker(), 5)


def test_a_rating_that_time_interrupts_is_left_out(tmp_path: Path) -> None:
    class Late(Rated):
        def check_time(self) -> None:
            raise OutOfTime

    run = TrainingRun(Late(), tmp_path / "x.walk")
    run.rate_on_ladder(1)
    curve = run.run(Budget(steps=4))
    assert (run.steps, curve.of(RATING)) == (4, [])


def test_another_clock(tmp_path: Path) -> None:
    """A clock of which each step takes a second."""
    walker = Walker()
    run = TrainingRun(walker, tmp_path / "x.walk", clock=lambda: float(walker.steps))
    run.run(Budget(seconds=5))
    assert (run.steps, run.seconds, run.step_seconds) == (5, 5.0, 1.0)
    assert walker.deadline == 5.0
    walker.check_time()
    walker.steps += 1
    with pytest.raises(OutOfTime):
        walker.check_time()


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
