"""Values of searches as views show them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.games import Othello
from flipdrop.interface.web.schemas import ValueView
from flipdrop.search.report import WIN

if TYPE_CHECKING:
    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Position
    from flipdrop.interface.web.schemas import Outcome

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

    def to_unit(self, position: Position, value: float) -> float:
        """Where a value for the side to move lies."""
        if abs(value) > WIN / 2:
            share = min(1.0, (abs(value) - WIN) / len(position.cells))
            return math.copysign(_SURE + (1 - _SURE) * share, value)
        if self.half_point:
            return math.tanh(value / (2 * self.half_point))
        return max(-1.0, min(1.0, value))


def scale_of(evaluation: Evaluation) -> WinProbabilityScale:
    """The scale of an evaluation: learned ones say what they expect of the game, others have units of their own."""
    return (
        WinProbabilityScale()
        if evaluation.networks is not None
        else WinProbabilityScale(_HALF_WON.get(evaluation.name, _USUAL_HALF))
    )


def finite(value: float) -> float:
    """A number that JSON can hold: evaluations with absurd weights give others."""
    return 0.0 if math.isnan(value) else max(-_LARGEST, min(_LARGEST, value))


def describe_value(
    position: Position, value: float, scale: WinProbabilityScale, *, proven: bool, exact: bool = True
) -> ValueView:
    """A value for the side to move, as views show it.

    :param proven: whether the outcome is certain
    :param exact: whether the margin, or the number of moves, is certain too
    """
    value = finite(value)
    win_probability = round((1 + scale.to_unit(position, value)) / 2, 4)
    decided = abs(value) > WIN / 2
    if not proven and not decided:
        text = f"{100 * win_probability:.0f}%"
        return ValueView(value=round(value, 4), win_probability=win_probability, proven=False, text=text)
    outcome: Outcome = "draw" if value == 0 else "win" if value > 0 else "loss"
    sign = "-" if value < 0 else "+"
    moves = margin = None
    if value == 0:
        text = "="
    elif not decided or not exact:
        text = sign
    elif isinstance(position, Othello):
        margin = round(abs(value) - WIN)
        text = f"{sign}{margin}"
        margin = margin if value > 0 else -margin
    else:
        # The margin is the number of cells that stay empty, plus 1. The sides alternate.
        plies = position.cells.count("-") - (round(abs(value) - WIN) - 1)
        moves = (plies + 1) // 2 if value > 0 else plies // 2
        text = f"{'-' if value < 0 else ''}#{moves}"
    return ValueView(
        value=round(value, 4),
        win_probability=win_probability,
        proven=True,
        outcome=outcome,
        margin=margin,
        moves=moves,
        text=text,
    )
