"""Who is chosen, by specs that come with an address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import game
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.pickers import game_title, level_of, player_description, player_title
from flipdrop.players import LEVELS

WORDS = Translator("en")


@pytest.mark.parametrize("number", LEVELS)
def test_a_level_is_called_by_its_number(number: int) -> None:
    assert level_of(f"level:{number}", plain=True) == number
    assert level_of(f"level:{number},seed=4") == number
    assert level_of(f"level:{number},seed=4", plain=True) is None
    assert player_title(WORDS, f"level:{number}", "its own name") == f"Level {number}"
    assert player_description(WORDS, f"level:{number}") == WORDS(f"level.{number}")


@pytest.mark.parametrize(
    "spec", ["", "level:", "level:0", "level:11", "level:" + "9" * 5000, "level:٣", "level:3x", "mcts:level:3", None]
)
def test_what_is_no_level_has_no_number(spec: str | None) -> None:
    assert level_of(spec) is None
    assert player_description(WORDS, spec) == ""
    assert player_title(WORDS, spec, "its own name") == "its own name"


@pytest.mark.parametrize(
    ("name", "title", "chinese"),
    [
        ("othello6", "Othello 6×6", "黑白棋 6×6"),
        ("connect4:9x10", "Connect Four 9×10", "四子棋 9×10"),
        ("connect4:7x6,forbid=d1", "Connect Four 7×6 without d1", "四子棋 7×6（禁 d1）"),
    ],
)
def test_games_are_called_by_their_boards(name: str, title: str, chinese: str) -> None:
    assert game_title(WORDS, game(name)) == title
    assert game_title(Translator("zh"), game(name)) == chinese


@given(st.text(max_size=20).map(lambda rest: f"level:{rest}"))
def test_any_spec_can_be_shown(spec: str) -> None:
    assert player_title(WORDS, spec)
    assert (player_description(WORDS, spec) == "") == (level_of(spec) is None)
