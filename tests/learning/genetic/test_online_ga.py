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
    """Fitness as the report prints it: a point for the better of two, the later of equals; the threshold costs 2."""
    values = [evaluation("Seven", weights=vector).score(POSITION) for vector in vectors]
    points = [0.0] * len(vectors)
    for one in range(len(vectors)):
        for two in range(one + 1, len(vectors)):
            points[one if values[one] > values[two] else two] += 1
    if threshold is not None:
        limit = evaluation("Seven", weights=threshold).score(POSITION)
        points = [point - 2 if limit > value else point for point, value in zip(points, values, strict=True)]
    return points


def slow_round(vectors: list[list[float]], points: list[float], random: np.random.Generator) -> list[list[float]]:
    """The next ten as the report has it, on lists, with random numbers drawn in the same order."""
    best_first = sorted(range(10), key=lambda member: -points[member])
    if random.random() < 0.9:
        after = [list(vectors[member]) for member in best_first[:3]]
    else:
        after = random.random((3, 7)).tolist()
    for one in range(4):
        for two in range(one + 1, 4):
            first, second = vectors[best_first[one]], vectors[best_first[two]]
            if random.random() >= 0.5:
                first, second = second, first
            cut = random.integers(1, 8) - 1
            after.append([first[gene] if gene <= cut else second[gene] for gene in range(7)])
    mutant = list(vectors[best_first[0]])
    gene = random.integers(7)
    mutant[gene] = random.random()
    after.append(mutant)
    return [[gene / sum(vector) for gene in vector] for vector in after]


@pytest.mark.parametrize("seed", range(12))
def test_rounds(seed: int) -> None:
    learner = OnlineGA(OTHELLO, SEVEN, seed=seed, position=POSITION, benchmark_every=0)
    threshold: list[float] | None = None
    for _ in range(3):
        before = learner.vectors.tolist()
        points = slow_points(before, threshold)
        assert learner.fitness(learner.vectors, learner.best).tolist() == points
        random, again = np.random.default_rng(seed), np.random.default_rng(seed)
        assert learner.next_generation(np.array(points), random) == pytest.approx(
            np.array(slow_round(before, points, again))
        )
        values = learner.step()
        assert values["fitness best"] == max(points)
        assert learner.best is not None
        threshold = learner.best.tolist()
        assert threshold == before[points.index(max(points))]


@given(st.integers(0, 2**32))
def test_copy_probability(seed: int) -> None:
    fitness = np.array([3.0, 9, 1, 8, 0, 7, 2, 4, 6, 5])
    random = np.random.default_rng(seed)
    always = OnlineGA(OTHELLO, SEVEN, seed=1, position=POSITION, copy_probability=1.0)
    assert always.next_generation(fitness, random)[:3] == pytest.approx(always.vectors[[1, 3, 5]])
    never = OnlineGA(OTHELLO, SEVEN, seed=1, position=POSITION, copy_probability=0.0)
    new = never.next_generation(fitness, random)[:3]
    assert new.sum(axis=1) == pytest.approx(1)
    assert not any(np.allclose(vector, own) for vector in new for own in never.vectors)


def test_default_copy_probability() -> None:
    learner = OnlineGA(OTHELLO, SEVEN, seed=1, position=POSITION)
    fitness = np.arange(10.0)[::-1]
    copies = [
        np.allclose(learner.next_generation(fitness, np.random.default_rng(seed))[:3], learner.vectors[:3])
        for seed in range(500)
    ]
    assert 0.85 < np.mean(copies) < 0.95


def test_effect_of_the_threshold() -> None:
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


def test_positions_of_games() -> None:
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


def test_fixed_position() -> None:
    learner = OnlineGA(OTHELLO, SEVEN, seed=1, rounds=1, position=POSITION, benchmark_every=0)
    for _ in range(3):
        learner.step()
    assert learner.position == POSITION
    assert learner.games == 0


@pytest.mark.parametrize(
    ("options", "expected_error"),
    [
        ({"rounds": 0}, "rounds=0"),
        ({"copy_probability": 1.01}, "copy_probability=1.01"),
        ({"copy_probability": float("nan")}, "copy_probability=nan"),
        ({"fitness_measure": "luck"}, "fitness_measure='luck': expected one of value, points, wins, discs"),
        ({"position": game("othello6").start()}, "a position of an unfinished game of Othello 8x8 is needed"),
        ({"position": OTHELLO.position("X" * 64 + " X")}, "of an unfinished game"),
    ],
)
def test_invalid_settings(options: dict[str, Any], expected_error: str) -> None:
    with pytest.raises(FlipdropError, match=expected_error):
        OnlineGA(OTHELLO, SEVEN, seed=1, **options)


def test_invalid_openings() -> None:
    with pytest.raises(ArenaError, match="no_such_file"):
        OnlineGA(OTHELLO, SEVEN, seed=1, openings="no_such_file")
