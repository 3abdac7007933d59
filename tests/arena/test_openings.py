"""Openings: different, playable, and the same for the same seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.openings import Openings, default_openings
from flipdrop.errors import ArenaError
from flipdrop.games import game
from flipdrop.search import Solver

if TYPE_CHECKING:
    from pathlib import Path

GAMES = ("othello", "othello6", "othello4", "connect4", "connect4:9x7,forbid=c3")


@pytest.mark.parametrize("name", GAMES)
def test_random_openings(name: str) -> None:
    openings = Openings(game(name), default_openings(game(name)), 5).take(30)
    assert openings == Openings(game(name), default_openings(game(name)), 5).take(30)
    assert openings[:10] == Openings(game(name), default_openings(game(name)), 5).take(10)
    if name != "othello4":
        assert openings != Openings(game(name), default_openings(game(name)), 6).take(30)
        assert len({opening.position for opening in openings}) == 30
    plies = int(default_openings(game(name)).removeprefix("random:"))
    for opening in openings:
        assert len(opening.moves) == plies
        assert not opening.position.is_over


def test_openings_repeat() -> None:
    openings = Openings(game("othello4"), "random:1", 1).take(10)
    assert len({opening.transcript for opening in openings}) == 4
    assert openings[:4] == openings[4:8]
    assert len(set(Openings(game("othello"), "start", 1).take(3))) == 1


def test_balanced_openings_are_draws() -> None:
    for opening in Openings(game("connect4:5x5"), "balanced:8", 3).take(5):
        assert Solver(outcome_only=True).solve(opening.position).outcome == 0


def test_balanced_openings_of_the_shipped_games() -> None:
    for name, plies in (("connect4", 5), ("othello", 8)):
        random = Openings(game(name), f"random:{plies}", 3).take(6)
        balanced = Openings(game(name), f"balanced:{plies}", 3).take(6)
        assert len(set(balanced)) == 6
        assert balanced != random


def test_a_file_of_openings(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("f5d6c3\n\n# only a remark\nf5f6 a name\r\nd3c3\n")
    openings = Openings(game("othello"), str(path), 1).take(5)
    assert {opening.transcript for opening in openings} == {"f5d6c3", "f5f6", "d3c3"}
    assert openings[:2] == openings[3:]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f5d6c3\nxx\n", "line 2"),
        ("", "there is none"),
        ("1" * 6 + "2" * 6, "line 1"),
    ],
)
def test_invalid_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(text)
    with pytest.raises(ArenaError, match=message):
        Openings(game("othello"), str(path), 1).take(1)


def test_finished_opening(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text("1212121\n")
    with pytest.raises(ArenaError, match="line 1: the game is over"):
        Openings(game("connect4"), str(path), 1).take(1)


@pytest.mark.parametrize("source", ["random", "random:", "random:x", "random:99", "balanced:-1", "nowhere.txt"])
def test_unknown_sources(source: str) -> None:
    with pytest.raises(ArenaError, match="openings"):
        Openings(game("othello"), source, 1).take(1)
