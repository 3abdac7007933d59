"""Fitness on a single position: the base of online-ga and position-ga, whose populations are ten vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.evaluation.genetic_operators import SMALL_POPULATION, normalised, random_vectors
from flipdrop.learning.genetic.evolution import Evolution, EvolutionSettings
from flipdrop.learning.genetic.fitness import (
    POSITION_FITNESSES,
    PositionFitness,
    ResultMatrix,
    compare_values,
    values_of,
)
from flipdrop.options import option

if TYPE_CHECKING:
    import numpy as np

    from flipdrop.evaluation.genetic_operators import Population
    from flipdrop.games import Position


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
