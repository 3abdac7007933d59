"""Operators of genetic algorithms: pure functions of vectors and a random generator.

A vector has one number for each gene, a population one row for each vector.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from flipdrop.learning.genetic.genomes import Genome

Vector: TypeAlias = NDArray[np.float64]
Population: TypeAlias = NDArray[np.float64]
Fitness: TypeAlias = NDArray[np.float64]

MIN_FACTOR, MAX_FACTOR = 0.7, 1.3  # of `scaled_genes`

COPIED, CROSSED = 3, 4  # online-ga and position-ga copy three, cross all pairs of the best four, and mutate one more
SMALL_POPULATION = COPIED + CROSSED * (CROSSED - 1) // 2 + 1  # the size of their populations


def random_vectors(genome: Genome, count: int, random: np.random.Generator) -> Population:
    """Random vectors with the signs of the genome."""
    return random.uniform(0.0, genome.scale, (count, len(genome))) * genome.signs


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


def one_new_gene(vector: Vector, genome: Genome, random: np.random.Generator) -> Vector:
    """A normalised vector, one random gene of which becomes a number from 0 to 1 with its sign, normalised again.

    The other genes of seven add up to 6/7 on average, so the new gene's share is 1/3 on average, not 1/7.
    """
    gene = int(random.integers(len(vector)))
    changed = vector.copy()
    changed[gene] = random.random() * genome.signs[gene]
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
