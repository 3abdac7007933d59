"""What the learners of this folder have in common: a population of weight vectors, and one of them that is the best."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.evaluation import Evaluation, write_weights
from flipdrop.learning.benchmarking import scores_against
from flipdrop.learning.genetic.fitness import Games
from flipdrop.learning.learner import Learner, State
from flipdrop.players.evaluation_option import write_evaluation
from flipdrop.players.search_player import SearchPlayer
from flipdrop.search import Minimax

if TYPE_CHECKING:
    import os

    from flipdrop.evaluation import Weights
    from flipdrop.games import Game
    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.learning.genetic.operators import Fitness, Vector

DEPTH = 2  # plies that fitness games look ahead, unless told otherwise
EVERY = 10  # steps between two measurements of the best
PAIRS = 100  # pairs of games in such a measurement


class Evolution(Learner):
    """A learner of weights.

    :param depth: how far the players of its games look ahead
    :param every: the best is measured against the evaluation that it began with each so many steps; 0 for never
    :param threads: on which games are played; they change nothing but the time
    """

    seed_stream: str
    """Labels the random numbers of a method; as in version 0.1, so that the same seed gives the same run."""

    def __init__(self, game: Game, genome: Genome, *, seed: int, depth: int, every: int, threads: int) -> None:
        if every < 0:
            raise LearningError(f"a measurement every {every} steps; it has to be 0, for none, or more")
        if threads < 1:
            raise LearningError(f"{threads} threads; one is needed at least")
        self.game = game
        self.genome = genome
        self.seed = seed
        self.depth = depth
        self.every = every
        self.threads = threads
        self.steps = 0
        self.play = Games(genome, depth, threads)  # which refuses a depth that cannot be searched
        self.best: Vector | None = None
        """The best of the last step, or what the method takes for the best."""

    @property
    def games(self) -> int:
        """How many games were played. Those that were known from before are not among them."""
        return self.play.played

    @games.setter
    def games(self, games: int) -> None:
        self.play.played = games

    @property
    def reused(self) -> int:
        """How many games were not played because they had been played before."""
        return self.play.reused

    @property
    def settings(self) -> dict[str, Any]:
        """Everything that decides what is learned."""
        return {
            "evaluation": repr(self.genome.base),
            "genes": self.genome.genes,
            "depth": self.depth,
            "every": self.every,
        } | self._settings()

    @abstractmethod
    def _settings(self) -> dict[str, Any]:
        """The settings of this kind of learner."""

    def step(self) -> dict[str, float]:
        """A step of the method; now and then the best plays against the weights that the evaluation had before."""
        random = np.random.default_rng(derive_seed(self.seed, self.seed_stream, self.steps))
        self.best, values = self._step(random)
        self.steps += 1
        if self.every and (self.steps % self.every == 0 or self.steps == 1):
            values |= self._measured()
        return values

    @abstractmethod
    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        """A step: the best vector, and values for the curve."""

    @property
    def weights(self) -> Weights:
        """The best weights so far."""
        if self.best is None:
            raise LearningError("nothing has been learned yet; take a step first")
        return self.genome.weights_of(self.best)

    @property
    def genes(self) -> dict[str, float]:
        """The best weights so far, or squares, by their names."""
        return dict(zip(self.genome.names, map(float, self.genome.vector_of(self.weights)), strict=True))

    @property
    def status(self) -> str:
        """How far it is, and the best weights."""
        if self.best is None:
            return ""
        return f"{self._stage}: {' '.join(f'{gene:.3g}' for gene in self.best)}"

    @property
    def _stage(self) -> str:
        return f"generation {self.steps}"

    def _measured(self) -> dict[str, float]:
        search = Minimax(algorithm="alphabeta", depth=self.depth, evaluation=Evaluation(self.weights))
        base = write_evaluation(Evaluation(self.genome.base))
        if base.startswith("evaluation("):  # its table has no name, so a spec cannot say it
            base = self.genome.base.evaluation
        opponent = f"alphabeta:depth={self.depth},evaluation={base}"
        # The same openings every time: what changes is the player.
        seed = derive_seed(self.seed, "measured")
        return scores_against(SearchPlayer(search), [opponent], self.game, pairs=PAIRS, seed=seed, threads=self.threads)

    def state(self) -> State:
        """What `restore` needs."""
        own = self._state()
        best = {} if self.best is None else {"best": self.best}
        return State({"steps": self.steps, "reused": self.reused} | own.metadata, best | own.arrays)

    def restore(self, state: State) -> None:
        """Goes on from a state."""
        self.steps = int(state.metadata["steps"])
        self.play.reused = int(state.metadata["reused"])
        self.best = state.arrays.get("best")
        self._restore(state)

    @abstractmethod
    def _state(self) -> State:
        """What `_restore` needs."""

    @abstractmethod
    def _restore(self, state: State) -> None:
        """The part of `restore` of this kind of learner."""

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes the best weights."""
        write_weights(path, self.weights)


def figures(fitness: Fitness) -> dict[str, float]:
    """The values of a population for the curve."""
    return {
        "fitness best": float(fitness.max()),
        "fitness mean": float(fitness.mean()),
        "fitness worst": float(fitness.min()),
    }
