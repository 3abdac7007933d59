"""What a value means: for people as a short text without words, for bars and graphs as a chance.

A text is ``58%`` for a chance to win; proven are ``+12`` discs in Othello, and in Connect Four ``#4``, a win with the
fourth move from now, ``-#4``, a loss by then, or ``=``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.games import Othello
from flipdrop.search.report import WIN

if TYPE_CHECKING:
    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Position

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
) -> dict[str, Any]:
    """A value for the side to move, as views show it.

    :param proven: whether it is certain who wins
    :param exact: whether it is certain by how much

    ``value`` is the searcher's own number, ``chance`` from 0 to 1 for the side to move, ``proven`` whether it is
    certain; then ``outcome`` is ``win``, ``draw`` or ``loss``, and ``margin`` the discs in Othello, or ``moves`` the
    winner's moves until it wins in Connect Four.
    """
    value = finite(value)
    place = scale.to_unit(position, value)
    decided = abs(value) > WIN / 2
    shown: dict[str, Any] = {
        "value": round(value, 4),
        "chance": round((1 + place) / 2, 4),
        "proven": proven or decided,
        "outcome": None,
        "margin": None,
        "moves": None,
    }
    if not shown["proven"]:
        return shown | {"text": f"{100 * shown['chance']:.0f}%"}
    sign = "-" if value < 0 else "+"
    shown["outcome"] = "draw" if value == 0 else "win" if value > 0 else "loss"
    if value == 0:
        return shown | {"text": "="}
    if not decided or not exact:
        return shown | {"text": sign}
    margin = round(abs(value) - WIN)
    if isinstance(position, Othello):
        return shown | {"margin": margin if value > 0 else -margin, "text": f"{sign}{margin}"}
    # The cells that stay empty, and one: the fewer moves a win takes, the more there are. Each side makes every other.
    plies = position.cells.count("-") - (margin - 1)
    moves = (plies + 1) // 2 if value > 0 else plies // 2
    return shown | {"moves": moves, "text": f"{'-' if value < 0 else ''}#{moves}"}
