"""tournament-ga: its generation, its two ways to stop, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.errors import ArenaError, FlipdropError
from flipdrop.learning.genetic import TournamentGA, genome
from flipdrop.learning.genetic.operators import elite
from flipdrop.learning.genetic.tournament_ga import bred
from tests.learning.genetic.test_fitness import obvious

SMALL = game("othello6")
D = genome("D", SMALL)
REPORTED = ("D.initial-1", "D.initial-2", "D.initial-3", "D.initial-4", "D.initial-5")


@given(st.integers(0, 2**32), st.integers(2, 40), st.sampled_from([0.0, 0.3, 1.0]))
def test_a_generation(seed: int, population: int, mutation: float) -> None:
    """The elite is copied; each other gene comes from a parent with a share of the wheel, times a factor at most."""
    random = np.random.default_rng(seed)
    vectors = random.uniform(1, 100, (population, 6)) * D.signs
    fitness = random.integers(0, 5, population).astype(float)
    survivors = elite(fitness, 0.1)
    after = bred(vectors, fitness, survivors, mutation, random)
    assert after.shape == vectors.shape
    assert (after[: len(survivors)] == vectors[survivors]).all()
    parents = vectors[fitness > 0] if fitness.any() else vectors
    for child in after[len(survivors) :]:
        ratios = child / parents
        fits = np.isclose(ratios, 1) if mutation == 0 else (ratios > 0.7 - 1e-9) & (ratios < 1.3 + 1e-9)
        # One cut: some parent gives the genes before it, and some parent those after it.
        assert any(fits[:, :cut].all(axis=1).any() and fits[:, cut:].all(axis=1).any() for cut in range(1, 6))


def test_a_step_plays_everybody_against_everybody() -> None:
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
def test_known_games_are_counted_apart() -> None:
    learner = TournamentGA(SMALL, D, population=20, depth=1, seed=1, benchmark_every=0)
    for _ in range(5):
        learner.step()
    assert learner.games + learner.reused == 5 * 20 * 19
    assert learner.reused >= 4 * 2  # two survive every generation, and have met before
    elsewhere = TournamentGA(SMALL, D, population=20, depth=1, openings="random:5", seed=1, benchmark_every=0)
    for _ in range(5):
        elsewhere.step()
    assert elsewhere.games + elsewhere.reused == 5 * 20 * 19


def test_openings_are_shared_out_among_the_pairs_and_change_with_the_generation() -> None:
    learner = TournamentGA(SMALL, D, population=4, depth=1, openings="random:4", openings_per_generation=3, seed=1)
    first, second = learner._starts(0), learner._starts(1)
    assert len(set(first)) == 3
    assert set(first) != set(second)
    learner.fitness(learner.vectors)
    assert [start for _, _, start in list(learner.fitness_games.cache)[::2]] == first * 2


def test_it_starts_with_the_vectors_that_are_given_and_random_ones_beside_them() -> None:
    given_ = D.vectors_of(REPORTED)
    learner = TournamentGA(SMALL, D, population=8, seed=1, start=given_)
    assert learner.vectors[:5].tolist() == [vector.tolist() for vector in given_]
    assert (np.sign(learner.vectors) == D.signs).all()
    assert learner.settings["start"][0] == [5, 5, -10, -4, 4, 4]


def test_it_stops_when_best_and_worst_are_within_the_threshold() -> None:
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


def test_identical_vectors_have_nothing_to_tell_apart() -> None:
    learner = TournamentGA(
        SMALL, D, population=3, depth=1, seed=1, start=D.vectors_of(["D"] * 3), threshold=0, benchmark_every=0
    )
    learner.step()
    assert learner.finished
    assert (learner.games, learner.reused) == (1, 5)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"population": 1}, "population=1: expected a whole number of at least 2 and at most 10000"),
        ({"population": -3}, "population=-3"),
        ({"fitness_measure": "glory"}, "fitness_measure='glory': expected one of points, wins, discs"),
        ({"openings_per_generation": 0}, "openings_per_generation=0"),
        ({"depth": 0}, "depth"),
    ],
)
def test_contests_that_cannot_be_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(FlipdropError, match=complaint):
        TournamentGA(SMALL, D, **options, seed=1)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"mutation": 1.5}, "mutation=1.5"),
        ({"mutation": float("nan")}, "mutation=nan"),
        ({"survive": 0.0}, "survive=0"),
        ({"threshold": -1.0}, "threshold=-1"),
        ({"threshold": float("nan")}, "threshold=nan"),
        ({"start": D.vectors_of(REPORTED)}, "5 vectors to start with for a population of 4"),
    ],
)
def test_settings_that_cannot_be_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(FlipdropError, match=complaint):
        TournamentGA(SMALL, D, population=4, seed=1, **options)


def test_openings_that_cannot_be_read_are_refused_at_once() -> None:
    with pytest.raises(ArenaError, match="random:x"):
        TournamentGA(SMALL, D, openings="random:x", seed=1)
