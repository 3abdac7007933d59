"""online-ga, compared with a slow second implementation of the report's description."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.errors import ArenaError, FlipdropError
from flipdrop.evaluation import evaluation
from flipdrop.learning.genetic import OnlineGA, genome

OTHELLO = game("othello")
SEVEN = genome("Seven", OTHELLO)
POSITION = OTHELLO.position("f5d6c3d3c4f4f6f3")


def slow_points(vectors: list[list[float]], threshold: list[float] | None) -> list[float]:
    """Fitness as the report has it, by comparing everybody with everybody."""
    everybody = vectors if threshold is None else [*vectors, threshold]
    value = {tuple(vector): evaluation("Seven", weights=vector).score(POSITION) for vector in everybody}
    points: list[float] = []
    for me, vector in enumerate(vectors):
        mine = value[tuple(vector)]
        earned = 0
        for other, rival in enumerate(vectors):
            if other != me:
                theirs = value[tuple(rival)]
                earned += 2 if mine > theirs else 1 if mine == theirs else 0
        if threshold is not None and mine < value[tuple(threshold)]:
            earned -= 2
        points.append(earned)
    return points


def slow_round(vectors: list[list[float]], points: list[float], random: np.random.Generator) -> list[list[float]]:
    """The next ten, as the report has it. Chance is asked in the same order."""
    best_first = sorted(range(10), key=lambda member: -points[member])
    copied = best_first[:3] if random.random() < 0.9 else list(random.choice(10, 3, replace=False))
    after = [list(vectors[member]) for member in copied]
    for one in range(4):
        for two in range(one + 1, 4):
            first, second = vectors[best_first[one]], vectors[best_first[two]]
            if random.random() >= 0.5:
                first, second = second, first
            cut = random.integers(1, 7)
            after.append([*first[:cut], *second[cut:]])
    mutant = list(vectors[best_first[0]])
    gene = random.integers(7)
    fresh = random.uniform(0, SEVEN.scale, (1, 7))[0]
    mutant[gene] = fresh[gene] / sum(fresh)
    after.append(mutant)
    return [[gene / sum(vector) for gene in vector] for vector in after]


@pytest.mark.parametrize("seed", range(12))
def test_rounds_are_as_the_report_has_them(seed: int) -> None:
    learner = OnlineGA(OTHELLO, SEVEN, seed=seed, position=POSITION, benchmark_every=0)
    threshold: list[float] | None = None
    for _ in range(3):
        before = learner.vectors.tolist()
        points = slow_points(before, threshold)
        assert learner.fitness(learner.vectors, learner.best).tolist() == points
        random, again = np.random.default_rng(seed), np.random.default_rng(seed)
        assert learner.bred(np.array(points), random) == pytest.approx(np.array(slow_round(before, points, again)))
        values = learner.step()
        assert values["fitness best"] == max(points)
        assert learner.best is not None
        threshold = learner.best.tolist()
        assert threshold == before[points.index(max(points))]


@given(st.integers(0, 2**32))
def test_the_best_are_copied_with_the_probability_given(seed: int) -> None:
    fitness = np.array([3.0, 9, 1, 8, 0, 7, 2, 4, 6, 5])
    random = np.random.default_rng(seed)
    always = OnlineGA(OTHELLO, SEVEN, seed=1, position=POSITION, copy_probability=1.0)
    assert always.bred(fitness, random)[:3] == pytest.approx(always.vectors[[1, 3, 5]])
    never = OnlineGA(OTHELLO, SEVEN, seed=1, position=POSITION, copy_probability=0.0)
    copied = never.bred(fitness, random)[:3]
    members = [next(m for m in range(10) if np.allclose(never.vectors[m], vector)) for vector in copied]
    assert len(set(members)) == 3


def test_nine_times_in_ten_is_the_default() -> None:
    learner = OnlineGA(OTHELLO, SEVEN, seed=1, position=POSITION)
    fitness = np.arange(10.0)[::-1]
    copies = [
        np.allclose(learner.bred(fitness, np.random.default_rng(seed))[:3], learner.vectors[:3]) for seed in range(500)
    ]
    assert 0.85 < np.mean(copies) < 0.95


def test_by_value_the_threshold_changes_no_rank_and_by_games_it_may() -> None:
    def orders(fitness_measure: Any) -> set[bool]:
        same = set()
        for seed in range(8):
            learner = OnlineGA(
                OTHELLO,
                SEVEN,
                seed=seed,
                position=POSITION,
                fitness_measure=fitness_measure,
                depth=1,
                benchmark_every=0,
            )
            learner.step()
            with_it = learner.fitness(learner.vectors, learner.best)
            without = learner.fitness(learner.vectors, None)
            costs = without - with_it
            assert set(costs) <= {0.0, 2.0}
            # Where one was ahead of another without the threshold, it is not behind with it.
            ahead = without[:, None] > without[None, :]
            same.add(bool((with_it[:, None] >= with_it[None, :])[ahead].all()))
        return same

    assert orders("value") == {True}
    assert False in orders("points")


def test_positions_at_hand_are_those_of_games_that_the_best_plays() -> None:
    small = game("othello4")
    learner = OnlineGA(small, genome("D", small), seed=1, rounds=3, depth=1, benchmark_every=0)
    met = [learner.position]
    while learner.games_begun < 3:
        learner.step()
        if learner.position != met[-1]:
            met.append(learner.position)
            assert learner.steps % 3 == 0
    starts = [number for number, position in enumerate(met) if position == small.start()]
    assert len(starts) == 3
    for number in set(range(1, len(met))) - set(starts):
        assert met[number] in [met[number - 1].play(move) for move in met[number - 1].legal_moves]
    assert not any(position.is_over for position in met)


def test_a_given_position_stays_at_hand() -> None:
    learner = OnlineGA(OTHELLO, SEVEN, seed=1, rounds=1, position=POSITION, benchmark_every=0)
    for _ in range(3):
        learner.step()
    assert learner.position == POSITION
    assert learner.games == 0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"rounds": 0}, "rounds=0"),
        ({"copy_probability": 1.01}, "copy_probability=1.01"),
        ({"copy_probability": float("nan")}, "copy_probability=nan"),
        ({"fitness_measure": "luck"}, "fitness_measure='luck': expected one of value, points, wins, discs"),
        ({"position": game("othello6").start()}, "a position of an unfinished game of Othello 8x8 is needed"),
        ({"position": OTHELLO.position("X" * 64 + " X")}, "of an unfinished game"),
    ],
)
def test_settings_that_cannot_be_are_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(FlipdropError, match=complaint):
        OnlineGA(OTHELLO, SEVEN, seed=1, **options)


def test_openings_that_cannot_be_read_are_refused_at_once() -> None:
    with pytest.raises(ArenaError, match="no_such_file"):
        OnlineGA(OTHELLO, SEVEN, seed=1, openings="no_such_file")
