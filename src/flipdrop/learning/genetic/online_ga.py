"""The genetic algorithm of report R2: online, on the position at hand.

Ten normalised vectors. A round: everybody is compared with everybody on the position; the best of the last round is the
threshold, and whoever is weaker than it loses 2 points. The next ten are the best three, with probability 0.9, else
three of them at random; a child of each of the six pairs of the best four; and the best one with one gene changed. All
are normalised.

After a number of rounds the best vector makes the move, and the next position is at hand; the population goes on. One
may also give a position, which then stays.

By value, comparing is ranking: neither points nor threshold can change the order of the vectors. By games from the
position, which the report does not know, they can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.openings import Openings
from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation import Evaluation
from flipdrop.learning.genetic.evolution import DEPTH, EVERY, figures
from flipdrop.learning.genetic.fitness import ResultMatrix
from flipdrop.learning.genetic.operators import COPIED, crosses_of_best, normalised, one_new_gene, ranking
from flipdrop.learning.genetic.position_fitness import PositionFitness, PositionLearner
from flipdrop.learning.learner import State
from flipdrop.search import Minimax

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.learning.genetic.operators import Fitness, Population, Vector

ROUNDS = 10
COPYING = 0.9
COST = 2.0  # points


class OnlineGA(PositionLearner):
    """The genetic algorithm of R2. A step is a round.

    :param rounds: on each position at hand
    :param position: a position that stays at hand; without it, those of games that the best vector plays
    :param openings: where these games begin
    """

    name = "online-ga"
    seed_stream = "ga-R2"

    def __init__(
        self,
        game: Game,
        genome: Genome,
        *,
        seed: int,
        rounds: int = ROUNDS,
        position: Position | None = None,
        openings: str = "start",
        copying: float = COPYING,
        fitness_measure: PositionFitness = "value",
        depth: int = DEPTH,
        every: int = EVERY,
        threads: int = 1,
    ) -> None:
        super().__init__(
            game, genome, seed=seed, fitness_measure=fitness_measure, depth=depth, every=every, threads=threads
        )
        if rounds < 1:
            raise LearningError(f"{rounds} rounds on a position; there has to be one at least")
        if not 0 <= copying <= 1:
            raise LearningError(f"a probability of copying of {copying}; it has to be from 0 to 1")
        if position is not None and (position.game != game or position.is_over):
            raise LearningError(f"{position!r}; a position of {game.title} in which the game goes on is needed")
        self.rounds = rounds
        self.copying = copying
        self.openings = openings
        self.given = position
        self.games_begun = 0
        self.position = position or self._next_game()
        self.vectors = self.random_population(np.random.default_rng(derive_seed(seed, self.seed_stream, "start")))

    def _settings(self) -> dict[str, Any]:
        return super()._settings() | {
            "rounds": self.rounds,
            "copying": self.copying,
            "openings": self.openings,
            "position": None if self.given is None else self.given.board,
        }

    @property
    def _stage(self) -> str:
        return f"round {self.steps}"

    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        fitness = self.fitness(self.vectors, self.best)
        order = ranking(fitness)
        best = self.vectors[order[0]]
        self.vectors = self.bred(fitness, random)
        if self.given is None and (self.steps + 1) % self.rounds == 0:
            self._move(best)
        return best, figures(fitness)

    def fitness(self, vectors: Population, threshold: Vector | None) -> Fitness:
        """Points from comparing everybody with everybody, less 2 for those who are weaker than the threshold."""
        self.play.known.clear()
        if threshold is None:  # the first round
            return self.meetings(vectors, len(vectors), self.position).fitness(self.points_measure)
        everybody = self.meetings(np.vstack([vectors, threshold]), len(vectors), self.position)
        among = ResultMatrix(everybody.net[:, :-1], everybody.margin[:, :-1], everybody.games[:, :-1])
        return among.fitness(self.points_measure) - COST * (everybody.net[:, -1] < 0)

    def bred(self, fitness: Fitness, random: np.random.Generator) -> Population:
        """The ten of the next round."""
        order = ranking(fitness)
        copied = order[:COPIED]
        if random.random() >= self.copying:
            copied = random.choice(len(self.vectors), COPIED, replace=False)
        children = crosses_of_best(self.vectors, order, random)
        mutant = one_new_gene(self.vectors[order[0]], self.genome, random)
        return normalised(np.vstack([self.vectors[copied], *children, mutant]))

    def _move(self, best: Vector) -> None:
        """The best one plays: what comes after its move is at hand, or the beginning of another game."""
        evaluation = Evaluation(self.genome.weights_of(best))
        found = Minimax(algorithm="alphabeta", depth=self.depth, evaluation=evaluation).search(self.position)
        self.position = self.position.play(found.best)
        if self.position.is_over:
            self.position = self._next_game()

    def _next_game(self) -> Position:
        openings = Openings(self.game, self.openings, derive_seed(self.seed, "online")).take(self.games_begun + 1)
        self.games_begun += 1
        return openings[-1].position

    def _state(self) -> State:
        return State({"position": self.position.board, "begun": self.games_begun}, {"vectors": self.vectors})

    def _restore(self, state: State) -> None:
        self.vectors = state.arrays["vectors"]
        self.games_begun = int(state.metadata["begun"])
        self.position = self.game.position(state.metadata["position"])
