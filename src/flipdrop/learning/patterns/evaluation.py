"""Learning the evaluation of the Othello engine: a pattern network that predicts the final score, in discs.

The learner works backwards from the end of the game, stage by stage. Positions with few empty squares have exact
scores. The value of an earlier position is that of a search, which ends in positions of the stage that was learned just
before: accuracy spreads from the end to the opening. Further rounds do the same again with more positions, from games
that the network of the round before plays; each begins with the weights of the round before. At last the learner
measures how well shallow searches predict deep ones, which is what ProbCut needs, and plays against the package's own
network.

The labelled positions are kept in a file beside the model (`flipdrop.learning.patterns.labels`).
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flipdrop.arena.quick_match import results_against
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
from flipdrop.learning.patterns.labels import LABELLED, LabelFile
from flipdrop.learning.patterns.probcut import ProbCutSamples
from flipdrop.learning.patterns.sets import patterns_of
from flipdrop.model_file import beside_model
from flipdrop.options import check_options, option
from flipdrop.players.search_player import SearchPlayer
from flipdrop.search import Engine
from flipdrop.search.engine import SELECTIVITIES
from flipdrop.search.solver import engine_evaluator
from flipdrop.workers import results_in_order

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from numpy.typing import NDArray

    from flipdrop.games import Game
    from flipdrop.workers import Workers

_STAGE = 4  # plies of a stage
_CHUNK = 4096  # positions that a step values
_PART = 1024  # positions that a worker values at a time
_SAMPLING = ("min_empties", "max_empties", "depth", "selectivity", "epsilon", "random_end", "max_opening")
_HELD_OUT = 20  # every twentieth position is for validation
_WHOLE = (0.0, 0.0, 0.0, 0.0, 0.0, 4.0)  # a ProbCut model before there is one: searches for labels do not use it
_EXACT = 5  # selectivity of searches without ProbCut
_GROWTH = 4  # a round has as many times the positions of the round before
_LATER_RATE = 0.5  # of the learning rate of the first round: the weights are nearly right
_MATCH_NODES = 10_000  # of each move in games against the package's network
_MATCH_TABLE = 4  # MB
_MATCH_PAIRS = 5  # of a step


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings:
    """Settings of the learner of the engine's evaluation."""

    positions: int = option(400_000, "positions of each stage in the last round; a quarter in each before", minimum=100)
    rounds: int = option(3, "rounds; the first one plays at random", minimum=1, maximum=10)
    start: str = option("", "file of a network to begin with; empty: none")
    depth: int = option(4, "plies of the searches for values", minimum=1, maximum=20)
    selectivity: int = option(100, "certainty of ProbCut in them in percent; 100 for none", minimum=73, maximum=100)
    solved: int = option(12, "most empty squares of a stage with exact values", minimum=4, maximum=20)
    ended: int = option(0, "most empty squares of a stage with values of selective searches to the end", maximum=30)
    epsilon: float = option(0.04, "share of random moves in the middle of games", minimum=0, maximum=1)
    random_end: float = option(0.4, "share of games that end in random moves", minimum=0, maximum=1)
    opening: int = option(16, "most random moves at the start of a game", minimum=0, maximum=40)
    rate: float = option(0.7, "learning rate", above=0, maximum=100)
    passes: int = option(8, "passes over the positions of a stage", minimum=1, maximum=100)
    probcut: int = option(150, "positions for each of eight numbers of empty squares to fit ProbCut", minimum=10)
    match: int = option(100, "pairs of games against the package's network at the end", minimum=0)

    def __post_init__(self) -> None:
        check_options(self)
        if not self.start and (self.selectivity < 100 or self.ended > self.solved):
            raise LearningError("selective searches for values need a network to begin with: start=FILE")


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
        self._workers: Workers | None = None
        self._cells = game.columns * game.rows
        self._patterns = patterns_of("classic", game, seed)
        self._stages = tuple(range(0, self._cells, _STAGE))
        self._network: PatternNetwork = new_pattern_network(
            game.start(),
            patterns=[list(pattern) for pattern in self._patterns],
            stages=list(self._stages),
            by_parity=True,
        )
        self._start = self._started()
        self._plan = list(self._planned())
        self._done = 0  # stages of the plan
        self._labels = LabelFile({"board": game.name, "seed": seed, "settings": _digest(self.settings)})
        self._probcut = ProbCutSamples(game, seed, self.options.probcut)
        self._played, self._score = 0, 0.0  # pairs of games against the package's network, and their points

    def work_on(self, workers: Workers) -> None:
        """The search for labelled positions, which takes most of the time."""
        self._workers = workers

    def _started(self) -> PatternModel | None:
        """The network to begin with, whose weights the learner's takes over."""
        if not self.options.start:
            return None
        try:
            model = PatternModel.read(self.options.start)
        except OSError as error:
            raise LearningError(f"start={self.options.start}: {error.strerror}") from None
        if (model.game, model.patterns, model.stages) != (self.game, self._patterns, self._stages):
            raise LearningError(f"start={self.options.start}: a network of another board, other patterns or stages")
        if model.probcut is None or not model.by_parity:
            raise LearningError(f"start={self.options.start} was not made by flipdrop learn evaluation")
        self._network.weights = model.weights
        return model

    def _planned(self) -> list[_Stage]:
        options, stages = self.options, []
        last = len(self._stages) - 1
        for turn, number in product(range(options.rounds), range(last, 0, -1)):
            low = max(1, self._cells - (_STAGE * number + _STAGE - 1))
            high = min(self._cells - 4, self._cells - _STAGE * number)
            # There are few positions in the opening and few moves near the end.
            share = 8 if high > self._cells - 12 else 2 if high <= 8 else 1
            share *= _GROWTH ** (options.rounds - 1 - turn)
            stages.append(_Stage(turn, number, low, high, max(100, options.positions // share)))
        return stages

    @property
    def finished(self) -> bool:
        return self._done == len(self._plan) and self._probcut.finished and self._played == self._pairs

    @property
    def status(self) -> str:
        if self._done == len(self._plan):
            return "match" if self._probcut.finished else "ProbCut"
        stage = self._plan[self._done]
        return f"round {stage.round + 1}, {stage.min_empties} to {stage.max_empties} empty squares"

    def open_files(self, model: Path) -> None:
        self._labels.open(beside_model(model, ".positions"), count=self.games)
        if self._labels.count < self._fitted:
            raise LearningError(
                f"{beside_model(model, '.positions')} has {self._labels.count} positions; the run has already learned "
                f"from {self._fitted}: start without --resume"
            )
        self.games = self._labels.count

    @property
    def _fitted(self) -> int:
        """Positions of the stages that are done."""
        return sum(stage.positions for stage in self._plan[: self._done])

    @property
    def _pairs(self) -> int:
        """Of games against the package's network; there is none for boards without one."""
        return self.options.match if engine_evaluator(self.game) is not None else 0

    def step(self) -> dict[str, float]:
        if self._done == len(self._plan):
            return self._measure()
        stage = self._plan[self._done]
        if self._labels.count == self._fitted:
            self._begin(stage)
        self._label(stage)
        if self._labels.count < self._fitted + stage.positions:
            return {}
        error = self._fit(stage)
        self._done += 1
        return {f"held-out error with {stage.min_empties} to {stage.max_empties} empty squares": error}

    def _measure(self) -> dict[str, float]:
        if not self._probcut.finished:
            self._probcut.step(self.evaluator(), threads=self._threads)
            return {}
        pairs = min(_MATCH_PAIRS, self._pairs - self._played)
        former = Engine(nodes=_MATCH_NODES, table=_MATCH_TABLE)
        score = results_against(
            SearchPlayer(former.with_options(evaluator=self.evaluator())),
            SearchPlayer(former),
            self.game,
            pairs=pairs,
            seed=derive_seed(self.seed, "match", self._played),
        ).games.score
        self._score += score * pairs
        self._played += pairs
        return {"score against the package's network": self._score / self._played}

    def _begin(self, stage: _Stage) -> None:
        """A stage of which nothing is known begins with the weights of the stage after it."""
        if self._is_first(stage) and stage.number < len(self._stages) - 1:
            weights = self._network.weights.reshape(len(self._stages), -1)
            weights[stage.number] = weights[stage.number + 1]
            self._network.weights = weights.ravel()

    def _is_first(self, stage: _Stage) -> bool:
        """Whether nothing is known of a stage: it is of the first round, which begins without a network."""
        return stage.round == 0 and self._start is None

    def _label(self, stage: _Stage) -> None:
        options = self.options
        settings = Sampling()
        settings.min_empties, settings.max_empties = stage.min_empties, stage.max_empties
        settings.depth = 0 if stage.max_empties <= max(options.solved, options.ended) else options.depth
        settings.selectivity = _EXACT if stage.max_empties <= options.solved else self._selectivity(settings.depth)
        settings.epsilon = 1.0 if self._is_first(stage) else options.epsilon
        settings.random_end = options.random_end
        settings.max_opening = options.opening
        known = self._labels.count - self._fitted
        chunk = _CHUNK if self._workers is None else _CHUNK * self._workers.tasks_a_chunk
        count = min(chunk, stage.positions - known)
        seed = derive_seed(self.seed, "positions", stage.round, stage.number)
        own, other, values = self._sample(settings, count=count, seed=seed, first=known)
        new = np.empty(count, LABELLED)
        new["own"], new["other"], new["value"], new["round"] = own, other, values, stage.round
        self._labels.append(new)
        self.games = self._labels.count

    def _sample(self, settings: Sampling, *, count: int, seed: int, first: int) -> list[NDArray[Any]]:
        """Positions and their values; the number of a position and the seed determine it."""
        if self._workers is None:
            return list(
                sample_positions(self.evaluator(), settings, count=count, seed=seed, first=first, threads=self._threads)
            )
        given = {name: getattr(settings, name) for name in _SAMPLING}
        shared = self.model(), given, seed
        parts = [(at, min(_PART, first + count - at)) for at in range(first, first + count, _PART)]
        found = list(results_in_order(self._workers, _sample_part, shared, parts))
        return [np.concatenate(column) for column in zip(*found, strict=True)]

    def _selectivity(self, depth: int) -> int:
        """Of searches for values, which go to the end if the depth is 0."""
        return 0 if depth == 0 else bisect_left(SELECTIVITIES, self.options.selectivity)

    def _fit(self, stage: _Stage) -> float:
        """Fits the network and returns the root mean square error on positions that it has not seen."""
        labelled = self._labels.read(self._fitted)
        held_out = np.arange(len(labelled)) % _HELD_OUT == 0
        learned, unseen = labelled[~held_out], labelled[held_out]
        regress_network(
            self._network,
            *_columns(learned),
            np.ascontiguousarray(learned["value"]),
            rate=self.options.rate * (1 if self._is_first(stage) else _LATER_RATE),
            passes=self.options.passes,
            seed=derive_seed(self.seed, "fit", stage.round, stage.number),
        )
        errors = network_sums(self._network, *_columns(unseen)) - unseen["value"]
        return float(np.sqrt(np.mean(errors**2)))

    def evaluator(self) -> OthelloEvaluator:
        """The network as it is now, for searches."""
        return OthelloEvaluator(self._network, probcut=self._errors)

    @property
    def _errors(self) -> tuple[float, ...]:
        """The ProbCut model, until it is fitted that of the network to begin with."""
        return self._probcut.model or (self._start and self._start.probcut) or _WHOLE

    def model(self) -> PatternModel:
        made = {"learner": self.name, "settings": self.settings, "seed": self.seed, "positions": self.games}
        if self._start is not None:
            made["start"] = self._start.made
        return PatternModel(
            self.game,
            self._patterns,
            self._stages,
            self._network.weights,
            made=made,
            by_parity=True,
            probcut=self._errors,
        )

    def save_model(self, path: str | os.PathLike[str]) -> None:
        self.model().write(path, compact=True)

    def state(self) -> State:
        metadata = {
            "done": self._done,
            "probcut": self._probcut.state(),
            "match": {"played": self._played, "score": self._score},
        }
        return State(metadata, {"weights": self._network.weights})

    def restore(self, state: State) -> None:
        self._network.weights = state.arrays["weights"].astype(np.float32)
        self._done = state.metadata["done"]
        self._probcut.restore(state.metadata["probcut"])
        self._played, self._score = state.metadata["match"]["played"], state.metadata["match"]["score"]


def _sample_part(
    shared: tuple[PatternModel, dict[str, Any], int], part: tuple[int, int]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Some of the positions of a step, on a worker."""
    model, given, seed = shared
    settings = Sampling()
    for name, value in given.items():
        setattr(settings, name, value)
    first, count = part
    evaluator = OthelloEvaluator(model.network(), probcut=model.probcut or _WHOLE)
    return sample_positions(evaluator, settings, count=count, seed=seed, first=first, threads=1)


def _columns(labelled: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    return np.ascontiguousarray(labelled["own"]), np.ascontiguousarray(labelled["other"])


def _digest(settings: dict[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(settings, sort_keys=True).encode(), digest_size=8).hexdigest()
