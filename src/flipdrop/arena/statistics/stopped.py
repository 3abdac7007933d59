"""The Elo difference after a sequential test: the usual estimate is biased, since lucky runs stop the match.

A test that accepts H1 does so when the score happens to be high, and the plain estimate of that moment is too large;
after H0 it is too small. Here the outcomes of a test are put in order instead, from the worst (H0 accepted at once) over
slower failures, matches that are not decided, and slow passes, to the best (H1 accepted at once), and the estimate is the
Elo difference for which an outcome worse than ours is as likely as a better one. The ends of the interval are those for
which it has the chance ``(1 +- level) / 2``.

The log-likelihood ratio is taken to be a Brownian motion between the two bounds (see `brownian`), with the drift and
variance of each pair for an expected score s

    drift = (s - (s0 + s1) / 2) (s1 - s0) / v,    variance = (s1 - s0)^2 / v,    v = observed variance + (s - observed)^2

This holds for many pairs, each of which moves it little.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from flipdrop.arena.statistics.brownian import chance_below
from flipdrop.arena.statistics.elo import EDGE, EloEstimate, check_level, elo_of_score, estimate_elo, score_of_elo
from flipdrop.arena.statistics.likelihood import without_zeros
from flipdrop.arena.statistics.sprt import NEVER_SEEN, NORMALISED_ELO

if TYPE_CHECKING:
    from flipdrop.arena.statistics.results import Counts
    from flipdrop.arena.statistics.sprt import Sprt


def estimate_after_sprt(sprt, results, *, level=0.95, hull=True):
    check_level(level)
    if results.total == 0:
        return estimate_elo(results, level=level)
    counts, values = without_zeros(results.counts, NEVER_SEEN), np.array(results.values)
    n = float(counts.sum())
    observed = float(counts @ values) / n
    variance = float(counts @ (values - observed) ** 2) / n
    if sprt.model == "logistic":
        score0, score1 = score_of_elo(sprt.elo0), score_of_elo(sprt.elo1)
    else:
        deviation = math.sqrt(variance * results.games_in_one)
        score0, score1 = (0.5 + elo / NORMALISED_ELO * deviation for elo in (sprt.elo0, sprt.elo1))
    step, middle = score1 - score0, (score0 + score1) / 2
    slope = (observed - middle) * step / variance
    llr, time = n * slope, n
    if not sprt.lower < llr < sprt.upper:
        llr = sprt.upper if llr > 0 else sprt.lower
        time = llr / slope
    width = sprt.upper - sprt.lower

    def chance_of_worse(score):
        v = variance
        diffusion = step**2 / v
        drift = (score - middle) * step / v
        return chance_below(-sprt.lower / width, drift * width / diffusion, diffusion * time / width**2, (llr - sprt.lower) / width)

    def where(chance):
        from scipy.optimize import brentq
        low, high = EDGE, 1 - EDGE
        if chance_of_worse(low) <= chance: return 0.0
        if chance_of_worse(high) >= chance: return 1.0
        return brentq(lambda s: chance_of_worse(s) - chance, low, high, xtol=1e-12)
    score = where(0.5)
    interval = where((1 + level) / 2), where((1 - level) / 2)
    return EloEstimate(results.games, score, interval, elo_of_score(score), tuple(map(elo_of_score, interval)), chance_of_worse(0.5), level, "sprt")
