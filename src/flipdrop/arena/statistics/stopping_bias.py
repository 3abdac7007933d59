"""The Elo difference after a sequential test: the plain estimate is biased, since lucky runs stop the match.

A test that accepts H1 does so when the score happens to be high, and the plain estimate of that moment is too large;
after H0 it is too small, and its 95% interval covers the truth in about 90 of 100 tests. Here the outcomes of a test
are put in order instead, from the worst (H0 accepted at once) over slower failures, matches that are not decided and
slow passes to the best (H1 accepted at once). The estimate is the Elo difference for which a worse outcome than ours is
as likely as a better one; the ends of the interval are those for which a worse one has the chance ``(1 +- level) / 2``.

The log-likelihood ratio is taken to be a Brownian motion between the two bounds (see `brownian`) that moves with each
pair, for an expected score s and the observed variance v, by

    drift = (s - (s0 + s1) / 2) (s1 - s0) / v    and    variance = (s1 - s0)^2 / v.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flipdrop.arena.statistics.brownian import chance_below
from flipdrop.arena.statistics.elo import EDGE, EloEstimate, estimate_elo, score_of_elo
from flipdrop.arena.statistics.likelihood import NEVER_SEEN, without_zeros
from flipdrop.arena.statistics.sprt import NORMALISED_ELO

if TYPE_CHECKING:
    from flipdrop.arena.statistics.results import Counts
    from flipdrop.arena.statistics.sprt import Sprt


def estimate_after_sprt(sprt: Sprt, results: Counts, *, level: float = 0.95) -> EloEstimate:
    """How much stronger the player is, given that the match was, or would have been, stopped by this test.

    The estimate's `method` is ``sprt``. Where the results are too few, or too equal, to estimate their variance, the
    Brownian motion would give too narrow an interval: then the plain estimate is returned, with the method
    ``likelihood``. The sign is a normal interval, which relies on the variance too, that is much narrower than it.
    """
    plain = estimate_elo(results, level=level)
    trusting = estimate_elo(results, level=level, method="normal")
    if results.total == 0 or _width(plain) > 1.5 * _width(trusting):
        return plain
    test = _Path.of(sprt, results)
    return EloEstimate(
        games=results.games,
        score=test.score_where(0.5),
        score_interval=(test.score_where((1 + level) / 2), test.score_where((1 - level) / 2)),
        los=test.chance_of_worse(0.5),
        level=level,
        method="sprt",
    )


def _width(estimate: EloEstimate) -> float:
    low, high = estimate.score_interval
    return high - low


@dataclass(frozen=True)
class _Path:
    """A test as a Brownian motion, and its current point.

    :param middle: the score at which it does not drift
    :param step: s1 - s0
    :param variance: of a result's score
    :param lower: the bounds
    :param llr: the current value; a bound if it is beyond one
    :param time: the number of results until it was reached
    """

    middle: float
    step: float
    variance: float
    lower: float
    upper: float
    llr: float
    time: float

    @classmethod
    def of(cls, sprt: Sprt, results: Counts) -> _Path:
        counts, values = without_zeros(results.counts, NEVER_SEEN), np.array(results.values)
        n = float(counts.sum())
        observed = float(counts @ values) / n
        variance = float(counts @ (values - observed) ** 2) / n
        if sprt.model == "logistic":
            score0, score1 = score_of_elo(sprt.elo0), score_of_elo(sprt.elo1)
        else:
            of_a_game = math.sqrt(variance * results.games_in_one)
            score0, score1 = (0.5 + elo / NORMALISED_ELO * of_a_game for elo in (sprt.elo0, sprt.elo1))
        step, middle = score1 - score0, (score0 + score1) / 2
        slope = (observed - middle) * step / variance
        llr = min(max(n * slope, sprt.lower), sprt.upper)
        time = n if llr == n * slope else llr / slope
        return cls(middle, step, variance, sprt.lower, sprt.upper, llr, time)

    def chance_of_worse(self, score: float) -> float:
        """The chance of a worse outcome than ours if this is the expected score."""
        width = self.upper - self.lower
        diffusion = self.step**2 / self.variance
        return chance_below(
            start=-self.lower / width,
            drift=(score - self.middle) / self.step * width,  # drift for each unit of variance
            time=diffusion * self.time / width**2,
            height=(self.llr - self.lower) / width,
        )

    def score_where(self, chance: float) -> float:
        """The expected score for which a worse outcome has this chance."""
        from scipy.optimize import brentq

        if self.chance_of_worse(EDGE) <= chance:
            return 0.0
        if self.chance_of_worse(1 - EDGE) >= chance:
            return 1.0
        return float(brentq(lambda score: self.chance_of_worse(score) - chance, EDGE, 1 - EDGE, xtol=1e-12))
