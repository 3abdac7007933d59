"""Strengths and their covariance from a table of results; `ratings` turns them into ratings with intervals.

The covariance of the maximum likelihood strengths is ``I^-1`` if the model is correct, I being the information. If not,
it is the sandwich ``I^-1 M I^-1``, where M is the variance of the likelihood's gradient, estimated from the results. A
pair of games moves that gradient by (x1 and x2 are the scores of the first-named player as first and as second mover,
p1 and p2 its expected scores)::

    u = (x1 - p1) + (x2 - p2)    for its strength, -u for its opponent's
    q = (x1 - p1) - (x2 - p2)    for the advantage of moving first
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from flipdrop.arena.statistics.bradley_terry import PairwiseCounts, diverging, maximum_likelihood
from flipdrop.errors import ArenaError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from flipdrop.arena.statistics.bradley_terry import Mask
    from flipdrop.arena.statistics.crosstable import CrossTable
    from flipdrop.arena.statistics.likelihood import Array

ErrorKind = Literal["model", "pairs"]

ELO = 400 / math.log(10)
"""Elo in one natural unit of strength."""

VIRTUAL_DRAWS = 1.0
"""Drawn games that each player is given where its rating would be infinite."""

TRUST_IN_MODEL = 4.0
"""The weight of the model's variance, in results, against the observed variance."""


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


def fit_table(table: CrossTable, *, anchors: Mapping[str, float], advantage: bool, errors: ErrorKind) -> Fit:
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
        spread = _spread(table, strengths, int(free.sum()))
        if extra is not None:
            spread = spread + extra.fisher(strengths)
        inverse = inverse @ spread[np.ix_(free, free)] @ inverse
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
            "the advantage of moving first cannot be told from the players' strengths; "
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


def _spread(table: CrossTable, strengths: Array, parameters: int) -> Array:
    """The variance of the likelihood's gradient, estimated from the results: M of the sandwich."""
    number = {player: i for i, player in enumerate(table.players)}
    seen, expected = np.zeros((2, len(strengths), len(strengths)))
    results = 0
    for one, other, count, seen_here, expected_of_one in _spreads(table, number, strengths):
        onto = np.zeros((2, len(strengths)))
        onto[0, number[one]], onto[0, number[other]], onto[1, -1] = 1, -1, 1
        seen += onto.T @ seen_here @ onto
        expected += count * onto.T @ expected_of_one @ onto
        results += count
    mixed = (results * seen + TRUST_IN_MODEL * expected) / (results + TRUST_IN_MODEL)
    # The strengths were fitted to the same results, which makes the observed variance too small.
    return np.asarray(mixed * results / max(1, results - parameters))


def _spreads(
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
