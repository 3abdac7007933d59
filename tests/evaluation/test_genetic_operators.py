"""Operators of genetic algorithms: distributions and invariants."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.evaluation.genetic_operators import (
    MAX_FACTOR,
    MIN_FACTOR,
    Fitness,
    crossovers_of_best,
    elite,
    mutate_by_scaling,
    mutate_one_gene,
    normalised,
    one_point_crossover,
    online_weights,
    order_by_value,
    random_vectors,
    ranking,
    roulette_wheel,
    select_parents,
)
from flipdrop.learning.genetic import Genome, genome

GENOMES = [genome("D", game("othello")), genome("Seven", game("othello6")), genome("lines", game("connect4"))]
SQUARES = genome("B", game("othello"))
NO_DISCS = genome("D(15,6,-10,-4,0,8)", game("othello"))

genomes = st.sampled_from([*GENOMES, SQUARES, NO_DISCS])
seeds = st.integers(0, 2**32)
finite = st.floats(-1e6, 1e6)
fitnesses = st.lists(finite, min_size=1, max_size=30).map(np.array)


@given(genomes, seeds, st.integers(1, 20))
def test_random_vectors(chosen: Genome, seed: int, count: int) -> None:
    vectors = random_vectors(chosen.signs, count, np.random.default_rng(seed))
    assert vectors.shape == (count, len(chosen))
    assert (np.sign(vectors) == chosen.signs).all()
    assert (np.abs(vectors) <= 1).all()


@given(genomes, seeds)
def test_normalised(chosen: Genome, seed: int) -> None:
    vectors = random_vectors(chosen.signs, 5, np.random.default_rng(seed))
    shares = normalised(vectors)
    assert np.abs(shares).sum(axis=1) == pytest.approx(1)
    for vector, share in zip(vectors, shares, strict=True):
        assert share * np.abs(vector).sum() == pytest.approx(vector)


def test_normalised_zeros() -> None:
    assert (normalised(np.zeros((2, 3))) == 0).all()


@given(fitnesses)
def test_ranking_is_stable(fitness: Fitness) -> None:
    assert ranking(fitness).tolist() == sorted(range(len(fitness)), key=lambda member: -fitness[member])


@pytest.mark.parametrize(("members", "survive"), [(50, 5), (20, 2), (19, 1), (10, 1), (5, 1), (2, 1), (30, 3)])
def test_elite(members: int, survive: int) -> None:
    fitness = np.random.default_rng(members).random(members)
    survivors = elite(fitness, 0.1)
    assert len(survivors) == survive
    assert set(fitness[survivors]) == set(sorted(fitness)[-survive:])


@given(fitnesses)
def test_roulette_wheel(fitness: Fitness) -> None:
    shares = roulette_wheel(fitness)
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    counted = fitness if fitness.min() >= 0 else fitness - fitness.min()
    if counted.sum() > 0:
        assert shares * counted.sum() == pytest.approx(counted)
    else:
        assert shares == pytest.approx(1 / len(fitness))


@pytest.mark.slow
def test_parents_are_drawn_without_replacement() -> None:
    """Frequencies of ordered pairs: the share of the first, then of the second among the others."""
    shares = roulette_wheel(np.array([0.0, 1.0, 3.0, 4.0]))
    random = np.random.default_rng(1)
    counts = Counter(tuple(select_parents(shares, random).tolist()) for _ in range(40_000))
    expected = {
        (one, two): shares[one] * shares[two] / (1 - shares[one])
        for one, two in itertools.permutations(range(4), 2)
        if shares[one] * shares[two] > 0
    }
    assert {pair: count / 40_000 for pair, count in counts.items()} == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("fitness", [[0.0, 5.0, 0.0], [0.0, 0.0, 0.0]])
def test_parents_without_points(fitness: list[float]) -> None:
    random = np.random.default_rng(2)
    drawn = [set(select_parents(roulette_wheel(np.array(fitness)), random).tolist()) for _ in range(200)]
    assert all(len(parents) == 2 for parents in drawn)
    assert set.union(*drawn) == {0, 1, 2}
    assert not any(fitness) or all(1 in parents for parents in drawn)
    assert select_parents(np.ones(1), random).tolist() == [0, 0]


@given(st.integers(2, 12), st.data())
def test_crossover(genes: int, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, genes))
    one = np.arange(1, genes + 1, dtype=np.float64)
    child = one_point_crossover(one, -one, cut)
    assert child.tolist() == [*range(1, cut + 1), *(-gene for gene in range(cut + 1, genes + 1))]


@given(genomes, seeds, st.floats(0, 1))
def test_factors_keep_signs(chosen: Genome, seed: int, probability: float) -> None:
    random = np.random.default_rng(seed)
    vector = random_vectors(chosen.signs, 1, random)[0]
    mutant = mutate_by_scaling(vector, probability, random)
    assert (np.sign(mutant) == np.sign(vector)).all()
    factors = mutant[vector != 0] / vector[vector != 0]
    assert ((factors >= MIN_FACTOR - 1e-12) & (factors <= MAX_FACTOR + 1e-12)).all()
    assert (mutate_by_scaling(vector, 0.0, random) == vector).all()
    assert (mutate_by_scaling(vector, 1.0, random) != vector)[vector != 0].all()


def test_factors_are_uniform() -> None:
    mutant = mutate_by_scaling(np.ones(100_000), 0.2, np.random.default_rng(1))
    changed = mutant[mutant != 1]
    assert len(changed) / 100_000 == pytest.approx(0.2, abs=0.01)
    assert np.quantile(changed, [0, 0.25, 0.5, 0.75, 1]) == pytest.approx([0.7, 0.85, 1, 1.15, 1.3], abs=0.01)


@given(genomes, seeds)
def test_mutate_one_gene(chosen: Genome, seed: int) -> None:
    random = np.random.default_rng(seed)
    vector = normalised(random_vectors(chosen.signs, 1, random))[0]
    changed = mutate_one_gene(vector, chosen.signs, random)
    assert np.abs(changed).sum() == pytest.approx(1)
    assert (np.sign(changed) == chosen.signs).all()
    # The others keep their proportions.
    factors = changed[vector != 0] / vector[vector != 0]
    assert max(np.isclose(factors, factor).sum() for factor in factors) >= len(factors) - 1


def test_share_of_a_new_gene() -> None:
    """A number u from 0 to 1 beside genes that add up to s has the share u / (u + s)."""
    seven, random = GENOMES[1], np.random.default_rng(3)
    vectors = normalised(random_vectors(seven.signs, 20_000, random))
    shares = []
    for vector in vectors:
        changed = mutate_one_gene(vector, seven.signs, random)
        gene = np.argmax(~np.isclose(changed / vector, np.median(changed / vector)))
        shares.append(changed[gene])
    rest = 1 - vectors[:, 0]
    expected = np.mean(1 - rest * np.log(1 + 1 / rest))
    assert np.mean(shares) == pytest.approx(expected, abs=0.005)
    assert np.mean(shares) == pytest.approx(0.335, abs=0.005)


@given(seeds, st.permutations(range(10)))
def test_crossovers_of_best(seed: int, order: list[int]) -> None:
    vectors = normalised(np.random.default_rng(seed).random((10, 7)))
    children = crossovers_of_best(vectors, np.array(order), np.random.default_rng(seed))
    assert children.shape == (6, 7)
    for child, pair in zip(children, itertools.combinations(order[:4], 2), strict=True):
        possible = [
            normalised(one_point_crossover(vectors[one], vectors[two], cut))
            for one, two in (pair, pair[::-1])
            for cut in range(8)
        ]
        assert any(np.allclose(child, other) for other in possible)


def test_first_parent_and_cut_are_uniform() -> None:
    """Of seven genes the first parent gives one to seven: the printed loop takes them up to and including the cut."""
    vectors = np.repeat(np.arange(1.0, 11.0)[:, None], 7, axis=1)
    counts: Counter[tuple[bool, int]] = Counter()
    for seed in range(7000):
        child = crossovers_of_best(vectors, np.arange(10), np.random.default_rng(seed))[0]
        if child.min() == child.max():
            counts[True, 7] += 1  # normalised copies of either parent are equal
        else:
            counts[child[0] == child.min(), int((child == child[0]).sum())] += 1
    assert counts.pop((True, 7)) / 7000 == pytest.approx(1 / 7, abs=0.02)
    assert set(counts) == {(first, genes) for first in (True, False) for genes in range(1, 7)}
    assert all(count / 7000 == pytest.approx(1 / 14, abs=0.015) for count in counts.values())


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12))
def test_order_by_value(values: list[int]) -> None:
    points = [0] * len(values)
    for one in range(len(values)):
        for two in range(one + 1, len(values)):
            points[one if values[one] > values[two] else two] += 1
    assert order_by_value(np.array(values, dtype=float)).tolist() == ranking(np.array(points)).tolist()


def test_online_weights() -> None:
    """Shares of 1 that value the position ever more highly and do not depend on the features' scale."""
    features, signs = np.array([3.0, -8.0, 0.0, 5.0, -1.0, 2.0, -4.0]), GENOMES[1].signs
    values = []
    for rounds in (1, 3, 10, 100):
        found = [online_weights(features, signs, rounds, np.random.default_rng(seed)) for seed in range(50)]
        assert np.sum(found, axis=1) == pytest.approx(1)
        values.append(np.mean(np.array(found) @ features))
        again = online_weights(8 * features, signs, rounds, np.random.default_rng(0))
        assert again.tolist() == found[0].tolist()
    assert values == sorted(values)
    assert values[-1] > 0.8 * features.max()
