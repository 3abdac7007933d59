"""The genetic algorithm of report R5: for each of some mid-game positions, ten vectors evolve on it alone.

The positions come from random play. A generation copies the best three, crosses the six pairs of the best four and
mutates one random vector in one gene. What is learned is the mean of the winners of all positions, or a random one.

The report proposes two extensions. Competitors are good vectors that compete but do not breed. With probabilistic
evolution each of the three is kept only with some probability; otherwise a fresh random vector takes its place.

By value, comparing is ranking, and a competitor changes nobody's rank: it matters only by games from the position.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from flipdrop.arena.openings import random_plies
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.learning.genetic.evolution import DEPTH, EVERY, figures
from flipdrop.learning.genetic.operators import COPIED, crosses_of_best, normalised, one_new_gene, ranking
from flipdrop.learning.genetic.position_fitness import PositionFitness, PositionLearner
from flipdrop.learning.learner import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games import Game, Position
    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.learning.genetic.operators import Fitness, Population, Vector

POSITIONS = 20
GENERATIONS = 30
Final = Literal["mean", "random"]


class PositionGA(PositionLearner):
    """The genetic algorithm of R5. A step is a position.

    :param generations: on each position
    :param final: the mean of the winners so far, or a random one of them
    :param competitors: vectors that compete but do not breed
    :param keep: the probability that each of the best three is kept
    """

    name = "position-ga"
    seed_stream = "ga-R5"

    def __init__(
        self,
        game: Game,
        genome: Genome,
        *,
        seed: int,
        generations: int = GENERATIONS,
        final: Final = "mean",
        competitors: Sequence[Vector] = (),
        keep: float = 1.0,
        fitness_measure: PositionFitness = "value",
        depth: int = DEPTH,
        every: int = EVERY,
        threads: int = 1,
    ) -> None:
        super().__init__(
            game, genome, seed=seed, fitness_measure=fitness_measure, depth=depth, every=every, threads=threads
        )
        if generations < 1:
            raise LearningError(f"{generations} generations; there has to be one at least")
        if final not in ("mean", "random"):
            raise LearningError(f"final weights by {final!r}; they are the mean of the winners, or a random one")
        if not 0 <= keep <= 1:
            raise LearningError(f"a probability of keeping of {keep}; it has to be from 0 to 1")
        self.generations = generations
        self.final = final
        self.keep = keep
        self.competitors = normalised(np.array([*competitors], dtype=np.float64).reshape(-1, len(genome)))
        self.winners: list[Vector] = []

    def _settings(self) -> dict[str, Any]:
        return super()._settings() | {
            "generations": self.generations,
            "final": self.final,
            "competitors": self.competitors.tolist(),
            "keep": self.keep,
        }

    @property
    def _stage(self) -> str:
        return f"position {self.steps}"

    def position(self, step: int) -> Position:
        """The position of a step: random moves over a third to two thirds of the board."""
        random = Random(derive_seed(self.seed, "position", step))
        cells = self.game.columns * self.game.rows - self.game.start().discs[0] - self.game.start().discs[1]
        while True:
            _, position = random_plies(self.game.start(), random.randint(cells // 3, 2 * cells // 3), random)
            if not position.is_over:
                return position

    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        position = self.position(self.steps)
        vectors = self.random_population(random)
        for _ in range(self.generations):
            vectors = self.bred(vectors, self.fitness(vectors, position), random)
        fitness = self.fitness(vectors, position)
        self.play.known.clear()  # the next position is another one
        self.winners.append(vectors[ranking(fitness)[0]])
        return self.final_vector(), figures(fitness)

    def fitness(self, vectors: Population, position: Position) -> Fitness:
        """Points from comparing everybody with everybody, competitors included."""
        everybody = np.vstack([vectors, self.competitors])
        return self.meetings(everybody, len(vectors), position).fitness(self.points_measure)

    def bred(self, vectors: Population, fitness: Fitness, random: np.random.Generator) -> Population:
        """The ten of the next generation."""
        order = ranking(fitness)
        copied = vectors[order[:COPIED]]
        fresh = self.random_population(random, COPIED)
        kept = np.where(random.random((COPIED, 1)) < self.keep, copied, fresh)
        children = crosses_of_best(vectors, order, random)
        mutant = one_new_gene(vectors[random.integers(len(vectors))], self.genome, random)
        return normalised(np.vstack([kept, *children, mutant]))

    def final_vector(self) -> Vector:
        """What the winners so far come to."""
        if self.final == "mean":
            return normalised(np.mean(self.winners, axis=0))
        random = Random(derive_seed(self.seed, "final", len(self.winners)))
        return random.choice(self.winners)

    def _state(self) -> State:
        return State({}, {"winners": np.array(self.winners).reshape(-1, len(self.genome))})

    def _restore(self, state: State) -> None:
        self.winners = list(state.arrays["winners"])
