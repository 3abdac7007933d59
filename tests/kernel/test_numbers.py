"""Numbers that Python hands to the kernel: any whole number is taken or an ordinary error, whatever its size."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from flipdrop import ConnectFour, FlipdropError, IllegalMove, Othello, kernel
from flipdrop.games.history import GameHistory
from flipdrop.kernel import (
    ConnectFourGames,
    ConnectFourSolver,
    MctsTree,
    OthelloGames,
    OthelloSolver,
    SolveRequest,
    tree_below,
    tree_children,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position

POSITIONS: tuple[Position, ...] = (Othello(), ConnectFour(), ConnectFour(columns=9, rows=10))
LIMITS = (2**31, -(2**31) - 1, 2**32, 2**63, -(2**63) - 1, 2**64, 2**70, -(2**70), 10**400)
NUMBERS = st.one_of(st.sampled_from(LIMITS), st.integers(), st.integers(-(2**66), 2**66))
MAX_PLIES = 200
NO_NUMBERS: tuple[Any, ...] = (3.0, float("nan"), b"d3", b"3", None, [], np.float64(3), np.array([3, 4]), object())

WITH_MOVES: dict[str, Callable[[Any, Any], object]] = {
    "play": lambda position, move: position.play(move),
    "move_name": lambda position, move: position.move_name(move),
    "transformed_move": lambda position, move: position.transformed_move(move, 1),
    "landing_cell or flipped_by": lambda position, move: (
        position.flipped_by(move) if isinstance(position, Othello) else position.landing_cell(move)
    ),
    "tree_below": lambda position, move: tree_below(MctsTree(), position, [move]),
    "GameHistory.play": lambda position, move: GameHistory.of(position).play(move),
}


def is_refused(call: Callable[..., object], *arguments: object, **named: object) -> bool:
    """Whether a call raises the ordinary error, with a message that people can read; any other error ends the test."""
    message = ""
    try:
        call(*arguments, **named)
    except FlipdropError as caught:
        message = str(caught)
    assert len(message) < 500
    return bool(message)


@pytest.mark.parametrize("name", WITH_MOVES)
@given(move=NUMBERS)
@example(move=2**63)
@example(move=2**70)
@example(move=-1)
def test_moves(name: str, move: int) -> None:
    for position in POSITIONS:
        if is_refused(WITH_MOVES[name], position, move):
            assert move not in position.legal_moves
        else:
            assert 0 <= move < position.move_space or name == "tree_below"


@pytest.mark.parametrize("name", WITH_MOVES)
def test_what_is_no_number_is_no_move(name: str) -> None:
    for position in POSITIONS:
        for given_move in (*NO_NUMBERS, True, False, np.True_):
            with pytest.raises(TypeError):
                WITH_MOVES[name](position, given_move)


def test_numbers_of_other_types() -> None:
    class Indexed:
        def __init__(self, number: int) -> None:
            self.number = number

        def __index__(self) -> int:
            return self.number

    for made in (np.int8, np.uint64, np.array, Indexed):
        assert Othello().play(made(19)) == Othello().play(19)  # type: ignore[call-overload]
    with pytest.raises(IllegalMove, match="2\\^64 or more"):
        Othello().play(Indexed(2**64))  # type: ignore[call-overload]


@given(number=NUMBERS)
@example(number=2**70)
def test_symmetries_depths_and_planes(number: int) -> None:
    for position in POSITIONS:
        assert is_refused(position.transformed, number) is not (0 <= number < position.symmetries)
        assert is_refused(position.transformed_move, 0, number) is not (0 <= number < position.symmetries)
        assert is_refused(position.to_numpy, planes=number) is (number not in (2, 4))
        assert is_refused(tree_children, MctsTree(), position, number) is (number != 1024)  # the root's index
        if not 0 <= number < 2**31:  # what is less counts for a long time
            assert is_refused(position.perft, number)
        if not 1 <= number <= 1024:
            assert is_refused(position.perft, 1, threads=number)
        if not 0 <= number <= 10**9:
            assert is_refused(position.playouts, number, seed=1)


def settings() -> list[tuple[type, str, type]]:
    """The numbers in all classes of settings: class, attribute, int or float."""
    found = []
    for name in kernel.__all__:
        cls = getattr(kernel, name)
        if not inspect.isclass(cls) or not any(getattr(one, "fset", None) for one in vars(cls).values()):
            continue
        try:
            made = cls()
        except TypeError:
            continue
        for attribute, member in vars(cls).items():
            value = getattr(made, attribute, None)
            if getattr(member, "fset", None) and type(value) in (int, float):
                found.append((cls, attribute, type(value)))
    return found


SETTINGS = settings()


def test_all_settings_are_found() -> None:
    assert len({cls for cls, _, _ in SETTINGS}) >= 9
    assert (SolveRequest, "threads", int) in SETTINGS


@given(number=NUMBERS)
@example(number=2**70)
@example(number=10**400)
def test_settings(number: int) -> None:
    for cls, attribute, kind in SETTINGS:
        made = cls()
        before = getattr(made, attribute)
        if is_refused(setattr, made, attribute, number):
            assert getattr(made, attribute) == before
        else:
            assert getattr(made, attribute) == kind(number)


def test_settings_that_are_no_numbers() -> None:
    for cls, attribute, _ in SETTINGS:
        for value in (b"3", None, [], "3", object()):
            with pytest.raises(TypeError):
                setattr(cls(), attribute, value)


@given(number=NUMBERS)
@example(number=2**70)
def test_constructors(number: int) -> None:
    small: dict[str, Any] = {"planes": 2, "auto_reset": True, "random_plies": 0, "seed": 1, "threads": 1}
    for games, start in ((OthelloGames, POSITIONS[0]), (ConnectFourGames, POSITIONS[1])):
        make: Any = games
        accepted = {
            "planes": number in (2, 4),
            "random_plies": 0 <= number <= MAX_PLIES,
            "seed": 0 <= number < 2**64,
            "threads": 1 <= number <= 1024,
        }
        for name, is_accepted in accepted.items():
            assert is_refused(make, start, 1, **small | {name: number}) is not is_accepted
    if not 0 <= number <= 2**20:
        for solver in (OthelloSolver, ConnectFourSolver):
            assert is_refused(solver, number)


@given(number=NUMBERS)
@example(number=2**70)
def test_numbers_of_games(number: int) -> None:
    made = OthelloGames(Othello(), 2, planes=2, auto_reset=True, random_plies=0, seed=1, threads=1)
    if -2 <= number < 2:
        assert made.position(Othello(), number) == Othello()
    else:
        with pytest.raises((IndexError, FlipdropError)):
            made.position(Othello(), number)


@pytest.mark.parametrize("like", [ConnectFour(), 3, None, Othello, "x", object()])
def test_a_position_of_games_has_the_class_of_a_position_of_the_game(like: Any) -> None:
    """An object of another class would hold memory of the wrong layout."""
    made = OthelloGames(Othello(), 2, planes=2, auto_reset=True, random_plies=0, seed=1, threads=1)
    with pytest.raises(TypeError):
        made.position(like, 0)
