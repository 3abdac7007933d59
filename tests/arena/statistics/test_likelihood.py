"""Maximum-likelihood distributions against a general-purpose optimiser."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

from flipdrop.arena.statistics.likelihood import (
    Array,
    cost_of_normalised_score,
    cost_of_score,
    probabilities_with_score,
    without_zeros,
)
from tests.arena.statistics.strategies import counts

VALUES = {3: np.array([0, 0.5, 1]), 5: np.array([0, 0.25, 0.5, 0.75, 1])}


def least_cost(counts: Array, values: Array, *, score: float | None = None, normalised: float | None = None) -> float:
    """The cost in log-likelihood by sequential quadratic programming on the logarithms of the probabilities."""
    n = counts.sum()
    shares = counts / n

    def excess(logits: Array) -> float:
        p = np.exp(logits - np.logaddexp.reduce(logits))
        mean = float(p @ values)
        if score is not None:
            return mean - score
        assert normalised is not None
        return mean - 0.5 - normalised * math.sqrt(float(p @ (values - mean) ** 2))

    def loss(logits: Array) -> float:
        return -float(shares @ (logits - np.logaddexp.reduce(logits) - np.log(shares)))

    best = math.inf
    for start in (shares, np.full(len(values), 1 / len(values)), 0.5 * shares + 0.5 / len(values)):
        found = minimize(
            loss,
            np.log(start),
            constraints={"type": "eq", "fun": excess},
            method="SLSQP",
            options={"maxiter": 1000, "ftol": 1e-13},
        )
        if abs(excess(found.x)) < 1e-7:
            best = min(best, float(found.fun))
    assert best < math.inf, "the optimiser found nothing"
    return float(n * best)


@pytest.mark.parametrize("kinds", [3, 5])
@pytest.mark.parametrize("seed", range(6))
def test_cost_of_a_score(kinds: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    drawn = without_zeros(random.multinomial(40, random.dirichlet(np.ones(kinds))), 0.5)
    for score in (0.35, 0.5, 0.55, 0.8):
        expected = least_cost(drawn, VALUES[kinds], score=score)
        assert float(cost_of_score(drawn, VALUES[kinds], score)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("kinds", [3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_cost_of_a_normalised_score(kinds: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    drawn = without_zeros(random.multinomial(40, random.dirichlet(np.ones(kinds))), 0.5)
    for normalised in (-0.4, 0.02, 0.2, 0.5):
        expected = least_cost(drawn, VALUES[kinds], normalised=normalised)
        found = float(cost_of_normalised_score(drawn, VALUES[kinds], normalised))
        assert found == pytest.approx(expected, abs=1e-4)


@given(counts(5), st.floats(0.001, 0.999), st.sampled_from([1e-6, 1e-3]))
def test_probabilities_with_score(drawn: list[int], score: float, never: float) -> None:
    seen = without_zeros(drawn, never)
    p = probabilities_with_score(seen, VALUES[5], score)
    assert np.all(p > 0)
    assert p.sum() == pytest.approx(1, abs=1e-6)
    assert p @ VALUES[5] == pytest.approx(score, abs=1e-6)


@given(counts(5))
def test_minimum_of_the_cost(drawn: list[int]) -> None:
    seen = without_zeros(drawn, 1e-3)
    shares = seen / seen.sum()
    mean = float(shares @ VALUES[5])
    assume(0.01 < mean < 0.99)
    assert float(cost_of_score(seen, VALUES[5], mean)) == pytest.approx(0, abs=1e-9)
    deviation = math.sqrt(shares @ (VALUES[5] - mean) ** 2)
    if abs(mean - 0.5) / deviation < 0.8:
        assert float(cost_of_normalised_score(seen, VALUES[5], (mean - 0.5) / deviation)) == pytest.approx(0, abs=1e-6)
    farther = [float(cost_of_score(seen, VALUES[5], mean + step * (1 - mean))) for step in (0.1, 0.3, 0.6, 0.9)]
    assert farther == sorted(farther)
    assert farther[0] > 0


def test_vectorised() -> None:
    tables = without_zeros(np.random.default_rng(3).multinomial(9, np.full(5, 0.2), size=(4, 6)), 1e-3)
    together = cost_of_score(tables, VALUES[5], 0.6)
    normalised = cost_of_normalised_score(tables, VALUES[5], 0.4)
    assert together.shape == normalised.shape == (4, 6)
    for index in np.ndindex(4, 6):
        assert together[index] == pytest.approx(float(cost_of_score(tables[index], VALUES[5], 0.6)), abs=1e-9)
        alone = float(cost_of_normalised_score(tables[index], VALUES[5], 0.4))
        assert normalised[index] == pytest.approx(alone, abs=1e-7)
