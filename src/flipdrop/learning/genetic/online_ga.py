"""A genetic algorithm that runs during a game, on the current position.

The population is ten normalised vectors. A round compares each with each other on the position, for a point; vectors
that lose to the best one of the last round, the threshold, lose 2 points. The next population is the best three (with
probability 0.9, otherwise three new random vectors), a child of each of the six pairs of the best four, and the best
vector with one new gene, all normalised.

After a number of rounds the best vector makes a move, and the population continues on the next position. A given
position stays.

Comparisons by value only rank the vectors: neither points nor threshold change their order. Games from the position
can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.openings import Openings
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation import Evaluation
from flipdrop.evaluation.genetic_operators import COPY_PROBABILITY, online_generation, ranking
from flipdrop.learning.genetic.evolution import PositionLearner, PositionSettings, fitness_summary
from flipdrop.learning.genetic.fitness import ResultMatrix
from flipdrop.learning.learner import State
from flipdrop.options import option
from flipdrop.search import Minimax

if TYPE_CHECKING:
    from flipdrop.evaluation.genetic_operators import Fitness, Population, Vector
    from flipdrop.games import Game, Position
    from flipdrop.learning.genetic.genomes import Genome

THRESHOLD_PENALTY = 2.0  # points


@dataclass(frozen=True, kw_only=True)
class OnlineSettings(PositionSettings):
    """Settings of online-ga."""

    rounds: int = option(10, "rounds per position", minimum=1)
    copy_probability: float = option(
        COPY_PROBABILITY,
        "probability of copying the best three vectors; otherwise three are random",
        minimum=0,
        maximum=1,
    )
    openings: str = option("start", "openings of the games that the best vector plays")


class OnlineGA(PositionLearner):
    """A step is a round.

    :param position: a fixed position; without it, the positions of games that the best vector plays
    """

    name = "online-ga"
    seed_stream = "ga-R2"
    Settings = OnlineSettings

    def __init__(
        self,
        game: Game,
        genome: Genome,
        *,
        seed: int,
        position: Position | None = None,
        threads: int = 1,
        **settings: Any,
    ) -> None:
        super().__init__(game, genome, seed=seed, threads=threads, **settings)
        if position is not None and (position.game != game or position.is_over):
            raise LearningError(f"{position!r}; a position of an unfinished game of {game.title} is needed")
        self.given = position
        self.games_begun = 0
        self.position = position or self._next_game()
        self.vectors = self.random_population(np.random.default_rng(derive_seed(seed, self.seed_stream, "start")))

    @property
    def settings(self) -> dict[str, Any]:
        return super().settings | {"position": None if self.given is None else self.given.board}

    @property
    def _stage(self) -> str:
        return f"round {self.steps}"

    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        fitness = self.fitness(self.vectors, self.best)
        order = ranking(fitness)
        best = self.vectors[order[0]]
        self.vectors = self.next_generation(fitness, random)
        if self.given is None and (self.steps + 1) % self.options.rounds == 0:
            self._move(best)
        return best, fitness_summary(fitness)

    def fitness(self, vectors: Population, threshold: Vector | None) -> Fitness:
        """Points of all comparisons, minus 2 for vectors that lose to the threshold."""
        self.fitness_games.cache.clear()
        if threshold is None:  # the first round
            return self.compare(vectors, len(vectors), self.position).fitness(self.options.fitness_measure)
        matrix = self.compare(np.vstack([vectors, threshold]), len(vectors), self.position)
        among = ResultMatrix(matrix.net[:, :-1], matrix.margin[:, :-1], matrix.games[:, :-1])
        return among.fitness(self.options.fitness_measure) - THRESHOLD_PENALTY * (matrix.net[:, -1] < 0)

    def next_generation(self, fitness: Fitness, random: np.random.Generator) -> Population:
        """The population of the next round."""
        return online_generation(
            self.vectors, ranking(fitness), self.genome.signs, self.options.copy_probability, random
        )

    def _move(self, best: Vector) -> None:
        """Continues with the position after the best vector's move, or with another game."""
        evaluation = Evaluation(self.genome.weights_of(best))
        found = Minimax(algorithm="alphabeta", depth=self.options.depth, evaluation=evaluation).search(self.position)
        self.position = self.position.play(found.best)
        if self.position.is_over:
            self.position = self._next_game()

    def _next_game(self) -> Position:
        openings = Openings(self.game, self.options.openings, derive_seed(self.seed, "online")).take(
            self.games_begun + 1
        )
        self.games_begun += 1
        return openings[-1].position

    def _state(self) -> State:
        return State({"position": self.position.board, "begun": self.games_begun}, {"vectors": self.vectors})

    def _restore(self, state: State) -> None:
        self.vectors = state.arrays["vectors"]
        self.games_begun = int(state.metadata["begun"])
        self.position = self.game.position(state.metadata["position"])
