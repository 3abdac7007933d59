"""Ratings of any number of players from their results among each other: the Bradley-Terry model.

The first mover's expected score against the second mover is::

    p = 1 / (1 + 10^(-(rating of first - rating of second + advantage) / 400))

with the advantage of moving first taken to be 0, or estimated with the ratings. A draw counts as half a win and half a
loss. The ratings are the maximum likelihood estimates: every player's expected score is then its actual score.

Only differences of ratings have a meaning. Ratings have mean 0, or are relative to players whose ratings are fixed.

**Errors.** ``model`` errors are those of the likelihood: correct if games are independent, slightly too large if there
are draws. ``pairs`` takes the pair of games from the same opening as the unit, and its variance from the results (the
sandwich estimator, clustered by pairs): also correct if the two games of a pair are correlated. The observed variance
is mixed with that of the model, with the weight of four pairs, so that a few identical results do not give an error of
almost 0.

**Where the likelihood has no maximum.** If one player, or a group, won all games against the rest, the estimated
difference is infinite. Then each player gets one virtual drawn game, spread over its opponents, which makes all ratings
finite, and those that are only a bound are marked: ``at least`` or ``at most``. Groups of players without a game
between them (`CrossTable.groups`) are an error, unless each has a player whose rating is fixed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

from scipy import special

from flipdrop.arena.statistics.elo import check_level, finite
from flipdrop.arena.statistics.rating_intervals import ErrorKind, Fit, fit_table
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.arena.statistics.crosstable import CrossTable

Bound = Literal["", "at least", "at most"]


@dataclass(frozen=True)
class Rating:
    """One player's rating.

    :param elo: the rating
    :param error: its standard error; 0 if it is fixed
    :param interval: with the confidence that `rate` was called with
    :param games: the number of its games
    :param bound: ``at least`` if it won all games against the players it is compared with, ``at most`` if it lost all
    """

    name: str
    elo: float
    error: float
    interval: tuple[float, float]
    games: int
    score: float
    bound: Bound = ""


@dataclass(frozen=True)
class Difference:
    """The Elo difference of two players, or of the first mover and the second.

    :param los: the likelihood that it is above 0
    """

    elo: float
    error: float
    interval: tuple[float, float]
    los: float
    bound: Bound = ""

    def to_json(self) -> dict[str, Any]:
        """None stands for infinity."""
        return {
            "elo": self.elo,
            "error": self.error,
            "interval": [finite(end) for end in self.interval],
            "los": self.los,
            "bound": self.bound,
        }


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players in a table, best first.

    :param players: the ratings
    :param advantage: of moving first, None if it was taken to be 0
    :param level: the confidence of the intervals
    :param errors: the method that estimated the errors
    :param virtual_draws: drawn games that each player was given because ratings would be infinite; else 0
    """

    players: tuple[Rating, ...]
    advantage: Difference | None
    level: float
    errors: ErrorKind
    virtual_draws: float = 0.0
    _fit: Fit | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, name: str) -> Rating:
        for rating in self.players:
            if rating.name == name:
                return rating
        raise ArenaError(f"no player {name!r}; there are {', '.join(rating.name for rating in self.players)}")

    def difference(self, one: str, other: str) -> Difference:
        """The difference of two ratings; its error does not follow from the errors of the two."""
        assert self._fit is not None, "only `rate` makes ratings"
        return _difference(self._fit.contrast(plus=self[one].name, minus=self[other].name), self.level)

    def __str__(self) -> str:
        width = max(len("player"), *(len(rating.name) for rating in self.players))
        lines = [f"{'player':{width}}  {'Elo':>8} {'error':>7}  {100 * self.level:g}% interval     games  score"]
        for rating in self.players:
            low, high = rating.interval
            lines.append(
                f"{rating.name:{width}}  {rating.elo:+z8.1f} {rating.error:7.1f}  {low:+z8.1f} {high:+z8.1f} "
                f"{rating.games:8,}  {100 * rating.score:4.1f}%  {rating.bound}".rstrip()
            )
        return "\n".join(lines)


def rate(
    table: CrossTable,
    *,
    anchors: Mapping[str, float] | None = None,
    advantage: bool = False,
    errors: ErrorKind | None = None,
    level: float = 0.95,
) -> Ratings:
    """The ratings of all players in a table of results.

    >>> from flipdrop.arena.statistics import CrossTable, Games
    >>> table = CrossTable.from_games({("mcts", "greedy"): Games(wins=30, draws=4, losses=6),
    ...                                ("greedy", "mcts"): Games(wins=12, draws=3, losses=25),
    ...                                ("greedy", "random"): Games(wins=35, draws=0, losses=5)})
    >>> print(rate(table, anchors={"random": 0}))
    player       Elo   error  95% interval     games  score
    mcts      +511.9    93.9    +327.9   +696.0       80  73.1%
    greedy    +338.0    83.1    +175.3   +500.8      120  47.1%
    random      +0.0     0.0      +0.0     +0.0       40  12.5%

    :param anchors: ratings that are known and stay as they are; without any, the mean is 0
    :param advantage: whether to estimate the advantage of moving first; if not, it is taken to be 0
    :param errors: how errors are estimated (see this module); default: ``pairs`` if the table has pairs, else ``model``
    :param level: the confidence of the intervals
    """
    check_level(level)
    if errors is not None and errors not in get_args(ErrorKind):
        raise ArenaError(f"errors={errors!r}; they can rest on {', '.join(get_args(ErrorKind))}")
    errors = errors or ("pairs" if table.pair_counts else "model")
    fit = fit_table(table, anchors=dict(anchors or {}), advantage=advantage, errors=errors)
    rated = [_rating(fit, name, table, level) for name in table.players]
    return Ratings(
        players=tuple(sorted(rated, key=lambda rating: -rating.elo)),
        advantage=_difference(fit.contrast(), level) if advantage else None,
        level=level,
        errors=errors,
        virtual_draws=fit.virtual_draws,
        _fit=fit,
    )


def _rating(fit: Fit, name: str, table: CrossTable, level: float) -> Rating:
    found = _difference(fit.contrast(plus=name), level)
    games, points = 0, 0.0
    for (first, second), counts in table.pairwise_games().items():
        if name in (first, second):
            games += counts.total
            points += counts.total * (counts.score if name == first else 1 - counts.score)
    score = points / games if games else 0.5
    return Rating(name, found.elo, found.error, found.interval, games, score, found.bound)


def _difference(contrast: tuple[float, float, float], level: float) -> Difference:
    """A contrast with its interval, which is unbounded in a direction where the difference diverges."""
    elo, error, direction = contrast
    reach = float(special.ndtri((1 + level) / 2)) * error
    low = -math.inf if direction < 0 else elo - reach
    high = math.inf if direction > 0 else elo + reach
    bound: Bound = "at least" if direction > 0 else "at most" if direction < 0 else ""
    los = float(special.ndtr(elo / error)) if error > 0 else 0.5 + 0.5 * ((elo > 0) - (elo < 0))
    return Difference(elo, error, (low, high), los, bound)
