"""Genomes: the numbers of an evaluation that evolve.

Genes are either the weights of the evaluation's terms or the squares of its table, one per symmetry class. A gene keeps
the sign that it has in the initial evaluation, and a 0 stays 0: ``D(15,6,-10,-4,0,8)`` evolves without a weight for
discs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from flipdrop.errors import LearningError
from flipdrop.evaluation import FAMILIES, Evaluation, Weights, definitions_for_game, evaluation

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from flipdrop.evaluation.genetic_operators import Vector
    from flipdrop.games import Game

Genes = Literal["weights", "squares"]

_SIDE = 4
# A square of each symmetry class, in the top left quarter of 8x8, which is symmetric about its diagonal.
_SQUARE_CLASSES = tuple((row, column) for row in range(_SIDE) for column in range(row, _SIDE))


@dataclass(frozen=True)
class Genome:
    """What evolves; made by `genome`.

    :param base: the initial evaluation, with the signs of the genes and the numbers that do not evolve
    """

    base: Weights
    genes: Genes

    @property
    def names(self) -> tuple[str, ...]:
        if self.genes == "weights":
            return tuple(self.base)
        return tuple(f"{'abcd'[column]}{row + 1}" for row, column in _SQUARE_CLASSES)

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def signs(self) -> Vector:
        """1, -1 or 0 for each gene."""
        return np.sign(self.vector_of(self.base))

    @cached_property
    def scale(self) -> float:
        """The largest gene of the base: all random genes lie between it and 0."""
        return float(np.abs(self.vector_of(self.base)).max())

    def vector_of(self, weights: Weights) -> Vector:
        if self.genes == "weights":
            return np.array(weights.vector, dtype=np.float64)
        return np.array([weights.table[_SIDE * row + column] for row, column in _SQUARE_CLASSES], dtype=np.float64)

    def weights_of(self, vector: Vector) -> Weights:
        numbers = [float(gene) + 0.0 for gene in vector]  # 0.0, never -0.0
        if self.genes == "weights":
            return Weights(self.base.evaluation, numbers, table=self.base.table or None)
        table = np.zeros((_SIDE, _SIDE))
        for (row, column), number in zip(_SQUARE_CLASSES, numbers, strict=True):
            table[row, column] = table[column, row] = number
        return Weights(self.base.evaluation, self.base.vector, table=table.ravel().tolist())

    def vectors_of(self, given: Iterable[str | os.PathLike[str] | Weights]) -> list[Vector]:
        """The genes of evaluations of the same kind and with the same signs."""
        return [self._checked_vector(_weights(one), one) for one in given]

    def _checked_vector(self, weights: Weights, given: object) -> Vector:
        if weights.evaluation != self.base.evaluation:
            raise LearningError(f"{given} is of evaluation {weights.evaluation}, and {self.base.evaluation} evolves")
        if self.genes == "squares":
            _check_table(weights)
        vector = self.vector_of(weights)
        for name, sign, own in zip(self.names, self.signs, np.sign(vector), strict=True):
            if own not in (0, sign):
                signs = {1: "positive", -1: "negative", 0: "0"}
                raise LearningError(f"{given}: {name} is {signs[own]}; genes keep their sign, and it is {signs[sign]}")
        return vector


def genome(which: str | os.PathLike[str] | Weights | Evaluation, game: Game, *, genes: Genes | None = None) -> Genome:
    """The genome of an evaluation, as `evaluation` reads it.

    :param genes: by default the weights if there are several, otherwise the squares of the table
    """
    base = _weights(which)
    if base.game != game.family:
        known = ", ".join(definition.name for definition in definitions_for_game(game))
        raise LearningError(
            f"evaluation {base.evaluation} is for {FAMILIES[base.game]}, and the game is {game.title}; "
            f"evaluations for it are {known}"
        )
    if genes is None:
        genes = "squares" if len(base) == 1 and base.table else "weights"
    if genes == "squares":
        _check_table(base)
    made = Genome(base, genes)
    if np.count_nonzero(made.signs) < 2:
        raise LearningError(
            f"evaluation {base.evaluation} has nothing to evolve: the size of a single weight changes no move"
        )
    return made


def _weights(which: str | os.PathLike[str] | Weights | Evaluation) -> Weights:
    weights = evaluation(which).weights
    if weights is None:
        raise LearningError(f"evaluation {which} has no weights to evolve")
    return weights


def _check_table(weights: Weights) -> None:
    if not weights.table:
        raise LearningError(f"evaluation {weights.evaluation} has no table of squares to evolve")
    quarter = np.array(weights.table)
    if quarter.size != _SIDE**2 or (quarter.reshape(_SIDE, _SIDE) != quarter.reshape(_SIDE, _SIDE).T).any():
        raise LearningError(
            f"the table of evaluation {weights.evaluation} has {quarter.size} numbers; squares evolve by their kind, "
            "so give the 16 of the top left quarter of 8x8, the same on both sides of the diagonal"
        )
