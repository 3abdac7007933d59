"""Learning from episodes: self-play games with random moves, after each of which the values change."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, fields
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, get_args

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.learning.learner import Learner, State
from flipdrop.options import check_options, option
from flipdrop.players.learned import Reward

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from flipdrop.players.learned import LearnedPlayer

DEFAULT_OPPONENTS = ("random", "greedy")
_BENCHMARK_PAIRS = 25


@dataclass(frozen=True, kw_only=True)
class EpisodeSettings:
    """Settings of all learners from episodes. Values lie from -1 to 1, the best result."""

    rate: float = option(1.0, "initial learning rate", minimum=1e-6, maximum=1)
    rate_end: float = option(1.0, "final learning rate", minimum=1e-6, maximum=1)
    epsilon: float = option(1.0, "initial share of random moves", minimum=0, maximum=1)
    epsilon_end: float = option(1.0, "final share of random moves", minimum=0, maximum=1)
    halving: float = option(
        1e5, "games after which rate and epsilon are half way to their ends", minimum=1, maximum=1e12
    )
    drawn: bool = option(True, "draw each side's epsilon anew for each game, uniformly from 0 to epsilon")
    discount: float = option(1.0, "discount of a move; below 1 prefers early wins", minimum=1e-3, maximum=1)
    reward: Reward = option("margin", "reward by margin, or only by win, draw and loss", choices=get_args(Reward))
    batch: int = option(1000, "games per step", minimum=1, maximum=10**7)

    def __post_init__(self) -> None:
        check_options(self)

    def rate_at(self, games: int) -> float:
        return self._interpolated(self.rate, self.rate_end, games)

    def epsilon_at(self, games: int) -> float:
        return self._interpolated(self.epsilon, self.epsilon_end, games)

    def _interpolated(self, first: float, last: float, games: int) -> float:
        return float(last + (first - last) * 0.5 ** (games / self.halving))


Settings = TypeVar("Settings", bound=EpisodeSettings)


def settings_with(kind: type[Settings], defaults: dict[str, Any], given: dict[str, Any]) -> Settings:
    """Defaults with some settings changed; a given rate or epsilon without an end stays constant."""
    known = {field.name for field in fields(kind)}
    for name in given:
        if name not in known:
            raise LearningError(f"no setting {name.rstrip('_')}; settings are {', '.join(sorted(known))}")
    for name in ("rate", "epsilon"):
        if name in given:
            given = {f"{name}_end": given[name]} | given
    return kind(**defaults | given)


class EpisodeLearner(Learner):
    """A step is a batch of games."""

    options: EpisodeSettings
    opponents: tuple[str, ...]
    """Opponents of the learning curve."""
    games = 0
    steps = 0
    next_measured = 1
    benchmark_growth: ClassVar = 1.05
    """The factor of steps between benchmarks: often at first, when much changes."""
    more_state: ClassVar[tuple[str, ...]] = ()
    """Further attributes that a checkpoint holds."""

    def step(self) -> dict[str, float]:
        random = Random(derive_seed(self.seed, "step", self.steps)).random
        options = self.options
        rate, epsilon = options.rate_at(self.games), options.epsilon_at(self.games)
        for _ in range(options.batch):
            # With an epsilon for each side, one side plays greedily in some games while the other explores, which tests
            # the moves of the first; in other games both explore, which finds better moves (docs/learning/tables.md).
            epsilons = (epsilon * random(), epsilon * random()) if options.drawn else (epsilon, epsilon)
            self.learn_episode(epsilons, rate, random)
        self.games += options.batch
        self.steps += 1
        if self.steps < self.next_measured:
            return {}
        self.next_measured = max(self.steps + 1, math.ceil(self.steps * self.benchmark_growth))
        return self.benchmark()

    @abstractmethod
    def learn_episode(self, epsilons: tuple[float, float], rate: float, random: Callable[[], float]) -> None:
        """Plays a game and learns from it.

        :param epsilons: the probability of a random move of the first and of the second side
        """

    @abstractmethod
    def player(self) -> LearnedPlayer:
        """The player of the values as they are now."""

    def benchmark(self) -> dict[str, float]:
        """Scores against the opponents."""
        seed = derive_seed(self.seed, "measuring")
        return self.scores_against(self.player(), self.opponents, pairs=_BENCHMARK_PAIRS, seed=seed)

    @property
    def _made(self) -> dict[str, Any]:
        """The provenance of the model."""
        return {"learner": self.name, "settings": self.settings, "seed": self.seed, "games": self.games}

    @abstractmethod
    def _arrays(self) -> dict[str, NDArray[Any]]:
        """The values."""

    @abstractmethod
    def _restore_arrays(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Replaces the values."""

    def state(self) -> State:
        names = ("games", "steps", "next_measured", *self.more_state)
        return State({name: getattr(self, name) for name in names}, self._arrays())

    def restore(self, state: State) -> None:
        for name, value in state.metadata.items():
            setattr(self, name, value)
        self._restore_arrays(state.arrays)
