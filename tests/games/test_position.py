"""The contract of a position, for every game."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop import ConnectFour, FlipdropError, IllegalMove, Othello, Side, game
from flipdrop.kernel import _cpu
from tests.strategies import ALL_GAMES, AnyGame, AnyPosition, random_line

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture(params=ALL_GAMES, ids=lambda any_game: any_game.name)
def any_game(request: pytest.FixtureRequest) -> AnyGame:
    chosen: AnyGame = request.param
    return chosen


@pytest.fixture
def line(any_game: AnyGame) -> list[AnyPosition]:
    """The positions of one whole game."""
    return random_line(any_game, random.Random(any_game.name))


def class_of(any_game: AnyGame) -> type[AnyPosition]:
    return type(any_game.start())


# Values --------------------------------------------------------------------------------------------------------------


def test_positions_with_equal_boards_are_equal(any_game: AnyGame) -> None:
    """Whatever the order of the moves that led there; and all others differ."""
    reached: list[AnyPosition] = [any_game.start()]
    for _ in range(3):
        reached = [position.play(move) for position in reached for move in position.legal_moves]
    boards = {position.board for position in reached}
    assert len(boards) < len(reached), "no two orders of moves meet: this test shows nothing"
    assert len(set(reached)) == len(boards)
    by_board = {position.board: position for position in reached}
    for position in reached:
        assert position == by_board[position.board]
        assert (position != by_board[position.board]) is False
        assert hash(position) == hash(by_board[position.board])


def test_a_position_is_a_key(line: list[AnyPosition]) -> None:
    number = {position: i for i, position in enumerate(line)}
    assert len(number) == len(line)
    for i, position in enumerate(line):
        assert number[type(position)(position.board)] == i


def test_hashes_scatter(any_game: AnyGame) -> None:
    source = random.Random(1)
    positions = {position for _ in range(40) for position in random_line(any_game, source)}
    assert len({hash(position) for position in positions}) == len(positions)
    low = {hash(position) % 2**16 for position in positions}  # what a dict looks at first
    by_chance = len(positions) * (1 - len(positions) / 2**17)  # different ones among as many random numbers
    assert len(low) > 0.95 * by_chance


def test_immutable(line: list[AnyPosition]) -> None:
    position = line[len(line) // 2]
    before = position.board
    names = [name for name in dir(position) if not name.startswith("__")]
    assert "cells" in names
    for name in [*names, "something_new"]:
        with pytest.raises(AttributeError):
            setattr(position, name, 1)
        with pytest.raises(AttributeError):
            delattr(position, name)
    assert position.board == before


def test_play_keeps_the_original(line: list[AnyPosition]) -> None:
    for position, following in pairwise(line):
        before, hashed = position.board, hash(position)
        for move in position.legal_moves:
            assert position.play(move) != position
        assert (position.board, hash(position)) == (before, hashed)
        assert following in {position.play(move) for move in position.legal_moves}


def test_a_position_equals_nothing_else(any_game: AnyGame) -> None:
    start = any_game.start()
    others: list[object] = [None, 0, "", start.board, object(), start.cells, any_game]
    others += [other.start() for other in ALL_GAMES if other != any_game]
    for value in others:
        assert start != value
        assert (start == value) is False
        assert value != start
    with pytest.raises(TypeError):
        assert start < start  # type: ignore[operator]


def test_equality_of_other_types(any_game: AnyGame) -> None:
    """The other operand is asked when a position does not know it."""

    class Anything:
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = None  # type: ignore[assignment]

    assert any_game.start() == Anything()


def test_games_are_values(any_game: AnyGame) -> None:
    assert any_game == game(any_game.name) == any_game.start().game
    assert hash(any_game) == hash(game(any_game.name))
    assert eval(repr(any_game), vars(sys.modules["flipdrop.games"])) == any_game


# Copies --------------------------------------------------------------------------------------------------------------

COPIES: list[Callable[[Any], Any]] = [
    copy.copy,
    copy.deepcopy,
    *(lambda p, n=n: pickle.loads(pickle.dumps(p, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)),
    lambda p: eval(repr(p), {"Othello": Othello, "ConnectFour": ConnectFour}),
    lambda p: type(p)(p.board),
    lambda p: p.game.position(p.board),
]


def test_copies_are_equal(line: list[AnyPosition]) -> None:
    for position in line:
        for made in (way(position) for way in COPIES):
            assert type(made) is type(position)
            assert made == position
            assert hash(made) == hash(position)
            assert (made.board, made.legal_moves, made.result) == (
                position.board,
                position.legal_moves,
                position.result,
            )
            assert made.game == position.game


RELOAD = """
import pickle, sys
from flipdrop.kernel import BUILD
positions = pickle.load(sys.stdin.buffer)
print(BUILD, file=sys.stderr)
pickle.dump((positions, [repr(position) for position in positions]), sys.stdout.buffer)
"""


@pytest.mark.parametrize("build", ["baseline", "v3"])
def test_pickle_of_another_kernel_build(build: str) -> None:
    if build == "v3" and not _cpu.has_v3():
        pytest.skip("this CPU runs the baseline build only")
    positions = [position for any_game in ALL_GAMES for position in random_line(any_game, random.Random(7))]
    done = subprocess.run(
        [sys.executable, "-c", RELOAD],
        input=pickle.dumps(positions),
        capture_output=True,
        env={**os.environ, "FLIPDROP_KERNEL": build},
        check=True,
    )
    assert done.stderr.split() == [build.encode()]
    assert pickle.loads(done.stdout) == (positions, [repr(position) for position in positions])


# Moves ---------------------------------------------------------------------------------------------------------------


def test_moves_by_name_and_by_number(line: list[AnyPosition]) -> None:
    for position in line:
        assert list(position.legal_moves) == sorted(set(position.legal_moves))
        for move in range(position.move_space):
            name = position.move_name(move)
            assert position.parse_move(name) == move
            assert position.parse_move(name.upper()) == move
            if move in position.legal_moves:
                assert position.play(name) == position.play(move)
            else:
                with pytest.raises(IllegalMove, match=name):
                    position.play(name)
    assert len({line[0].move_name(move) for move in range(line[0].move_space)}) == line[0].move_space


def test_finished_games(line: list[AnyPosition]) -> None:
    *before, end = line
    for position in before:
        assert (position.is_over, position.result) == (False, None)
        assert position.legal_moves
    assert end.is_over
    assert end.result in (-1, 0, 1)
    assert end.legal_moves == ()
    with pytest.raises(IllegalMove, match="the game is over"):
        end.play(0)


def test_subclass_of_results(any_game: AnyGame) -> None:
    class Mine(class_of(any_game)):  # type: ignore[misc]
        def moves(self) -> list[str]:
            return [self.move_name(move) for move in self.legal_moves]

    mine = Mine(any_game.start().board)
    for made in (mine.play(mine.legal_moves[0]), mine.play(mine.moves()[0]), mine.transformed(1), copy.copy(mine)):
        assert type(made) is Mine
        assert made.moves()
    assert mine == any_game.start()
    assert hash(mine) == hash(any_game.start())
    assert any_game.start() == mine
    assert type(Mine.from_transcript("")) is Mine


def test_the_sides_take_turns(line: list[AnyPosition]) -> None:
    assert (line[0].to_move, line[0].ply) == (Side.FIRST, 0)
    for before, after in pairwise(line):
        assert after.to_move is not before.to_move
        assert sum(after.discs) - sum(before.discs) == after.ply - before.ply
        assert after.ply - before.ply == (before.pass_move not in before.legal_moves)


# Symmetries ----------------------------------------------------------------------------------------------------------


def permutation(position: AnyPosition, symmetry: int) -> tuple[int, ...]:
    return tuple(position.transformed_move(move, symmetry) for move in range(position.move_space))


def test_the_symmetries_are_a_group(any_game: AnyGame) -> None:
    start = any_game.start()
    assert start.symmetries == type(start).symmetries == (8 if isinstance(start, Othello) else 2)
    images = {permutation(start, symmetry) for symmetry in range(start.symmetries)}
    assert len(images) == start.symmetries, "no two are the same"
    assert permutation(start, 0) == tuple(range(start.move_space))
    for image in images:
        assert sorted(image) == list(range(start.move_space))
    for one, other in product(images, images):
        assert tuple(one[move] for move in other) in images
    if start.pass_move is not None:
        assert {image[start.pass_move] for image in images} == {start.pass_move}


def test_the_image_of_a_game_is_a_game(line: list[AnyPosition]) -> None:
    for symmetry in range(line[0].symmetries):
        image: AnyPosition = line[0].transformed(symmetry)
        for before, after in pairwise(line):
            assert image == before.transformed(symmetry)
            moves = {move: before.transformed_move(move, symmetry) for move in before.legal_moves}
            assert sorted(moves.values()) == list(image.legal_moves)
            for move, image_of_move in moves.items():
                assert image.play(image_of_move) == before.play(move).transformed(symmetry)
            image = after.transformed(symmetry)
        end = line[-1]
        assert (image.result, image.discs, image.to_move, image.ply) == (
            end.result,
            end.discs,
            end.to_move,
            end.ply,
        )


def test_symmetries_of_moves_and_cells(line: list[AnyPosition]) -> None:
    """Compares symmetries of boards, which the kernel computes, with symmetries of moves, cell by cell."""
    position = line[-1]
    columns, cells = position.game.columns, position.cells
    for symmetry in range(position.symmetries):
        image = position.transformed(symmetry).cells
        for cell, mark in enumerate(cells):
            if isinstance(position, Othello):
                assert image[position.transformed_move(cell, symmetry)] == mark
            else:
                row, column = divmod(cell, columns)
                assert image[row * columns + position.transformed_move(column, symmetry)] == mark


def test_symmetries_that_do_not_exist(any_game: AnyGame) -> None:
    start = any_game.start()
    for symmetry in (-1, start.symmetries, 2**31 - 1):
        with pytest.raises(FlipdropError, match=f"symmetry {symmetry}"):
            start.transformed(symmetry)
        with pytest.raises(FlipdropError, match=f"symmetry {symmetry}"):
            start.transformed_move(0, symmetry)
    for move in (-1, start.move_space):
        with pytest.raises(IllegalMove, match=f"move number {move}"):
            start.transformed_move(move, 1)
