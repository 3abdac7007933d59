"""A genetic algorithm on mid-game positions: ten vectors evolve on each of them alone.

The positions come from random play. A generation copies the best three, crosses the six pairs of the best four and
mutates one gene of a random vector. The result is the mean of the winners of all positions, or a random winner.

Two extensions: competitors are good vectors that compete but do not breed, and each of the best three can be kept with
a probability only, and is otherwise replaced by a random vector.

Comparisons by value only rank the vectors, and a competitor changes no ranks: it matters only with games.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from flipdrop.arena.openings import random_plies
from flipdrop.arena.seeds import derive_seed
from flipdrop.evaluation.genetic_operators import COPIED, crossovers_of_best, mutate_one_gene, normalised, ranking
from flipdrop.learning.genetic.evolution import PositionLearner, PositionSettings, fitness_summary
from flipdrop.learning.learner import State
from flipdrop.options import option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.evaluation.genetic_operators import Fitness, Population, Vector
    from flipdrop.games import Game, Position
    from flipdrop.learning.genetic.genomes import Genome


@dataclass(frozen=True, kw_only=True)
class PositionGASettings(PositionSettings):
    """Settings of position-ga."""

    generations: int = option(30, "generations per position", minimum=1)
    final: Literal["mean", "random"] = option(
        "mean", "take the mean of the winners as the result, or a random winner", choices=("mean", "random")
    )
    keep_probability: float = option(1.0, "probability of keeping each of the best three", minimum=0, maximum=1)


class PositionGA(PositionLearner):
    """A step is a position.

    :param competitors: vectors that compete but do not breed
    """

    name = "position-ga"
    seed_stream = "ga-R5"
    Settings = PositionGASettings

    def __init__(
        self,
        game: Game,
        genome: Genome,
        *,
        seed: int,
        competitors: Sequence[Vector] = (),
        threads: int = 1,
        **settings: Any,
    ) -> None:
        super().__init__(game, genome, seed=seed, threads=threads, **settings)
        self.competitors = normalised(np.array([*competitors], dtype=np.float64).reshape(-1, len(genome)))
        self.winners: list[Vector] = []

    @property
    def settings(self) -> dict[str, Any]:
        return super().settings | {"competitors": self.competitors.tolist()}

    @property
    def _stage(self) -> str:
        return f"position {self.steps}"

    def position(self, step: int) -> Position:
        """The position of a step: random moves until a third to two thirds of the board are filled."""
        random = Random(derive_seed(self.seed, "position", step))
        cells = self.game.columns * self.game.rows - self.game.start().discs[0] - self.game.start().discs[1]
        while True:
            _, position = random_plies(self.game.start(), random.randint(cells // 3, 2 * cells // 3), random)
            if not position.is_over:
                return position

    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        position = self.position(self.steps)
        vectors = self.random_population(random)
        for _ in range(self.options.generations):
            vectors = self.next_generation(vectors, self.fitness(vectors, position), random)
        fitness = self.fitness(vectors, position)
        self.fitness_games.cache.clear()  # games of other positions do not recur
        self.winners.append(vectors[ranking(fitness)[0]])
        return self.final_vector(), fitness_summary(fitness)

    def fitness(self, vectors: Population, position: Position) -> Fitness:
        """Points of all comparisons, competitors included."""
        all_vectors = np.vstack([vectors, self.competitors])
        return self.compare(all_vectors, len(vectors), position).fitness(self.options.fitness_measure)

    def next_generation(self, vectors: Population, fitness: Fitness, random: np.random.Generator) -> Population:
        """The population of the next generation."""
        order = ranking(fitness)
        copied = vectors[order[:COPIED]]
        fresh = self.random_population(random, COPIED)
        kept = np.where(random.random((COPIED, 1)) < self.options.keep_probability, copied, fresh)
        children = crossovers_of_best(vectors, order, random)
        mutant = mutate_one_gene(vectors[random.integers(len(vectors))], self.genome.signs, random)
        return np.vstack([kept, children, mutant])

    def final_vector(self) -> Vector:
        if self.options.final == "mean":
            return normalised(np.mean(self.winners, axis=0))
        random = Random(derive_seed(self.seed, "final", len(self.winners)))
        return random.choice(self.winners)

    def _state(self) -> State:
        return State({}, {"winners": np.array(self.winners).reshape(-1, len(self.genome))})

    def _restore(self, state: State) -> None:
        self.winners = list(state.arrays["winners"])
