"""CMA-ES on the fitness of tournament-ga."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from flipdrop import game
from flipdrop.errors import LearningError
from flipdrop.learning.genetic import EvolutionStrategy, genome
from flipdrop.learning.genetic.methods import make_evolution

if TYPE_CHECKING:
    from flipdrop.evaluation.genetic_operators import Fitness, Population

SMALL = game("othello6")
D = genome("D(15,6,-10,-4,0,8)", SMALL)


class Known(EvolutionStrategy):
    """Fitness that is known: the nearer to some vector, the better."""

    goal = np.array([9.0, 2, -5, -12, 0, 4])

    def fitness(self, vectors: Population) -> Fitness:
        return np.array([-sum((vector - self.goal) ** 2) for vector in vectors])


def test_finds_an_optimum() -> None:
    learner = Known(SMALL, D, population=12, seed=1, benchmark_every=0)
    for _ in range(45):
        learner.step()
    assert learner.best == pytest.approx(Known.goal, abs=0.2)
    assert learner.weights["discs"] == 0


def test_signs_are_bounds() -> None:
    class Beyond(Known):
        goal = np.array([9.0, -7, -5, -12, 3, 4])

    learner = Beyond(SMALL, D, population=12, seed=1, benchmark_every=0)
    for _ in range(45):
        learner.step()
    assert learner.best == pytest.approx([9, 0, -5, -12, 0, 4], abs=0.2)


def test_global_generator_is_unchanged() -> None:
    np.random.seed(1)
    expected = np.random.random()
    np.random.seed(1)
    learner = Known(SMALL, D, population=6, seed=1, benchmark_every=0)
    learner.step()
    assert np.random.random() == expected


def test_a_population_is_needed() -> None:
    with pytest.raises(LearningError, match="a population of 3; CMA-ES needs at least 4"):
        EvolutionStrategy(SMALL, D, population=3, seed=1)


def test_without_cma(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cma", None)
    learner = EvolutionStrategy(SMALL, D, seed=1)
    assert learner.settings["evaluation"] == repr(D.base)
    with pytest.raises(LearningError, match=r"pip install '\.\[tune\]'"):
        learner.step()
    with pytest.raises(LearningError, match=r"pip install '\.\[tune\]'"):
        make_evolution("cma", SMALL, seed=1, threads=1)
