"""Supervised fitting of a pattern network to positions with known values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.learning.learner import State
from flipdrop.learning.patterns.fitting import PatternNetworkLearner
from flipdrop.learning.patterns.learner import PatternSettings, stages_of
from flipdrop.learning.patterns.sets import patterns_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games import Game, Position


class PatternRegression(PatternNetworkLearner):
    """Fits a network to labelled positions; a step is one pass over all of them, each time in another order.

    :param positions: of one game
    :param values: of the positions for the side to move, in any unit
    :param held_back: share of the positions for validation
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
        patterns: str | None = None,
        stages: int | None = None,
        rate: float = 1.0,
        held_back: float = 0.1,
    ) -> None:
        if len(positions) != len(values):
            raise LearningError(f"{len(positions)} positions and {len(values)} values; each has one")
        chosen = PatternSettings(patterns=patterns, stages=stages).with_defaults(game)
        assert chosen.patterns is not None
        assert chosen.stages is not None
        self._settings: dict[str, Any] = {
            "patterns": chosen.patterns,
            "stages": chosen.stages,
            "rate": rate,
            "held_back": held_back,
            "positions": len(positions),
        }
        found = patterns_of(chosen.patterns, game, seed)
        super().__init__(game, found, stages_of(game, chosen.stages), seed=seed, threads=threads)
        self._passes = 0
        order = np.random.default_rng(derive_seed(seed, "held back")).permutation(len(positions))
        kept = round(len(positions) * (1 - held_back))
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
        return self._settings

    @property
    def progress(self) -> dict[str, Any]:
        return {"passes": self._passes}

    def step(self) -> dict[str, float]:
        """One pass. Errors are root mean squares; those of training positions are taken before each is learned."""
        order = np.random.default_rng(derive_seed(self.seed, "pass", self._passes)).permutation(len(self._training))
        positions = [self._training[i] for i in order]
        error = self._fit(positions, self._training_targets[order], rate=self._settings["rate"], threads=self._threads)
        self._passes += 1
        errors = {"error of positions learned from": error}
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
