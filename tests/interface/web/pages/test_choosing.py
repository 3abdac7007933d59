"""Who is chosen, by specs that come with an address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.interface.web.pages.choosing import level_of, player_about, player_title
from flipdrop.interface.web.pages.words import Words
from flipdrop.players import LEVELS

WORDS = Words("en")


@pytest.mark.parametrize("number", LEVELS)
def test_a_level_is_called_by_its_number(number: int) -> None:
    assert level_of(f"level:{number}", plain=True) == number
    assert level_of(f"level:{number},seed=4") == number
    assert level_of(f"level:{number},seed=4", plain=True) is None
    assert player_title(WORDS, f"level:{number}", "its own name") == f"Level {number}"
    assert player_about(WORDS, f"level:{number}") == WORDS(f"level.{number}")


@pytest.mark.parametrize(
    "spec", ["", "level:", "level:0", "level:11", "level:" + "9" * 5000, "level:٣", "level:3x", "mcts:level:3", None]
)
def test_what_is_no_level_has_no_number(spec: str | None) -> None:
    assert level_of(spec) is None
    assert player_about(WORDS, spec) == ""
    assert player_title(WORDS, spec, "its own name") == "its own name"


@given(st.text(max_size=20).map(lambda rest: f"level:{rest}"))
def test_any_spec_can_be_shown(spec: str) -> None:
    assert player_title(WORDS, spec)
    assert (player_about(WORDS, spec) == "") == (level_of(spec) is None)
