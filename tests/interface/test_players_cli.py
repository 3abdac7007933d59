"""`flipdrop players`: everything that can play, for people and for programs."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from flipdrop.players import KINDS, LEVELS, NAMES, player
from flipdrop.search import Mcts, Minimax
from tests.interface.test_cli import answer
from tests.interface.test_play_cli import here

if TYPE_CHECKING:
    import pytest


def test_every_player_is_listed_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    found = {kind["name"]: kind for kind in json.loads(here(capsys, "players", "--json")[1])["players"]}
    assert set(found) == set(KINDS)
    for name, settings in (("mcts", Mcts), ("deepening", Minimax)):
        options = {option["name"]: option for option in found[name]["options"]}
        for field in dataclasses.fields(settings):
            if field.name != "algorithm":
                assert options[field.name]["default"] == field.default
                assert options[field.name]["meaning"] == field.metadata["meaning"]
    text = here(capsys, "players")[1]
    for kind in KINDS.values():
        assert f"\n{kind.name}: {kind.meaning}\n" in f"\n{text}"
        for option in kind.options:
            assert f"  {option.name} " in text


def test_every_level_is_listed_with_its_players(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(here(capsys, "players", "--json")[1])["levels"]
    assert [level["level"] for level in found] == list(LEVELS)
    assert {level["name"]: level["level"] for level in found if level["name"]} == NAMES
    for level in found:
        assert player(level["othello"]).spec == level["othello"]
        assert player(level["connect4"]).spec == level["connect4"]
    text = here(capsys, "players")[1]
    assert all(level.meaning in text for level in LEVELS.values())
    assert "level:8 or expert, " in text


def test_help_ends_with_an_example_and_says_how_weights_are_written() -> None:
    text = answer("players", "--help")
    assert "Example: flipdrop players" in text
    assert "D(15/6/-10/-4/8/8)" in " ".join(text.split())
