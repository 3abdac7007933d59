"""Moves and clocks in the notation of GTP."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.errors import FlipdropError, PlayerError
from flipdrop.players import Clock
from flipdrop.players.external.gtp_notation import read_clock, read_move, write_clock
from tests.strategies import all_games, any_text, random_line, randoms, surrogates

if TYPE_CHECKING:
    import random

    from tests.strategies import AnyGame


@given(
    st.builds(Clock, remaining=st.none() | st.floats(0, 1e9), increment=st.floats(0, 1e9), move_limit=st.floats(0, 9))
)
def test_a_clock_survives_being_written(clock: Clock) -> None:
    assert read_clock(write_clock(clock).split()) == clock


def test_no_limit_is_no_clock() -> None:
    assert read_clock(write_clock(None).split()) is None
    for bad in ("", "1 2", "1 2 x", "1 2 3 4", "-1 0 -", "nan 0 -", "inf 0 0"):
        with pytest.raises(PlayerError, match="REMAINING INCREMENT MOVE_LIMIT"):
            read_clock(bad.split())


@pytest.mark.parametrize(
    ("name", "text", "move"),
    [
        ("othello", "F5", 37),
        ("othello", " f5 ", 37),
        ("othello", "PASS", 64),
        ("connect4", "4", 3),
        ("connect4", "d", 3),
        ("connect4", "G", 6),
        ("connect4", "d1", 3),
        ("connect4:9x9", "i", 8),
        ("connect4:12x12", "a", 9),
        ("connect4:12x12", "10", 9),
        ("connect4:12x12", "12", 11),
        ("connect4:12x12", "l1", 11),
        ("connect4:12x12,forbid=c1", "c2", 2),
    ],
)
def test_notations_of_moves(name: str, text: str, move: int) -> None:
    assert read_move(game(name).start(), text) == move


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("connect4", "h"),
        ("connect4", "8"),
        ("connect4", "10"),
        ("connect4", "d2"),
        ("connect4", "h1"),
        ("connect4:12x12", "d"),
        ("connect4:12x12", "13"),
        ("connect4", "pass"),
        ("connect4", ""),
        ("othello", "i9"),
        ("othello", "37"),
    ],
)
def test_texts_that_are_no_move(name: str, text: str) -> None:
    with pytest.raises(FlipdropError):
        read_move(game(name).start(), text)


@given(all_games(), randoms())
def test_moves_are_read_as_flipdrop_names_them(kind: AnyGame, source: random.Random) -> None:
    for position in random_line(kind, source)[:-1]:
        for move in position.legal_moves:
            assert read_move(position, position.move_name(move)) == move
            assert read_move(position, position.move_name(move).upper()) == move


@given(all_games(), any_text() | surrogates())
def test_any_text_is_a_move_or_an_error(kind: AnyGame, text: str) -> None:
    with suppress(FlipdropError):
        assert 0 <= read_move(kind.start(), text) < kind.start().move_space
