"""What every learner is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game


@dataclass(frozen=True)
class State:
    """Everything that a learner needs to go on: what JSON can hold, and arrays of numbers."""

    metadata: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, NDArray[Any]] = field(default_factory=dict)


class Learner(ABC):
    """Learns in steps.

    Each step takes its random choices from the seed and the number of the step, never from a generator that lives on:
    so a run that was stopped and resumed is the same as one that was not.
    """

    name: str
    """What kind of learner it is, such as ``tournament-ga``."""
    game: Game
    seed: int
    games: int
    """How many games it has played so far to learn from."""

    @property
    @abstractmethod
    def settings(self) -> dict[str, Any]:
        """Everything that decides what is learned, except game, seed and budget; as JSON can hold it."""

    @abstractmethod
    def step(self) -> dict[str, float]:
        """A piece of work of some tenths of a second to some seconds. Returns values for the curve, by their names."""

    @property
    def finished(self) -> bool:
        """Whether its own rule says that there is no more to learn."""
        return False

    @property
    def status(self) -> str:
        """A few words for people who watch."""
        return ""

    @abstractmethod
    def state(self) -> State:
        """What `restore` needs."""

    @abstractmethod
    def restore(self, state: State) -> None:
        """Goes on from a state of a learner with the same settings, game and seed."""

    @abstractmethod
    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes the file that plays."""
