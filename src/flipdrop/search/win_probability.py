"""`WinProbabilityScale`: values of searches on one scale from lost to won, for bars, graphs and percentages."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.search.values import in_discs

if TYPE_CHECKING:
    from flipdrop.evaluation import Evaluation
    from flipdrop.search.values import Value

# Wins whose end the search has seen lie above this, in the order of their margin or speed.
_MIN_PROVEN_WIN = 0.9
# Values of hand-made evaluations that are shown half-way between even and won. They are rough and decide only how
# bars and percentages look on boards for which there is no learned evaluation; the order of moves is the search's.
_HALF_POINTS = {"Seven": 40.0, "D": 60.0, "lines": 60.0, "parity": 100.0}
DEFAULT_HALF_POINT = 60.0
"""The half point of other evaluations, and of rewards of any size."""
_LARGEST = 1e15
_CERTAIN = 0.99  # the highest win probability of a value that is not proven


@dataclass(frozen=True)
class WinProbabilityScale:
    """Maps values of a search to -1 (lost) .. 1 (won); `half_point` 0 if they are in that range already."""

    half_point: float = 0.0
    discs: bool = False  # whether the values are in discs, and displayed as discs

    def to_unit(self, value: Value) -> float:
        """-1 .. 1 for the side to move."""
        number = finite(value.number)
        if value.sees_end:
            share = min(1.0, abs(in_discs(number)) / len(value.position.cells))
            return math.copysign(_MIN_PROVEN_WIN + (1 - _MIN_PROVEN_WIN) * share, number)
        if self.half_point:
            return math.tanh(number / (2 * self.half_point))
        return max(-1.0, min(1.0, number))

    def win_probability(self, value: Value) -> float:
        """0 .. 1 for the side to move, where a draw counts half; 0.01 .. 0.99 unless the outcome is proven."""
        share = (1 + self.to_unit(value)) / 2
        return round(share if value.proven else max(1 - _CERTAIN, min(_CERTAIN, share)), 4)

    def expected_discs(self, value: Value) -> float | None:
        """The disc difference at the end that a search of Othello expects or has seen."""
        if value.position.game.score_unit != "discs":
            return None
        if value.margin is not None:
            return float(value.margin)
        if value.outcome == 0:
            return 0.0
        return round(finite(value.number), 1) if self.discs else None


ENGINE_SCALE = WinProbabilityScale(half_point=4.0, discs=True)
"""Of values in discs: four more than the opponent are shown as a win probability of 73%."""


def scale_of(evaluation: Evaluation) -> WinProbabilityScale:
    """The scale of an evaluation: learned ones give expected scores or discs, others have units of their own."""
    if evaluation.networks is None:
        return WinProbabilityScale(_HALF_POINTS.get(evaluation.name, DEFAULT_HALF_POINT))
    # The engine's networks score in discs; only they have an error of their searches.
    is_engines = any(model.probcut is not None for model in evaluation.networks.models)
    return ENGINE_SCALE if is_engines else WinProbabilityScale()


def finite(value: float) -> float:
    """The nearest number that JSON can hold; extreme weights give infinite scores."""
    return 0.0 if math.isnan(value) else max(-_LARGEST, min(_LARGEST, value))
