"""The genetic algorithm of report R1: vectors play real games, everybody against everybody, with both colours.

A generation: the best tenth survives. Each of the rest is a child of two parents from a roulette wheel on fitness, by
one-point crossover, each gene of it multiplied with some probability by a factor from 0.7 to 1.3. So genes keep their
sign. It ends after a number of generations, or when best and worst are within a threshold.

What the report leaves open: a pair of parents has one child, and the wheel may name the same parent twice.
"""

from __future__ import annotations

import itertools
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.openings import Openings
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.learning.genetic.evolution import DEPTH, EVERY, Evolution, figures
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
    """A double round robin of real games, and what it is worth.

    :param population: how many vectors take part
    :param depth: how far they look ahead
    :param fitness_measure: 2, 1 and 0 ``points``; ``wins`` minus losses; or the difference in ``discs``
    :param openings: where games begin, as the arena reads it: ``start`` as in the report, or ``random:8``. Each
        generation draws others
    :param different: how many openings it draws. Pairs take them in turns: there are as many games with more of them
    """

    population: int = POPULATION
    depth: int = DEPTH
    fitness_measure: FitnessMeasure = "points"
    openings: str = START
    different: int = 1

    def __post_init__(self) -> None:
        if not 2 <= self.population <= MOST_POPULATION:
            raise LearningError(f"a population of {self.population}; it has to be from 2 to {MOST_POPULATION:,}")
        if self.fitness_measure not in FITNESS_MEASURES:
            raise LearningError(f"fitness {self.fitness_measure!r}; it is one of {', '.join(FITNESS_MEASURES)}")
        if self.different < 1:
            raise LearningError(f"{self.different} openings a generation; there has to be one at least")

    @property
    def games(self) -> int:
        """How many games a generation has."""
        return self.population * (self.population - 1)


class RoundRobinLearner(Evolution):
    """Learns from contests: what the algorithm of R1 and the evolution strategy share."""

    def __init__(
        self, game: Game, genome: Genome, round_robin: RoundRobin, *, seed: int, every: int, threads: int
    ) -> None:
        super().__init__(game, genome, seed=seed, depth=round_robin.depth, every=every, threads=threads)
        self.round_robin = round_robin
        self._begin(0)  # refuses openings that it cannot read

    def _settings(self) -> dict[str, Any]:
        return asdict(self.round_robin)

    def _begin(self, step: int) -> list[Position]:
        openings = Openings(self.game, self.round_robin.openings, derive_seed(self.seed, "openings", step))
        return [opening.position for opening in openings.take(self.round_robin.different)]

    def fitness(self, vectors: Population) -> Fitness:
        """What each vector earns against all the others in this step."""
        begin = itertools.cycle(self._begin(self.steps))
        return self.play.meet(vectors, lambda *_: [next(begin)]).fitness(self.round_robin.fitness_measure)


class TournamentGA(RoundRobinLearner):
    """The genetic algorithm of R1.

    :param start: vectors of the first population; the rest of it is random
    :param mutation: the probability that a gene mutates
    :param survive: the share that survives
    :param threshold: it has finished when the fitness of best and worst differ by no more; None for never
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
            raise LearningError(f"a probability of mutation of {mutation}; it has to be from 0 to 1")
        if not 0 < survive < 1:
            raise LearningError(f"a share of {survive} that survives; it has to be more than 0 and less than 1")
        if threshold is not None and not threshold >= 0:
            raise LearningError(f"a threshold of {threshold}; it has to be 0 or more")
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
        """Whether best and worst are within the threshold."""
        return self.threshold is not None and self._spread is not None and self._spread <= self.threshold

    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        vectors, fitness = self.vectors, self.fitness(self.vectors)
        survivors = elite(fitness, self.survive)
        self._spread = float(fitness.max() - fitness.min())
        self.vectors = bred(vectors, fitness, survivors, self.mutation, random)
        if self.round_robin.openings == START:
            self.play.forget_all_but(self.vectors)
        else:
            self.play.known.clear()  # the next games begin elsewhere
        return vectors[survivors[0]], figures(fitness)

    def _state(self) -> State:
        return State({"spread": self._spread}, {"vectors": self.vectors} | self.play.remembered())

    def _restore(self, state: State) -> None:
        self.vectors = state.arrays["vectors"]
        self._spread = state.metadata["spread"]
        self.play.remember(state.arrays, self.game.start())


def bred(
    vectors: Population,
    fitness: Fitness,
    survivors: NDArray[np.intp],
    mutation: float,
    random: np.random.Generator,
) -> Population:
    """The next generation: the survivors as they are, and children of two parents each from the roulette wheel."""
    shares = wheel(fitness)
    children = []
    for _ in range(len(vectors) - len(survivors)):
        one, two = spin(shares, 2, random)
        child = crossed(vectors[one], vectors[two], random_cut(vectors.shape[1], random))
        children.append(scaled_genes(child, mutation, random))
    return np.vstack([vectors[survivors], *children])
