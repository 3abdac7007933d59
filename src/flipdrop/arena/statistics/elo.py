"""The Elo difference of two players from their results, with a confidence interval.

The expected score s of a player who is stronger by elo is ``1 / (1 + 10^(-elo / 400))``, so the estimate follows from
the score. The interval combines two tests of a score s; both allow for draws and correlated pairs, by the counts:

* the likelihood ratio: ``2 cost(s) <= t^2``, with the cost in log-likelihood of `likelihood` and Student's t for
  n - 1 degrees of freedom, since the variance is estimated (n results: games, or pairs);
* the score test: ``n (observed - s)^2 <= z^2 var(s)``, with the variance of the maximum likelihood distribution
  that has score s; for games without draws this is Wilson's interval.

The interval contains every s that *either* accepts. Each alone covers too little somewhere: the likelihood ratio where
nearly all games are won, the score test where a result is rare. Together they cover the true score in about 95% of
matches or more for all numbers of results and scores that were simulated (`python -m benchmarks sprt`). The usual
``observed +- z sd / sqrt(n)`` covers it in 70% of matches if a player who scores 97% plays 20 pairs, and has no width
if all games were won. For hundreds of pairs and scores that are not extreme the three agree.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from scipy import special

from flipdrop.arena.statistics.likelihood import NEVER_SEEN, probabilities_with_score, without_zeros
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from flipdrop.arena.statistics.likelihood import Array
    from flipdrop.arena.statistics.results import Counts

IntervalMethod = Literal["likelihood", "normal"]
EstimateMethod = Literal["likelihood", "normal", "sprt"]

ALMOST_NEVER = 1e-6
"""The count of a result that never occurred; small enough that the interval is that of the limit 0."""

EDGE = 1e-12
"""Scores closer than this to 0 or 1 count as 0 or 1."""


def score_of_elo(elo: float) -> float:
    """The expected score, from 0 to 1, of a player who is stronger by `elo`."""
    return float(special.expit(elo * math.log(10) / 400))


def elo_of_score(score: float) -> float:
    """The Elo difference of an expected score; infinite for 0 and 1."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True)
class EloEstimate:
    """The estimated Elo difference of a player and its opponent.

    Without results the score is 1/2, the Elo 0, and the intervals are unbounded. They are nearly so for a single pair,
    since it does not show the variance of pairs.

    :param games: the number of games that it comes from
    :param score: the share of the points
    :param score_interval: of the expected score, with the confidence `level`
    :param los: likelihood of superiority: the confidence that this player is the stronger one, 1/2 without results;
        above (1 + level) / 2 if and only if the interval is above 0
    :param method: how the interval was computed
    """

    games: int
    score: float
    score_interval: tuple[float, float]
    los: float
    level: float = 0.95
    method: EstimateMethod = "likelihood"

    @property
    def elo(self) -> float:
        """Infinite if all games were won or lost."""
        return elo_of_score(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """Its ends may be infinite."""
        low, high = self.score_interval
        return elo_of_score(low), elo_of_score(high)

    def to_json(self) -> dict[str, Any]:
        """None stands for infinity."""
        elo = {"elo": finite(self.elo), "elo_interval": [finite(end) for end in self.elo_interval]}
        return fields_as_json(self) | elo

    def __str__(self) -> str:
        low, high = self.elo_interval
        return (
            f"Elo {self.elo:+z.1f} ({100 * self.level:g}%: {low:+z.1f} to {high:+z.1f}), "
            f"likelihood of superiority {100 * self.los:.1f}%"
        )


def estimate_elo(results: Counts, *, level: float = 0.95, method: IntervalMethod = "likelihood") -> EloEstimate:
    """The Elo difference that results show.

    >>> from flipdrop.arena.statistics import Pairs
    >>> print(estimate_elo(Pairs(ll=10, ld=15, even=30, dw=25, ww=20)))
    Elo +52.5 (95%: +9.0 to +96.2), likelihood of superiority 99.1%

    :param level: the confidence of the intervals
    :param method: ``likelihood``, as this module explains, or ``normal``, the usual approximation for many games as
        testers of chess engines compute it: a result that never occurred counts as a thousandth, also in the score
    """
    check_level(level)
    if method not in get_args(IntervalMethod):
        raise ArenaError(f"method={method!r}; it can be {', '.join(get_args(IntervalMethod))}")
    if results.total == 0:
        return EloEstimate(0, 0.5, (0.0, 1.0), 0.5, level, method)
    if method == "normal":
        score, interval, los = _normal(results, level)
    else:
        score = results.score
        interval, los = _interval(results, level), _superiority(results)
    return EloEstimate(results.games, score, interval, los, level, method)


def covered(counts: Array, score: float, *, level: float = 0.95) -> NDArray[np.bool_]:
    """Whether the intervals of many tables of counts contain this score: shape (...) for an array (..., k)."""
    check_level(level)
    return _excluded(counts, score, level) <= 0


def _excluded(counts: Array, score: float, level: float) -> Array:
    """Above 0 where both tests exclude the score; it grows with the distance from the results."""
    ratio, standard = _distances(counts, score)
    freedom = counts.sum(axis=-1) - 1
    t = np.where(freedom > 0, special.stdtrit(np.maximum(freedom, 1), (1 + level) / 2), np.inf)
    z = special.ndtri((1 + level) / 2)
    return np.asarray(np.minimum(np.abs(ratio) / t, np.abs(standard) / z) - 1)


def _distances(counts: Array, score: float) -> tuple[Array, Array]:
    """The distance of the results from an expected score, by the likelihood ratio and by the score test.

    Both are positive if the results are better, and about standard normal if this is the true expected score.
    """
    values = np.linspace(0, 1, counts.shape[-1])
    seen = without_zeros(counts, ALMOST_NEVER)
    n = counts.sum(axis=-1)
    excess = counts @ values / n - score
    likeliest = probabilities_with_score(seen, values, score)
    cost = (seen * np.log(seen / seen.sum(axis=-1, keepdims=True) / likeliest)).sum(axis=-1)
    variance = (likeliest * (values - score) ** 2).sum(axis=-1)
    return np.sign(excess) * np.sqrt(2 * np.maximum(cost, 0.0)), excess * np.sqrt(n / variance)


def _interval(results: Counts, level: float) -> tuple[float, float]:
    observed = results.score
    counts = np.array(results.counts, dtype=np.float64)

    def excluded(score: float) -> float:
        return float(_excluded(counts, score, level))

    low = 0.0 if observed <= EDGE else _crossing(excluded, EDGE, min(observed, 1 - EDGE))
    high = 1.0 if observed >= 1 - EDGE else _crossing(excluded, 1 - EDGE, max(observed, EDGE))
    return low, high


def _crossing(excluded: Callable[[float], float], edge: float, inside: float) -> float:
    """The end of the interval between the edge of all scores and a score inside."""
    from scipy.optimize import brentq

    if excluded(edge) <= 0:
        return float(round(edge))
    return float(brentq(excluded, edge, inside, xtol=1e-11, rtol=1e-11))


def _superiority(results: Counts) -> float:
    """The confidence that the expected score is above 1/2, by the more cautious of the two tests."""
    ratio, standard = _distances(np.array(results.counts, dtype=np.float64), 0.5)
    freedom = results.total - 1
    by_ratio = float(special.stdtr(freedom, ratio)) if freedom > 0 else 0.5
    return min(by_ratio, float(special.ndtr(standard)), key=lambda chance: abs(chance - 0.5))


def _normal(results: Counts, level: float) -> tuple[float, tuple[float, float], float]:
    """Score, its interval and the likelihood of superiority by the normal approximation."""
    counts, values = without_zeros(results.counts, NEVER_SEEN), np.array(results.values)
    n = counts.sum()
    score = float(counts @ values / n)
    error = math.sqrt(counts @ (values - score) ** 2) / n
    reach = float(special.ndtri((1 + level) / 2)) * error
    return score, (max(0.0, score - reach), min(1.0, score + reach)), float(special.ndtr((score - 0.5) / error))


def student_quantile(freedom: int, probability: float) -> float:
    """Student's t; infinite without degrees of freedom."""
    return float(special.stdtrit(freedom, probability)) if freedom > 0 else math.inf


def check_level(level: float) -> None:
    """Raises ArenaError unless this is a level of confidence."""
    if not 0 < level < 1:
        raise ArenaError(f"level={level}; it has to be between 0 and 1, 0.95 for example")


def finite(value: float) -> float | None:
    """The value, None if it is infinite: JSON has no infinity."""
    return value if math.isfinite(value) else None


def fields_as_json(record: Any) -> dict[str, Any]:
    """The fields of a dataclass as JSON holds them: lists for tuples, None for infinity."""

    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return [plain(one) for one in value]
        return finite(value) if isinstance(value, float) else value

    return {field.name: plain(getattr(record, field.name)) for field in fields(record)}
