"""Board strings, errors for malformed notation, and arbitrary input."""

from __future__ import annotations

import doctest
import importlib
import random
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop import (
    ConnectFour,
    FlipdropError,
    IllegalMove,
    IllegalPosition,
    NotationError,
    Othello,
    Side,
    UnknownGame,
    game,
)
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.kernel import ConnectFourPosition, OthelloPosition
from tests.strategies import ALL_GAMES, AnyGame, any_text, random_line, surrogates

if TYPE_CHECKING:
    from collections.abc import Callable


# Board strings -------------------------------------------------------------------------------------------------------

START4 = "-----OX--XO----- X"


@pytest.mark.parametrize(
    "text",
    [
        START4,
        "-----OX--XO-----X",
        "-----OX--XO----- X;",
        "  -----OX--XO----- X  \n",
        ".....ox..xo..... x",
        "_____0*__*0_____ *",
        "-----WB--BW----- B",
        "-----wb--bw----- b",
        ".....○●..●○..... ●",
        "----\n-OX-\n-XO-\n---- X",
        "---- -OX- -XO- ---- X",
        "- - - -\n- O X -\n- X O -\n- - - -\nX",
    ],
)
def test_boards_of_othello(text: str) -> None:
    assert Othello(text) == Othello(size=4)
    assert Othello(text, size=4).board == START4


ONE_DISC = "----/----/----/-X-- O"


@pytest.mark.parametrize(
    "text",
    [
        ONE_DISC,
        "----/----/----/-X-- O;",
        "  ----/----/----/-X-- O  ",
        "..../..../..../.x.. o",
        "____/____/____/_*__ 0",
        "----\n----\n----\n-X-- O",
        "----\r\n----\r\n----\r\n-X-- O\r\n",
        "- - - -/- - - -/- - - -/- X - - O",
        "----\n----\n----\n-X--\nO",
        "----/----/----/-X--/O",
    ],
)
def test_boards_of_connect_four(text: str) -> None:
    assert ConnectFour(text) == ConnectFour(columns=4, rows=4).play(1)
    assert ConnectFour(text).board == ONE_DISC
    assert ConnectFourGame(4, 4).position(text).board == ONE_DISC


@pytest.mark.parametrize("any_game", ALL_GAMES, ids=lambda any_game: any_game.name)
def test_board_strings_and_transcripts(any_game: AnyGame) -> None:
    line = random_line(any_game, random.Random(3))
    assert any_game.position("") == any_game.position(" \n") == line[0]
    for position in line:
        assert any_game.is_board(position.board)
        assert any_game.position(position.board) == position
    transcript = "".join(line[0].move_name(move) for move in line[0].legal_moves)
    assert not any_game.is_board(transcript)


@pytest.mark.parametrize(
    ("any_game", "text"),
    [
        (OthelloGame(4), "_____ox__xo_____ x"),
        (OthelloGame(4), "_____wb__bw_____ b"),
        (ConnectFourGame(4, 4), "____\n____\n____\n_x__ o"),
    ],
)
def test_every_notation_of_a_board(any_game: AnyGame, text: str) -> None:
    expected = Othello(text) if isinstance(any_game, OthelloGame) else ConnectFour(text)
    assert any_game.position(text) == expected


# What is wrong -------------------------------------------------------------------------------------------------------

BAD: list[tuple[str, Callable[[], object], type[FlipdropError], list[str]]] = [
    ("no name", lambda: game(""), UnknownGame, ["''", "othello6", "connect4:9x10"]),
    ("unknown game", lambda: game("chess"), UnknownGame, ["'chess'", "games are othello"]),
    ("typing error", lambda: game("otello"), UnknownGame, ["'otello'", "did you mean othello?"]),
    ("no options", lambda: game("connect4:"), UnknownGame, ["'connect4:'"]),
    ("bad size of Othello", lambda: OthelloGame(10), UnknownGame, ["10", "4x4, 6x6 or 8x8"]),
    ("size 0", lambda: Othello(size=0), UnknownGame, ["size 0"]),
    ("too wide", lambda: game("connect4:13x4"), UnknownGame, ["13x4", "4x4 to 12x12"]),
    ("too low", lambda: game("connect4:4x3"), UnknownGame, ["4x3"]),
    ("odd option", lambda: game("connect4:9x9,gravity=0"), UnknownGame, ["'gravity=0'", "forbid=CELL"]),
    ("size twice", lambda: game("connect4:9x9,9x9"), UnknownGame, ["'9x9'"]),
    ("cell off the board", lambda: game("connect4:9x10,forbid=j1"), UnknownGame, ["'j1'", "a1 to i10"]),
    ("row 0", lambda: ConnectFourGame(7, 6, "a0"), UnknownGame, ["'a0'", "a1 to g6"]),
    ("empty cell name", lambda: ConnectFourGame(7, 6, ""), UnknownGame, ["''"]),
    ("square off the board", lambda: Othello().play("j9"), IllegalMove, ["'j9'", "a1 to h8"]),
    ("square of a larger board", lambda: Othello(size=4).play("e5"), IllegalMove, ["'e5'", "a1 to d4"]),
    ("not legal", lambda: Othello().play("a1"), IllegalMove, ["a1 for black", "legal: d3 c4 f5 e6"]),
    ("no such number", lambda: Othello().play(65), IllegalMove, ["65"]),
    ("negative", lambda: ConnectFour().play(-1), IllegalMove, ["-1", "legal: 1 2 3 4 5 6 7"]),
    ("pass too early", lambda: Othello().play("pass"), IllegalMove, ["pass for black", "legal:"]),
    ("column 8 of 7", lambda: ConnectFour().play("8"), IllegalMove, ["'8'", "1 to 7"]),
    ("column 0", lambda: ConnectFour().play("0"), IllegalMove, ["'0'"]),
    ("column c of 11", lambda: ConnectFour(columns=11, rows=4).play("c"), IllegalMove, ["'c'", "1 to b"]),
    ("full column", lambda: ConnectFour.from_transcript("1111111"), IllegalMove, ["move 7", "'111111'", "legal: 2"]),
    ("over", lambda: ConnectFour.from_transcript("12121213"), IllegalMove, ["move 8", "the game is over"]),
    ("bad move in a transcript", lambda: Othello.from_transcript("f5d6a1"), IllegalMove, ["move 3", "'f5d6'", "a1"]),
    ("bad first move", lambda: Othello.from_transcript("a1"), IllegalMove, ["move 1", "at the start"]),
    ("half a move", lambda: Othello.from_transcript("f5d"), NotationError, ["'f5d'", "'d' is not a move"]),
    ("move number", lambda: Othello().move_name(65), IllegalMove, ["65", "0 to 64"]),
    (
        "strange mark",
        lambda: Othello("-----OX--XQ----- X"),
        NotationError,
        ["'-----OX--XQ----- X'", "'Q' is no square"],
    ),
    ("no side", lambda: Othello("-----OX--XO-----"), NotationError, ["16 marks", "16 (4x4)"]),
    ("empty side", lambda: Othello("-----OX--XO----- -"), NotationError, ["ends with '-'"]),
    ("wrong size", lambda: Othello(START4, size=6), NotationError, [START4, "6x6"]),
    ("board of another size", lambda: OthelloGame(8).position(START4 + START4), NotationError, ["marks"]),
    ("4x4 for 6x6", lambda: ConnectFourGame(6, 6).position(ONE_DISC), NotationError, [ONE_DISC, "6x6"]),
    ("empty centre", lambda: Othello("------X--XO----- X"), IllegalPosition, ["b2", "centre"]),
    ("disc apart", lambda: Othello("X" + "-" * 26 + "OX------XO" + "-" * 27 + " X"), IllegalPosition, ["a1"]),
    ("ragged", lambda: ConnectFour("----/---/----/-X-- O"), NotationError, ["[4, 3, 4, 4]"]),
    ("bad side", lambda: ConnectFour("----/----/----/-X-- Z"), NotationError, ["'Z'", "X or O"]),
    ("bad cell", lambda: ConnectFour("----/----/----/-X?- O"), NotationError, ["'?' is no cell"]),
    ("two sizes", lambda: ConnectFour(ONE_DISC, columns=5), NotationError, ["leave out"]),
    ("hanging", lambda: ConnectFour("----/----/-X--/---- O"), IllegalPosition, ["b2 hangs in the air"]),
    ("wrong turn", lambda: ConnectFour("----/----/----/-X-- X"), IllegalPosition, ["1 X and 0 O", "O's turn"]),
    ("too many", lambda: ConnectFour("----/----/----/XX-- O"), IllegalPosition, ["2 X and 0 O"]),
    ("two forbidden", lambda: ConnectFour("#---/----/----/#--- X"), IllegalPosition, ["one cell '#'"]),
    ("too small", lambda: ConnectFour("---/---/--- X"), IllegalPosition, ["3x3"]),
    ("won before", lambda: ConnectFour("----/OOO-/OOO-/XXXX X"), IllegalPosition, ["X"]),
    ("two wins", lambda: ConnectFour("----/----/XXXX/OOOO X"), IllegalPosition, ["four in a line already"]),
    ("depth", lambda: Othello().perft(-1), FlipdropError, ["depth is -1"]),
    ("threads", lambda: Othello().perft(1, threads=0), FlipdropError, ["threads is 0"]),
    ("games", lambda: Othello().playouts(-1, seed=1), FlipdropError, ["games is -1"]),
]


@pytest.mark.parametrize(("call", "error", "parts"), [bad[1:] for bad in BAD], ids=[bad[0] for bad in BAD])
def test_errors_quote_the_input(call: Callable[[], object], error: type[FlipdropError], parts: list[str]) -> None:
    with pytest.raises(FlipdropError) as caught:
        call()
    assert type(caught.value) is error
    for part in parts:
        assert part in str(caught.value)


def test_column_below_the_forbidden_cell() -> None:
    with pytest.raises(IllegalPosition, match="b3"):
        ConnectFour("----/-X--/-#--/---- O")


# Anything at all -----------------------------------------------------------------------------------------------------

PARSERS: dict[str, Callable[[str], object]] = {
    "game()": game,
    "Othello()": Othello,
    "ConnectFour()": ConnectFour,
    "forbidden": lambda text: ConnectFourGame(7, 6, text),
    "Othello.from_transcript": Othello.from_transcript,
    "ConnectFour.from_transcript": ConnectFour.from_transcript,
}
for _any_game in ALL_GAMES:
    PARSERS[f"{_any_game.name} position"] = _any_game.position
    PARSERS[f"{_any_game.name} parse_move"] = lambda text, of=_any_game: of.start().parse_move(text)  # type: ignore[misc]
    PARSERS[f"{_any_game.name} play"] = lambda text, of=_any_game: of.start().play(text)  # type: ignore[misc]


@pytest.mark.slow
@given(text=any_text() | surrogates(), parser=st.sampled_from(sorted(PARSERS)))
@settings(max_examples=1000)
def test_any_text_is_read_or_refused(text: str, parser: str) -> None:
    with suppress(FlipdropError):
        PARSERS[parser](text)


@given(cells=any_text(), side=st.sampled_from(Side), size=st.integers(-1, 9))
@settings(max_examples=300)
def test_the_kernel_refuses_any_cells(cells: str, side: Side, size: int) -> None:
    for text in (cells, cells[: size * size].ljust(size * size, "-")):
        with suppress(FlipdropError):
            OthelloPosition(size, text, side)
        with suppress(FlipdropError):
            ConnectFourPosition(size, size, text, side)


def test_cell_that_is_not_ascii() -> None:
    with pytest.raises(IllegalPosition, match="'é'"):
        OthelloPosition(4, "é" + "-" * 14, Side.FIRST)


def test_a_zero_byte_does_not_cut_the_message() -> None:
    with pytest.raises(IllegalMove, match="is not a move"):
        Othello().play("f\0")


@given(number=st.integers(), any_game=st.sampled_from(ALL_GAMES))
@settings(max_examples=300)
def test_any_number_is_a_legal_move_or_refused(number: int, any_game: AnyGame) -> None:
    """A number that no machine word holds is of a wrong type to the kernel."""
    start = any_game.start()
    if number in start.legal_moves:
        assert start.play(number).ply == 1
        return
    refusal = IllegalMove if -(2**31) <= number < 2**31 else (IllegalMove, TypeError)
    with pytest.raises(refusal):
        start.play(number)


@pytest.mark.parametrize("wrong", [None, 1.0, b"f5", ("f5",), object(), Side])
@pytest.mark.parametrize("any_game", ALL_GAMES[:4], ids=lambda any_game: any_game.name)
def test_wrong_types_of_moves(any_game: AnyGame, wrong: object) -> None:
    with pytest.raises(TypeError):
        any_game.start().play(wrong)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        any_game.start().parse_move(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", [game, Othello, OthelloGame(8).position], ids=lambda call: call.__name__)
def test_wrong_types_of_text(call: Callable[[object], object]) -> None:
    with pytest.raises(TypeError):
        call(6)


# In a process of its own: whatever goes wrong here, goes wrong with the interpreter.
ABUSE = """
import warnings
from flipdrop import ConnectFour, Othello
from flipdrop.kernel import ConnectFourPosition, OthelloPosition
warnings.simplefilter("ignore")  # nanobind warns, and then raises TypeError

def refused(call):
    try:
        call()
    except TypeError:
        return
    raise AssertionError(call)

o, c = Othello(), ConnectFour()
for kind, base, other in ((Othello, OthelloPosition, c), (ConnectFour, ConnectFourPosition, o)):
    raw = kind.__new__(kind)
    for name in ("legal_moves", "cells", "discs", "ply", "result", "is_over", "to_move", "board", "game"):
        refused(lambda: getattr(raw, name))
    for call in (repr, str, hash, kind.diagram, kind.svg, lambda p: p.play(0), lambda p: p.perft(1),
                 lambda p: p.transformed(1), lambda p: p.playouts(1, seed=1), lambda p: p.__reduce__()):
        refused(lambda: call(raw))
    for wrong in (other, None, 0, "", object(), kind, raw):
        refused(lambda: base.play(wrong, 0))
        refused(lambda: base.legal_moves.fget(wrong))
        refused(lambda: base.perft(wrong, 1))
    ready = kind()
    before = ready.board
    refused(lambda: ready.__init__(kind().play(kind().legal_moves[0]).board))
    assert ready.board == before
    refused(lambda: kind(0, 0, 0, 0))
    refused(lambda: base())
print("survived")
"""


def test_type_errors_of_the_kernel() -> None:
    done = subprocess.run([sys.executable, "-c", ABUSE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "survived"), done.stderr


UNREADY = """
import warnings
from flipdrop import ConnectFour
warnings.simplefilter("ignore")
try:
    assert ConnectFour() != ConnectFour.__new__(ConnectFour)
except TypeError:
    pass
"""


def test_position_without_init() -> None:
    done = subprocess.run([sys.executable, "-c", UNREADY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# Examples in the documentation ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["catalogue", "connect_four", "othello"])
def test_examples_in_docstrings(name: str) -> None:
    outcome = doctest.testmod(importlib.import_module(f"flipdrop.games.{name}"))
    assert outcome.attempted > 0
    assert outcome.failed == 0
