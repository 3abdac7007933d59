"""position-ga, compared with a slow second implementation of the report's description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop import game
from flipdrop.errors import FlipdropError
from flipdrop.evaluation import evaluation
from flipdrop.evaluation.genetic_operators import ranking
from flipdrop.learning.genetic import PositionGA, genome

if TYPE_CHECKING:
    from flipdrop.games import Position

OTHELLO = game("othello")
SEVEN = genome("Seven", OTHELLO)


def ranked(vectors: list[list[float]], position: Position) -> list[int]:
    """Best first, by a round robin as the report prints it: a point for the better of two, the later of equals."""
    values = [evaluation("Seven", weights=vector).score(position) for vector in vectors]
    points = [0] * len(vectors)
    for one in range(len(vectors)):
        for two in range(one + 1, len(vectors)):
            points[one if values[one] > values[two] else two] += 1
    return sorted(range(len(vectors)), key=lambda member: -points[member])


def random_vector(random: np.random.Generator, count: int) -> list[list[float]]:
    drawn = random.random((count, 7))
    return [[gene / sum(vector) for gene in vector] for vector in drawn.tolist()]


def slow_winner(position: Position, generations: int, random: np.random.Generator, keep: float) -> list[float]:
    """The best of ten vectors after the generations, with random numbers drawn in the same order."""
    vectors = random_vector(random, 10)
    for _ in range(generations):
        best = ranked(vectors, position)
        fresh = random_vector(random, 3)
        keeps = random.random(3) < keep
        after = [vectors[best[n]] if keeps[n] else fresh[n] for n in range(3)]
        for one in range(4):
            for two in range(one + 1, 4):
                first, second = vectors[best[one]], vectors[best[two]]
                if random.random() >= 0.5:
                    first, second = second, first
                cut = random.integers(1, 8) - 1
                after.append([first[gene] if gene <= cut else second[gene] for gene in range(7)])
        mutant = list(vectors[random.integers(10)])
        gene = random.integers(7)
        mutant[gene] = random.random()
        after.append(mutant)
        vectors = [[gene / sum(vector) for gene in vector] for vector in after]
    return vectors[ranked(vectors, position)[0]]


@pytest.mark.parametrize("keep", [1.0, 0.6])
def test_winners(keep: float) -> None:
    learner = PositionGA(OTHELLO, SEVEN, seed=5, generations=6, keep_probability=keep, benchmark_every=0)
    winners = []
    for step in range(4):
        random = np.random.default_rng(step)
        winners.append(slow_winner(learner.position(step), 6, random, keep))
        learner.steps = step
        best, _ = learner._step(np.random.default_rng(step))
        assert learner.winners[-1] == pytest.approx(winners[-1])
        assert best == pytest.approx(np.mean(winners, axis=0))
        assert best.sum() == pytest.approx(1)


def test_positions() -> None:
    for name in ("othello", "othello6", "connect4"):
        kind = game(name)
        which = "lines" if name == "connect4" else "D"
        learner = PositionGA(kind, genome(which, kind), seed=1)
        positions = [learner.position(step) for step in range(20)]
        assert len(set(positions)) == 20
        assert not any(position.is_over for position in positions)
        filled = [sum(position.discs) / (kind.columns * kind.rows) for position in positions]
        assert 0.3 <= min(filled) < max(filled) <= 0.7


def test_random_winner() -> None:
    learner = PositionGA(OTHELLO, SEVEN, seed=2, generations=2, final="random", benchmark_every=0)
    chosen = []
    for _ in range(12):
        learner.step()
        assert learner.best is not None
        chosen.append(next(n for n, winner in enumerate(learner.winners) if (winner == learner.best).all()))
    assert len(set(chosen)) > 2


def test_effect_of_competitors() -> None:
    competitors = SEVEN.vectors_of(["Seven", "Seven.averaged"])

    def same_order(fitness_measure: Any) -> set[bool]:
        paced = PositionGA(OTHELLO, SEVEN, seed=3, fitness_measure=fitness_measure, competitors=competitors, depth=1)
        alone = PositionGA(OTHELLO, SEVEN, seed=3, fitness_measure=fitness_measure, depth=1)
        same = set()
        for step in range(6):
            vectors, position = paced.random_population(np.random.default_rng(step)), paced.position(step)
            orders = [ranking(learner.fitness(vectors, position)).tolist() for learner in (paced, alone)]
            same.add(orders[0] == orders[1])
        return same

    assert same_order("value") == {True}
    assert False in same_order("points")


def test_competitors_do_not_breed() -> None:
    """Genes of competitors have a size that no other vector has, so a child would show them."""
    competitor = np.array([1000.0, 0, 0, 0, 0, 0, 0])
    learner = PositionGA(
        OTHELLO, SEVEN, seed=3, fitness_measure="points", competitors=[competitor], depth=1, benchmark_every=0
    )
    assert learner.competitors.tolist() == [[1, 0, 0, 0, 0, 0, 0]]
    vectors = learner.random_population(np.random.default_rng(1))
    position = learner.position(0)
    fitness = learner.fitness(vectors, position)
    assert len(fitness) == 10
    assert learner.games == 10 * 9 + 2 * 10
    assert not (learner.next_generation(vectors, fitness, np.random.default_rng(1)) == 1).any()


@pytest.mark.parametrize(
    ("options", "expected_error"),
    [
        ({"generations": 0}, "generations=0"),
        ({"final": "median"}, "final='median'"),
        ({"keep_probability": -0.1}, "keep_probability=-0.1"),
        ({"keep_probability": float("nan")}, "keep_probability=nan"),
        ({"fitness_measure": "luck"}, "fitness_measure='luck'"),
    ],
)
def test_invalid_settings(options: dict[str, Any], expected_error: str) -> None:
    with pytest.raises(FlipdropError, match=expected_error):
        PositionGA(OTHELLO, SEVEN, seed=1, **options)
