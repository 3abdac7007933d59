"""tournament-ga: its generation, both stopping rules, errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.errors import ArenaError, FlipdropError
from flipdrop.evaluation.genetic_operators import elite
from flipdrop.learning.genetic import TournamentGA, genome
from flipdrop.learning.genetic.tournament_ga import next_generation
from flipdrop.learning.learner import OutOfTime
from tests.learning.genetic.test_fitness import obvious

SMALL = game("othello6")
D = genome("D", SMALL)
REPORTED = ("D.initial-1", "D.initial-2", "D.initial-3", "D.initial-4", "D.initial-5")


def slow_generation(
    vectors: list[list[float]], fitness: list[float], count: int, mutation: float, random: np.random.Generator
) -> list[list[float]]:
    """The next generation as the report prints it, on lists, with random numbers drawn in the same order.

    :param count: survivors; the report's text has a tenth, its program one
    """
    vectors, fitness = list(vectors), list(fitness)
    after = []
    for _ in range(count):
        best = fitness.index(max(fitness))
        after.append(vectors.pop(best))
        fitness.pop(best)
    size = len(vectors) + len(after)
    total = sum(fitness)
    rate = [one / total for one in fitness]
    while len(after) < size:
        one, two = random.choice(len(vectors), 2, replace=False, p=rate)
        cut = random.integers(0, 6)
        for child in (vectors[one][:cut] + vectors[two][cut:], vectors[two][:cut] + vectors[one][cut:]):
            factors, chances = random.uniform(0.7, 1.3, 6), random.random(6)
            mutant = [gene * f if c < mutation else gene for gene, f, c in zip(child, factors, chances, strict=True)]
            if len(after) < size:
                after.append(mutant)
    return after


@given(st.integers(0, 2**32), st.integers(4, 40), st.sampled_from([0.0, 0.2, 1.0]))
def test_generation(seed: int, population: int, mutation: float) -> None:
    random = np.random.default_rng(seed)
    vectors = random.uniform(1, 100, (population, 6)) * D.signs
    fitness = random.integers(1, 2 * population, population).astype(float)
    survivors = elite(fitness, 0.1)
    expected = slow_generation(
        vectors.tolist(), fitness.tolist(), len(survivors), mutation, np.random.default_rng(seed + 1)
    )
    after = next_generation(vectors, fitness, survivors, mutation, np.random.default_rng(seed + 1))
    assert after == pytest.approx(np.array(expected))


def test_elite_does_not_breed() -> None:
    """Each child has genes of the four others only, and both children of a pair are there."""
    vectors = np.arange(1.0, 6.0)[:, None] * D.signs
    fitness = np.array([2.0, 4.0, 8.0, 3.0, 3.0])
    cuts = set()
    for seed in range(300):
        after = np.abs(next_generation(vectors, fitness, elite(fitness, 0.1), 0.0, np.random.default_rng(seed)))
        assert after[0].tolist() == [3] * 6
        for one, two in (after[1:3], after[3:5]):
            parents = {one[-1], two[-1]}
            assert len(parents) == 2
            assert 3 not in parents
            assert all({a, b} == parents for a, b in zip(one, two, strict=True))
            cuts.add(int((one != one[-1]).sum()))
    assert cuts == {0, 1, 2, 3, 4, 5}


def test_elite_breeds() -> None:
    vectors = np.arange(1.0, 6.0)[:, None] * D.signs
    fitness = np.array([2.0, 4.0, 8.0, 3.0, 3.0])
    survivors = elite(fitness, 0.1)
    children = [
        np.abs(next_generation(vectors, fitness, survivors, 0.0, np.random.default_rng(seed), elite_breeds=True))[1:]
        for seed in range(100)
    ]
    assert (np.array(children) == 3).any()


@pytest.mark.parametrize("population", [2, 3])
def test_small_populations(population: int) -> None:
    vectors = np.arange(1.0, population + 1)[:, None] * D.signs
    fitness = np.arange(population, dtype=float)
    after = next_generation(vectors, fitness, elite(fitness, 0.1), 0.2, np.random.default_rng(1))
    assert after.shape == vectors.shape


def test_step_is_a_round_robin() -> None:
    learner = TournamentGA(SMALL, D, population=5, depth=1, seed=1, benchmark_every=0)
    before = learner.vectors
    points, _, _ = obvious(D, before, SMALL.start(), 1)
    values = learner.step()
    assert values["fitness best"] == points.max()
    assert values["fitness worst"] == points.min()
    assert values["fitness mean"] == 2 * 4  # of every two games, two players share four points
    assert learner.best is not None
    assert (learner.best == before[points.argmax()]).all()
    assert (learner.vectors[0] == learner.best).all()
    assert learner.games == 5 * 4


@pytest.mark.slow
def test_reused_games() -> None:
    learner = TournamentGA(SMALL, D, population=20, depth=1, seed=1, benchmark_every=0)
    for _ in range(5):
        learner.step()
    assert learner.games + learner.reused == 5 * 20 * 19
    assert learner.reused >= 4 * 2  # two survive every generation, and have met before
    elsewhere = TournamentGA(SMALL, D, population=20, depth=1, openings="random:5", seed=1, benchmark_every=0)
    for _ in range(5):
        elsewhere.step()
    assert elsewhere.games + elsewhere.reused == 5 * 20 * 19


def test_openings() -> None:
    learner = TournamentGA(SMALL, D, population=4, depth=1, openings="random:4", openings_per_generation=3, seed=1)
    first, second = learner._starts(0), learner._starts(1)
    assert len(set(first)) == 3
    assert set(first) != set(second)
    learner.fitness(learner.vectors)
    assert [start for _, _, start in list(learner.fitness_games.cache)[::2]] == first * 2


def test_start_vectors() -> None:
    given_ = D.vectors_of(REPORTED)
    learner = TournamentGA(SMALL, D, population=8, seed=1, start=given_)
    assert learner.vectors[:5].tolist() == [vector.tolist() for vector in given_]
    assert (np.sign(learner.vectors) == D.signs).all()
    assert learner.settings["start"][0] == [5, 5, -10, -4, 4, 4]


def test_threshold() -> None:
    def steps(threshold: float | None) -> tuple[int, list[float]]:
        learner = TournamentGA(SMALL, D, population=4, depth=1, seed=1, threshold=threshold, benchmark_every=0)
        spreads: list[float] = []
        while not learner.finished and learner.steps < 30:
            values = learner.step()
            spreads.append(values["fitness best"] - values["fitness worst"])
        return learner.steps, spreads

    count, spreads = steps(4)
    assert count < 30
    assert spreads[-1] <= 4 < min(spreads[:-1])
    assert steps(None)[0] == 30
    assert steps(1000)[0] == 1


def test_step_cut_short() -> None:
    learner = TournamentGA(SMALL, D, population=12, depth=1, seed=1, benchmark_every=0)
    learner.deadline = 0.0
    learner.step()  # the first step is finished
    before = learner.vectors.copy()
    with pytest.raises(OutOfTime):
        learner.step()
    assert (learner.vectors == before).all()
    assert (learner.steps, learner.games) == (1, 12 * 11)


def test_identical_vectors() -> None:
    learner = TournamentGA(
        SMALL, D, population=3, depth=1, seed=1, start=D.vectors_of(["D"] * 3), threshold=0, benchmark_every=0
    )
    learner.step()
    assert learner.finished
    assert (learner.games, learner.reused) == (1, 5)


@pytest.mark.parametrize(
    ("options", "expected_error"),
    [
        ({"population": 1}, "population=1: expected a whole number of at least 2 and at most 10000"),
        ({"population": -3}, "population=-3"),
        ({"fitness_measure": "glory"}, "fitness_measure='glory': expected one of points, wins, discs"),
        ({"openings_per_generation": 0}, "openings_per_generation=0"),
        ({"depth": 0}, "depth"),
    ],
)
def test_invalid_round_robin(options: dict[str, Any], expected_error: str) -> None:
    with pytest.raises(FlipdropError, match=expected_error):
        TournamentGA(SMALL, D, **options, seed=1)


@pytest.mark.parametrize(
    ("options", "expected_error"),
    [
        ({"mutation": 1.5}, "mutation=1.5"),
        ({"mutation": float("nan")}, "mutation=nan"),
        ({"survive": 0.0}, "survive=0"),
        ({"threshold": -1.0}, "threshold=-1"),
        ({"threshold": float("nan")}, "threshold=nan"),
        ({"start": D.vectors_of(REPORTED)}, "5 vectors to start with for a population of 4"),
    ],
)
def test_invalid_settings(options: dict[str, Any], expected_error: str) -> None:
    with pytest.raises(FlipdropError, match=expected_error):
        TournamentGA(SMALL, D, population=4, seed=1, **options)


def test_invalid_openings() -> None:
    with pytest.raises(ArenaError, match="random:x"):
        TournamentGA(SMALL, D, openings="random:x", seed=1)
