"""Episodes: self-play games of a table, with random moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.learning.tables.state_space import START

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.learning.tables.rules import Line, ValueFunction
    from flipdrop.learning.tables.state_space import StateSpace


def play_episode(
    positions: StateSpace, learned: ValueFunction, epsilons: tuple[float, float], random: Callable[[], float]
) -> tuple[Line, int]:
    """A game from the start: its moves and its last position.

    Values do not change during a game; no position occurs twice in it, so that would not affect its moves.

    :param epsilons: the probability of a random move for each side
    """
    mine, theirs = epsilons
    position, line = START, []
    while after := positions.after(position):
        move = int(random() * len(after)) if random() < mine else learned.best(position)
        line.append((position, move))
        position = after[move]
        mine, theirs = theirs, mine  # a pass is a move, so the sides always alternate
    return line, position


def epsilons_for_game(epsilon: float, random: Callable[[], float], *, drawn: bool) -> tuple[float, float]:
    """The probability of a random move for each side in the next game.

    If it is drawn for each side, one side plays greedily in some games while the other explores, which tests its moves,
    and in others both explore, which finds better moves. The mixture learns faster than any fixed epsilon
    (docs/learning/tables.md).
    """
    return (epsilon * random(), epsilon * random()) if drawn else (epsilon, epsilon)
