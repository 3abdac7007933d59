"""Positions as arrays: the documented layout, and reading them back."""

from __future__ import annotations

import random

import numpy as np
import pytest

from flipdrop import ConnectFour, FlipdropError, Othello, Position, Side
from flipdrop.batch import from_numpy, legal_masks, to_numpy
from flipdrop.kernel import sample_cells, sample_planes
from tests.strategies import ALL_GAMES, AnyGame, random_line


def planes_by_hand(position: Position) -> list[list[list[int]]]:
    """The first two planes, from the board string."""
    own, other = ("X", "O") if position.to_move == Side.FIRST else ("O", "X")
    width = position.game.columns
    rows = [position.cells[i : i + width] for i in range(0, len(position.cells), width)]
    return [[[int(cell in (mark, "#")) for cell in row] for row in rows] for mark in (own, other)]


@pytest.mark.parametrize("any_game", ALL_GAMES, ids=lambda one: one.name)
def test_layout(any_game: AnyGame) -> None:
    for position in random_line(any_game, random.Random(3)):
        planes = position.to_numpy()
        assert planes.dtype == np.int8
        assert planes.tolist() == planes_by_hand(position)
        assert position.legal_mask.dtype == np.bool_
        assert tuple(np.flatnonzero(position.legal_mask)) == position.legal_moves
        assert len(position.legal_mask) == position.move_space


@pytest.mark.parametrize("any_game", ALL_GAMES, ids=lambda one: one.name)
def test_batches_are_the_arrays_of_single_positions(any_game: AnyGame) -> None:
    line = random_line(any_game, random.Random(4))
    for planes in (2, 4):
        assert (to_numpy(line, planes=planes) == [one.to_numpy(planes=planes) for one in line]).all()
    assert (legal_masks(line) == [one.legal_mask for one in line]).all()


def test_four_planes_are_those_of_networks() -> None:
    no_symmetry = np.zeros(1, dtype=np.uint8)
    othello, connect_four = Othello.from_transcript("f5d6c3d3c4"), ConnectFour.from_transcript("4455665")
    expected = sample_planes(othello, sample_cells(othello)[None], no_symmetry)
    assert (othello.to_numpy(planes=4) == expected[0]).all()
    expected = sample_planes(connect_four, sample_cells(connect_four)[None], no_symmetry)
    assert (connect_four.to_numpy(planes=4) == expected[0]).all()


def test_a_forbidden_cell_is_set_in_both_planes() -> None:
    planes = ConnectFour(forbidden="c2").to_numpy()
    assert planes[:, 4, 2].tolist() == [1, 1]
    assert planes.sum() == 2


@pytest.mark.parametrize("any_game", ALL_GAMES, ids=lambda one: one.name)
def test_way_back(any_game: AnyGame) -> None:
    line = random_line(any_game, random.Random(5))
    found = from_numpy(to_numpy(line), any_game)
    for position, again in zip(line, found, strict=True):
        if any_game.family == "connect4":
            assert again == position
        else:
            assert again.to_move == Side.FIRST
            assert (again.to_numpy() == position.to_numpy()).all()


def test_wrong_arguments() -> None:
    with pytest.raises(FlipdropError, match="planes is 3"):
        Othello().to_numpy(planes=3)
    with pytest.raises(FlipdropError, match="at least one"):
        to_numpy([])
    with pytest.raises(FlipdropError, match="one size; position 1"):
        to_numpy([Othello(), Othello(size=6)])
    with pytest.raises(FlipdropError, match="those of one board"):
        to_numpy([Othello(), ConnectFour()])
    with pytest.raises(FlipdropError, match="takes positions x planes x 6 x 7"):
        from_numpy(np.zeros((1, 2, 8, 8)), "connect4")
    with pytest.raises(FlipdropError, match="both sides"):
        from_numpy(np.ones((1, 2, 8, 8)), "othello")
