"""Counts of results: of single games, and of pairs of games from the same opening with the colours swapped.

A player scores 0, 1/2, 1, 3/2 or 2 points in a pair. The two games share an opening, so they are not independent: an
opening that favours the first mover makes one win and one loss likely. Statistics that take the pair as the unit allow
for this correlation; statistics of single games do not.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.arena.statistics.likelihood import Array

LOSS, DRAW, WIN = 0.0, 0.5, 1.0
"""The score of a game."""


@dataclass(frozen=True)
class Counts:
    """The number of times that each result occurred, from the worst to the best; the base of `Games` and `Pairs`."""

    games_in_one: ClassVar[int]

    def __post_init__(self) -> None:
        for field in fields(self):
            count = getattr(self, field.name)
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise ArenaError(f"{field.name}={count!r} results; a count is a whole number from 0 up")

    @classmethod
    def from_counts(cls, counts: Sequence[int]) -> Self:
        """From the counts alone, from the worst result to the best.

        >>> Pairs.from_counts([10, 15, 30, 25, 20])
        Pairs(ll=10, ld=15, even=30, dw=25, ww=20)
        """
        names = [field.name for field in fields(cls)]
        if len(counts) != len(names):
            raise ArenaError(f"{list(counts)!r}: {len(counts)} counts; there are {len(names)}: {', '.join(names)}")
        return cls(**dict(zip(names, counts, strict=True)))

    @classmethod
    def from_scores(cls, scores: Array) -> Self:
        """From the score of each result, from 0 to 1; nan is left out."""
        best = len(fields(cls)) - 1
        points = best * scores[~np.isnan(scores)]
        wrong = set(points.tolist()) - set(range(best + 1))
        if wrong:
            raise ArenaError(f"a game worth {min(wrong) / best:g}; a loss is 0, a draw 0.5, a win 1")
        return cls.from_counts(np.bincount(points.astype(int), minlength=best + 1).tolist())

    @property
    def counts(self) -> tuple[int, ...]:
        """From the worst result to the best."""
        return tuple(getattr(self, field.name) for field in fields(self))

    @property
    def total(self) -> int:
        """The number of results: games, or pairs."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        return self.total * self.games_in_one

    @property
    def values(self) -> tuple[float, ...]:
        """The score of each result, from 0 to 1."""
        best = len(fields(self)) - 1
        return tuple(i / best for i in range(best + 1))

    @property
    def score(self) -> float:
        """The mean score; 1/2 without games."""
        total = self.total
        if total == 0:
            return 0.5
        return sum(count * value for count, value in zip(self.counts, self.values, strict=True)) / total

    @property
    def reversed(self) -> Self:
        """The same results as the opponent sees them."""
        return type(self).from_counts(self.counts[::-1])

    def __add__(self, other: Self) -> Self:
        return type(self).from_counts([mine + more for mine, more in zip(self.counts, other.counts, strict=True)])

    def to_json(self) -> dict[str, int]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


@dataclass(frozen=True)
class Games(Counts):
    """Counts of independent single games."""

    games_in_one: ClassVar[int] = 1

    losses: int = 0
    draws: int = 0
    wins: int = 0

    def __str__(self) -> str:
        return f"{self.wins} won, {self.draws} drawn, {self.losses} lost"

    def summary(self) -> dict[str, Any]:
        """The counts with their total and the score, as results of competitions write them in JSON."""
        return {
            "games": self.total,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
        }


@dataclass(frozen=True)
class Pairs(Counts):
    """Pairs of games from the same opening, in which each player moved first once.

    :param ll: both games lost
    :param ld: a loss and a draw
    :param even: a loss and a win, or two draws
    :param dw: a draw and a win
    :param ww: both games won
    """

    games_in_one: ClassVar[int] = 2

    ll: int = 0
    ld: int = 0
    even: int = 0
    dw: int = 0
    ww: int = 0


@dataclass(frozen=True)
class Tally:
    """The finished games of two players, from the view of the first-named.

    A game whose partner is missing, because the match was stopped, counts in `games` but in no pair. Statistics use the
    pairs only: a game without its partner includes the advantage of moving first, and of an interrupted pair the
    shorter game ends first, which is a biased sample.

    :param games: all finished games
    :param pairs: the complete pairs
    """

    games: Games = Games()
    pairs: Pairs = Pairs()

    @classmethod
    def from_scores(cls, scores: Sequence[tuple[float | None, float | None]] | Array) -> Tally:
        """From the scores of the two games of each pair: 0, 1/2 or 1, and None or nan for a game that is not finished.

        >>> Tally.from_scores([(1, 0.5), (0, 1), (1, None)])
        Tally(games=Games(losses=1, draws=1, wins=3), pairs=Pairs(ll=0, ld=0, even=1, dw=1, ww=0))
        """
        table = np.array(scores, dtype=np.float64).reshape(-1, 2)
        return cls(Games.from_scores(table.ravel()), Pairs.from_scores(table.mean(axis=1)))

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.games + other.games, self.pairs + other.pairs)


def half_points(score: float) -> int:
    """A score in half points: 0 for a loss, 1 for a draw, 2 for a win."""
    if score not in (LOSS, DRAW, WIN):
        raise ArenaError(f"a game worth {score!r}; a loss is 0, a draw 0.5, a win 1")
    return int(2 * score)
