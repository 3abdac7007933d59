"""Small endgames, in which everything that can happen can be tried."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.learning.tables.settings import settings_for
from flipdrop.learning.tables.state_space import START, StateSpace
from tests.strategies import random_line

if TYPE_CHECKING:
    from flipdrop.learning.tables.rules import Trajectory
    from flipdrop.learning.tables.settings import Rule, TableSettings
    from tests.strategies import AnyGame, AnyPosition

SMALL_GAMES: list[AnyGame] = [OthelloGame(4), ConnectFourGame(4, 4), ConnectFourGame(4, 4, "b2"), ConnectFourGame(5, 4)]


@st.composite
def endgames(draw: st.DrawFn, empty: int = 5) -> AnyPosition:
    """A position of a random game with at most `empty` empty cells."""
    game = draw(st.sampled_from(SMALL_GAMES))
    line = random_line(game, random.Random(draw(st.integers(0, 2**32))))
    late = [position for position in line[:-1] if position.cells.count("-") <= empty]
    return late[0] if late else line[-2]


def trajectories_from(positions: StateSpace) -> list[tuple[Trajectory, int]]:
    """Every game from the start on."""
    found: list[tuple[Trajectory, int]] = []

    def walk(position: int, line: Trajectory) -> None:
        after = positions.after(position)
        if not after:
            found.append((line, position))
        for move, following in enumerate(after):
            walk(following, [*line, (position, move)])

    walk(START, [])
    return found


def settings(rule: Rule, **given: Any) -> TableSettings:
    return settings_for(rule, OthelloGame(4), **given)
