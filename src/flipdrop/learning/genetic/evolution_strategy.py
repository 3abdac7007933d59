"""CMA-ES on the fitness of report R1, so that both can be compared by what they reach in the same number of games.

The strategy moves and shapes a cloud of points. The points of a generation play a double round robin, as R1's
population does; only their ranks matter to it. What it takes for the best is the middle of the cloud, which averages
over many noisy games.

Genes are searched between 0 and the genome's scale, with their signs. Only their proportions matter to a search, so
nothing is out of reach, and the cloud cannot drift to weights that outbid the end of the game.
"""

from __future__ import annotations

import importlib
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError, install_command
from flipdrop.learning.genetic.evolution import EVERY, figures
from flipdrop.learning.genetic.tournament_ga import RoundRobin, RoundRobinLearner
from flipdrop.learning.learner import State

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.learning.genetic.genomes import Genome
    from flipdrop.learning.genetic.operators import Population, Vector

MIDDLE, SPREAD = 0.5, 0.25  # of the first cloud, as shares of the genome's scale: much as random vectors lie
LEAST_POPULATION = 4  # what the method needs to learn from


class EvolutionStrategy(RoundRobinLearner):
    """CMA-ES. The library's state is its history: told the same fitness again, it is where it was."""

    name = seed_stream = "cma"

    def __init__(
        self,
        game: Game,
        genome: Genome,
        round_robin: RoundRobin | None = None,
        *,
        seed: int,
        every: int = EVERY,
        threads: int = 1,
    ) -> None:
        round_robin = round_robin or RoundRobin()
        super().__init__(game, genome, round_robin, seed=seed, every=every, threads=threads)
        if round_robin.population < LEAST_POPULATION:
            raise LearningError(f"a population of {round_robin.population}; CMA-ES needs {LEAST_POPULATION} at least")
        self._moving = np.flatnonzero(genome.signs)
        self._told: list[Vector] = []
        self._random = np.random.default_rng(0)  # steps bring their own
        self._strategy = self._fresh()

    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        points = self._ask(random)
        fitness = self.fitness(self._vectors(points))
        self.play.known.clear()  # no point comes twice
        self._tell(points, fitness)
        favourite = self._vectors([self._strategy.result.xfavorite])[0]
        return favourite, figures(fitness)

    def _state(self) -> State:
        return State({}, {"told": np.array(self._told)})

    def _restore(self, state: State) -> None:
        self._told = []
        self._strategy = self._fresh()
        for step, fitness in enumerate(state.arrays["told"]):
            self._tell(self._ask(np.random.default_rng(derive_seed(self.seed, self.seed_stream, step))), fitness)

    def _fresh(self) -> Any:
        try:
            with warnings.catch_warnings(action="ignore"):  # it complains about missing plotting libraries
                cma: Any = importlib.import_module("cma")
        except ImportError:
            raise LearningError(f"--method cma needs cma, which is not installed: {install_command('tune')}") from None
        options = {
            "bounds": [0, 1],
            "popsize": self.round_robin.population,
            "seed": float("nan"),  # it would seed numpy's global generator, which is not ours alone
            "randn": lambda *shape: self._random.standard_normal(shape),
            "verbose": -9,
            "verb_log": 0,
        }
        with warnings.catch_warnings(action="ignore"):
            return cma.CMAEvolutionStrategy([MIDDLE] * len(self._moving), SPREAD, options)

    def _ask(self, random: np.random.Generator) -> Any:
        self._random = random
        return self._strategy.ask()

    def _tell(self, points: Any, fitness: Vector) -> None:
        self._told.append(fitness)
        with warnings.catch_warnings(action="ignore"):  # flat fitness is no news to us
            self._strategy.tell(points, (-fitness).tolist())

    def _vectors(self, points: Any) -> Population:
        vectors = np.zeros((len(points), len(self.genome)))
        vectors[:, self._moving] = np.asarray(points) * self.genome.scale
        return vectors * self.genome.signs + 0.0
