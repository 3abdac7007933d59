"""`PatternNetworkLearner`: the base of learners of pattern networks, with their settings, model and checkpoint."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from flipdrop.evaluation import Evaluation, Networks, PatternModel
from flipdrop.kernel import new_pattern_network
from flipdrop.learning.learner import Learner, State
from flipdrop.learning.patterns.sets import patterns_of
from flipdrop.options import check_options, option

if TYPE_CHECKING:
    import os

    from flipdrop.games import Game
    from flipdrop.kernel import PatternNetwork
    from flipdrop.learning.patterns.sets import Patterns


@dataclass(frozen=True, kw_only=True)
class PatternNetworkSettings:
    """Settings of a pattern network; None stands for the game's default, see `with_defaults`."""

    patterns: str | None = option(None, "a set of patterns: classic, squares, blocks or walks:70x8")
    stages: int | None = option(None, "parts of the game with weights of their own", minimum=1, maximum=60)
    rate: float = option(1.0, "initial learning rate", above=0, maximum=1000)

    def __post_init__(self) -> None:
        check_options(self)

    def with_defaults(self, game: Game) -> Self:
        """The same settings, with the game's defaults instead of None.

        In Connect Four discs stay where they are and mean the same to the end, so one stage is enough. Random moves,
        also at the start, pay in both games: without them a network of Othello never sees positions in which a side
        has hardly any discs left.
        """
        defaults: dict[str, Any] = (
            {"patterns": "classic", "stages": 10, "lambda_": 0.5, "epsilon": 0.2, "opening": 16, "margin": 0.25}
            if game.discs_flip
            else {"patterns": "blocks", "stages": 1, "lambda_": 0.3, "epsilon": 0.2, "opening": 12, "margin": 0.0}
        )
        return replace(self, **{name: value for name, value in defaults.items() if getattr(self, name, ...) is None})

    def shape(self, game: Game, seed: int) -> tuple[Patterns, tuple[int, ...]]:
        """The patterns, and the number of discs at which each stage starts; stages are equally long."""
        assert self.patterns is not None
        assert self.stages is not None
        first = sum(game.start().discs)
        cells = game.columns * game.rows
        starts = (first + (cells - first) * part // self.stages for part in range(1, self.stages))
        return patterns_of(self.patterns, game, seed), tuple(dict.fromkeys([0, *starts]))


class PatternNetworkLearner(Learner):
    """A learner whose model is a pattern network; its weights are 0 at first."""

    def __init__(self, game: Game, patterns: Patterns, stages: tuple[int, ...], *, seed: int, threads: int) -> None:
        self.game, self.seed, self.games = game, seed, 0
        self._threads = threads
        self._patterns, self._stages = patterns, stages
        self._network: PatternNetwork = new_pattern_network(
            game.start(), patterns=[list(pattern) for pattern in patterns], stages=list(stages)
        )

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
