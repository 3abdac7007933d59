"""Games as people copy them."""

from __future__ import annotations

import random

import pytest

from flipdrop import ConnectFour, Othello, game
from flipdrop.errors import FlipdropError
from flipdrop.games import write_transcript
from flipdrop.games.drawings import diagram
from flipdrop.games.pasted import link_fields, read_pasted

OTHELLO, CONNECT4 = game("othello"), game("connect4")


@pytest.mark.parametrize(
    "text",
    [
        "f5d6c3d3",
        "F5 D6 C3 D3",
        "f5, d6, c3, d3",
        "f5-d6-c3-d3",
        "1. f5 d6 2. c3 d3",
        "1.f5 2.d6 3.c3 4.d3",
        "1) f5\n2) d6\n3) c3\n4) d3",
        "1 f5 2 d6 3 c3 4 d3",
        "f5 d6 c3 d3 34-30",
        "http://127.0.0.1:8080/analyse/othello?position=f5d6c3d3&at=2",
        "https://example.org/board?moves=F5D6C3D3",
    ],
)
def test_moves_of_othello(text: str) -> None:
    start, moves = read_pasted(text, OTHELLO)
    assert start == Othello()
    assert write_transcript(start, moves) == "f5d6c3d3"


@pytest.mark.parametrize(
    "text",
    [
        "4453",
        "4 4 5 3",
        "4,4,5,3",
        "4-4-5-3",
        "1. 4 4 2. 5 3",
        "d1 d2 e1 c1",
        "D1, D2, E1, C1",
        "https://connect4.example.org/?pos=4453",
    ],
)
def test_moves_of_connect_four(text: str) -> None:
    start, moves = read_pasted(text, CONNECT4)
    assert start == ConnectFour()
    assert write_transcript(start, moves) == "4453"


BOARD = OTHELLO.position("f5d6c3")


@pytest.mark.parametrize(
    "text",
    [
        BOARD.board,
        BOARD.cells,  # the side follows from the number of discs
        f"{BOARD.board}; D3:+2; C5:-4; % a comment",
        diagram(BOARD),
        diagram(BOARD, legal=True, last_move="c3"),
        f"{diagram(BOARD)}\nboard: {BOARD.board}\nlegal: c5 d3 e3",
        "\n".join(BOARD.cells[i : i + 8] for i in range(0, 64, 8)),
        "\n".join(BOARD.cells[i : i + 8] for i in range(0, 64, 8)) + "\nwhite to move",
        BOARD.cells.replace("X", "●").replace("O", "○").replace("-", "."),
        BOARD.cells.replace("X", "B").replace("O", "W"),
    ],
)
def test_boards_of_othello(text: str) -> None:
    assert read_pasted(text, OTHELLO) == (BOARD, [])


DROPPED = CONNECT4.position("4453")


@pytest.mark.parametrize(
    "text",
    [
        DROPPED.board,
        DROPPED.board.removesuffix(" X"),
        diagram(DROPPED),
        diagram(DROPPED, legal=True, last_move="3"),
        DROPPED.board.replace("X", "R").replace("O", "Y").removesuffix(" R"),
    ],
)
def test_boards_of_connect_four(text: str) -> None:
    assert read_pasted(text, CONNECT4) == (DROPPED, [])


def test_side_that_can_move() -> None:
    """A board without a side is never one where the side to move has to pass."""
    found = 0
    for seed in range(200):
        choice, position = random.Random(seed), Othello(size=6)
        while not position.is_over:
            if position.pass_move in position.legal_moves:
                read = read_pasted(position.cells, game("othello6"))[0]
                assert read.cells == position.cells
                assert read.pass_move not in read.legal_moves
                found += 1
            position = position.play(choice.choice(position.legal_moves))
    assert found


@pytest.mark.parametrize(
    "text", ["f5f5", "hello", "f5 d6 x9", "1. e4 e5", "http://example.org/?a=b", "?", "---", "board: nothing"]
)
def test_nonsense(text: str) -> None:
    for one in (OTHELLO, CONNECT4):
        with pytest.raises(FlipdropError):
            read_pasted(text, one)


def test_columns_are_no_moves_of_othello() -> None:
    for text in ("4453", "4 4 5 3", "https://example.org/?pos=4453"):
        with pytest.raises(FlipdropError):
            read_pasted(text, OTHELLO)
    assert read_pasted("", OTHELLO) == (Othello(), [])


def test_links() -> None:
    assert link_fields("f5d6") is None
    assert link_fields("/analyse/connect4?position=44") == {"path": "/analyse/connect4", "position": "44"}
