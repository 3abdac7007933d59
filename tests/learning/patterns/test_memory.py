"""What a learner remembers comes back as it was seen by the side to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.games import Othello, OthelloGame
from flipdrop.kernel import Side
from flipdrop.learning.patterns.memory import Memory
from tests.strategies import OTHELLO_GAMES, random_line, randoms

if TYPE_CHECKING:
    import random

_OTHER_SIDE = str.maketrans("XO", "OX")


@given(st.sampled_from(OTHELLO_GAMES), randoms(), st.integers(1, 80))
def test_the_newest_positions_come_back_with_their_values(
    game: OthelloGame, source: random.Random, window: int
) -> None:
    line = [position for position in random_line(game, source) if isinstance(position, Othello)]
    values = np.arange(len(line), dtype=np.float32)
    memory = Memory(game.size, window)
    half = len(line) // 2
    memory.add(line[:half], values[:half])
    memory.add(line[half:], values[half:])
    kept = min(window, len(line))
    assert len(memory) == kept
    again = Memory(game.size, window)
    again.restore(memory.arrays())
    positions, found = again.take(np.arange(kept)[::-1])
    assert found.tolist() == values[-kept:][::-1].tolist()
    for position, known in zip(positions, line[::-1], strict=False):
        seen = known.cells if known.to_move == Side.FIRST else known.cells.translate(_OTHER_SIDE)
        assert (position.cells, position.to_move) == (seen, Side.FIRST)


def test_nothing_can_be_added_and_taken() -> None:
    memory = Memory(8, 10)
    memory.add([], np.empty(0, np.float32))
    assert len(memory) == 0
    assert memory.take(np.arange(0))[0] == []
