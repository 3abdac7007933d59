"""Learning the evaluation of the Othello engine: a pattern network that predicts the final score, in discs.

The learner works backwards from the end of the game, stage by stage. Positions with few empty squares have exact
scores. The value of an earlier position is that of a search, which ends in positions of the stage that was learned just
before: accuracy spreads from the end to the opening. Further rounds do the same again, with positions from games that
the network of the round before plays, and with deeper searches. At last the learner measures how well shallow searches
predict deep ones, which is what ProbCut needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation import PatternModel
from flipdrop.kernel import (
    OthelloEvaluator,
    PatternNetwork,
    Sampling,
    network_sums,
    new_pattern_network,
    regress_network,
    sample_positions,
)
from flipdrop.learning.learner import Learner, State
from flipdrop.learning.patterns.probcut import ProbCutSamples
from flipdrop.learning.patterns.sets import patterns_of
from flipdrop.options import check_options, option

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game

_STAGE = 4  # plies of a stage
_CHUNK = 4096  # positions that a step values
_HELD_OUT = 20  # every twentieth position is for validation
_WHOLE = (0.0, 0.0, 0.0, 0.0, 0.0, 4.0)  # a ProbCut model before there is one: searches for labels do not use it
_EXACT = 5  # selectivity of searches without ProbCut

LABELLED = np.dtype([("own", "<u8"), ("other", "<u8"), ("value", "<f4")])
"""A labelled position: discs of the side to move, of its opponent (bit 0 is a1, bit 8 a2), and the value in discs."""


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings:
    """Settings of the learner of the engine's evaluation."""

    positions: int = option(400_000, "positions of each stage in each round", minimum=100)
    rounds: int = option(2, "rounds; the first one plays at random", minimum=1, maximum=10)
    depth: int = option(4, "plies of the searches for values in the first two rounds; then one more", minimum=1)
    solved: int = option(12, "most empty squares of a stage with exact values", minimum=4, maximum=20)
    epsilon: float = option(0.04, "share of random moves in the middle of games", minimum=0, maximum=1)
    random_end: float = option(0.4, "share of games that end in random moves", minimum=0, maximum=1)
    opening: int = option(20, "most random moves at the start of a game", minimum=0, maximum=40)
    rate: float = option(0.7, "learning rate", above=0, maximum=100)
    passes: int = option(3, "passes over the positions of a stage", minimum=1, maximum=100)
    probcut: int = option(150, "positions for each of seven numbers of empty squares to fit ProbCut", minimum=10)

    def __post_init__(self) -> None:
        check_options(self)


class _Stage(NamedTuple):
    round: int
    number: int  # of the stage: its discs begin at _STAGE times this
    min_empties: int
    max_empties: int
    positions: int


class EvaluationLearner(Learner):
    """Learns the engine's evaluation; the same seed gives the same network, whatever the number of threads."""

    name = "evaluation"

    def __init__(self, game: Game, *, seed: int, threads: int = 1, **settings: Any) -> None:
        if game.family != "othello" or game.columns < 6:
            raise LearningError(f"evaluation: the engine plays Othello on 8x8 and 6x6, not {game.title}")
        self.game, self.seed, self.games = game, seed, 0
        self.options = EvaluationSettings(**settings)
        self._threads = threads
        self._cells = game.columns * game.rows
        self._patterns = patterns_of("classic", game, seed)
        self._stages = tuple(range(0, self._cells, _STAGE))
        self._network: PatternNetwork = new_pattern_network(
            game.start(),
            patterns=[list(pattern) for pattern in self._patterns],
            stages=list(self._stages),
            by_parity=True,
        )
        self._plan = list(self._planned())
        self._done = 0  # stages of the plan
        self._labelled = np.empty(0, LABELLED)  # of the stage at hand
        self._probcut = ProbCutSamples(game, seed, self.options.probcut)

    def _planned(self) -> list[_Stage]:
        options, stages = self.options, []
        last = len(self._stages) - 1
        for turn, number in product(range(options.rounds), range(last, 0, -1)):
            low = max(1, self._cells - (_STAGE * number + _STAGE - 1))
            high = min(self._cells - 4, self._cells - _STAGE * number)
            # There are few positions in the opening and few moves near the end.
            share = 8 if high > self._cells - 12 else 2 if high <= 8 or turn == 0 else 1
            stages.append(_Stage(turn, number, low, high, max(100, options.positions // share)))
        return stages

    @property
    def finished(self) -> bool:
        return self._done == len(self._plan) and self._probcut.finished

    @property
    def status(self) -> str:
        if self._done == len(self._plan):
            return "ProbCut"
        stage = self._plan[self._done]
        return f"round {stage.round + 1}, {stage.min_empties} to {stage.max_empties} empty squares"

    def step(self) -> dict[str, float]:
        if self._done == len(self._plan):
            self._probcut.step(self.evaluator(), threads=self._threads)
            return {}
        stage = self._plan[self._done]
        if not len(self._labelled):
            self._begin(stage)
        self._label(stage)
        if len(self._labelled) < stage.positions:
            return {}
        error = self._fit(stage)
        self._done += 1
        self._labelled = np.empty(0, LABELLED)
        return {f"held-out error with {stage.min_empties} to {stage.max_empties} empty squares": error}

    def _begin(self, stage: _Stage) -> None:
        """The first round's network of a stage begins as that of the stage after it."""
        if stage.round == 0 and stage.number < len(self._stages) - 1:
            weights = self._network.weights.reshape(len(self._stages), -1)
            weights[stage.number] = weights[stage.number + 1]
            self._network.weights = weights.ravel()

    def _label(self, stage: _Stage) -> None:
        options = self.options
        settings = Sampling()
        settings.min_empties, settings.max_empties = stage.min_empties, stage.max_empties
        settings.depth = 0 if stage.max_empties <= options.solved else options.depth + max(0, stage.round - 1)
        settings.selectivity = _EXACT
        settings.epsilon = 1.0 if stage.round == 0 else options.epsilon
        settings.random_end = options.random_end
        settings.max_opening = options.opening
        known = len(self._labelled)
        count = min(_CHUNK, stage.positions - known)
        own, other, values = sample_positions(
            self.evaluator(),
            settings,
            count=count,
            seed=derive_seed(self.seed, "positions", stage.round, stage.number),
            first=known,
            threads=self._threads,
        )
        new = np.empty(count, LABELLED)
        new["own"], new["other"], new["value"] = own, other, values
        self._labelled = np.concatenate([self._labelled, new])
        self.games += count

    def _fit(self, stage: _Stage) -> float:
        """Fits the network and returns the root mean square error on positions that it has not seen."""
        held_out = np.arange(len(self._labelled)) % _HELD_OUT == 0
        learned, unseen = self._labelled[~held_out], self._labelled[held_out]
        regress_network(
            self._network,
            *_columns(learned),
            np.ascontiguousarray(learned["value"]),
            rate=self.options.rate,
            passes=self.options.passes,
            seed=derive_seed(self.seed, "fit", stage.round, stage.number),
        )
        errors = network_sums(self._network, *_columns(unseen)) - unseen["value"]
        return float(np.sqrt(np.mean(errors**2)))

    def evaluator(self) -> OthelloEvaluator:
        """The network as it is now, for searches."""
        return OthelloEvaluator(self._network, probcut=self._probcut.model or _WHOLE)

    def model(self) -> PatternModel:
        made = {"learner": self.name, "settings": self.settings, "seed": self.seed, "positions": self.games}
        return PatternModel(
            self.game,
            self._patterns,
            self._stages,
            self._network.weights,
            made=made,
            by_parity=True,
            probcut=self._probcut.model or _WHOLE,
        )

    def save_model(self, path: str | os.PathLike[str]) -> None:
        self.model().write(path, compact=True)

    def state(self) -> State:
        columns = {name: np.ascontiguousarray(self._labelled[name]) for name in LABELLED.names or ()}
        metadata = {"done": self._done, "probcut": self._probcut.state()}
        return State(metadata, {"weights": self._network.weights, **columns})

    def restore(self, state: State) -> None:
        self._network.weights = state.arrays["weights"].astype(np.float32)
        self._done = state.metadata["done"]
        self._probcut.restore(state.metadata["probcut"])
        self._labelled = np.empty(len(state.arrays["own"]), LABELLED)
        for name in LABELLED.names or ():
            self._labelled[name] = state.arrays[name]


def _columns(labelled: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    return np.ascontiguousarray(labelled["own"]), np.ascontiguousarray(labelled["other"])
