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

MIN_FACTOR, MAX_FACTOR = 0.7, 1.3  # of `mutate_by_scaling`

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


def roulette_wheel(fitness: Fitness) -> Fitness:
    """Selection probabilities in proportion to fitness.

    If some fitness is negative, all are counted from the worst, whose probability is 0. If all are 0, they are uniform.
    """
    counted = fitness - min(0.0, fitness.min())
    total = counted.sum()
    return counted / total if total > 0 else np.full(len(fitness), 1 / len(fitness))


def select_parents(shares: Fitness, random: np.random.Generator) -> NDArray[np.intp]:
    """Draws two different members by their shares of the roulette wheel; those with a share of 0 only if fewer than two
    have another."""
    if len(shares) < 2:
        return np.zeros(2, dtype=np.intp)
    shares = shares + 1e-12
    return random.choice(len(shares), 2, replace=False, p=shares / shares.sum())


def one_point_crossover(one: Vector, two: Vector, cut: int) -> Vector:
    """The genes of `one` up to the cut, those of `two` from there on."""
    return np.concatenate([one[:cut], two[cut:]])


def mutate_by_scaling(vector: Vector, probability: float, random: np.random.Generator) -> Vector:
    """Multiplies each gene with a probability by a factor from `MIN_FACTOR` to `MAX_FACTOR`, keeping signs."""
    factors = random.uniform(MIN_FACTOR, MAX_FACTOR, len(vector))
    return np.where(random.random(len(vector)) < probability, vector * factors, vector)


def mutate_one_gene(vector: Vector, signs: Vector, random: np.random.Generator) -> Vector:
    """Replaces one random gene of a normalised vector by a number from 0 to 1 with its sign, and normalises again.

    The other genes of seven add up to 6/7 on average, so the new gene's share is 1/3 on average, not 1/7.
    """
    gene = int(random.integers(len(vector)))
    changed = vector.copy()
    changed[gene] = random.random() * signs[gene]
    return normalised(changed)


def crossovers_of_best(vectors: Population, order: NDArray[np.intp], random: np.random.Generator) -> Population:
    """A child of each pair of the best four, normalised.

    The order of the parents is random. The first gives one gene to all genes: a child may be a copy of it.
    """
    children = []
    for pair in itertools.combinations(order[:CROSSED], 2):
        first, second = pair if random.random() < 0.5 else pair[::-1]
        cut = int(random.integers(1, vectors.shape[1] + 1))
        children.append(one_point_crossover(vectors[first], vectors[second], cut))
    return normalised(np.array(children))


def order_by_value(values: Fitness) -> NDArray[np.intp]:
    """The ranking by a point for the higher of each two values, and for the later of equals."""
    return np.lexsort((-np.arange(len(values)), -values))


def online_generation(
    vectors: Population, order: NDArray[np.intp], signs: Vector, copy_probability: float, random: np.random.Generator
) -> Population:
    """The next population of the online genetic algorithm.

    It consists of the best three (with `copy_probability`, otherwise three random vectors), six children of the best
    four, and the best one with one new gene.

    :param order: the ranking of the vectors
    """
    if random.random() < copy_probability:
        copied = vectors[order[:COPIED]]
    else:
        copied = normalised(random_vectors(signs, COPIED, random))
    return np.vstack(
        [copied, crossovers_of_best(vectors, order, random), mutate_one_gene(vectors[order[0]], signs, random)]
    )


def online_weights(features: Vector, signs: Vector, rounds: int, random: np.random.Generator) -> Vector:
    """The best of ten normalised vectors after `rounds` rounds on one position: weights that value it highly.

    :param features: the terms of the position's value
    """
    vectors = normalised(random_vectors(signs, SMALL_POPULATION, random))
    for _ in range(rounds - 1):
        vectors = online_generation(vectors, order_by_value(vectors @ features), signs, COPY_PROBABILITY, random)
    best: Vector = vectors[order_by_value(vectors @ features)[0]]
    return best
