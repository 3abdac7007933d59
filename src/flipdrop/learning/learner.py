"""The interface of all learners."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

from flipdrop.arena.quick_match import results_against
from flipdrop.errors import LearningError

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from flipdrop.games import Game
    from flipdrop.players.player import SpecPlayer
    from flipdrop.workers import Workers


@dataclass(frozen=True)
class State:
    """What a checkpoint holds of a learner: JSON-serialisable metadata and arrays of numbers."""

    metadata: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)


class OutOfTime(Exception):
    """A step was abandoned at the deadline. The learner is as it was before the step."""


class Learner(ABC):
    """Learns in steps.

    Each step derives its random numbers from the seed and the number of the step, not from a generator with state, so
    a run that was stopped and resumed equals one that was not.
    """

    name: str
    """Identifies the kind of learner in stores and checkpoints, such as ``tournament-ga``."""
    game: Game
    seed: int
    games: int
    """Games played so far to learn from."""
    options: Any
    """A dataclass of settings."""
    clock: Callable[[], float] = perf_counter
    """The clock of the run, in seconds; `time.process_time` counts the CPU time of all threads instead."""
    deadline: float | None = None
    """The end of the run by its clock; steps that can take long raise `OutOfTime` there."""

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that determines the result except game, seed and budget; JSON-serialisable."""
        return asdict(self.options)

    @abstractmethod
    def step(self) -> dict[str, float]:
        """Works for some tenths of a second to some seconds. Returns named values for the learning curve."""

    def work_on(self, workers: Workers) -> None:  # noqa: ARG002 - for learners that can share their work
        """Spreads the work of all further steps over workers; the result is the same. Raises if it cannot be spread."""
        raise LearningError(
            f"{self.name} learns from one game after the other, so a cluster cannot share its work; leave --cluster out"
        )

    def check_time(self) -> None:
        """Raises `OutOfTime` after the deadline."""
        if self.deadline is not None and self.clock() > self.deadline:
            raise OutOfTime

    def scores_against(
        self, player: SpecPlayer, opponents: Iterable[str], *, pairs: int, seed: int, threads: int = 1
    ) -> dict[str, float]:
        """A player's score against each opponent, by the names of learning curves."""
        return {
            f"score against {spec}": results_against(
                player, spec, self.game, pairs=pairs, seed=seed, threads=threads
            ).games.score
            for spec in opponents
        }

    def player(self) -> SpecPlayer | None:
        """The player of what has been learned so far; None if it cannot play before the end of the run."""
        return None

    @property
    def ladder_every(self) -> int:
        """Steps between two ratings on the ladder by default; 0 for none."""
        return 0

    @property
    def finished(self) -> bool:
        """Whether the learner's own stopping rule is met."""
        return False

    @property
    def plan(self) -> str:
        """What a run will do, for people; empty if its settings say it."""
        return ""

    @property
    def phase(self) -> str:
        """What the next step works on, for people, if steps differ; empty if all steps are alike."""
        return ""

    @property
    def status(self) -> str:
        """A short text for the progress line."""
        return ""

    def open_files(self, model: Path) -> None:  # noqa: B027 - most learners have none
        """Opens the files that the learner keeps beside the model, at the start of a run and after `restore`. Raises
        LearningError if one does not fit."""

    @abstractmethod
    def state(self) -> State:
        """What `restore` needs."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Continues from the state of a learner with the same settings, game and seed."""

    @abstractmethod
    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes the model that plays."""
