"""Names of levels, players and games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.display_names import game_title, level_of, player_description, player_title
from flipdrop.players import LEVELS

T = Translator("en")


@pytest.mark.parametrize("number", LEVELS)
def test_level(number: int) -> None:
    assert level_of(f"level:{number}", plain=True) == number
    assert level_of(f"level:{number},seed=4") == number
    assert level_of(f"level:{number},seed=4", plain=True) is None
    assert player_title(T, f"level:{number}", "its own name") == f"Level {number}"
    assert player_description(T, f"level:{number}") == T(f"level.{number}")


@pytest.mark.parametrize(
    "spec", ["", "level:", "level:0", "level:11", "level:" + "9" * 5000, "level:٣", "level:3x", "mcts:level:3", None]
)
def test_no_level(spec: str | None) -> None:
    assert level_of(spec) is None
    assert player_description(T, spec) == ""
    assert player_title(T, spec, "its own name") == "its own name"


@pytest.mark.parametrize(
    ("name", "title", "chinese"),
    [
        ("othello6", "Othello 6×6", "黑白棋 6×6"),
        ("connect4:9x10", "Connect Four 9×10", "四子棋 9×10"),
        ("connect4:7x6,forbid=d1", "Connect Four 7×6, d1 blocked", "四子棋 7×6（d1 禁用）"),
    ],
)
def test_game_title(name: str, title: str, chinese: str) -> None:
    assert game_title(T, game(name)) == title
    assert game_title(Translator("zh"), game(name)) == chinese


@given(st.text(max_size=20).map(lambda rest: f"level:{rest}"))
def test_any_spec(spec: str) -> None:
    assert player_title(T, spec)
    assert (player_description(T, spec) == "") == (level_of(spec) is None)
