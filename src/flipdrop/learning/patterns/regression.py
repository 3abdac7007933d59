"""A pattern network fitted to positions whose values are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation import Networks, PatternModel
from flipdrop.games import native
from flipdrop.kernel import new_pattern_network
from flipdrop.learning.learner import Learner, State
from flipdrop.learning.patterns.fitting import fit, network_arrays, restore_network
from flipdrop.learning.patterns.learner import PatternSettings, stages_of
from flipdrop.learning.patterns.sets import patterns_of

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from flipdrop.games import Game, Position
    from flipdrop.kernel import PatternNetwork


class PatternRegression(Learner):
    """Fits a network to labelled positions; a step is one pass over all of them, in a new order each time.

    :param positions: of one game, with the value of each for the side to move, in any unit
    :param held_back: share of the positions that is only used to measure the error
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
        self.game, self.seed, self.games = game, seed, 0
        usual = PatternSettings(patterns=patterns, stages=stages).suited(game)
        assert usual.patterns is not None
        assert usual.stages is not None
        self._settings: dict[str, Any] = {
            "patterns": usual.patterns,
            "stages": usual.stages,
            "rate": rate,
            "held_back": held_back,
        }
        self._threads = threads
        self._patterns = patterns_of(usual.patterns, game, seed)
        self._stages = stages_of(game, usual.stages)
        self._passes = 0
        order = np.random.default_rng(derive_seed(seed, "held back")).permutation(len(positions))
        kept = round(len(positions) * (1 - held_back))
        if kept < 1:
            raise LearningError("no positions to learn from")
        targets = np.asarray(values, dtype=np.float32)
        if not np.isfinite(targets).all():
            raise LearningError("a value is not a finite number")
        self._known: list[Any] = [native(positions[i]) for i in order[:kept]]
        self._targets = targets[order[:kept]]
        self._unseen = [positions[i] for i in order[kept:]]
        self._unseen_targets = targets[order[kept:]]
        self._network: PatternNetwork = new_pattern_network(
            native(game.start()),
            patterns=[list(pattern) for pattern in self._patterns],
            stages=list(self._stages),
        )

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it learns, and how much it has to learn from."""
        return self._settings | {"positions": len(self._known) + len(self._unseen)}

    def step(self) -> dict[str, float]:
        """One pass. The errors are root mean squares; that of known positions is measured before each is learned."""
        order = np.random.default_rng(derive_seed(self.seed, "pass", self._passes)).permutation(len(self._known))
        error = fit(
            self._network,
            [self._known[i] for i in order],
            self._targets[order],
            rate=self._settings["rate"],
            threads=self._threads,
        )
        self._passes += 1
        errors = {"error of positions learned from": error}
        if self._unseen:
            kernel = Networks("fit", (self.model(),)).kernel()
            found = np.array([kernel.score(native(position)) for position in self._unseen])
            errors["error of unseen positions"] = float(np.sqrt(np.mean((found - self._unseen_targets) ** 2)))
        return errors

    def model(self) -> PatternModel:
        """The network as it is now."""
        made = {"learner": self.name, "settings": self.settings, "seed": self.seed, "passes": self._passes}
        return PatternModel(self.game, self._patterns, self._stages, self._network.weights, made=made)

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.pattern`` file."""
        self.model().write(path)

    def state(self) -> State:
        """Weights, what is remembered of their errors, and the number of passes."""
        return State({"passes": self._passes}, network_arrays(self._network))

    def restore(self, state: State) -> None:
        """Goes on from there."""
        restore_network(self._network, state.arrays)
        self._passes = state.metadata["passes"]
