"""Values of searches as views show them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.interface.web.schemas import ValueView
from flipdrop.search.values import in_discs

if TYPE_CHECKING:
    from flipdrop.evaluation import Evaluation
    from flipdrop.interface.web.schemas import Outcome
    from flipdrop.search.values import Value

# A proven win lies above this; the rest of the scale orders wins by margin or speed.
_SURE = 0.9
# Values of hand-made evaluations that are shown half-way between even and won. They are rough and decide only how
# bars and percentages look on boards for which there is no learned evaluation; the order of moves is the search's.
_HALF_WON = {"Seven": 40.0, "D": 60.0, "lines": 60.0}
_USUAL_HALF = 60.0
_LARGEST = 1e15


@dataclass(frozen=True)
class WinProbabilityScale:
    """Maps values of a search to -1 (lost) .. 1 (won); `half_point` 0 if they are in that range already."""

    half_point: float = 0.0

    def to_unit(self, value: Value) -> float:
        """-1 .. 1 for the side to move."""
        number = finite(value.number)
        if value.sees_end:
            share = min(1.0, abs(in_discs(number)) / len(value.position.cells))
            return math.copysign(_SURE + (1 - _SURE) * share, number)
        if self.half_point:
            return math.tanh(number / (2 * self.half_point))
        return max(-1.0, min(1.0, number))


def scale_of(evaluation: Evaluation) -> WinProbabilityScale:
    """The scale of an evaluation: learned ones give expected scores, others have units of their own."""
    return (
        WinProbabilityScale()
        if evaluation.networks is not None
        else WinProbabilityScale(_HALF_WON.get(evaluation.name, _USUAL_HALF))
    )


def finite(value: float) -> float:
    """The nearest number that JSON can hold; extreme weights give infinite scores."""
    return 0.0 if math.isnan(value) else max(-_LARGEST, min(_LARGEST, value))


def describe_value(value: Value, scale: WinProbabilityScale) -> ValueView:
    """A value for the side to move, as views show it."""
    number = round(finite(value.number), 4)
    win_probability = round((1 + scale.to_unit(value)) / 2, 4)
    if value.outcome is None:
        text = f"{100 * win_probability:.0f}%"
        return ValueView(value=number, win_probability=win_probability, proven=False, text=text)
    outcome: Outcome = ("draw", "win", "loss")[value.outcome]
    text = "=+-"[value.outcome]
    margin = moves = None
    if value.outcome and value.exact and value.margin is not None:
        margin = value.margin
        text = f"{margin:+}"
    elif value.outcome and value.exact and value.plies is not None:
        moves = (value.plies + (value.outcome > 0)) // 2  # the sides alternate
        text = f"{'-' if value.outcome < 0 else ''}#{moves}"
    return ValueView(
        value=number,
        win_probability=win_probability,
        proven=True,
        outcome=outcome,
        margin=margin,
        moves=moves,
        text=text,
    )
