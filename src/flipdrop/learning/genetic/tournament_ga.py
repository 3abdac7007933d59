"""A genetic algorithm whose fitness is a double round robin of games.

In each generation the best tenth survives, and the others breed: a roulette wheel of their fitness draws two different
parents, one-point crossover makes two children, and each gene of these is multiplied with some probability by a factor
from 0.7 to 1.3, so genes keep their signs. It ends after a number of generations, or when the fitness of best and worst
differ by at most a threshold.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.openings import Openings
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation.genetic_operators import (
    elite,
    mutate_by_scaling,
    one_point_crossover,
    random_vectors,
    roulette_wheel,
    select_parents,
)
from flipdrop.learning.genetic.evolution import Evolution, EvolutionSettings, fitness_summary
from flipdrop.learning.genetic.fitness import FITNESS_MEASURES, FitnessMeasure
from flipdrop.learning.learner import State
from flipdrop.options import option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from flipdrop.evaluation.genetic_operators import Fitness, Population, Vector
    from flipdrop.games import Game, Position
    from flipdrop.learning.genetic.genomes import Genome

START = "start"


@dataclass(frozen=True, kw_only=True)
class RoundRobinSettings(EvolutionSettings):
    """Settings of methods whose fitness is a double round robin. The pairs use the openings of a generation one after
    the other, so the number of openings does not change the number of games."""

    population: int = option(50, "number of vectors", minimum=2, maximum=10_000)
    fitness_measure: FitnessMeasure = option(
        "points", "2/1/0 points, wins minus losses, or margins of games", choices=FITNESS_MEASURES
    )
    openings: str = option(START, "openings of the games, as the arena reads them; each generation draws others")
    openings_per_generation: int = option(1, "number of openings per generation", minimum=1)


@dataclass(frozen=True, kw_only=True)
class TournamentSettings(RoundRobinSettings):
    """Settings of tournament-ga."""

    mutation: float = option(0.2, "mutation probability of a gene", minimum=0, maximum=1)
    survive: float = option(0.1, "share of the population that survives", above=0, maximum=0.999)
    elite_breeds: bool = option(False, "survivors are on the roulette wheel too (flipdrop's own variant)")
    threshold: float | None = option(None, "stop when best and worst fitness differ by at most this", minimum=0)


class RoundRobinLearner(Evolution):
    """The base of methods whose fitness is a double round robin."""

    def __init__(self, game: Game, genome: Genome, *, seed: int, threads: int = 1, **settings: Any) -> None:
        super().__init__(game, genome, seed=seed, threads=threads, **settings)
        self._starts(0)  # raises for invalid openings

    def _starts(self, step: int) -> list[Position]:
        openings = Openings(self.game, self.options.openings, derive_seed(self.seed, "openings", step))
        return [opening.position for opening in openings.take(self.options.openings_per_generation)]

    def fitness(self, vectors: Population) -> Fitness:
        starts = itertools.cycle(self._starts(self.steps))
        return self.fitness_games.round_robin(vectors, lambda *_: [next(starts)]).fitness(self.options.fitness_measure)


class TournamentGA(RoundRobinLearner):
    """A step is a generation.

    :param start: vectors of the first population; the others are random
    """

    name = "tournament-ga"
    seed_stream = "ga-R1"
    Settings = TournamentSettings

    def __init__(
        self, game: Game, genome: Genome, *, seed: int, start: Sequence[Vector] = (), threads: int = 1, **settings: Any
    ) -> None:
        super().__init__(game, genome, seed=seed, threads=threads, **settings)
        population = self.options.population
        if len(start) > population:
            raise LearningError(f"{len(start)} vectors to start with for a population of {population}")
        self.start = [np.asarray(vector, dtype=np.float64) for vector in start]
        random = np.random.default_rng(derive_seed(seed, self.seed_stream, "start"))
        others = genome.scale * random_vectors(genome.signs, population - len(start), random)
        self.vectors: Population = np.vstack([*self.start, others])
        self._spread: float | None = None

    @property
    def settings(self) -> dict[str, Any]:
        settings = super().settings | {"start": [vector.tolist() for vector in self.start]}
        if not self.options.elite_breeds:
            del settings["elite_breeds"]  # runs from before the option have the same settings
        return settings

    @property
    def finished(self) -> bool:
        threshold = self.options.threshold
        return threshold is not None and self._spread is not None and self._spread <= threshold

    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        vectors, fitness = self.vectors, self.fitness(self.vectors)
        survivors = elite(fitness, self.options.survive)
        self._spread = float(fitness.max() - fitness.min())
        self.vectors = next_generation(
            vectors, fitness, survivors, self.options.mutation, random, elite_breeds=self.options.elite_breeds
        )
        if self.options.openings == START:
            self.fitness_games.keep_only(self.vectors)
        else:
            self.fitness_games.cache.clear()  # games from other openings do not recur
        return vectors[survivors[0]], fitness_summary(fitness)

    def _state(self) -> State:
        return State({"spread": self._spread}, {"vectors": self.vectors} | self.fitness_games.cache_arrays())

    def _restore(self, state: State) -> None:
        self.vectors = state.arrays["vectors"]
        self._spread = state.metadata["spread"]
        self.fitness_games.restore_cache(state.arrays, self.game.start())


def next_generation(
    vectors: Population,
    fitness: Fitness,
    survivors: NDArray[np.intp],
    mutation: float,
    random: np.random.Generator,
    *,
    elite_breeds: bool = False,
) -> Population:
    """The next generation: the survivors, and two children of each two parents of the others.

    For an odd number of children the last is left out.
    """
    count = len(vectors) - len(survivors)
    parents = np.arange(len(vectors)) if elite_breeds else np.delete(np.arange(len(vectors)), survivors)
    shares = roulette_wheel(fitness[parents])
    children: list[Vector] = []
    while len(children) < count:
        one, two = vectors[parents[select_parents(shares, random)]]
        cut = int(random.integers(len(one)))  # 0 makes copies of the parents
        pair = one_point_crossover(one, two, cut), one_point_crossover(two, one, cut)
        children += [mutate_by_scaling(child, mutation, random) for child in pair]
    return np.vstack([vectors[survivors], *children[:count]])
