"""`flipdrop players`: everything that can play, for people and for programs."""

from __future__ import annotations

import dataclasses
import json

import pytest

from flipdrop import Othello
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.players import LEVEL_NAMES, LEVELS, PLAYER_TYPES, LevelPlayer, analyse_with, player
from flipdrop.search import Mcts, Minimax
from tests.interface.cli.support import run_here, stdout_of


def test_list_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    found = {kind["name"]: kind for kind in json.loads(run_here(capsys, "players", "--json")[1])["players"]}
    assert set(found) == set(PLAYER_TYPES)
    for name, settings in (("mcts", Mcts), ("iterative", Minimax)):
        options = {option["name"]: option for option in found[name]["options"]}
        for field in dataclasses.fields(settings):
            if field.name != "algorithm":
                assert options[field.name]["default"] == field.default
                assert options[field.name]["description"] == field.metadata["description"]
                unlimited = {"iterations": 1000} if settings is Mcts else {"depth": 6}
                assert options[field.name]["unlimited"] == unlimited.get(field.name)
    text = run_here(capsys, "players")[1]
    for kind in PLAYER_TYPES.values():
        assert f"\n{kind.name}: {kind.description}\n" in f"\n{text}"
        for option in kind.options:
            assert f"  {option.name} " in text


def test_list_of_levels(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(run_here(capsys, "players", "--json")[1])["levels"]
    assert [level["level"] for level in found] == list(LEVELS)
    assert {level["name"]: level["level"] for level in found if level["name"]} == LEVEL_NAMES
    for level in found:
        assert player(level["othello"]).spec == level["othello"]
        assert player(level["connect4"]).spec == level["connect4"]
        for key, of in (
            ("othello_8x8", OthelloGame(8)),
            ("othello_6x6", OthelloGame(6)),
            ("connect4_7x6", ConnectFourGame()),
        ):
            assert LevelPlayer(level["level"]).player_of(of).spec == player(level[key]).spec
    text = run_here(capsys, "players")[1]
    assert all(level.description in text for level in LEVELS.values())
    assert "level:8 or expert, " in text
    for level in LEVELS.values():
        for spec in (level.othello, level.eight_by_eight, level.six_by_six, level.connect_four, level.seven_by_six):
            assert not spec or f" {spec}\n" in text


@pytest.mark.parametrize(
    ("spec", "name", "value"),
    [
        ("mcts", "iterations", "1000"),
        ("minimax", "depth", "6"),
        ("pattern", "depth", "6"),
        ("network", "simulations", "200"),
    ],
)
def test_default_limits(capsys: pytest.CaptureFixture[str], spec: str, name: str, value: str) -> None:
    text = run_here(capsys, "players")[1]
    rows = text.partition(f"\n{spec}: ")[2].partition("\n\n")[0].splitlines()
    (row,) = (row for row in rows if row.split()[0] == name)
    assert row.split()[1] == value
    assert f"{value} if " in row
    # It is what the player does: the same as with the limit written.
    if spec != "network":
        bare, written = (analyse_with(player(one), Othello()) for one in (spec, f"{spec}:{name}={value}"))
        assert bare.moves == written.moves


@pytest.mark.slow
def test_help() -> None:
    text = stdout_of("players", "--help")
    assert "Example: flipdrop players" in text
    assert "D(15/6/-10/-4/8/8)" in " ".join(text.split())
