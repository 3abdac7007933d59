"""The Bradley-Terry model: maximum likelihood strengths, their Fisher information, and whether they are finite.

Strengths are in natural units, Elo times log(10) / 400. They are one vector: a strength for each player, and last the
advantage of moving first. A mask marks those that are estimated; the others are fixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import special

if TYPE_CHECKING:
    from flipdrop.arena.statistics.likelihood import Array

Mask = NDArray[np.bool_]
Indices = NDArray[np.intp]

SMALLEST_STEP = 1e-11


@dataclass(frozen=True)
class PairwiseCounts:
    """All games, in one row for each first and second mover that met.

    :param first: the first mover's number
    :param second: the second mover's number
    :param games: the number of games with these colours
    :param points: of the first mover, half a point for a draw
    :param players: the number of players
    """

    first: Indices
    second: Indices
    games: Array
    points: Array
    players: int

    def expected(self, strengths: Array) -> Array:
        """The first mover's expected score in each row."""
        return np.asarray(special.expit(strengths[self.first] - strengths[self.second] + strengths[-1]))

    def log_likelihood(self, strengths: Array) -> float:
        """Up to a constant."""
        edge = strengths[self.first] - strengths[self.second] + strengths[-1]
        return float(self.points @ special.log_expit(edge) + (self.games - self.points) @ special.log_expit(-edge))

    def gradient(self, strengths: Array) -> Array:
        """Of the log-likelihood, by each strength."""
        residuals = self.points - self.games * self.expected(strengths)
        rises = np.zeros(self.players + 1)
        np.add.at(rises, self.first, residuals)
        np.add.at(rises, self.second, -residuals)
        rises[-1] = residuals.sum()
        return rises

    def information(self, weights: Array) -> Array:
        """The sum over rows of weight times x x^T, x being 1 for the first mover and the advantage, -1 for the second.

        With ``games * p (1 - p)`` as weights this is the Fisher information of the strengths.
        """
        total = np.zeros((self.players + 1, self.players + 1))
        advantage = np.full(len(self.first), self.players)
        signed = ((self.first, 1), (self.second, -1), (advantage, 1))
        for row, row_sign in signed:
            for column, column_sign in signed:
                np.add.at(total, (row, column), row_sign * column_sign * weights)
        return total

    def fisher(self, strengths: Array) -> Array:
        p = self.expected(strengths)
        return self.information(self.games * p * (1 - p))

    def joined(self, other: PairwiseCounts) -> PairwiseCounts:
        """These and other games of the same players."""
        return PairwiseCounts(
            first=np.concatenate([self.first, other.first]),
            second=np.concatenate([self.second, other.second]),
            games=np.concatenate([self.games, other.games]),
            points=np.concatenate([self.points, other.points]),
            players=self.players,
        )

    def virtual_draws(self, each: float) -> PairwiseCounts:
        """`each` drawn games per player, spread over its opponents as its games are, half with each colour."""
        played = np.zeros((self.players, self.players))
        np.add.at(played, (self.first, self.second), self.games)
        both = played + played.T
        shares = both / np.maximum(both.sum(axis=1, keepdims=True), 1)
        draws = each * (shares + shares.T) / 2  # between two players
        first, second = np.nonzero(draws)
        games = draws[first, second] / 2  # each two players appear in both orders
        return PairwiseCounts(first, second, games, games / 2, self.players)


def maximum_likelihood(pairwise: PairwiseCounts, start: Array, free: Mask) -> Array:
    """The maximum likelihood strengths: Newton's method, with steps halved until the likelihood rises."""
    strengths = start.copy()
    height = pairwise.log_likelihood(strengths)
    for _ in range(200):
        information = pairwise.fisher(strengths)[np.ix_(free, free)]
        step = np.linalg.solve(information, pairwise.gradient(strengths)[free])
        if np.abs(step).max(initial=0.0) < SMALLEST_STEP:
            break
        for _ in range(60):
            following = strengths.copy()
            following[free] += step
            if (new_height := pairwise.log_likelihood(following)) >= height:
                strengths, height = following, new_height
                break
            step = step / 2
        else:
            break  # the likelihood rises by less than the rounding error
    return strengths


def diverging(pairwise: PairwiseCounts, free: Mask) -> Array | None:
    """The direction in which strengths diverge, None if the likelihood has a maximum.

    That is a change d of the strengths with which no result gets less likely and some get more likely: ``x . d >= 0``
    where only wins were scored, <= 0 where only losses, = 0 where both (or draws). A linear program looks for the d
    that moves as many rows as possible, by at least 1 each, and the strengths as little as possible.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, eye_array, hstack

    rows, columns = len(pairwise.first), int(free.sum())
    each = np.arange(rows)
    design = csr_array(
        (
            np.concatenate([np.ones(rows), -np.ones(rows), np.ones(rows)]),
            (np.tile(each, 3), np.concatenate([pairwise.first, pairwise.second, np.full(rows, pairwise.players)])),
        ),
        shape=(rows, pairwise.players + 1),
    )[:, np.flatnonzero(free)]
    only_wins, only_losses = pairwise.points == pairwise.games, pairwise.points == 0
    one_way = only_wins | only_losses
    if not one_way.any():
        return None
    ways = np.where(only_wins, 1.0, -1.0)[one_way]
    moved = design[one_way] * ways[:, None]
    count = int(one_way.sum())
    # Unknowns: the positive part of d, its negative part, and how far each one-way row moves, at most 1.
    cost = np.concatenate([np.full(2 * columns, 1e-6), -np.ones(count)])
    still = design[~one_way]
    solution = linprog(
        cost,
        A_ub=hstack([-moved, moved, eye_array(count)]),
        b_ub=np.zeros(count),
        A_eq=hstack([still, -still, csr_array((still.shape[0], count))]) if still.shape[0] else None,
        b_eq=np.zeros(still.shape[0]) if still.shape[0] else None,
        bounds=[(0, None)] * (2 * columns) + [(0, 1)] * count,
        method="highs",
    )
    unknowns = np.asarray(solution.x, dtype=np.float64)
    if unknowns[2 * columns :].sum() < 0.5:
        return None
    direction = np.zeros(pairwise.players + 1)
    direction[free] = unknowns[:columns] - unknowns[columns : 2 * columns]
    return np.round(direction, 6)
