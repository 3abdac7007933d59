"""Packed positions come back as the side to move saw them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from flipdrop.games import Othello, OthelloGame
from flipdrop.kernel import Side
from flipdrop.learning.patterns.packed_positions import pack_positions, unpack_positions
from tests.strategies import OTHELLO_GAMES, random_line, randoms

if TYPE_CHECKING:
    import random

_OTHER_SIDE = str.maketrans("XO", "OX")


@given(st.sampled_from(OTHELLO_GAMES), randoms())
def test_positions_come_back_with_the_first_side_to_move(game: OthelloGame, source: random.Random) -> None:
    line = [position for position in random_line(game, source) if isinstance(position, Othello)]
    unpacked = unpack_positions(pack_positions(line, game.size), game.size)
    for position, known in zip(unpacked, line, strict=True):
        seen = known.cells if known.to_move == Side.FIRST else known.cells.translate(_OTHER_SIDE)
        assert (position.cells, position.to_move) == (seen, Side.FIRST)


def test_no_positions_can_be_packed() -> None:
    columns = pack_positions([], 8)
    assert columns["own"].shape == columns["other"].shape == (0, 8)
    assert unpack_positions(columns, 8) == []
