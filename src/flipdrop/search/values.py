"""The one meaning of a value: a proven outcome with its score, or an estimate of a search.

A search gives every position and move a number. Minimax gives a finished game `WIN` and its margin; its other numbers
are the evaluation's, and those of a tree search are expected scores from -1 (loss) to 1 (win). Only this module
interprets such numbers. `SearchReport` makes a `Value` of each; the command line, page, protocols and JSON format it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flipdrop.games import Position

WIN = 1_000_000
"""Minimax values a won game at this number plus its margin."""


def is_decided(number: float) -> bool:
    """Whether a search has seen a won or lost end of the game."""
    return WIN / 2 < abs(number) < 2 * WIN


def in_discs(number: float) -> float:
    """A number of minimax in Othello in discs: the final difference, or what the evaluation expects."""
    return number - math.copysign(WIN, number) if is_decided(number) else number


def winning_margin(position: Position, score: int) -> int:
    """The margin that minimax adds to `WIN`: discs in Othello, in Connect Four the cells that stay empty plus one."""
    if position.game.score_unit == "discs":
        return abs(score)
    empty = 2 * (abs(score) - 1)
    last_mover_is_to_move = score > 0
    return empty + 1 + (position.empties - empty - last_mover_is_to_move) % 2


def encode_score(position: Position, score: int) -> float:
    """The number that stands for a proven score in minimax."""
    return math.copysign(WIN + winning_margin(position, score), score) if score else 0.0


def decode_score(position: Position, number: float) -> int:
    """The proven score of a decided number; the inverse of `encode_score`."""
    size = round(abs(in_discs(number)))
    if position.game.score_unit == "plies":
        size = (size - 1) // 2 + 1  # every second of the cells that stay empty is the winner's
    return round(math.copysign(size, number))


@dataclass(frozen=True)
class Value:
    """The value of a position or a move for the side to move.

    :param number: the search's own number; an upper bound if `bound` is set
    :param outcome: 1 for a proven win, -1 for a loss, 0 for a draw; None if the outcome is not proven
    :param score: the proven score as `Solution` has it: the final disc difference in Othello, the winner's discs in
        hand in Connect Four; None if it is not proven
    :param expected_score: whether the number is an expected score from -1 to 1, unless the search has seen the end
    :param discs: whether the number is a final disc difference, expected or seen
    """

    position: Position
    number: float
    outcome: int | None = None
    score: int | None = None
    bound: bool = False
    expected_score: bool = False
    discs: bool = False

    @property
    def proven(self) -> bool:
        return self.outcome is not None

    @property
    def exact(self) -> bool:
        """Whether the score is proven."""
        return self.score is not None

    @property
    def sees_end(self) -> bool:
        """Whether the number is that of a finished game that is won or lost."""
        return is_decided(self.number)

    @property
    def plies(self) -> int | None:
        """Moves of both sides to the end that the search has seen, in Connect Four."""
        if not self.sees_end or self.position.game.score_unit != "plies":
            return None
        return self.position.empties - (round(abs(in_discs(self.number))) - 1)

    @property
    def margin(self) -> int | None:
        """The disc difference at the end that the search has seen, in Othello; at least this unless `exact`."""
        if not self.sees_end or self.position.game.score_unit != "discs":
            return None
        return decode_score(self.position, self.number)

    @property
    def shown(self) -> float:
        """The score where the search has seen the end of the game, else its own number."""
        return decode_score(self.position, self.number) if self.sees_end else self.number

    def describe(self) -> str:
        """A proven value in words, such as ``win in 41 plies``; empty if nothing is proven."""
        if self.outcome is None:
            return ""
        if not self.sees_end or self.bound:
            return ("loss", "draw, proven", "win")[self.outcome + 1]
        if self.exact and self.margin is not None:
            return f"{self.margin:+} discs, proven"
        return self._end() + (" or more" if self.margin is not None else "")

    def format(self) -> str:
        """A proven value in words, an expected score as a percentage, any other number as such."""
        if words := self.describe():
            return words
        bound = "<= " if self.bound else ""
        if self.sees_end:
            return bound + self._end()
        if self.expected_score:
            # Never 0% or 100%: those would read as proven.
            return f"{bound}{min(99.9, max(0.1, 50 * (1 + self.number))):.1f}%"
        if self.discs:
            discs = round(self.number)
            return f"{bound}{discs:+} {'disc' if abs(discs) == 1 else 'discs'}"
        return f"{bound}{round(self.number, 2) + 0.0:+.2f}"  # never -0.00

    def to_json(self) -> dict[str, Any]:
        return {
            "value": self.shown,
            "bound": self.bound,
            "outcome": self.outcome,
            "score": self.score,
            "proven": self.proven,
            "exact": self.exact,
        }

    def _end(self) -> str:
        word = "win" if self.number > 0 else "loss"
        if self.plies is not None:
            return f"{word} in {self.plies} {'ply' if self.plies == 1 else 'plies'}"
        return f"{word} by {abs(self.margin or 0)}"
