"""The loop that every learner runs in: steps, a curve, checkpoints, a budget, and a model in the end.

A run is kept under one name: ``best.weights`` is the model, and beside it are ``best.checkpoint``, ``best.csv`` and
``best.png``. Each of these files is replaced at once or not at all, so a run that is killed at any instant can go on
from its last checkpoint.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from flipdrop.arena.store import Point
from flipdrop.arena.store.learner_names import upgrade_learner, upgrade_settings
from flipdrop.errors import LearningError, ModelError
from flipdrop.learning.curve import Curve
from flipdrop.learning.learner import State
from flipdrop.model_file import read_model_file, write_model_file

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from flipdrop.arena.store import RunWriter
    from flipdrop.learning.learner import Learner

_KIND = "checkpoint"
_CHECKPOINT_SECONDS = 20.0
_MOST_SHARE = 0.02  # of the time may go into checkpoints, so that large ones are written less often


@dataclass(frozen=True, kw_only=True)
class Budget:
    """How long a learner may learn: it stops after the step that reaches one of these. None is no limit."""

    seconds: float | None = None
    games: int | None = None
    steps: int | None = None

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise LearningError(f"a budget of {value} {name}; it must be more than 0")

    def spent(self, steps: int, games: int, seconds: float) -> bool:
        """Whether so much is enough."""
        return (
            (self.seconds is not None and seconds >= self.seconds)
            or (self.games is not None and games >= self.games)
            or (self.steps is not None and steps >= self.steps)
        )

    def share(self, steps: int, games: int, seconds: float) -> float | None:
        """How much of it is used up, from 0 to 1; None if there is no limit."""
        shares = [
            used / limit
            for used, limit in ((seconds, self.seconds), (games, self.games), (steps, self.steps))
            if limit is not None
        ]
        return min(1.0, max(shares)) if shares else None


class TrainingRun:
    """A run of a learner.

    :param model: the file that the model goes to
    """

    def __init__(self, learner: Learner, model: str | os.PathLike[str]) -> None:
        self.learner = learner
        self.model = Path(model)
        self.curve = Curve(f"{learner.name}, {learner.game.title}, seed {learner.seed}")
        self.steps = 0
        self.record: RunWriter | None = None
        """Tells a store of the run, if there is one."""
        self._before = 0.0
        self._games_before = learner.games
        self._began = perf_counter()
        self._ended: float | None = None

    @property
    def checkpoint(self) -> Path:
        """The file that the run goes on from."""
        return self.model.with_suffix(".checkpoint")

    @property
    def seconds(self) -> float:
        """How long the learner has learned, earlier parts of the run included."""
        return self._before + (self._ended or perf_counter()) - self._began

    @property
    def games_a_second(self) -> float:
        """The speed since the run was begun or resumed."""
        return (self.learner.games - self._games_before) / max((self._ended or perf_counter()) - self._began, 1e-9)

    def resume(self) -> None:
        """Goes on from the checkpoint."""
        if not self.checkpoint.exists():
            raise LearningError(f"nothing to resume: there is no {self.checkpoint}; begin without --resume")
        metadata, arrays = read_model_file(self.checkpoint, _KIND)
        metadata["learner"] = upgrade_learner(metadata["learner"])
        metadata["settings"] = upgrade_settings(metadata["settings"])
        for what, mine in self._identity().items():
            if metadata[what] != mine:
                raise ModelError(f"{self.checkpoint} is of a run with {what} {metadata[what]}, not {mine}")
        self.learner.restore(State(metadata["state"], arrays))
        self.learner.games = metadata["games"]
        self.steps = metadata["steps"]
        self.curve.points = [Point(**point) for point in metadata["points"]]
        self._before = metadata["seconds"]
        self._games_before = self.learner.games
        self._began = perf_counter()

    def run(self, budget: Budget, *, progress: Callable[[TrainingRun], object] | None = None) -> Curve:
        """Learns until the budget is spent or the learner has finished, and writes the model.

        :param progress: shown the run after each step
        """
        self._began, self._ended = perf_counter(), None
        saved, cost = self._began - 1.0, 0.0
        learner = self.learner
        while not learner.finished and not budget.spent(self.steps, learner.games, self.seconds):
            values = learner.step()
            self.steps += 1
            if values:
                self._note(values)
            if progress:
                progress(self)
            # Soon after the beginning, for whoever stops early; then less and less often.
            patience = min(_CHECKPOINT_SECONDS, 0.5 * (perf_counter() - self._began))
            if perf_counter() - saved > max(patience, cost / _MOST_SHARE):
                cost = self.save()
                saved = perf_counter()
        self._ended = perf_counter()  # what follows is no learning
        self.save()
        learner.save_model(self.model)
        self.curve.write_png(self.model.with_suffix(".png"))
        if self.record is not None:
            self.record.end()
        return self.curve

    def save(self) -> float:
        """Writes checkpoint and curve. Returns how many seconds that took."""
        began = perf_counter()
        state = self.learner.state()
        metadata = self._identity() | {
            "state": state.metadata,
            "games": self.learner.games,
            "steps": self.steps,
            "seconds": self.seconds,
            "points": [asdict(point) for point in self.curve.points],
        }
        write_model_file(self.checkpoint, _KIND, metadata, state.arrays)
        self.curve.write_csv(self.model.with_suffix(".csv"))
        return perf_counter() - began

    def _note(self, values: dict[str, float]) -> None:
        point = Point(self.steps, self.learner.games, self.seconds, values)
        self.curve.points.append(point)
        if self.record is not None:
            self.record.add(point)

    def _identity(self) -> dict[str, object]:
        learner = self.learner
        settings = json.loads(json.dumps(learner.settings))  # as they are read back: lists for tuples
        return {"learner": learner.name, "game": learner.game.name, "seed": learner.seed, "settings": settings}


def seed_of_checkpoint(model: str | os.PathLike[str]) -> int:
    """The seed of the run whose model is this file, so that it can be resumed without being told."""
    path = Path(model).with_suffix(".checkpoint")
    if not path.exists():
        raise LearningError(f"nothing to resume: there is no {path}; begin without --resume")
    return int(read_model_file(path, _KIND)[0]["seed"])
