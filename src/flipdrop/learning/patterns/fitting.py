"""The base of learners of pattern networks: the network, its model and checkpoint, and fitting it to known values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.evaluation import Evaluation, Networks, PatternModel
from flipdrop.kernel import LearningSettings, new_pattern_network
from flipdrop.learning.learner import Learner, State

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game
    from flipdrop.kernel import PatternNetwork
    from flipdrop.learning.patterns.sets import Patterns


class PatternNetworkLearner(Learner):
    """A learner whose model is a pattern network.

    :param weights: initial weights; zeros if not given
    """

    def __init__(
        self,
        game: Game,
        patterns: Patterns,
        stages: tuple[int, ...],
        *,
        seed: int,
        threads: int,
        weights: NDArray[np.float32] | None = None,
    ) -> None:
        self.game, self.seed, self.games = game, seed, 0
        self._threads = threads
        self._patterns, self._stages = patterns, stages
        self._network: PatternNetwork = new_pattern_network(
            game.start(), patterns=[list(pattern) for pattern in patterns], stages=list(stages)
        )
        if weights is not None:
            self._network.weights = weights

    @property
    def progress(self) -> dict[str, Any]:
        """The amount of learning so far, for the model's metadata."""
        return {"games": self.games}

    def model(self) -> PatternModel:
        made = {"learner": self.name, "settings": self.settings, "seed": self.seed} | self.progress
        return PatternModel(self.game, self._patterns, self._stages, self._network.weights, made=made)

    def evaluation(self) -> Evaluation:
        """The evaluation by the network as it is now."""
        return Evaluation(Networks("learning", (self.model(),)))

    def save_model(self, path: str | os.PathLike[str]) -> None:
        self.model().write(path)

    def state(self) -> State:
        net, absolute = self._network.coherence
        return State({}, {"weights": self._network.weights, "net": net, "absolute": absolute})

    def restore(self, state: State) -> None:
        self._network.weights = state.arrays["weights"].astype(np.float32)
        self._network.coherence = (state.arrays["net"], state.arrays["absolute"])

    def _fit(self, positions: list[Any], values: NDArray[np.float32], *, rate: float, threads: int = 1) -> float:
        """Moves the network's sums towards the values of positions, one position after the other. Several threads write
        to the same weights without locks.

        :param positions: the kernel's, with the value of each for the side to move
        :returns: the root mean square error, each error taken before the position was learned
        """
        settings = LearningSettings()
        settings.rate = rate
        return float(np.sqrt(self._network.fit(positions, values, settings, linear=True, threads=threads)))
