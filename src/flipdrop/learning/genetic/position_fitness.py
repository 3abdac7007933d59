"""Fitness on a single position: the base of online-ga and position-ga, whose populations are ten vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from flipdrop.errors import LearningError
from flipdrop.learning.genetic.evolution import Evolution
from flipdrop.learning.genetic.fitness import FITNESS_MEASURES, FitnessMeasure, ResultMatrix, compare_values, values_of
from flipdrop.learning.genetic.operators import TEN, normalised, random_vectors

if TYPE_CHECKING:
    import numpy as np

    from flipdrop.games import Game, Position
    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.learning.genetic.operators import Population

PositionFitness = Literal["value", "points", "wins", "discs"]
"""How vectors are compared on a position: by their evaluation of it, or by games from it."""
POSITION_FITNESSES: tuple[PositionFitness, ...] = ("value", *FITNESS_MEASURES)


class PositionLearner(Evolution):
    """Learns from single positions."""

    def __init__(
        self,
        game: Game,
        genome: Genome,
        *,
        seed: int,
        fitness_measure: PositionFitness,
        depth: int,
        every: int,
        threads: int,
    ) -> None:
        super().__init__(game, genome, seed=seed, depth=depth, every=every, threads=threads)
        if fitness_measure not in POSITION_FITNESSES:
            raise LearningError(f"fitness {fitness_measure!r}; it is one of {', '.join(POSITION_FITNESSES)}")
        self.fitness_measure: PositionFitness = fitness_measure

    def _settings(self) -> dict[str, Any]:
        return {"fitness_measure": self.fitness_measure}

    @property
    def comparison_measure(self) -> FitnessMeasure:
        """The measure of comparisons: comparisons by value count as points."""
        return "points" if self.fitness_measure == "value" else self.fitness_measure

    def compare(self, vectors: Population, members: int, position: Position) -> ResultMatrix:
        """Compares the first `members` with each other and with the rest."""
        if self.fitness_measure == "value":
            return compare_values(values_of(self.genome, vectors, position), members)
        return self.play.round_robin(vectors, lambda *_: [position], members=members)

    def random_population(self, random: np.random.Generator, count: int = TEN) -> Population:
        return normalised(random_vectors(self.genome, count, random))
