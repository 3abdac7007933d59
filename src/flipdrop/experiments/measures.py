"""Numbers that experiments make of the values of several tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flipdrop.arena.statistics import Games, Pairs, estimate_elo
from flipdrop.arena.statistics.elo import student_quantile
from flipdrop.experiments.formatting import Interval, wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.experiments.experiment import Values


def pooled(matches: Sequence[Values]) -> Values:
    """Several matches as one: wins, draws, losses, score and Elo with their intervals, and the mean margin.

    The interval holds if their games are independent: give the matches openings of their own.
    """
    pairs = Pairs.from_counts([sum(match["pairs"][i] for match in matches) for i in range(5)])
    estimate = estimate_elo(pairs).to_json()
    counts = {name: sum(match[name] for match in matches) for name in ("games", "wins", "draws", "losses")}
    margin = sum(match["margin"] * match["games"] for match in matches) / counts["games"]
    names = ("score", "score_interval", "elo", "elo_interval", "los")
    return counts | {"pairs": list(pairs.counts), "margin": margin} | {name: estimate[name] for name in names}


def score_interval(match: Values, level: float) -> Interval:
    """The interval of a match's score at another level than 95%."""
    return estimate_elo(Pairs.from_counts(match["pairs"]), level=level).score_interval


def mean(numbers: Sequence[float], level: float = 0.95) -> tuple[float, tuple[float | None, float | None]]:
    """The mean of independent numbers and its interval by Student's t; ends are None where one number is all."""
    value = float(np.mean(numbers))
    if len(numbers) < 2:
        return value, (None, None)
    reach = float(np.std(numbers, ddof=1)) / len(numbers) ** 0.5 * student_quantile(len(numbers) - 1, (1 + level) / 2)
    return value, (value - reach, value + reach)


def mean_score(scores: Sequence[float], level: float = 0.95) -> tuple[float, Interval]:
    """The mean of independent scores and its interval, which does not leave 0 to 1."""
    value, (low, high) = mean(scores, level)
    return value, (max(0.0, -np.inf if low is None else low), min(1.0, np.inf if high is None else high))


@dataclass(frozen=True)
class ReportedGames:
    """A report's games, as it printed them: own discs and the opponent's, game by game."""

    discs: tuple[tuple[int, int], ...]

    @property
    def games(self) -> Games:
        """The results that the discs stand for."""
        signs = [int(np.sign(mine - theirs)) for mine, theirs in self.discs]
        return Games.from_counts([signs.count(sign) for sign in (-1, 0, 1)])

    @property
    def interval(self) -> Interval:
        """What so few games leave open of the score: Wilson's interval."""
        return wilson(self.games.score, self.games.total)

    def __str__(self) -> str:
        return ", ".join(f"{mine}:{theirs}" for mine, theirs in self.discs)

    def __add__(self, other: ReportedGames) -> ReportedGames:
        return ReportedGames(self.discs + other.discs)
