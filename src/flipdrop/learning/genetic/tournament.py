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
from flipdrop.learning.genetic.meetings import WORTHS, Worth
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
class Contest:
    """A double round robin of real games, and what it is worth.

    :param population: how many vectors take part
    :param depth: how far they look ahead
    :param worth: 2, 1 and 0 ``points``; ``wins`` minus losses; or the difference in ``discs``
    :param openings: where games begin, as the arena reads it: ``start`` as in the report, or ``random:8``. Each
        generation draws others
    :param different: how many openings it draws. Pairs take them in turns: there are as many games with more of them
    """

    population: int = POPULATION
    depth: int = DEPTH
    worth: Worth = "points"
    openings: str = START
    different: int = 1

    def __post_init__(self) -> None:
        if not 2 <= self.population <= MOST_POPULATION:
            raise LearningError(f"a population of {self.population}; it has to be from 2 to {MOST_POPULATION:,}")
        if self.worth not in WORTHS:
            raise LearningError(f"fitness {self.worth!r}; it is one of {', '.join(WORTHS)}")
        if self.different < 1:
            raise LearningError(f"{self.different} openings a generation; there has to be one at least")

    @property
    def games(self) -> int:
        """How many games a generation has."""
        return self.population * (self.population - 1)


class ContestLearner(Evolution):
    """Learns from contests: what the algorithm of R1 and the evolution strategy share."""

    def __init__(self, game: Game, genome: Genome, contest: Contest, *, seed: int, every: int, threads: int) -> None:
        super().__init__(game, genome, seed=seed, depth=contest.depth, every=every, threads=threads)
        self.contest = contest
        self._begin(0)  # refuses openings that it cannot read

    def _settings(self) -> dict[str, Any]:
        return asdict(self.contest)

    def _begin(self, step: int) -> list[Position]:
        openings = Openings(self.game, self.contest.openings, derive_seed(self.seed, "openings", step))
        return [opening.position for opening in openings.take(self.contest.different)]

    def fitness(self, vectors: Population) -> Fitness:
        """What each vector earns against all the others in this step."""
        begin = itertools.cycle(self._begin(self.steps))
        return self.play.meet(vectors, lambda *_: [next(begin)]).fitness(self.contest.worth)


class TournamentGA(ContestLearner):
    """The genetic algorithm of R1.

    :param start: vectors of the first population; the rest of it is random
    :param mutation: the probability that a gene mutates
    :param survive: the share that survives
    :param threshold: it has finished when the fitness of best and worst differ by no more; None for never
    """

    name = "ga-R1"

    def __init__(
        self,
        game: Game,
        genome: Genome,
        contest: Contest | None = None,
        *,
        seed: int,
        start: Sequence[Vector] = (),
        mutation: float = MUTATION,
        survive: float = ELITE,
        threshold: float | None = None,
        every: int = EVERY,
        threads: int = 1,
    ) -> None:
        contest = contest or Contest()
        super().__init__(game, genome, contest, seed=seed, every=every, threads=threads)
        if not 0 <= mutation <= 1:
            raise LearningError(f"a probability of mutation of {mutation}; it has to be from 0 to 1")
        if not 0 < survive < 1:
            raise LearningError(f"a share of {survive} that survives; it has to be more than 0 and less than 1")
        if threshold is not None and not threshold >= 0:
            raise LearningError(f"a threshold of {threshold}; it has to be 0 or more")
        if len(start) > contest.population:
            raise LearningError(f"{len(start)} vectors to start with for a population of {contest.population}")
        self.mutation = mutation
        self.survive = survive
        self.threshold = threshold
        self.start = [np.asarray(vector, dtype=np.float64) for vector in start]
        random = np.random.default_rng(derive_seed(seed, self.name, "start"))
        others = random_vectors(genome, contest.population - len(start), random)
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
        if self.contest.openings == START:
            self.play.forget_all_but(self.vectors)
        else:
            self.play.known.clear()  # the next games begin elsewhere
        return vectors[survivors[0]], figures(fitness)

    def _state(self) -> State:
        return State({"spread": self._spread}, {"vectors": self.vectors} | self.play.remembered())

    def _restore(self, state: State) -> None:
        self.vectors = state.arrays["vectors"]
        self._spread = state.facts["spread"]
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
