"""Names of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop import game
from flipdrop.games import ConnectFourGame, OthelloGame

if TYPE_CHECKING:
    from tests.strategies import AnyGame


def test_names_of_games() -> None:
    games: list[AnyGame] = [OthelloGame(size) for size in (4, 6, 8)]
    for columns in range(4, 13):
        for rows in range(4, 13):
            plain = ConnectFourGame(columns, rows)
            games.append(plain)
            games += [ConnectFourGame(columns, rows, plain.cell_name(cell)) for cell in range(columns * rows)]
    names = {any_game.name: any_game for any_game in games}
    assert len(names) == len(games)
    for name, any_game in names.items():
        assert game(name) == any_game
        assert game(f" {name.upper()} ") == any_game


def test_cells_are_named_from_the_bottom_left() -> None:
    board = ConnectFourGame(9, 10)
    assert (board.cell("a10"), board.cell("i10"), board.cell("a1"), board.cell("i1")) == (0, 8, 81, 89)
    assert [board.cell(board.cell_name(cell)) for cell in range(90)] == list(range(90))


@pytest.mark.parametrize(
    ("name", "same"),
    [("othello8", "othello"), ("connect4:7x6", "connect4"), ("connect4:7x6,forbid=c3", "connect4:forbid=c3")],
)
def test_other_names(name: str, same: str) -> None:
    assert game(name) == game(same)
    assert game(name).name == same
