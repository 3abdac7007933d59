"""CMA-ES on the fitness of tournament-ga, for comparing both at the same number of games.

The vectors of a generation play a double round robin, of which the strategy uses the ranks only. Its estimate of the
best vector is the mean of the search distribution, which averages over many noisy games.

Genes lie between 0 and the genome's scale, with their signs. Only their proportions matter to a search, so the bounds
exclude no player, and weights cannot grow beyond the value of a finished game.
"""

from __future__ import annotations

import importlib
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError, install_command
from flipdrop.learning.genetic.evolution import fitness_summary
from flipdrop.learning.genetic.tournament_ga import RoundRobinLearner, RoundRobinSettings
from flipdrop.learning.learner import State

if TYPE_CHECKING:
    from flipdrop.evaluation.genetic_operators import Population, Vector
    from flipdrop.games import Game
    from flipdrop.learning.genetic.genomes import Genome

MIDDLE, SPREAD = 0.5, 0.25  # initial mean and deviation as shares of the genome's scale: similar to random vectors
MIN_POPULATION = 4  # of CMA-ES


class EvolutionStrategy(RoundRobinLearner):
    """CMA-ES. The library's state is restored by replaying the fitness of all generations.

    The library is needed for the first step only: the settings are known without it.
    """

    name = seed_stream = "cma"
    Settings = RoundRobinSettings

    def __init__(self, game: Game, genome: Genome, *, seed: int, threads: int = 1, **settings: Any) -> None:
        super().__init__(game, genome, seed=seed, threads=threads, **settings)
        if self.options.population < MIN_POPULATION:
            raise LearningError(f"a population of {self.options.population}; CMA-ES needs at least {MIN_POPULATION}")
        self._free_genes = np.flatnonzero(genome.signs)
        self._fitness_history: list[Vector] = []
        self._random = np.random.default_rng(0)  # replaced in each step
        self._strategy_so_far: Any = None

    @classmethod
    def check_packages(cls) -> None:
        _import_cma()

    @property
    def _strategy(self) -> Any:
        if self._strategy_so_far is None:
            self._strategy_so_far = self._new_strategy()
        return self._strategy_so_far

    def _step(self, random: np.random.Generator) -> tuple[Vector, dict[str, float]]:
        points = self._ask(random)
        fitness = self.fitness(self._vectors(points))
        self.fitness_games.cache.clear()  # no vector occurs twice
        self._tell(points, fitness)
        best = self._vectors([self._strategy.result.xfavorite])[0]
        return best, fitness_summary(fitness)

    def _state(self) -> State:
        return State({}, {"told": np.array(self._fitness_history)})

    def _restore(self, state: State) -> None:
        self._fitness_history = []
        self._strategy_so_far = None
        for step, fitness in enumerate(state.arrays["told"]):
            self._tell(self._ask(np.random.default_rng(derive_seed(self.seed, self.seed_stream, step))), fitness)

    def _new_strategy(self) -> Any:
        cma = _import_cma()
        options = {
            "bounds": [0, 1],
            "popsize": self.options.population,
            "seed": float("nan"),  # otherwise cma seeds numpy's global generator
            "randn": lambda *shape: self._random.standard_normal(shape),
            "verbose": -9,
            "verb_log": 0,
        }
        with warnings.catch_warnings(action="ignore"):
            return cma.CMAEvolutionStrategy([MIDDLE] * len(self._free_genes), SPREAD, options)

    def _ask(self, random: np.random.Generator) -> Any:
        self._random = random
        return self._strategy.ask()

    def _tell(self, points: Any, fitness: Vector) -> None:
        self._fitness_history.append(fitness)
        with warnings.catch_warnings(action="ignore"):  # about flat fitness
            self._strategy.tell(points, (-fitness).tolist())

    def _vectors(self, points: Any) -> Population:
        vectors = np.zeros((len(points), len(self.genome)))
        vectors[:, self._free_genes] = np.asarray(points) * self.genome.scale
        return vectors * self.genome.signs + 0.0


def _import_cma() -> Any:
    try:
        with warnings.catch_warnings(action="ignore"):  # about missing plotting libraries
            return importlib.import_module("cma")
    except ImportError:
        raise LearningError(f"--method cma needs cma, which is not installed: {install_command('tune')}") from None
