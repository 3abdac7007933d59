"""Simulated matches, which verify the statistics: error rates and lengths of tests, coverage of intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import special

from flipdrop.arena.statistics.elo import score_of_elo
from flipdrop.arena.statistics.ratings import ELO
from flipdrop.arena.statistics.sprt import Decision
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from flipdrop.arena.statistics.likelihood import Array
    from flipdrop.arena.statistics.sprt import Sprt

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class PairModel:
    """A model of the results of pairs of games between two players.

    A game is won if the player's edge plus logistic noise is above `draw_margin`, lost if it is below minus that, and
    drawn between. The edge is the same in both games of a pair but for the opening: it adds plus or minus
    `opening_bias` for the first mover (so that the two games tend to have opposite results), and plus or minus
    `opening_taste` for the player itself (so that they tend to have the same result).

    :param elo: the player's expected score is that of this Elo difference
    :param draw_margin: in Elo; 0 for no draws
    """

    elo: float
    draw_margin: float = 0.0
    opening_bias: float = 0.0
    opening_taste: float = 0.0

    def joint(self) -> Array:
        """The probabilities of all pairs of results, [half points as first mover][half points as second mover]."""
        from scipy.optimize import brentq

        scores = np.add.outer([0, 0.5, 1], [0, 0.5, 1]) / 2
        reach = abs(self.elo) + self.draw_margin + abs(self.opening_bias) + abs(self.opening_taste) + 400
        edge = brentq(lambda e: float((self._joint(e) * scores).sum()) - score_of_elo(self.elo), -4 * reach, 4 * reach)
        return self._joint(edge)

    def probabilities(self) -> Array:
        """The probabilities of the five results of a pair, from the worst to the best."""
        joint = self.joint()
        return np.array([np.trace(joint[::-1], offset=k) for k in range(-2, 3)])

    def _joint(self, edge: float) -> Array:
        total = np.zeros((3, 3))
        for taste in (-self.opening_taste, self.opening_taste):
            for bias in (-self.opening_bias, self.opening_bias):
                total += np.outer(self._game(edge + taste + bias), self._game(edge + taste - bias)) / 4
        return total

    def _game(self, edge: float) -> Array:
        loses, wins = special.expit((np.array([-edge, edge]) - self.draw_margin) / ELO)
        return np.array([loses, max(0.0, 1 - loses - wins), wins])


@dataclass(frozen=True)
class SprtRuns:
    """The results of many matches under the same test.

    :param decisions: of each match; 1 for H1, -1 for H0, 0 if it reached the limit of pairs undecided
    :param counts: the results of each match when it stopped, shape (matches, 5)
    """

    decisions: Integers
    counts: Integers

    def share(self, decision: Decision) -> float:
        """Of the matches that ended with this decision."""
        code = {Decision.H0: -1, Decision.H1: 1, Decision.CONTINUE: 0}[decision]
        return float(np.mean(self.decisions == code))

    @property
    def mean_games(self) -> float:
        return float(2 * self.counts.sum(axis=1).mean())


def simulate_matches(model: PairModel, *, pairs: int, matches: int, seed: int) -> Integers:
    """The results of matches of a fixed length; shape (matches, 5)."""
    return np.random.default_rng(seed).multinomial(pairs, model.probabilities(), size=matches)


def simulate_sprt(
    sprt: Sprt, model: PairModel, *, matches: int, seed: int, every: int = 1, most: int = 100_000
) -> SprtRuns:
    """Plays matches until the test stops them.

    :param every: the number of pairs between two evaluations of the test
    :param most: the number of pairs after which a match ends undecided
    """
    if every < 1 or most < every:
        raise ArenaError(f"every={every}, most={most}; `every` has to be at least 1, and `most` not less than `every`")
    random = np.random.default_rng(seed)
    probabilities = model.probabilities()
    counts = np.zeros((matches, 5), dtype=np.int64)
    decisions = np.zeros(matches, dtype=np.int64)
    running = np.arange(matches)
    for _ in range(most // every):
        counts[running] += random.multinomial(every, probabilities, size=len(running))
        decisions[running] = sprt.decisions(counts[running].astype(np.float64))
        running = running[decisions[running] == 0]
        if len(running) == 0:
            break
    return SprtRuns(decisions, counts)
