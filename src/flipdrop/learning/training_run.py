"""The training loop of all learners: steps, learning curve, checkpoints, budget, model.

A run is saved under one name: ``best.weights`` is the model, beside it are ``best.weights.checkpoint``,
``best.weights.csv`` and ``best.weights.png``. Each file is replaced atomically, so a run that is killed at any time
resumes from its last checkpoint.
"""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from flipdrop.arena.ladder import GAMES as LADDER_GAMES
from flipdrop.arena.ladder import published_ladder, rate_quickly
from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.store import Point, RunWriter
from flipdrop.arena.store.learner_names import upgrade_learner, upgrade_settings
from flipdrop.errors import DAMAGE, FlipdropError, LearningError, ModelError
from flipdrop.learning.curve import Curve
from flipdrop.learning.learner import Learner, OutOfTime, State
from flipdrop.model_file import beside_model, checkpoint_of, read_model_file, write_model_file
from flipdrop.reporting.figures import matplotlib_installed

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from flipdrop.arena.ladder import Ladder
    from flipdrop.arena.store import Store
    from flipdrop.learning.tensorboard import TensorBoardLog

_KIND = "checkpoint"
_CHECKPOINT_SECONDS = 20.0
_MAX_CHECKPOINT_SHARE = 0.02  # of the time: large checkpoints are written less often

RATING, RATING_LOW, RATING_HIGH = "rating on the ladder", "rating low end", "rating high end"
"""The names of a rating and its 95% interval on curves."""


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Limits of a run. None is no limit.

    The run ends after the step that reaches one of them. A step of a network or of games between vectors that time
    interrupts is abandoned, so that the run ends near its time.
    """

    seconds: float | None = None
    games: int | None = None
    steps: int | None = None

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise LearningError(f"a budget of {value} {name}; it must be more than 0")

    def share(self, steps: int, games: int, seconds: float) -> float | None:
        """The fraction that is used up, 1 at the limit; None without limits."""
        shares = [
            used / limit
            for used, limit in ((seconds, self.seconds), (games, self.games), (steps, self.steps))
            if limit is not None
        ]
        return min(1.0, max(shares)) if shares else None


class TrainingRun:
    """A run of a learner.

    :param model: the file of the model
    :param clock: measures the run, in seconds: `time.process_time` counts CPU time, so that the result of a budget does
        not depend on other programs
    """

    def __init__(
        self, learner: Learner, model: str | os.PathLike[str], *, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.learner = learner
        self._clock = learner.clock = clock
        self.model = Path(model)
        self.curve = Curve(f"{learner.name}, {learner.game.title}, seed {learner.seed}")
        self.steps = 0
        self._record: RunWriter | None = None
        self._log: TensorBoardLog | None = None
        self._ladder: Ladder | None = None
        self._ladder_every: int | None = None
        self._ladder_threads = 1
        self._seconds_before = 0.0
        self._games_before = learner.games
        self._began = clock()
        self._ended: float | None = None
        self.step_seconds = 0.0
        """How long the last step took, without a rating after it."""

    @property
    def checkpoint(self) -> Path:
        return beside_model(self.model, ".checkpoint")

    @property
    def seconds(self) -> float:
        """Learning time, including the time before a resumption."""
        return self._seconds_before + (self._ended or self._clock()) - self._began

    @property
    def games_a_second(self) -> float:
        """The speed since the run was started or resumed."""
        return (self.learner.games - self._games_before) / max((self._ended or self._clock()) - self._began, 1e-9)

    def used_share(self, budget: Budget) -> float | None:
        """The fraction of a budget that the run has used up."""
        return budget.share(self.steps, self.learner.games, self.seconds)

    def record_in(self, store: Store) -> int:
        """Writes the run and its curve into a store. Returns the run's id there."""
        learner = self.learner
        self._record = RunWriter.begin(
            store,
            learner=learner.name,
            game=learner.game.name,
            seed=learner.seed,
            settings=learner.settings,
            file=str(self.model.resolve()),  # the page finds the run by it
        )
        return self._record.id

    def log_to(self, folder: str | os.PathLike[str]) -> None:
        """Also writes the curve for TensorBoard, into a folder below this one with the name of the model.

        Call it after `resume`.
        """
        from flipdrop.learning.tensorboard import TensorBoardLog

        self._log = TensorBoardLog(Path(folder) / self.model.stem, games=self.learner.games)
        self._log.add_settings(self._identity())

    def rate_on_ladder(self, every: int | None = None, *, threads: int = 1) -> bool:
        """Rates the learner on the published ladder as it learns; the curve gets the rating and its interval.

        Ratings take time of the run, and do not change what is learned. Returns whether there will be some.

        :param every: steps between two ratings; 0 for none. The learner's default if not given: then a board without a
            ladder, or a learner that cannot play yet, has no ratings, instead of an error
        :param threads: for their games
        """
        learner = self.learner
        by_default = every is None
        if every == 0 or (by_default and (learner.ladder_every == 0 or learner.game.name not in LADDER_GAMES)):
            return False
        if type(learner).player is Learner.player:
            if by_default:
                return False
            raise LearningError(f"{learner.name} cannot play before the end of the run: leave --ladder out")
        self._ladder, self._ladder_every, self._ladder_threads = published_ladder(learner.game.name), every, threads
        return True

    @property
    def ladder_every(self) -> int:
        """Steps between two ratings on the ladder; 0 for none."""
        if self._ladder is None:
            return 0
        return self.learner.ladder_every if self._ladder_every is None else self._ladder_every

    def resume(self) -> None:
        """Continues from the checkpoint."""
        metadata, arrays = _read_checkpoint(self.model)
        with _checkpoint_errors(checkpoint_of(self.model)):
            metadata["settings"] = self._default_settings() | metadata["settings"]
            for name, own in self._identity().items():
                if metadata[name] != own:
                    raise ModelError(f"it is of a run with {name} {metadata[name]}, not {own}")
            self.learner.restore(State(metadata["state"], arrays))
            self.learner.games = int(metadata["games"])
            self.steps = int(metadata["steps"])
            self.curve.points = [Point(**point) for point in metadata["points"]]
            self._seconds_before = float(metadata["seconds"])
        self._games_before = self.learner.games
        self._began = self._clock()

    def run(self, budget: Budget, *, progress: Callable[[TrainingRun], object] | None = None) -> Curve:
        """Learns until the budget is used up or the learner has finished, and writes the model.

        :param progress: called after each step
        """
        self.learner.open_files(self.model)
        self._began, self._ended = self._clock(), None
        saved, cost = self._began - 1.0, 0.0
        if budget.seconds is not None:
            self.learner.deadline = self._began + budget.seconds - self._seconds_before
        while not self.learner.finished and (self.used_share(budget) or 0.0) < 1:
            step_began = self._clock()
            try:
                values = self.learner.step()
            except OutOfTime:
                break
            self.step_seconds = self._clock() - step_began
            self.steps += 1
            values = values | self._rating()
            if values:
                self._add_point(values)
            if progress:
                progress(self)
            # Soon after the start, for runs that are stopped early; then less and less often.
            interval = min(_CHECKPOINT_SECONDS, 0.5 * (self._clock() - self._began))
            if self._clock() - saved > max(interval, cost / _MAX_CHECKPOINT_SHARE):
                cost = self.save()
                saved = self._clock()
        self._ended = self._clock()  # writing files is not learning time
        self.save()
        self.learner.save_model(self.model)
        if matplotlib_installed():
            self.curve.write_png(beside_model(self.model, ".png"))
        if self._record is not None:
            self._record.end()
        if self._log is not None:
            self._log.close()
        return self.curve

    def save(self) -> float:
        """Writes checkpoint and curve. Returns the seconds that it took."""
        began = self._clock()
        state = self.learner.state()
        metadata = self._identity() | {
            "state": state.metadata,
            "games": self.learner.games,
            "steps": self.steps,
            "seconds": self.seconds,
            "points": [asdict(point) for point in self.curve.points],
        }
        write_model_file(self.checkpoint, _KIND, metadata, state.arrays)
        self.curve.write_csv(beside_model(self.model, ".csv"))
        return self._clock() - began

    def _rating(self) -> dict[str, float]:
        """The rating on the ladder, if one is due; an infinite end of its interval is left out."""
        if self._ladder is None or not self.ladder_every or self.steps % self.ladder_every:
            return {}
        player = self.learner.player()
        assert player is not None
        earlier = self.curve.of(RATING)
        try:
            found = rate_quickly(
                player,
                self._ladder,
                seed=derive_seed(self.learner.seed, "ladder", self.steps),
                earlier=earlier[-1][1] if earlier else None,
                threads=self._ladder_threads,
                check=self.learner.check_time,
            )
        except OutOfTime:
            return {}  # the step is done; the run ends before the next one
        low, high = found.interval
        values = {RATING: found.rating, RATING_LOW: low, RATING_HIGH: high}
        return {name: value for name, value in values.items() if math.isfinite(value)}

    def _add_point(self, values: dict[str, float]) -> None:
        point = Point(self.steps, self.learner.games, self.seconds, values)
        self.curve.points.append(point)
        if self._record is not None:
            self._record.add(point)
        if self._log is not None:
            self._log.add(point)

    def _default_settings(self) -> dict[str, Any]:
        """The defaults of the settings, for checkpoints of earlier versions, which lack newer settings."""
        learner = self.learner
        declared = fields(options) if is_dataclass(options := getattr(learner, "options", None)) else ()
        defaults = {field.name: field.default for field in declared if field.default is not MISSING}
        return {name: defaults[name] for name in learner.settings if name in defaults}

    def _identity(self) -> dict[str, object]:
        learner = self.learner
        settings = json.loads(json.dumps(learner.settings))  # as a checkpoint reads them: lists for tuples
        return {"learner": learner.name, "game": learner.game.name, "seed": learner.seed, "settings": settings}


def seed_of_checkpoint(model: str | os.PathLike[str]) -> int:
    """The seed of the run that wrote this model, for resuming without a given seed."""
    with _checkpoint_errors(checkpoint_of(model)):
        return int(_read_checkpoint(model)[0]["seed"])


def _read_checkpoint(model: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    path = checkpoint_of(model)
    if not path.exists():
        raise LearningError(f"nothing to resume: there is no {path}; start without --resume")
    metadata, arrays = read_model_file(path, _KIND)
    with _checkpoint_errors(path):
        metadata["learner"] = upgrade_learner(metadata["learner"])
        metadata["settings"] = upgrade_settings(metadata["settings"])
    return metadata, arrays


@contextmanager
def _checkpoint_errors(checkpoint: Path) -> Iterator[None]:
    """Makes errors of reading a checkpoint's content a ModelError with its name."""
    try:
        yield
    except (*DAMAGE, RuntimeError) as error:  # torch raises RuntimeError for another shape
        if isinstance(error, FlipdropError):
            text = str(error)
            raise type(error)(text if str(checkpoint) in text else f"{checkpoint}: {text}") from None
        raise ModelError(f"{checkpoint} is damaged: a part is missing, or has the wrong form") from None
