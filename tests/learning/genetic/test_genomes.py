"""Genomes: genes of evaluations, and evaluations without genes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.errors import LearningError, UnknownEvaluation, WeightsError
from flipdrop.evaluation import DEFINITIONS, Weights, evaluation
from flipdrop.evaluation.genetic_operators import random_vectors
from flipdrop.learning.genetic import genome

OTHELLO = game("othello")
SEVERAL = [definition for definition in DEFINITIONS if len(definition.terms) > 1]


@pytest.mark.parametrize("definition", SEVERAL, ids=lambda definition: definition.name)
def test_round_trip(definition: object) -> None:
    from flipdrop.evaluation.registry import Definition

    assert isinstance(definition, Definition)
    chosen = genome(definition.name, game(definition.game))
    assert chosen.genes == "weights"
    assert chosen.names == definition.terms
    assert chosen.weights_of(chosen.vector_of(chosen.base)) == Weights(definition.name)
    assert chosen.signs.tolist() == [np.sign(weight) for weight in definition.defaults]
    assert chosen.scale == max(abs(weight) for weight in definition.defaults)


@given(st.integers(0, 2**32))
def test_genes_of_squares(seed: int) -> None:
    chosen = genome("B", OTHELLO)
    assert (chosen.genes, len(chosen)) == ("squares", 10)
    vector = random_vectors(chosen.signs, 1, np.random.default_rng(seed))[0]
    weights = chosen.weights_of(vector)
    assert chosen.vector_of(weights).tolist() == vector.tolist()
    # What a board's symmetries take to each other is worth the same.
    position = OTHELLO.position("f5d6c3d3c4f4")
    scores = {round(evaluation(weights).score(position.transformed(symmetry)), 9) for symmetry in range(8)}
    assert len(scores) == 1


def test_names_of_squares() -> None:
    chosen = genome("C", OTHELLO, genes="squares")
    table = dict(zip(chosen.names, chosen.vector_of(chosen.base), strict=True))
    assert (table["a1"], table["b1"], table["b2"], table["d4"], table["c2"]) == (400, -30, -70, -3, -4)


def test_zero_genes() -> None:
    chosen = genome("D(15,6,-10,-4,0,8)", OTHELLO)
    assert (random_vectors(chosen.signs, 50, np.random.default_rng(1))[:, 4] == 0).all()


@pytest.mark.parametrize(
    ("name", "expected_error"),
    [
        ("A", "nothing to evolve"),
        ("mobility", "nothing to evolve"),
        ("D(1,0,0,0,0,0)", "nothing to evolve"),
        ("lines", "lines is for Connect Four, and the game is Othello 8x8"),
    ],
)
def test_invalid_evaluations(name: str, expected_error: str) -> None:
    with pytest.raises(LearningError, match=expected_error):
        genome(name, OTHELLO)


def test_unknown_evaluations() -> None:
    with pytest.raises(UnknownEvaluation, match="Dee"):
        genome("Dee", OTHELLO)
    with pytest.raises(WeightsError, match="nan"):
        genome("D(15,6,nan,-4,8,8)", OTHELLO)
    with pytest.raises(LearningError, match="no table of squares"):
        genome("D", OTHELLO, genes="squares")
    with pytest.raises(LearningError, match="no weights to evolve"):
        genome(evaluation(lambda position: 1.0), OTHELLO)
    with pytest.raises(LearningError, match="64 numbers; squares evolve by their kind"):
        genome(Weights("B", table=range(64)), OTHELLO)


def test_invalid_vectors() -> None:
    chosen = genome("D", OTHELLO)
    (vector,) = chosen.vectors_of(["D.baseline"])
    assert vector.tolist() == [15, 6, -8, -6, 4, 4]
    with pytest.raises(LearningError, match=r"x_squares is positive; genes keep their sign, and it is negative"):
        chosen.vectors_of(["D(15,6,8,-6,4,4)"])
    with pytest.raises(LearningError, match="Seven is of evaluation Seven, and D evolves"):
        chosen.vectors_of(["Seven"])
