"""The server for the platform Saiblo."""

from __future__ import annotations

import io

import pytest

from flipdrop.errors import FlipdropError, PlayerError
from flipdrop.games import ConnectFourGame
from flipdrop.interface.protocols.saiblo import SaibloServer, platform_game, serve_saiblo
from flipdrop.players import player


def _server(spec: str = "mcts:iterations=20", seed: int = 3) -> SaibloServer:
    return SaibloServer(player(spec, seed=seed))


@pytest.mark.parametrize("board", ["9 12 8 3", "12 9 0 8", "10 11 4 5", "6 7 -1 -1", "4 4 3 0"])
def test_whole_game(board: str) -> None:
    rows, columns, x, y = map(int, board.split())
    sides = _server(), _server("engine:nodes=200")
    for side in sides:
        assert side.answer(board) == ""
    position = platform_game(rows, columns, (x, y)).start()
    last, plies = "-1 -1", 0
    while not position.is_over:
        last = sides[plies % 2].answer(last)
        row, column = map(int, last.split())
        assert position.landing_cell(column) == row * columns + column
        position = position.play(column)
        plies += 1
    assert plies >= 7
    assert sides[plies % 2].answer(last) == ""  # the game is over


def test_forbidden_cell() -> None:
    """Row 8 of nine is the bottom; the column begins above it, and a disc below a forbidden cell is followed above."""
    assert platform_game(9, 12, (8, 3)) == ConnectFourGame(12, 9, "d1")
    assert platform_game(9, 12, (0, 0)) == ConnectFourGame(12, 9, "a9")
    server = _server("random")
    server.answer("9 9 7 4")
    server.answer("8 4")
    with pytest.raises(PlayerError, match="row 7"):
        server.answer("7 4")


def test_another_game() -> None:
    server = _server()
    for _ in range(2):
        server.answer("9 9 0 0")
        assert server.answer("-1 -1").startswith("8 ")


@pytest.mark.parametrize(
    "lines",
    [
        ["-1 -1"],
        ["9 9 1"],
        ["9 9 9 0"],
        ["9 9 -1 0"],
        ["99 9 0 0"],
        ["9 9 0 0", "x y"],
        ["9 9 0 0", "7 3"],
        ["9 9 0 0", "8 9"],
        ["9 9 0 0", "-1 -1", "-1 -1"],
        ["9 9 0 0 1"],
    ],
)
def test_bad_lines(lines: list[str]) -> None:
    server = _server("random")
    for line in lines[:-1]:
        server.answer(line)
    with pytest.raises(FlipdropError):
        server.answer(lines[-1])


def test_stream() -> None:
    answers = io.StringIO()
    serve_saiblo(player("random", seed=1), io.StringIO("9 10 0 0\n\n-1 -1\n"), answers)
    assert len(answers.getvalue().splitlines()) == 1
