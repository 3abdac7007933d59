"""Names of openings: legal lines, symmetric forms, the longest match."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.games import GameHistory, read_transcript
from flipdrop.games.opening_names import named_opening

DATA = json.loads((resources.files("flipdrop.games") / "data" / "othello-openings.json").read_text(encoding="utf-8"))


def name_of(transcript: str) -> str | None:
    found = named_opening(Othello(), read_transcript(Othello(), transcript)[0])
    return None if found is None else found.name


def test_every_line_is_legal_and_has_its_name() -> None:
    assert "Gatliff" in DATA["source"]
    assert len(DATA["openings"]) >= 60
    for transcript, name in DATA["openings"].items():
        moves = read_transcript(Othello(), transcript)[0]
        assert len(moves) == len(transcript) // 2
        assert name_of(transcript) == name


@pytest.mark.parametrize(
    ("transcript", "name"),
    [
        ("", None),
        ("f5", None),
        ("f5d6", "Perpendicular Opening"),
        ("f5f6", "Diagonal Opening"),
        ("f5f4", "Parallel Opening"),
        ("f5d6c3d3c4", "Tiger"),
        ("d3c5f6f5e6", "Tiger"),
        ("c4e3f6e6f5", "Tiger"),
        ("f5d6c3d3c4b5", "Tiger"),
    ],
)
def test_names(transcript: str, name: str | None) -> None:
    assert name_of(transcript) == name


def test_other_orders_of_moves_are_other_openings() -> None:
    assert Othello.from_transcript("f5d6c4d3c3") == Othello.from_transcript("f5d6c3d3c4")
    assert name_of("f5d6c4d3c3") != "Tiger"


def test_other_starts_have_no_names() -> None:
    game = GameHistory.from_transcript(Othello(), "f5d6")
    assert named_opening(game.position, ()) is None
    assert named_opening(Othello(size=6), (0, 1)) is None
    assert named_opening(ConnectFour(), (3, 3)) is None
