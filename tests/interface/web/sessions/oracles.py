"""Exact values by playing out every line."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flipdrop.games import ConnectFour, Othello


@cache
def margin(position: Othello) -> int:
    """The first side's final margin when both play their best, by playing out every line."""
    if position.is_over:
        return position.margin
    best = max if position.to_move == 0 else min
    return best(margin(position.play(move)) for move in position.legal_moves)


@cache
def plies_to_win(position: ConnectFour) -> float:
    """Of the side to move: plies until it wins, negative until it loses, infinite for a draw."""
    if position.is_over:
        return math.inf if position.result == 0 else -0.5  # it has lost already: between a loss in 0 and a win in 0
    after = [plies_to_win(position.play(move)) for move in position.legal_moves]
    wins = [1 - plies for plies in after if plies < 0]
    if wins:
        return min(wins)
    return math.inf if math.inf in after else -max(1 + plies for plies in after)
