"""The operators, by what each of them promises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.learning.genetic import Genome, genome
from flipdrop.learning.genetic.operators import (
    MAX_FACTOR,
    MIN_FACTOR,
    Fitness,
    crossed,
    crosses_of_best,
    elite,
    normalised,
    one_new_gene,
    random_cut,
    random_vectors,
    ranking,
    scaled_genes,
    spin,
    wheel,
)

GENOMES = [genome("D", game("othello")), genome("Seven", game("othello6")), genome("lines", game("connect4"))]
SQUARES = genome("B", game("othello"))
NO_DISCS = genome("D(15,6,-10,-4,0,8)", game("othello"))

genomes = st.sampled_from([*GENOMES, SQUARES, NO_DISCS])
seeds = st.integers(0, 2**32)
finite = st.floats(-1e6, 1e6)
fitnesses = st.lists(finite, min_size=1, max_size=30).map(np.array)


@given(genomes, seeds, st.integers(1, 20))
def test_random_vectors_have_the_signs_and_the_scale_of_the_genome(chosen: Genome, seed: int, count: int) -> None:
    vectors = random_vectors(chosen, count, np.random.default_rng(seed))
    assert vectors.shape == (count, len(chosen))
    assert (np.sign(vectors) == chosen.signs).all()
    assert (np.abs(vectors) <= chosen.scale).all()


@given(genomes, seeds)
def test_normalised_vectors_add_up_to_one_in_size_and_keep_their_direction(chosen: Genome, seed: int) -> None:
    vectors = random_vectors(chosen, 5, np.random.default_rng(seed))
    shares = normalised(vectors)
    assert np.abs(shares).sum(axis=1) == pytest.approx(1)
    for vector, share in zip(vectors, shares, strict=True):
        assert share * np.abs(vector).sum() == pytest.approx(vector)


def test_zeros_have_no_direction_and_stay_zeros() -> None:
    assert (normalised(np.zeros((2, 3))) == 0).all()


@given(fitnesses)
def test_the_ranking_is_a_stable_sort(fitness: Fitness) -> None:
    assert ranking(fitness).tolist() == sorted(range(len(fitness)), key=lambda member: -fitness[member])


@pytest.mark.parametrize(("members", "survive"), [(50, 5), (20, 2), (19, 1), (10, 1), (5, 1), (2, 1), (30, 3)])
def test_a_tenth_survives_but_one_at_least(members: int, survive: int) -> None:
    fitness = np.random.default_rng(members).random(members)
    survivors = elite(fitness, 0.1)
    assert len(survivors) == survive
    assert set(fitness[survivors]) == set(sorted(fitness)[-survive:])


@given(fitnesses)
def test_the_wheel_shares_in_proportion_to_fitness(fitness: Fitness) -> None:
    shares = wheel(fitness)
    assert shares.sum() == pytest.approx(1)
    assert (shares >= 0).all()
    counted = fitness if fitness.min() >= 0 else fitness - fitness.min()
    if counted.sum() > 0:
        assert shares * counted.sum() == pytest.approx(counted)
    else:
        assert shares == pytest.approx(1 / len(fitness))


def test_the_wheel_stops_at_each_as_often_as_its_share() -> None:
    shares = wheel(np.array([0.0, 1.0, 3.0, 4.0]))
    draws = spin(shares, 40_000, np.random.default_rng(1))
    assert np.bincount(draws, minlength=4) / 40_000 == pytest.approx([0, 0.125, 0.375, 0.5], abs=0.01)


@given(st.integers(2, 12), st.data())
def test_a_child_has_the_first_genes_of_one_and_the_last_of_the_other(genes: int, data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, genes - 1))
    one = np.arange(1, genes + 1, dtype=np.float64)
    child = crossed(one, -one, cut)
    assert child.tolist() == [*range(1, cut + 1), *(-gene for gene in range(cut + 1, genes + 1))]


@given(st.integers(2, 12), seeds)
def test_a_cut_leaves_something_of_both(genes: int, seed: int) -> None:
    assert 1 <= random_cut(genes, np.random.default_rng(seed)) < genes


@given(genomes, seeds, st.floats(0, 1))
def test_mutation_by_factors_keeps_signs_and_is_bounded(chosen: Genome, seed: int, probability: float) -> None:
    random = np.random.default_rng(seed)
    vector = random_vectors(chosen, 1, random)[0]
    mutant = scaled_genes(vector, probability, random)
    assert (np.sign(mutant) == np.sign(vector)).all()
    factors = mutant[vector != 0] / vector[vector != 0]
    assert ((factors >= MIN_FACTOR - 1e-12) & (factors <= MAX_FACTOR + 1e-12)).all()
    assert (scaled_genes(vector, 0.0, random) == vector).all()
    assert (scaled_genes(vector, 1.0, random) != vector)[vector != 0].all()


def test_mutation_by_factors_is_as_frequent_as_asked_and_uniform() -> None:
    mutant = scaled_genes(np.ones(100_000), 0.2, np.random.default_rng(1))
    changed = mutant[mutant != 1]
    assert len(changed) / 100_000 == pytest.approx(0.2, abs=0.01)
    assert np.quantile(changed, [0, 0.25, 0.5, 0.75, 1]) == pytest.approx([0.7, 0.85, 1, 1.15, 1.3], abs=0.01)


@given(genomes, seeds)
def test_one_gene_is_new_and_keeps_its_sign(chosen: Genome, seed: int) -> None:
    random = np.random.default_rng(seed)
    vector = normalised(random_vectors(chosen, 1, random))[0]
    changed = one_new_gene(vector, chosen, random)
    assert np.count_nonzero(changed != vector) <= 1  # a gene that is 0 stays
    assert (np.sign(changed) == chosen.signs).all()
    assert np.abs(changed).max() <= 1


@given(seeds, st.permutations(range(10)))
def test_the_six_pairs_of_the_best_four_have_a_child_each(seed: int, order: list[int]) -> None:
    # Genes tell who gave them: that of member 7 in place 2 is 72.
    vectors = np.array([[10.0 * member + gene for gene in range(7)] for member in range(10)])
    children = crosses_of_best(vectors, np.array(order), np.random.default_rng(seed))
    families = []
    for child in children:
        assert (child % 10 == np.arange(7)).all()
        givers = (child // 10).astype(int).tolist()
        (first, _), (second, _) = [(giver, len(list(run))) for giver, run in itertools.groupby(givers)]
        families.append({first, second})
    assert families == [set(pair) for pair in itertools.combinations(order[:4], 2)]


def test_either_parent_may_come_first() -> None:
    vectors = np.repeat(np.arange(10.0)[:, None], 7, axis=1)
    firsts = [crosses_of_best(vectors, np.arange(10), np.random.default_rng(seed))[0][0] for seed in range(400)]
    assert 150 < sum(firsts) < 250
