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

The covariance of the maximum likelihood strengths is ``I^-1`` if the model is correct, I being the information. If not,
it is the sandwich ``I^-1 M I^-1``, where M is the variance of the likelihood's gradient, estimated from the results. A
pair of games moves that gradient by (x1 and x2 are the scores of the first-named player as first and as second mover,
p1 and p2 its expected scores)::

    u = (x1 - p1) + (x2 - p2)    for its strength, -u for its opponent's
    q = (x1 - p1) - (x2 - p2)    for the advantage of moving first
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from scipy import special

from flipdrop.arena.statistics.bradley_terry import PairwiseCounts, diverging, maximum_likelihood
from flipdrop.arena.statistics.elo import check_level, fields_as_json
from flipdrop.errors import ArenaError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flipdrop.arena.statistics.bradley_terry import Mask
    from flipdrop.arena.statistics.crosstable import CrossTable
    from flipdrop.arena.statistics.likelihood import Array

ErrorKind = Literal["model", "pairs"]
Bound = Literal["", "at least", "at most"]

ELO = 400 / math.log(10)
"""Elo in one natural unit of strength."""

VIRTUAL_DRAWS = 1.0
"""Drawn games that each player is given where its rating would be infinite."""

TRUST_IN_MODEL = 4.0
"""The weight of the model's variance, in results, against the observed variance."""


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
        return fields_as_json(self)


@dataclass(frozen=True)
class Fit:
    """Maximum likelihood strengths.

    :param players: in the order of the arrays below
    :param elo: of each player, and last the advantage of moving first
    :param covariance: of these
    :param direction: the direction in which they would diverge without the virtual draws; 0 for those that would not
    :param virtual_draws: drawn games that each player was given
    """

    players: tuple[str, ...]
    elo: Array
    covariance: Array
    direction: Array
    virtual_draws: float = 0.0

    def contrast(self, *, plus: str | None = None, minus: str | None = None) -> tuple[float, float, float]:
        """The difference of two players, its standard error, and its component in the diverging direction.

        With one player it is that player's rating; with none, the advantage of moving first.
        """
        weights = np.zeros(len(self.elo))
        if plus is None and minus is None:
            weights[-1] = 1
        if plus is not None:
            weights[self.players.index(plus)] += 1
        if minus is not None:
            weights[self.players.index(minus)] -= 1
        variance = max(0.0, float(weights @ self.covariance @ weights))
        return float(weights @ self.elo), math.sqrt(variance), float(weights @ self.direction)


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
    fit = _fit_table(table, anchors=dict(anchors or {}), advantage=advantage, errors=errors)
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


def _fit_table(table: CrossTable, *, anchors: Mapping[str, float], advantage: bool, errors: ErrorKind) -> Fit:
    """Maximum likelihood strengths of all players in a table, relative to the anchors, or with mean 0."""
    pairwise = _pairwise(table)
    _check(table, anchors)
    free, start = _free_and_start(table, pairwise, anchors, advantage)
    _check_rank(pairwise, free)
    direction = diverging(pairwise, free)
    extra = None if direction is None else pairwise.virtual_draws(VIRTUAL_DRAWS)
    everything = pairwise if extra is None else pairwise.joined(extra)
    strengths = maximum_likelihood(everything, start, free)
    covariance = np.zeros((len(start), len(start)))
    inverse = np.linalg.inv(everything.fisher(strengths)[np.ix_(free, free)])
    if errors != "model":
        variance = _gradient_variance(table, strengths, int(free.sum()))
        if extra is not None:
            variance = variance + extra.fisher(strengths)
        inverse = inverse @ variance[np.ix_(free, free)] @ inverse
    covariance[np.ix_(free, free)] = inverse
    if not anchors:
        centre = np.eye(len(start))
        centre[:-1, :-1] -= 1 / len(table.players)
        strengths, covariance = centre @ strengths, centre @ covariance @ centre.T
    return Fit(
        players=table.players,
        elo=ELO * strengths,
        covariance=ELO**2 * covariance,
        direction=np.zeros(len(start)) if direction is None else _from_main_group(direction, pairwise, bool(anchors)),
        virtual_draws=0.0 if extra is None else VIRTUAL_DRAWS,
    )


def _pairwise(table: CrossTable) -> PairwiseCounts:
    number = {player: i for i, player in enumerate(table.players)}
    rows = table.pairwise_games()
    if not rows:
        raise ArenaError("no games in the table; ratings need some")
    return PairwiseCounts(
        first=np.array([number[first] for first, _ in rows]),
        second=np.array([number[second] for _, second in rows]),
        games=np.array([games.total for games in rows.values()], dtype=np.float64),
        points=np.array([games.wins + games.draws / 2 for games in rows.values()]),
        players=len(number),
    )


def _check(table: CrossTable, anchors: Mapping[str, float]) -> None:
    """Raises ArenaError unless all players can be compared."""
    for name, elo in anchors.items():
        if name not in table.players:
            raise ArenaError(f"anchor {quoted(name)} is not among the players: {', '.join(table.players)}")
        if not math.isfinite(elo):
            raise ArenaError(f"anchor {quoted(name)} at {elo}; its rating has to be a finite number")
    groups = table.groups()
    unanchored = [group for group in groups if not any(player in anchors for player in group)]
    if unanchored and len(groups) > 1:
        listed = "; ".join(", ".join(group) for group in groups)
        raise ArenaError(
            f"{len(groups)} groups of players with no game between them, so they cannot be compared: {listed}. "
            "Let them meet, rate each group on its own, or give an anchor in each"
        )


def _free_and_start(
    table: CrossTable, pairwise: PairwiseCounts, anchors: Mapping[str, float], advantage: bool
) -> tuple[Mask, Array]:
    """The mask of free strengths, and the start of the search."""
    start = np.zeros(pairwise.players + 1)
    free = np.ones(pairwise.players + 1, dtype=np.bool_)
    free[-1] = advantage
    for name, elo in anchors.items():
        start[table.players.index(name)] = elo / ELO
        free[table.players.index(name)] = False
    if anchors:
        start[:-1][free[:-1]] = np.mean([elo / ELO for elo in anchors.values()])
    else:
        free[0] = False  # any player: the mean is set to 0 afterwards
    return free, start


def _check_rank(pairwise: PairwiseCounts, free: Mask) -> None:
    """Raises ArenaError if the advantage of moving first cannot be separated from strength."""
    information = pairwise.information(np.ones(len(pairwise.first)))[np.ix_(free, free)]
    if len(information) and np.linalg.matrix_rank(information) < len(information):
        raise ArenaError(
            "the advantage of moving first cannot be separated from the players' strengths; "
            "it takes players that meet with both colours"
        )


def _from_main_group(direction: Array, pairwise: PairwiseCounts, anchored: bool) -> Array:
    """The direction relative to the anchors, or to the group of equal direction that played most games."""
    if anchored:
        return direction
    played = np.zeros(pairwise.players)
    np.add.at(played, pairwise.first, pairwise.games)
    np.add.at(played, pairwise.second, pairwise.games)
    levels = {level: played[direction[:-1] == level].sum() for level in direction[:-1].tolist()}
    most = max(levels.values())
    relative = direction.copy()
    relative[:-1] -= np.mean([level for level, games in levels.items() if games == most])
    return relative


def _gradient_variance(table: CrossTable, strengths: Array, parameters: int) -> Array:
    """The variance of the likelihood's gradient, estimated from the results: M of the sandwich."""
    number = {player: i for i, player in enumerate(table.players)}
    seen, expected = np.zeros((2, len(strengths), len(strengths)))
    results = 0
    for one, other, count, seen_here, expected_of_one in _gradient_terms(table, number, strengths):
        onto = np.zeros((2, len(strengths)))
        onto[0, number[one]], onto[0, number[other]], onto[1, -1] = 1, -1, 1
        seen += onto.T @ seen_here @ onto
        expected += count * onto.T @ expected_of_one @ onto
        results += count
    mixed = (results * seen + TRUST_IN_MODEL * expected) / (results + TRUST_IN_MODEL)
    # The strengths were fitted to the same results, which makes the observed variance too small.
    return np.asarray(mixed * results / max(1, results - parameters))


def _gradient_terms(
    table: CrossTable, number: Mapping[str, int], strengths: Array
) -> Iterator[tuple[str, str, int, Array, Array]]:
    """For each two players: the number of results, the sum of (u, q)(u, q)^T, and its expectation for one result."""

    def expected(first: str, second: str) -> float:
        edge = strengths[number[first]] - strengths[number[second]] + strengths[-1]
        return float(1 / (1 + math.exp(-edge)))

    scores = np.array([0.0, 0.5, 1.0])
    for (one, other), rows in table.pair_counts.items():
        counts = np.array(rows, dtype=np.float64)
        p1, p2 = expected(one, other), 1 - expected(other, one)
        first, second = (scores - p1)[:, None], (scores - p2)[None, :]
        u, q = first + second, first - second
        seen = np.array([[np.sum(counts * a * b) for b in (u, q)] for a in (u, q)])
        v1, v2 = p1 * (1 - p1), p2 * (1 - p2)
        yield one, other, int(counts.sum()), seen, np.array([[v1 + v2, v1 - v2], [v1 - v2, v1 + v2]])
    for (first_mover, second_mover), games in table.single_games.items():
        p = expected(first_mover, second_mover)
        seen_once = float(np.array(games.counts) @ (scores - p) ** 2)
        ones = np.ones((2, 2))
        yield first_mover, second_mover, games.total, seen_once * ones, p * (1 - p) * ones
