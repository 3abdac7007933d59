"""The rating of one new player from its results against opponents whose ratings are known, as a ladder needs it.

The rating r is the one with which the player's expected points are those that it scored (which is the likeliest one)::

    U(r) = sum over opponents of games * (score - e(r)) = 0,    e(r) = 1 / (1 + 10^((rating of opponent - r) / 400))

Its interval holds every r that the points do not contradict, the opponents' ratings being uncertain too::

    U(r)^2 <= t^2 Var(r),    Var(r) = dispersion * sum games * e (1 - e) + sum (games * slope * error of opponent)^2

with Student's t for one less degree of freedom than there are results, and the slope with which e(r) rises between the
likeliest rating and r. The dispersion is how much the results spread beside independent games without draws: draws, and
openings that decide the game, make it less than 1; pairs that go the same way make it more. It is taken from the
results, mixed with 1 as if four more of them had shown that. Who won or lost everything has an infinite rating, and an
interval with one finite end. The opponents' errors are taken to be independent of each other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.statistics.elo import check_level, finite, student_quantile
from flipdrop.arena.statistics.rating_intervals import ELO, TRUST_IN_MODEL
from flipdrop.errors import ArenaError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.arena.statistics.likelihood import Array
    from flipdrop.arena.statistics.results import Counts

FARTHEST = 30.0
"""Ratings farther than this from all opponents, in natural units (5,200 Elo), count as infinite."""


@dataclass(frozen=True)
class Opponent:
    """An opponent with a known rating.

    :param rating: its rating in Elo
    :param results: of the new player against it
    :param error: the standard error of its rating
    """

    name: str
    rating: float
    results: Counts
    error: float = 0.0

    def __post_init__(self) -> None:
        if not math.isfinite(self.rating):
            raise ArenaError(f"rating={self.rating} of {quoted(self.name)}; it has to be a finite number")
        if not 0 <= self.error < math.inf:
            raise ArenaError(f"error={self.error} of {quoted(self.name)}'s rating; it has to be a number from 0 up")


@dataclass(frozen=True)
class Placement:
    """Where a new player stands among its opponents.

    Without results nothing is known: the rating is given as the opponents' mean, and the interval holds everything.

    :param elo: its rating; infinite if it won or lost everything
    :param error: the standard error, infinite if the rating is
    :param interval: where it is with the probability `level`; its ends may be infinite
    :param dispersion: how much the results spread beside independent games without draws
    """

    elo: float
    error: float
    interval: tuple[float, float]
    games: int
    score: float
    dispersion: float
    level: float = 0.95

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it: None for what is infinite (the score says in which direction)."""
        return {
            "elo": finite(self.elo),
            "error": finite(self.error),
            "interval": [finite(end) for end in self.interval],
            "games": self.games,
            "score": self.score,
            "dispersion": self.dispersion,
            "level": self.level,
        }

    def __str__(self) -> str:
        low, high = self.interval
        return f"Elo {self.elo:z.0f} ({100 * self.level:g}%: {low:z.0f} to {high:z.0f})"


def place(opponents: Sequence[Opponent], *, advantage: float = 0.0, level: float = 0.95) -> Placement:
    """The rating of the player that has these results against these opponents.

    >>> from flipdrop.arena.statistics import Pairs
    >>> print(place([Opponent("greedy", 1000, Pairs(even=4, dw=2, ww=14)),
    ...              Opponent("perfect", 1500, Pairs(ll=12, ld=3, even=5), error=20)]))
    Elo 1271 (95%: 1190 to 1354)

    :param advantage: of moving first, in Elo; every result is taken to be half with each colour
    :param level: how sure the interval has to be
    """
    check_level(level)
    if not opponents:
        raise ArenaError("no opponents; a player is placed by its results against at least one")
    if not math.isfinite(advantage):
        raise ArenaError(f"advantage={advantage}; it has to be a finite number of Elo")
    ladder = _Ladder(tuple(opponents), advantage / ELO)
    games, points = float(ladder.games.sum()), float(ladder.points.sum())
    low, high = float(ladder.ratings.min()), float(ladder.ratings.max())
    if games == 0:
        everything = (-math.inf, math.inf)
        return Placement(ELO * float(ladder.ratings.mean()), math.inf, everything, 0, 0.5, 1.0, level)
    low, high = low - FARTHEST, high + FARTHEST
    rating = _crossing(ladder.surplus, low, high) if 0 < points < games else math.copysign(math.inf, points - games / 2)
    dispersion = ladder.dispersion(rating)
    t = student_quantile(ladder.results - 1, (1 + level) / 2)

    def end(deviations: float) -> float:
        """The rating for which the points are `deviations` standard deviations above expectation."""
        return _crossing(lambda r: ladder.surplus(r) - deviations * ladder.deviation(r, rating, dispersion), low, high)

    interval = (ELO * end(t), ELO * end(-t)) if math.isfinite(t) else (-math.inf, math.inf)
    error = math.inf
    if math.isfinite(rating):
        error = ELO * ladder.deviation(rating, rating, dispersion) / float(ladder.slopes(rating, rating).sum())
    return Placement(ELO * rating, error, interval, int(games), points / games, dispersion, level)


def _crossing(falling: Callable[[float], float], low: float, high: float) -> float:
    """Where a function falls through 0; infinite if that is out of reach."""
    from scipy.optimize import brentq

    if falling(low) <= 0:
        return -math.inf
    if falling(high) >= 0:
        return math.inf
    return float(brentq(falling, low, high, xtol=1e-10))


@dataclass(frozen=True)
class _Ladder:
    """The opponents as arrays, in natural units."""

    opponents: tuple[Opponent, ...]
    advantage: float

    @cached_property
    def ratings(self) -> Array:
        return np.array([opponent.rating / ELO for opponent in self.opponents])

    @cached_property
    def errors(self) -> Array:
        return np.array([opponent.error / ELO for opponent in self.opponents])

    @cached_property
    def games(self) -> Array:
        return np.array([opponent.results.games for opponent in self.opponents], dtype=np.float64)

    @cached_property
    def points(self) -> Array:
        return np.array([opponent.results.score for opponent in self.opponents]) * self.games

    @property
    def results(self) -> int:
        """How many results there are: pairs, and games that are in none."""
        return sum(opponent.results.total for opponent in self.opponents)

    def expected(self, rating: float) -> tuple[Array, Array]:
        """The expected score of a game and its variance, for each opponent, half the games with each colour."""
        from scipy import special

        edges = np.array([[self.advantage], [-self.advantage]])
        scores = special.expit(rating - self.ratings + edges)
        return scores.mean(axis=0), (scores * (1 - scores)).mean(axis=0)

    def surplus(self, rating: float) -> float:
        """How many points more were scored than expected."""
        return float((self.points - self.games * self.expected(rating)[0]).sum())

    def slopes(self, rating: float, likeliest: float) -> Array:
        """By how much the expected points against each opponent rise with the rating, on the way from the likeliest."""
        scores, variances = self.expected(rating)
        if not math.isfinite(likeliest) or abs(rating - likeliest) < 1e-6:
            return self.games * variances  # a game's variance is also the slope of its expected score
        return np.asarray(self.games * (scores - self.expected(likeliest)[0]) / (rating - likeliest))

    def deviation(self, rating: float, likeliest: float, dispersion: float) -> float:
        """The standard deviation of the points, by chance and by the opponents' ratings being uncertain."""
        by_chance = dispersion * float(self.games @ self.expected(rating)[1])
        return math.sqrt(by_chance + float(((self.slopes(rating, likeliest) * self.errors) ** 2).sum()))

    def dispersion(self, rating: float) -> float:
        """How much the results spread beside independent games without draws."""
        if not math.isfinite(rating):
            # Nothing is seen of the spread: at worst the two games of a pair always go the same way.
            return float(self.games.sum()) / self.results
        scores, variances = self.expected(rating)
        seen = 0.0
        for opponent, score in zip(self.opponents, scores, strict=True):
            results = opponent.results
            surpluses = results.games_in_one * (np.array(results.values) - score)
            seen += float(np.array(results.counts) @ surpluses**2)
        relative = seen / float(self.games @ variances)
        return (self.results * relative + TRUST_IN_MODEL) / (self.results + TRUST_IN_MODEL)
