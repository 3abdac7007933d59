"""Transcripts: passes, white space, letters of columns, round trips."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from flipdrop import ConnectFour, Othello, Side
from flipdrop.games import ConnectFourGame, OthelloGame, positions_along, read_transcript, write_transcript
from tests.strategies import AnyGame, all_games, random_line, randoms

if TYPE_CHECKING:
    import random

WITH_PASS = "b1c1d3a1"  # on 4x4 black must pass here, and white can play a3


@pytest.mark.parametrize(
    "text",
    ["b1c1d3a1a3", "B1C1D3A1A3", "b1 c1 d3 a1 a3", "\tb1c1\n d3 a1\r\na3 "]
    + [WITH_PASS + written + "a3" for written in ("pass", "PASS", "Pass", "pa", "PA", "ps", "--", " -- ", "\npass\n")],
)
def test_passes_may_be_written_or_left_out(text: str) -> None:
    moves, position = read_transcript(Othello(size=4), text)
    assert [position.move_name(move) for move in moves] == ["b1", "c1", "d3", "a1", "pass", "a3"]
    assert position == Othello(size=4).play("b1").play("c1").play("d3").play("a1").play("pass").play("a3")
    assert position == Othello.from_transcript(text, size=4) == OthelloGame(4).position(text)
    assert write_transcript(Othello(size=4), moves) == "b1c1d3a1a3"


def test_a_pass_at_the_end_must_be_written() -> None:
    before, after = Othello.from_transcript(WITH_PASS, size=4), Othello.from_transcript(WITH_PASS + "pass", size=4)
    assert (before.to_move, after.to_move) == (Side.FIRST, Side.SECOND)
    assert before.cells == after.cells


@pytest.mark.parametrize("text", ["4453", " 4 4 5 3 ", "44\n53", "\t4453\r\n"])
def test_white_space_in_connect_four(text: str) -> None:
    expected = ConnectFour().play(3).play(3).play(4).play(2)
    assert ConnectFour.from_transcript(text) == ConnectFourGame().position(text) == expected


def test_columns_after_the_ninth_are_letters() -> None:
    wide = ConnectFourGame(12, 4)
    assert [wide.start().move_name(move) for move in range(12)] == list("123456789abc")
    assert wide.position("9aBC") == wide.start().play(8).play(9).play(10).play(11)


@given(any_game=all_games(), source=randoms())
@settings(max_examples=50)
def test_a_game_comes_back_from_its_transcript(any_game: AnyGame, source: random.Random) -> None:
    line = random_line(any_game, source)
    moves = [
        next(move for move in before.legal_moves if before.play(move) == after) for before, after in pairwise(line)
    ]
    text = write_transcript(line[0], moves)
    assert read_transcript(line[0], text) == (moves, line[-1])
    assert any_game.position(text) == line[-1]
    assert positions_along(line[0], moves) == line
    assert positions_along(line[0], [line[0].move_name(move) for move in moves]) == line
