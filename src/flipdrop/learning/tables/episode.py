"""The games that a table learns from: it plays both sides, with some random moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.learning.tables.state_space import START

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.learning.tables.rules import Learned, Line
    from flipdrop.learning.tables.state_space import StateSpace


def play_episode(
    positions: StateSpace, learned: Learned, epsilons: tuple[float, float], random: Callable[[], float]
) -> tuple[Line, int]:
    """A game from the start: its moves, and the position in which it is over.

    Nothing is learned on the way; no position occurs twice in a game, so that would make no difference to its moves.

    :param epsilons: how often each side plays a random move instead of the best
    """
    mine, theirs = epsilons
    position, line = START, []
    while after := positions.after(position):
        move = int(random() * len(after)) if random() < mine else learned.best(position)
        line.append((position, move))
        position = after[move]
        mine, theirs = theirs, mine  # who has to pass makes a move as well: so it is always the other side's turn
    return line, position


def epsilons_for_game(epsilon: float, random: Callable[[], float], *, drawn: bool) -> tuple[float, float]:
    """How often each side plays a random move in the next game.

    Drawn anew for each side, there are games in which one side plays its best while the other tries anything, which
    tests the one, and games in which both try things, which finds better moves. A mixture learns faster than any one
    epsilon (docs/learning/tables.md).
    """
    return (epsilon * random(), epsilon * random()) if drawn else (epsilon, epsilon)
