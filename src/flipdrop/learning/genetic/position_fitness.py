"""What the algorithms of reports R2 and R5 have in common: ten vectors that are compared on one position."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from flipdrop.errors import LearningError
from flipdrop.learning.genetic.evolution import Evolution
from flipdrop.learning.genetic.fitness import FITNESS_MEASURES, FitnessMeasure, ResultMatrix, compared, values_of
from flipdrop.learning.genetic.operators import TEN, normalised, random_vectors

if TYPE_CHECKING:
    import numpy as np

    from flipdrop.games import Game, Position
    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.learning.genetic.operators import Population

PositionFitness = Literal["value", "points", "wins", "discs"]
"""How vectors are compared on a position: by what they think of it, or by games from it."""
POSITION_FITNESSES: tuple[PositionFitness, ...] = ("value", *FITNESS_MEASURES)


class PositionLearner(Evolution):
    """Learns from single positions.

    :param fitness_measure: how vectors are compared
    """

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
    def points_measure(self) -> FitnessMeasure:
        """What a comparison is worth: 2, 1 or 0 points, unless games are counted otherwise."""
        return "points" if self.fitness_measure == "value" else self.fitness_measure

    def meetings(self, vectors: Population, members: int, position: Position) -> ResultMatrix:
        """The first `members` are compared with each other and with the rest."""
        if self.fitness_measure == "value":
            return compared(values_of(self.genome, vectors, position), members)
        return self.play.meet(vectors, lambda *_: [position], members=members)

    def random_population(self, random: np.random.Generator, count: int = TEN) -> Population:
        """Random normalised vectors."""
        return normalised(random_vectors(self.genome, count, random))
