"""A genetic algorithm whose fitness is a double round robin of games.

In each generation the best tenth survives. Each of the others is a child of two parents drawn by fitness-proportional
selection, which may draw the same parent twice: one-point crossover, then each gene is multiplied with some probability
by a factor from 0.7 to 1.3, so genes keep their signs. It ends after a number of generations, or when the fitness of
best and worst differ by at most a threshold.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.openings import Openings
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.learning.genetic.evolution import DEPTH, EVERY, Evolution, fitness_summary
from flipdrop.learning.genetic.fitness import FITNESS_MEASURES, FitnessMeasure
from flipdrop.learning.genetic.operators import (
    crossed,
    elite,
    random_cut,
    random_vectors,
    scaled_genes,
    spin,
    wheel,
)
from flipdrop.learning.learner import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from flipdrop.games import Game, Position
    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.learning.genetic.operators import Fitness, Population, Vector

POPULATION, MOST_POPULATION = 50, 10_000
ELITE = 0.1
MUTATION = 0.2
START = "start"


@dataclass(frozen=True, kw_only=True)
class RoundRobin:
    """Settings of the double round robin of a generation.

    :param population: number of vectors
    :param depth: search depth
    :param fitness_measure: 2, 1 and 0 ``points``; ``wins`` minus losses; or the difference in ``discs``
    :param openings: as the arena reads them: ``start``, or ``random:8``, of which each generation draws others
    :param different: number of openings per generation. Pairs take them in turns, so it does not change the number of
        games
    """

    population: int = POPULATION
    depth: int = DEPTH
    fitness_measure: FitnessMeasure = "points"
    openings: str = START
    different: int = 1

    def __post_init__(self) -> None:
        if not 2 <= self.population <= MOST_POPULATION:
            raise LearningError(f"a population of {self.population}; it must be from 2 to {MOST_POPULATION:,}")
        if self.fitness_measure not in FITNESS_MEASURES:
            raise LearningError(f"fitness {self.fitness_measure!r}; it is one of {', '.join(FITNESS_MEASURES)}")
        if self.different < 1:
            raise LearningError(f"{self.different} openings per generation; at least one is needed")

    @property
    def games(self) -> int:
        """Games per generation."""
        return self.population * (self.population - 1)


class RoundRobinLearner(Evolution):
    """The base of methods whose fitness is a round robin."""

    def __init__(
        self, game: Game, genome: Genome, round_robin: RoundRobin, *, seed: int, every: int, threads: int
    ) -> None:
        super().__init__(game, genome, seed=seed, depth=round_robin.depth, every=every, threads=threads)
        self.round_robin = round_robin
        self._begin(0)  # raises for invalid openings

    def _settings(self) -> dict[str, Any]:
        return asdict(self.round_robin)

    def _begin(self, step: int) -> list[Position]:
        openings = Openings(self.game, self.round_robin.openings, derive_seed(self.seed, "openings", step))
        return [opening.position for opening in openings.take(self.round_robin.different)]

    def fitness(self, vectors: Population) -> Fitness:
        begin = itertools.cycle(self._begin(self.steps))
        return self.play.round_robin(vectors, lambda *_: [next(begin)]).fitness(self.round_robin.fitness_measure)


class TournamentGA(RoundRobinLearner):
    """A step is a generation.

    :param start: vectors of the first population; the others are random
    :param mutation: mutation probability of a gene
    :param survive: the share that survives
    :param threshold: ends when the fitness of best and worst differ by at most this; None for never
    """

    name = "tournament-ga"
    seed_stream = "ga-R1"

    def __init__(
        self,
        game: Game,
        genome: Genome,
        round_robin: RoundRobin | None = None,
        *,
        seed: int,
        start: Sequence[Vector] = (),
        mutation: float = MUTATION,
        survive: float = ELITE,
        threshold: float | None = None,
        every: int = EVERY,
        threads: int = 1,
    ) -> None:
        round_robin = round_robin or RoundRobin()
        super().__init__(game, genome, round_robin, seed=seed, every=every, threads=threads)
        if not 0 <= mutation <= 1:
            raise LearningError(f"a mutation probability of {mutation}; it must be from 0 to 1")
        if not 0 < survive < 1:
            raise LearningError(f"a surviving share of {survive}; it must be between 0 and 1")
        if threshold is not None and not threshold >= 0:
            raise LearningError(f"a threshold of {threshold}; it must be at least 0")
        if len(start) > round_robin.population:
            raise LearningError(f"{len(start)} vectors to start with for a population of {round_robin.population}")
        self.mutation = mutation
        self.survive = survive
        self.threshold = threshold
        self.start = [np.asarray(vector, dtype=np.float64) for vector in start]
        random = np.random.default_rng(derive_seed(seed, self.seed_stream, "start"))
        others = random_vectors(genome, round_robin.population - len(start), random)
        self.vectors: Population = np.vstack([*self.start, others])
        self._spread: float | None = None

    def _settings(self) -> dict[str, Any]:
        return super()._settings() | {
            "mutation": self.mutation,
            "survive": self.survive,
            "threshold": self.threshold,
            "start": [vector.tolist() for vector in self.start],
        }

    @property
    def finished(self) -> bool:
        return self.threshold is not None and self._spread is not None and self._spread <= self.threshold

    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        vectors, fitness = self.vectors, self.fitness(self.vectors)
        survivors = elite(fitness, self.survive)
        self._spread = float(fitness.max() - fitness.min())
        self.vectors = bred(vectors, fitness, survivors, self.mutation, random)
        if self.round_robin.openings == START:
            self.play.keep_only(self.vectors)
        else:
            self.play.cache.clear()  # games from other openings do not recur
        return vectors[survivors[0]], fitness_summary(fitness)

    def _state(self) -> State:
        return State({"spread": self._spread}, {"vectors": self.vectors} | self.play.cache_arrays())

    def _restore(self, state: State) -> None:
        self.vectors = state.arrays["vectors"]
        self._spread = state.metadata["spread"]
        self.play.restore_cache(state.arrays, self.game.start())


def bred(
    vectors: Population,
    fitness: Fitness,
    survivors: NDArray[np.intp],
    mutation: float,
    random: np.random.Generator,
) -> Population:
    """The next generation: the survivors, and children of parents from the roulette wheel."""
    shares = wheel(fitness)
    children = []
    for _ in range(len(vectors) - len(survivors)):
        one, two = spin(shares, 2, random)
        child = crossed(vectors[one], vectors[two], random_cut(vectors.shape[1], random))
        children.append(scaled_genes(child, mutation, random))
    return np.vstack([vectors[survivors], *children])
