"""Means with intervals by Student's t, and which of several means may be the highest.

The highest score among many points is an overestimate. A test can rule out points that are significantly worse than
another one. All points play the same openings, so two of them are compared opening by opening, by Student's t of the
differences.

With k points, a point is ruled out if another one is better at the one-sided risk (1 - level) / (k - 1). The truly best
point has k - 1 rivals, so the risk that any of them rules it out is at most 1 - level (Bonferroni): the remaining
points contain the best one with the confidence `level`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from flipdrop.arena.statistics.elo import check_level, finite, student_quantile

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.arena.statistics.likelihood import Array

LEVEL = 0.95
"""The default confidence of the intervals."""


@dataclass(frozen=True)
class Mean:
    """A mean with its interval, whose ends are infinite for fewer than two numbers."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, numbers: Array, *, level: float = LEVEL) -> Mean:
        """The mean of independent numbers, by Student's t."""
        n = len(numbers)
        if n == 0:
            return cls(0.0, -np.inf, np.inf)
        mean = float(numbers.mean())
        reach = float(numbers.std(ddof=1)) / n**0.5 * student_quantile(n - 1, (1 + level) / 2) if n > 1 else np.inf
        return cls(mean, mean - reach, mean + reach)

    def to_json(self) -> list[float | None]:
        return [finite(self.low), finite(self.high)]


def possibly_best(table: Array, *, level: float = LEVEL) -> NDArray[np.bool_]:
    """For each point whether it may be the best.

    :param table: (points, pairs), the score or margin of each point with each opening; nan for unfinished pairs
    """
    check_level(level)
    points = len(table)
    if points < 2:
        return np.ones(points, dtype=np.bool_)
    risk = (1 - level) / (points - 1)
    return np.array([not (p_values(table - row) < risk).any() for row in table])


def p_values(differences: Array) -> Array:
    """One-sided p-values of rows of differences, for the hypothesis that their mean is 0.

    A row may consist of equal differences, which would give 0. The sign test bounds it: n random signs are all positive
    with probability 2^-n, so a row with n differences other than 0 has at least that p-value.
    """
    known = ~np.isnan(differences)
    n = known.sum(axis=-1)
    filled = np.where(known, differences, 0.0)
    mean = filled.sum(axis=-1) / np.maximum(n, 1)
    squares = (np.where(known, filled - mean[..., None], 0.0) ** 2).sum(axis=-1)
    error = np.sqrt(squares / np.maximum(n - 1, 1) / np.maximum(n, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(mean == 0, 0.0, mean / error)
    chance = np.where(n > 1, special.stdtr(np.maximum(n - 1, 1), -t), 0.5)
    least = 0.5 ** (filled != 0).sum(axis=-1)
    return np.asarray(np.maximum(chance, least), dtype=np.float64)
