"""Supervised fitting of a pattern network to positions with known values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.kernel import LearningSettings
from flipdrop.learning.learner import State
from flipdrop.learning.patterns.network_learner import PatternNetworkLearner, PatternNetworkSettings
from flipdrop.options import option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games import Game, Position


@dataclass(frozen=True, kw_only=True)
class RegressionSettings(PatternNetworkSettings):
    """Settings of fitting."""

    held_back: float = option(0.1, "share of the positions for validation", minimum=0, maximum=1)


class PatternRegression(PatternNetworkLearner):
    """Fits a network to labelled positions; a step is one pass over all of them, each time in another order.

    :param positions: of one game
    :param values: of the positions for the side to move, in any unit
    :param settings: see `RegressionSettings`
    """

    name = "fit"

    def __init__(
        self,
        game: Game,
        positions: Sequence[Position],
        values: Sequence[float],
        *,
        seed: int,
        threads: int = 1,
        **settings: Any,
    ) -> None:
        if len(positions) != len(values):
            raise LearningError(f"{len(positions)} positions and {len(values)} values; each has one")
        self.options = RegressionSettings(**settings).with_defaults(game)
        super().__init__(game, *self.options.shape(game, seed), seed=seed, threads=threads)
        self._passes = 0
        order = np.random.default_rng(derive_seed(seed, "held back")).permutation(len(positions))
        kept = round(len(positions) * (1 - self.options.held_back))
        if kept < 1:
            raise LearningError("no positions to learn from")
        targets = np.asarray(values, dtype=np.float32)
        if not np.isfinite(targets).all():
            raise LearningError("a value is not a finite number")
        self._training: list[Any] = [positions[i] for i in order[:kept]]
        self._training_targets = targets[order[:kept]]
        self._validation: list[Any] = [positions[i] for i in order[kept:]]
        self._validation_targets = targets[order[kept:]]

    @property
    def settings(self) -> dict[str, Any]:
        return super().settings | {"positions": len(self._training) + len(self._validation)}

    @property
    def progress(self) -> dict[str, Any]:
        return {"passes": self._passes}

    def step(self) -> dict[str, float]:
        """One pass; several threads write to the same weights without locks. Errors are root mean squares; those of
        training positions are taken before each is learned."""
        order = np.random.default_rng(derive_seed(self.seed, "pass", self._passes)).permutation(len(self._training))
        positions = [self._training[i] for i in order]
        settings = LearningSettings()
        settings.rate = self.options.rate
        squared_error = self._network.fit(
            positions, self._training_targets[order], settings, linear=True, threads=self._threads
        )
        self._passes += 1
        errors = {"error of positions learned from": float(np.sqrt(squared_error))}
        if self._validation:
            evaluation = self.evaluation()
            found = np.array([evaluation.score(position) for position in self._validation])
            errors["error of unseen positions"] = float(np.sqrt(np.mean((found - self._validation_targets) ** 2)))
        return errors

    def state(self) -> State:
        return State({"passes": self._passes}, super().state().arrays)

    def restore(self, state: State) -> None:
        super().restore(state)
        self._passes = state.metadata["passes"]
