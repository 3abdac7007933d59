"""The maximum likelihood distribution of results that has a given score, or a given normalised score.

The counts n of each result are known, their probabilities p are not. To test an expected score s, we look for the
probabilities that maximise the likelihood of the counts among those that have this score::

    maximise  sum n_i log p_i    subject to    sum p_i = 1,    sum p_i v_i = s

where v_i is the value of result i (0, 1/4, 1/2, 3/4, 1 for pairs). With the observed shares q_i = n_i / n, the
method of Lagrange multipliers gives

    p_i = q_i / (1 + x d_i),    d_i = v_i - s,    where x solves    sum q_i d_i / (1 + x d_i) = 0.

Compared with the observed shares, the log-likelihood falls by ``sum n_i log(1 + x d_i)``. Nothing is assumed about the
share of draws or the correlation of the two games of a pair. All functions take many tables of counts at once: an array
whose last axis is the kind of result.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

NEVER_SEEN = 1e-3
"""The count of a result that never occurred; testers of chess engines use the same, so figures can be compared."""

NEWTON_STEPS = 100
FIXED_POINT_STEPS = 200


def without_zeros(counts: ArrayLike, instead: float) -> Array:
    """The counts with `instead` for each 0."""
    array = np.asarray(counts, dtype=np.float64)
    return np.where(array == 0, instead, array)


def exponential_tilt(shares: Array, deviations: Array) -> Array:
    """The x with ``sum shares * deviations / (1 + x * deviations) = 0``; shape (...), one for each row of (..., k).

    All shares must be positive, and the deviations of a row of both signs. The left side then falls from infinity to
    minus infinity between its poles next to 0. Newton's method takes it times its two pole terms, which makes it
    nearly a straight line, and bisects where that would leave the bracket.
    """
    smallest, largest = deviations.min(axis=-1), deviations.max(axis=-1)
    low, high = -1.0 / largest, -1.0 / smallest
    x = np.zeros(np.broadcast_shapes(shares.shape, deviations.shape)[:-1])
    for _ in range(NEWTON_STEPS):
        ratios = deviations / (1.0 + x[..., None] * deviations)
        weighted = shares * ratios
        value, slope = weighted.sum(axis=-1), -(weighted * ratios).sum(axis=-1)
        poles = (1.0 + x * smallest) * (1.0 + x * largest)
        straight = value * poles
        straight_slope = slope * poles + value * (smallest + largest + 2.0 * x * smallest * largest)
        low, high = np.where(straight > 0, x, low), np.where(straight > 0, high, x)
        with np.errstate(divide="ignore", invalid="ignore"):
            newton = x - straight / straight_slope
        done = np.abs(newton - x) <= 1e-13 * (1.0 + np.abs(x))
        if np.all(done):
            break
        x = np.where(done, x, np.where((newton > low) & (newton < high), newton, (low + high) / 2))
    return x


def cost_of_score(counts: Array, values: Array, score: ArrayLike) -> Array:
    """The loss of log-likelihood of the counts if the expected score has this value; shape (...)."""
    deviations = values - np.asarray(score, dtype=np.float64)[..., None]
    shares = counts / counts.sum(axis=-1, keepdims=True)
    x = exponential_tilt(shares, deviations)
    return np.asarray((counts * np.log1p(x[..., None] * deviations)).sum(axis=-1))


def probabilities_with_score(counts: Array, values: Array, score: ArrayLike) -> Array:
    """The maximum likelihood probabilities of the results that have this expected score; shape (..., k)."""
    deviations = values - np.asarray(score, dtype=np.float64)[..., None]
    shares = counts / counts.sum(axis=-1, keepdims=True)
    return np.asarray(shares / (1.0 + exponential_tilt(shares, deviations)[..., None] * deviations))


def cost_of_normalised_score(counts: Array, values: Array, normalised: float) -> Array:
    """The loss of log-likelihood if (expected score - 1/2) / (standard deviation) has this value.

    With w = v - 1/2 and t the normalised score, the condition is ``E[w] = c sqrt(E[w^2])``, c = t / sqrt(1 + t^2).
    Given k = sqrt(E[w^2]), its Lagrange multiplier acts on

        d_i = w_i - c k / 2 - c w_i^2 / (2 k)

    as the multiplier of the expected score does on v - s. So this is a fixed-point iteration: guess k, solve for p,
    take the next k from p. For large t it has several fixed points: the best of several starts counts.
    """
    if normalised == 0:
        return cost_of_score(counts, values, 0.5)
    from_half = values - 0.5
    c = normalised / np.sqrt(1.0 + normalised**2)
    # Below this k all d have one sign: no distribution has so small a variance with this score.
    smallest = from_half[from_half > 0].min() * abs(c) / (1.0 + np.sqrt(1.0 - c**2)) * 1.001
    shares = (counts / counts.sum(axis=-1, keepdims=True))[..., None, :]
    guesses = [0.25] if abs(normalised) < 0.25 else [0.15, 0.25, 0.35, 0.45]
    k = np.maximum(np.broadcast_to(guesses, (*shares.shape[:-2], len(guesses))), smallest)
    for step in range(FIXED_POINT_STEPS):
        spread = k[..., None]
        deviations = from_half - c * spread / 2 - c * from_half**2 / (2 * spread)
        denominators = 1.0 + exponential_tilt(shares, deviations)[..., None] * deviations
        following = np.maximum(np.sqrt((shares / denominators * from_half**2).sum(axis=-1)), smallest)
        change = np.abs(following - k)
        if np.all(change < 1e-12):
            break
        k = following if step < FIXED_POINT_STEPS // 4 else (k + following) / 2  # half steps end an oscillation
    costs = counts.sum(axis=-1)[..., None] * (shares * np.log(denominators)).sum(axis=-1)
    converged = change <= np.maximum(1e-9, change.min(axis=-1, keepdims=True))
    return np.asarray(np.where(converged, costs, np.inf).min(axis=-1))
