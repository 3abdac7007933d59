"""Statistics of the values of several tasks, and of the games that reports printed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from flipdrop.arena.statistics import Games, Pairs, estimate_elo
from flipdrop.arena.statistics.means import Mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.experiments.experiment import Values

Interval = tuple[float, float]


def wilson(score: float, games: int, *, level: float = 0.95) -> Interval:
    """Wilson's interval of a score of independent games.

    >>> [round(end, 2) for end in wilson(1.0, 2)]
    [0.34, 1.0]
    """
    z = float(special.ndtri((1 + level) / 2))
    middle = (score + z * z / (2 * games)) / (1 + z * z / games)
    half_width = z / (1 + z * z / games) * (score * (1 - score) / games + z * z / (4 * games * games)) ** 0.5
    return max(0.0, middle - half_width), min(1.0, middle + half_width)


def win_rate(values: Values) -> tuple[float, Interval]:
    """The share of independent games that were won, with its interval."""
    rate = values["wins"] / values["games"]
    return rate, wilson(rate, values["games"])


def share_row(share: float, games: int) -> Values:
    """A share of independent games as a row of tables and pictures: the score, and its interval by Wilson."""
    return {"score": share, "score_interval": wilson(share, games)}


def pooled(matches: Sequence[Values]) -> Values:
    """Several matches as one: wins, draws, losses, score and Elo with their intervals.

    The interval requires independent games: matches need different openings.
    """
    pairs = Pairs.from_counts([sum(match["pairs"][i] for match in matches) for i in range(5)])
    estimate = estimate_elo(pairs).to_json()
    counts = {name: sum(match[name] for match in matches) for name in ("games", "wins", "draws", "losses")}
    names = ("score", "score_interval", "elo", "elo_interval", "los")
    return counts | {"pairs": list(pairs.counts)} | {name: estimate[name] for name in names}


def score_interval(match: Values, level: float) -> Interval:
    """The interval of a match's score at another level than 95%."""
    return estimate_elo(Pairs.from_counts(match["pairs"]), level=level).score_interval


def difference(one: Values, other: Values, level: float = 0.95) -> tuple[float, Interval]:
    """How much more one match scores than another from other openings, with its interval."""
    value = float(one["score"] - other["score"])
    halves = [(high - low) / 2 for low, high in (score_interval(match, level) for match in (one, other))]
    half_width = math.hypot(*halves)
    return value, (value - half_width, value + half_width)


def mean(numbers: Sequence[float], level: float = 0.95) -> tuple[float, tuple[float | None, float | None]]:
    """The mean of independent numbers and its interval by Student's t; the ends are None for a single number."""
    found = Mean.of(np.array(numbers, dtype=np.float64), level=level)
    low, high = found.to_json()
    return found.value, (low, high)


def mean_score(scores: Sequence[float], level: float = 0.95) -> tuple[float, Interval]:
    """The mean of independent scores and its interval, clipped to 0 to 1."""
    value, (low, high) = mean(scores, level)
    return value, (max(0.0, -np.inf if low is None else low), min(1.0, np.inf if high is None else high))


@dataclass(frozen=True)
class ReportedGames:
    """A report's games as printed: own discs and the opponent's, game by game."""

    discs: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, *discs: str) -> ReportedGames:
        """As in ``ReportedGames.of("40:24", "50:14")``."""
        pairs = (text.split(":") for text in discs)
        return cls(tuple((int(mine), int(theirs)) for mine, theirs in pairs))

    @property
    def games(self) -> Games:
        """Wins, draws and losses."""
        signs = [int(np.sign(mine - theirs)) for mine, theirs in self.discs]
        return Games.from_counts([signs.count(sign) for sign in (-1, 0, 1)])

    def __str__(self) -> str:
        return ", ".join(f"{mine}:{theirs}" for mine, theirs in self.discs)
