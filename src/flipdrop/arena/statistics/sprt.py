"""The sequential probability ratio test: stop a match as soon as its result is clear, with known risks of error.

Two hypotheses about the first player's advantage, in Elo::

    H0: elo = elo0        H1: elo = elo1 > elo0

After every pair of games the log-likelihood ratio (LLR) of H1 to H0 is compared with two bounds. Above the upper one
H1 is accepted, below the lower one H0; between them the match continues::

    upper = log((1 - beta) / alpha)        lower = log(beta / (1 - alpha))

alpha is the risk of accepting H1 when H0 holds (a false positive), beta the risk of accepting H0 when H1 holds. The
likelihood of a hypothesis is that of the likeliest distribution of results that agrees with it (see `likelihood`),
which makes this the generalised test: the shares of draws, and of openings that decide the game, need not be known.

These bounds keep the risks if there are many pairs. If a test ends after 20 or 30 of them, as one of 0 against 100 Elo
does, the variance is estimated from too few results, and risks of 5% were up to 6.4%. So the bounds are wider by the
factor ``(n + 1) / n`` after n pairs, which costs four games or so: then the risks were no higher than promised, as far
as 2,000 simulated matches show, in all tests and kinds of games that were simulated (`python -m benchmarks sprt`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from flipdrop.arena.statistics.elo import fields_as_json, score_of_elo
from flipdrop.arena.statistics.likelihood import NEVER_SEEN, cost_of_normalised_score, cost_of_score, without_zeros
from flipdrop.errors import ArenaError, quoted

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from flipdrop.arena.statistics.likelihood import Array
    from flipdrop.arena.statistics.results import Counts

EloModel = Literal["logistic", "normalised"]

NORMALISED_ELO = 800 / math.log(10)
"""Normalised Elo in one standard deviation of a game: as large as ordinary Elo where no game is drawn and it is 0."""

LARGEST = {"logistic": 2000.0, "normalised": 200.0}
"""Limits of hypotheses: beyond, the normalised model has no unique maximum likelihood distribution."""


class Decision(StrEnum):
    """The decision of a test."""

    H0 = "H0"
    H1 = "H1"
    CONTINUE = "continue"


@dataclass(frozen=True)
class SprtResult:
    """The state of a test.

    :param llr: the log-likelihood ratio of H1 to H0
    :param lower: at or below it H0 is accepted; the bounds depend on the number of results
    :param upper: at or above it H1 is accepted
    """

    llr: float
    lower: float
    upper: float
    decision: Decision

    def to_json(self) -> dict[str, Any]:
        return fields_as_json(self)

    def __str__(self) -> str:
        meaning = {
            Decision.H0: "H0 accepted: not better",
            Decision.H1: "H1 accepted: better",
            Decision.CONTINUE: "not decided",
        }
        return f"LLR {self.llr:.2f} ({self.lower:.2f} to {self.upper:.2f}): {meaning[self.decision]}"


@dataclass(frozen=True)
class Sprt:
    """A test of elo1 against elo0.

    :param alpha: the risk of accepting H1 when H0 holds
    :param beta: the risk of accepting H0 when H1 holds
    :param model: ``logistic``: ordinary Elo, from the expected score s by 1 / s = 1 + 10^(-elo / 400). ``normalised``:
        (s - 1/2) / (standard deviation of a game), times 800 / log 10; the number of games that a test takes then
        does not depend on the share of draws
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = "logistic"

    def __post_init__(self) -> None:
        if self.model not in get_args(EloModel):
            raise ArenaError(f"model={self.model!r}; it can be {', '.join(get_args(EloModel))}")
        for name in ("elo0", "elo1"):
            elo, limit = getattr(self, name), LARGEST[self.model]
            if not abs(elo) <= limit:
                raise ArenaError(f"{name}={elo:g}; {self.model} Elo can be tested from {-limit:g} to {limit:g}")
        if not self.elo0 < self.elo1:
            raise ArenaError(f"elo0={self.elo0:g}, elo1={self.elo1:g}; elo0 has to be less than elo1")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ArenaError(f"{name}={getattr(self, name)}; it has to be between 0 and 0.5, 0.05 for example")

    @classmethod
    def parse(cls, text: str, *, alpha: float = 0.05, beta: float = 0.05, model: EloModel = "logistic") -> Sprt:
        """Parses a test in the notation of the command line: elo0, a comma, elo1.

        >>> Sprt.parse("0,5")
        Sprt(elo0=0.0, elo1=5.0, alpha=0.05, beta=0.05, model='logistic')
        """
        try:
            elo0, elo1 = (float(part) for part in text.split(","))
        except ValueError:
            raise ArenaError(f"sprt {quoted(text)}; it takes two numbers, elo0,elo1, such as 0,5") from None
        return cls(elo0, elo1, alpha=alpha, beta=beta, model=model)

    @property
    def lower(self) -> float:
        """H0 is accepted at or below this LLR if there are many results."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """H1 is accepted at or above this LLR if there are many results."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, results: Counts) -> float:
        if results.total == 0:
            return 0.0
        return float(self.llrs(np.array(results.counts)))

    def llrs(self, counts: Array) -> Array:
        """The same for many tables of counts at once: shape (...) for an array (..., 3) of games, (..., 5) of pairs."""
        kinds = counts.shape[-1]
        values = np.linspace(0, 1, kinds)
        seen = without_zeros(counts, NEVER_SEEN)
        if self.model == "logistic":
            costs = [cost_of_score(seen, values, score_of_elo(elo)) for elo in (self.elo0, self.elo1)]
        else:
            # The mean of a pair's two games is steadier than a game by the square root of 2.
            unit = NORMALISED_ELO / math.sqrt((kinds - 1) / 2)
            costs = [cost_of_normalised_score(seen, values, elo / unit) for elo in (self.elo0, self.elo1)]
        return costs[0] - costs[1]

    def test(self, results: Counts) -> SprtResult:
        """The state of the test after these results."""
        llr, wider = self.llr(results), _wider(max(1, results.total))
        lower, upper = float(self.lower * wider), float(self.upper * wider)
        decision = Decision.CONTINUE
        if llr >= upper:
            decision = Decision.H1
        elif llr <= lower:
            decision = Decision.H0
        return SprtResult(llr, lower, upper, decision)

    def decisions(self, counts: Array) -> NDArray[np.int64]:
        """The same for many tables of counts at once: 1 for H1, -1 for H0, 0 to continue."""
        llrs, wider = self.llrs(counts), _wider(counts.sum(axis=-1))
        return np.where(llrs >= self.upper * wider, 1, np.where(llrs <= self.lower * wider, -1, 0))

    def to_json(self) -> dict[str, Any]:
        return fields_as_json(self)

    def __str__(self) -> str:
        return f"{self.elo0:g},{self.elo1:g}"


def _wider(results: ArrayLike) -> Array:
    """The factor by which the bounds are wider after this number of results."""
    return 1 + 1 / np.asarray(results, dtype=np.float64)
