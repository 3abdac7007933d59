"""Which of several points may be the best.

The point that did best was partly lucky, and the more points there are, the luckier the luckiest. What can be said is
which points are *not* the best: those that some other point beats by more than luck explains. All points play the same
openings, so two of them are compared opening by opening, by Student's t of the differences.

With k points, a point is ruled out if another one is better at the one-sided risk (1 - level) / (k - 1). The truly best
point has k - 1 rivals, so the risk that any of them rules it out is at most 1 - level: the points that are left hold
the best one with the chance `level`, however many points there are and whichever of them happened to do best.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from flipdrop.arena.statistics.elo import check_level

if TYPE_CHECKING:
    from numpy.typing import NDArray


def possibly_best(table: NDArray[np.float64], *, level: float = 0.95) -> NDArray[np.bool_]:
    """For each point whether it may be the best.

    :param table: (points, pairs), what each point got from each opening; nan for what is not finished
    """
    check_level(level)
    points = len(table)
    if points < 2:
        return np.ones(points, dtype=np.bool_)
    risk = (1 - level) / (points - 1)
    return np.array([not (chances_of_luck(table - row) < risk).any() for row in table])


def chances_of_luck(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    """For rows of differences, the chance that their mean is as high as it is, or higher, if their true mean is 0.

    Differences are few and lie on a grid, so that those of some openings may all be the same. But n signs that come up
    by chance are all positive with 2^-n, so no row of n differences that are not 0 says more than that.
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
