"""Ratings of any number of players from their results among each other: the Bradley-Terry model.

The first mover's expected score against the second mover is::

    p = 1 / (1 + 10^(-(rating of first - rating of second + advantage) / 400))

with the advantage of moving first taken to be 0, or estimated with the ratings. A draw counts as half a win and half a
loss. The ratings are the likeliest ones: those with which everyone's expected score is what it scored.

Only differences of ratings mean anything. They are given with mean 0, or relative to players whose ratings are fixed.

**Errors.** ``model`` errors are those of the likelihood: right if games are independent, a bit too large if there are
draws. ``pairs`` takes the pair of games from the same opening as the unit and its spread from the results (the
sandwich estimator, clustered by pairs): right also if the two games of a pair have to do with each other. ``games``
does the same with the single game as the unit, which is right only if they do not. The spread that is seen is mixed
with that of the model as if four more pairs (or games) had shown the latter, so that a few results that happen
to be alike does not pass for certainty.

**Where the likelihood has no maximum.** If one player, or a group, won everything against the rest, the likeliest
difference is infinite. Then each player is given one more drawn game, spread over its opponents, which makes everything
finite, and those whose rating is only a bound are marked: ``at least`` or ``at most``. Groups that never met cannot be
compared at all: that is an error, unless each holds a player whose rating is fixed; `CrossTable.groups` has the groups.
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
    :param interval: where it is with the probability that was asked for
    :param games: how many games it played
    :param score: its share of the points
    :param bound: ``at least`` if it won everything against those that it is compared with, ``at most`` if it lost all
    """

    name: str
    elo: float
    error: float
    interval: tuple[float, float]
    games: int
    score: float
    bound: Bound = ""

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it: None for an end of the interval that is infinite."""
        return {
            "name": self.name,
            "elo": self.elo,
            "error": self.error,
            "interval": [finite(end) for end in self.interval],
            "games": self.games,
            "score": self.score,
            "bound": self.bound,
        }


@dataclass(frozen=True)
class Difference:
    """How much stronger one player is than another, or the first mover than the second.

    :param los: the likelihood that it is above 0
    """

    elo: float
    error: float
    interval: tuple[float, float]
    los: float
    bound: Bound = ""

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it: None for an end of the interval that is infinite."""
        return {
            "elo": self.elo,
            "error": self.error,
            "interval": [finite(end) for end in self.interval],
            "los": self.los,
            "bound": self.bound,
        }


@dataclass(frozen=True)
class Ratings:
    """The ratings of everyone in a table, best first.

    :param players: the ratings
    :param advantage: of moving first, None if it was taken to be 0
    :param draws: the share of drawn games
    :param level: how sure the intervals are
    :param errors: what the errors rest on
    :param virtual_draws: how many drawn games each player was given, which only happens where ratings would be infinite
    """

    players: tuple[Rating, ...]
    advantage: Difference | None
    draws: float
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
        """How much stronger `one` is than `other`: errors of differences are not those of the ratings."""
        assert self._fit is not None, "only `rate` makes ratings"
        return _difference(self._fit.contrast(plus=self[one].name, minus=self[other].name), self.level)

    def to_json(self) -> dict[str, Any]:
        return {
            "players": [rating.to_json() for rating in self.players],
            "advantage": None if self.advantage is None else self.advantage.to_json(),
            "draws": self.draws,
            "level": self.level,
            "errors": self.errors,
            "virtual_draws": self.virtual_draws,
        }

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
    """The ratings of everyone in a table of results.

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
    :param errors: what the errors rest on (see this module); ``pairs`` if the table has pairs, else ``model``
    :param level: how sure the intervals have to be
    """
    check_level(level)
    if errors is not None and errors not in get_args(ErrorKind):
        raise ArenaError(f"errors={errors!r}; they can rest on {', '.join(get_args(ErrorKind))}")
    errors = errors or ("pairs" if table.pair_counts else "model")
    fit = fit_table(table, anchors=dict(anchors or {}), advantage=advantage, errors=errors)
    pairwise = table.pairwise_games()
    played = sum(games.total for games in pairwise.values())
    rated = [_rating(fit, name, table, level) for name in table.players]
    return Ratings(
        players=tuple(sorted(rated, key=lambda rating: -rating.elo)),
        advantage=_difference(fit.contrast(), level) if advantage else None,
        draws=sum(games.draws for games in pairwise.values()) / played,
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
    """With an interval that has no end where the difference would run to infinity."""
    elo, error, direction = contrast
    reach = float(special.ndtri((1 + level) / 2)) * error
    low = -math.inf if direction < 0 else elo - reach
    high = math.inf if direction > 0 else elo + reach
    bound: Bound = "at least" if direction > 0 else "at most" if direction < 0 else ""
    los = float(special.ndtr(elo / error)) if error > 0 else 0.5 + 0.5 * ((elo > 0) - (elo < 0))
    return Difference(elo, error, (low, high), los, bound)
