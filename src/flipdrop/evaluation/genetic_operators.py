"""Operators of genetic algorithms on vectors of weights: pure functions of vectors and a random generator.

A vector has one number for each gene, a population one row for each vector. Signs are 1, -1 or 0 for each gene; a gene
with the sign 0 stays 0.
"""

from __future__ import annotations

import itertools
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Vector: TypeAlias = NDArray[np.float64]
Population: TypeAlias = NDArray[np.float64]
Fitness: TypeAlias = NDArray[np.float64]

MIN_FACTOR, MAX_FACTOR = 0.7, 1.3  # of `scaled_genes`

COPIED, CROSSED = 3, 4  # online-ga and position-ga copy three, cross all pairs of the best four, and mutate one more
COPY_PROBABILITY = 0.9  # of online-ga
SMALL_POPULATION = COPIED + CROSSED * (CROSSED - 1) // 2 + 1  # the size of their populations


def random_vectors(signs: Vector, count: int, random: np.random.Generator) -> Population:
    """Vectors of uniform random genes from 0 to 1, with signs."""
    return random.random((count, len(signs))) * signs


def normalised(vectors: Population) -> Population:
    """Each vector divided by the sum of the absolute values of its genes; zero vectors stay."""
    sums = np.abs(vectors).sum(axis=-1, keepdims=True)
    shares: Population = np.divide(vectors, sums, out=np.zeros_like(vectors), where=sums > 0)
    return shares


def ranking(fitness: Fitness) -> NDArray[np.intp]:
    """Indices from the best to the worst; stable for equals."""
    return np.argsort(-fitness, kind="stable")


def elite(fitness: Fitness, share: float) -> NDArray[np.intp]:
    """The best share of the population, rounded down, at least one."""
    return ranking(fitness)[: max(1, int(share * len(fitness) + 1e-9))]


def wheel(fitness: Fitness) -> Fitness:
    """Probabilities in proportion to fitness (roulette wheel).

    If some fitness is negative, all are counted from the worst, whose probability is 0. If all are 0, they are uniform.
    """
    counted = fitness - min(0.0, fitness.min())
    total = counted.sum()
    return counted / total if total > 0 else np.full(len(fitness), 1 / len(fitness))


def draw_parents(shares: Fitness, random: np.random.Generator) -> NDArray[np.intp]:
    """Two different members by their shares of the wheel; those without a share only if fewer than two have one."""
    if len(shares) < 2:
        return np.zeros(2, dtype=np.intp)
    shares = shares + 1e-12
    return random.choice(len(shares), 2, replace=False, p=shares / shares.sum())


def crossed(one: Vector, two: Vector, cut: int) -> Vector:
    """One-point crossover: the genes of `one` up to the cut, those of `two` from there on."""
    return np.concatenate([one[:cut], two[cut:]])


def scaled_genes(vector: Vector, probability: float, random: np.random.Generator) -> Vector:
    """Multiplies each gene with a probability by a factor from `MIN_FACTOR` to `MAX_FACTOR`, keeping signs."""
    factors = random.uniform(MIN_FACTOR, MAX_FACTOR, len(vector))
    return np.where(random.random(len(vector)) < probability, vector * factors, vector)


def one_new_gene(vector: Vector, signs: Vector, random: np.random.Generator) -> Vector:
    """A normalised vector, one random gene of which becomes a number from 0 to 1 with its sign, normalised again.

    The other genes of seven add up to 6/7 on average, so the new gene's share is 1/3 on average, not 1/7.
    """
    gene = int(random.integers(len(vector)))
    changed = vector.copy()
    changed[gene] = random.random() * signs[gene]
    return normalised(changed)


def crosses_of_best(vectors: Population, order: NDArray[np.intp], random: np.random.Generator) -> Population:
    """A child of each pair of the best four, normalised.

    The order of the parents is random. The first gives one gene to all genes: a child may be a copy of it.
    """
    children = []
    for pair in itertools.combinations(order[:CROSSED], 2):
        first, second = pair if random.random() < 0.5 else pair[::-1]
        cut = int(random.integers(1, vectors.shape[1] + 1))
        children.append(crossed(vectors[first], vectors[second], cut))
    return normalised(np.array(children))


def order_by_value(values: Fitness) -> NDArray[np.intp]:
    """The ranking by a point for the higher of each two values, and for the later of equals."""
    return np.lexsort((-np.arange(len(values)), -values))


def online_generation(
    vectors: Population, order: NDArray[np.intp], signs: Vector, copy_probability: float, random: np.random.Generator
) -> Population:
    """The next population of the online genetic algorithm.

    The best three with the probability, otherwise three random vectors; six children of the best four; the best one
    with one new gene.

    :param order: the ranking of the vectors
    """
    if random.random() < copy_probability:
        copied = vectors[order[:COPIED]]
    else:
        copied = normalised(random_vectors(signs, COPIED, random))
    return np.vstack([copied, crosses_of_best(vectors, order, random), one_new_gene(vectors[order[0]], signs, random)])


def online_weights(features: Vector, signs: Vector, rounds: int, random: np.random.Generator) -> Vector:
    """The best of ten normalised vectors after some rounds on one position: weights that value it highly.

    :param features: the terms of the position's value
    """
    vectors = normalised(random_vectors(signs, SMALL_POPULATION, random))
    for _ in range(rounds - 1):
        vectors = online_generation(vectors, order_by_value(vectors @ features), signs, COPY_PROBABILITY, random)
    best: Vector = vectors[order_by_value(vectors @ features)[0]]
    return best
