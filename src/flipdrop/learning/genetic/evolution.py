"""The base of all methods: a population of weight vectors, the best of which is the model."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation import Evaluation, write_weights
from flipdrop.evaluation.genetic_operators import SMALL_POPULATION, normalised, random_vectors
from flipdrop.learning.genetic.fitness import (
    POSITION_FITNESSES,
    FitnessGames,
    PositionFitness,
    ResultMatrix,
    compare_values,
    values_of,
)
from flipdrop.learning.learner import Learner, State
from flipdrop.options import check_options, option
from flipdrop.players.option_types import format_evaluation
from flipdrop.players.search_player import SearchPlayer
from flipdrop.search import Minimax
from flipdrop.workers import ThreadWorkers

if TYPE_CHECKING:
    import os

    from flipdrop.evaluation import Weights
    from flipdrop.evaluation.genetic_operators import Fitness, Population, Vector
    from flipdrop.games import Game, Position
    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.workers import Workers

PAIRS = 100  # pairs of games in a benchmark


@dataclass(frozen=True, kw_only=True)
class EvolutionSettings:
    """Settings of all methods."""

    depth: int = option(2, "search depth of the games in plies", minimum=1)
    benchmark_every: int = option(10, "steps between benchmarks against the initial evaluation; 0: never", minimum=0)

    def __post_init__(self) -> None:
        check_options(self)


class Evolution(Learner):
    """A learner of weights.

    :param threads: for games; the result does not depend on their number
    :param settings: fields of `Settings`
    """

    Settings: ClassVar[type[EvolutionSettings]]
    seed_stream: ClassVar[str]
    """Labels the random numbers of a method. A change would change every run."""

    def __init__(self, game: Game, genome: Genome, *, seed: int, threads: int = 1, **settings: Any) -> None:
        if threads < 1:
            raise LearningError(f"{threads} threads; at least one is needed")
        self.options = self.Settings(**settings)
        self.game = game
        self.genome = genome
        self.seed = seed
        self.threads = threads
        self.steps = 0
        workers = ThreadWorkers(threads)
        self.fitness_games = FitnessGames(genome, self.options.depth, workers, check=self._check_time)
        self.best: Vector | None = None
        """The best of the last step, or the method's estimate of the best."""

    @property
    def games(self) -> int:
        """Games played, without those taken from the cache."""
        return self.fitness_games.played

    @games.setter
    def games(self, games: int) -> None:
        self.fitness_games.played = games

    @property
    def reused(self) -> int:
        """Games that were taken from the cache."""
        return self.fitness_games.reused

    @property
    def settings(self) -> dict[str, Any]:
        return {"evaluation": repr(self.genome.base), "genes": self.genome.genes} | asdict(self.options)

    @classmethod
    def check_packages(cls) -> None:
        """Raises LearningError if a package that the method needs is not installed."""

    def work_on(self, workers: Workers) -> None:
        """The games of a generation."""
        self.fitness_games.workers = workers

    def step(self) -> dict[str, float]:
        random = np.random.default_rng(derive_seed(self.seed, self.seed_stream, self.steps))
        self.best, values = self._step(random)
        self.steps += 1
        every = self.options.benchmark_every
        if every and (self.steps % every == 0 or self.steps == 1):
            values |= self._benchmark()
        return values

    def _check_time(self) -> None:
        if self.steps:  # a run without a step has no weights
            self.check_time()

    @abstractmethod
    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        """A step of the method: the best vector, and values for the learning curve."""

    @property
    def weights(self) -> Weights:
        if self.best is None:
            raise LearningError("nothing has been learned yet; take a step first")
        return self.genome.weights_of(self.best)

    @property
    def genes(self) -> dict[str, float]:
        """The best genes so far by their names."""
        return dict(zip(self.genome.names, map(float, self.genome.vector_of(self.weights)), strict=True))

    @property
    def status(self) -> str:
        if self.best is None:
            return ""
        return f"{self._stage}: {' '.join(f'{gene:.3g}' for gene in self.best)}"

    @property
    def _stage(self) -> str:
        return f"generation {self.steps}"

    def player(self) -> SearchPlayer:
        """A search to the depth of the fitness games with the best weights so far."""
        search = Minimax(algorithm="alphabeta", depth=self.options.depth, evaluation=Evaluation(self.weights))
        return SearchPlayer(search)

    def _benchmark(self) -> dict[str, float]:
        base = format_evaluation(Evaluation(self.genome.base))
        if base.startswith("evaluation("):  # its table has no name, so a spec cannot express it
            base = self.genome.base.evaluation
        opponent = f"alphabeta:depth={self.options.depth},evaluation={base}"
        # The same openings in every benchmark.
        seed = derive_seed(self.seed, "measured")
        return self.scores_against(self.player(), [opponent], pairs=PAIRS, seed=seed, threads=self.threads)

    def state(self) -> State:
        own = self._state()
        best = {} if self.best is None else {"best": self.best}
        return State({"steps": self.steps, "reused": self.reused} | own.metadata, best | own.arrays)

    def restore(self, state: State) -> None:
        self.steps = int(state.metadata["steps"])
        self.fitness_games.reused = int(state.metadata["reused"])
        self.best = state.arrays.get("best")
        self._restore(state)

    @abstractmethod
    def _state(self) -> State:
        """The method's part of `state`."""

    @abstractmethod
    def _restore(self, state: State) -> None:
        """The method's part of `restore`."""

    def save_model(self, path: str | os.PathLike[str]) -> None:
        write_weights(path, self.weights)


@dataclass(frozen=True, kw_only=True)
class PositionSettings(EvolutionSettings):
    """Settings of methods that learn from single positions."""

    fitness_measure: PositionFitness = option(
        "value", "compare vectors by their value of the position, or by games from it", choices=POSITION_FITNESSES
    )


class PositionLearner(Evolution):
    """Learns from single positions."""

    def compare(self, vectors: Population, members: int, position: Position) -> ResultMatrix:
        """Compares the first `members` with each other and with the rest."""
        if self.options.fitness_measure == "value":
            return compare_values(values_of(self.genome, vectors, position), members)
        return self.fitness_games.round_robin(vectors, lambda *_: [position], members=members)

    def random_population(self, random: np.random.Generator, count: int = SMALL_POPULATION) -> Population:
        return normalised(random_vectors(self.genome.signs, count, random))


def fitness_summary(fitness: Fitness) -> dict[str, float]:
    return {
        "fitness best": float(fitness.max()),
        "fitness mean": float(fitness.mean()),
        "fitness worst": float(fitness.min()),
    }
