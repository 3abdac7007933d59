"""The published ladders: in order, rated from the results that they hold, the same on every machine."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

from flipdrop.arena.ladder import GAMES, Ladder, LadderPlan, as_markdown, file_content, published_ladder, read_ladder
from flipdrop.arena.ladder.measuring import rated
from flipdrop.arena.ladder.published import LARGE_BOARD
from flipdrop.errors import ArenaError
from flipdrop.games import game
from flipdrop.players import player

LEAST = {"othello": 20, "connect4": 50, LARGE_BOARD: 20}


@pytest.mark.parametrize("name", GAMES)
def test_entries(name: str) -> None:
    of = published_ladder(name)
    assert of.game == name
    assert len(of.entries) >= LEAST[name]
    assert of.entries[0].spec == "random"
    assert of.entries[0].rating == 0
    assert [entry.rating for entry in of.entries] == sorted(entry.rating for entry in of.entries)
    canonical = set()
    for entry in of.entries:
        assert entry.interval[0] <= entry.rating <= entry.interval[1]
        made = player(entry.spec, game=game(name), allow_code=False)
        canonical.add(made.spec)
        assert not re.search(r"seconds|threads|seed|level", entry.spec)
        # A budget that does not depend on the machine: depth, nodes, iterations, games, or none needed.
        assert re.search(r"depth=|nodes=|iterations=|games=|^greedy|^random$|^perfect$", entry.spec), entry.spec
    assert len(canonical) == len(of.entries)


@pytest.mark.parametrize("name", GAMES)
def test_ratings_match_the_results(name: str) -> None:
    of = published_ladder(name)
    plan = LadderPlan(of.game, tuple(entry.spec for entry in of.entries), of.openings, of.seed, 1)
    again = rated(plan, of.links)
    found = {entry.spec: entry for entry in again.entries}
    for entry in of.entries:
        assert found[entry.spec].rating == pytest.approx(entry.rating, abs=0.06)
        assert found[entry.spec].interval == pytest.approx(entry.interval, abs=0.06)
        assert found[entry.spec].games == entry.games
    assert again.games == of.games


@pytest.mark.parametrize("name", GAMES)
def test_expected_scores(name: str) -> None:
    """What makes ratings the likeliest ones, computed here from scratch: everyone's points are as expected."""
    of = published_ladder(name)
    points, expected = [0.0] * len(of.entries), [0.0] * len(of.entries)
    for link in of.links:
        share = 1 / (1 + 10 ** ((of.entries[link.two].rating - of.entries[link.one].rating) / 400))
        for place, score, chance in ((link.one, link.pairs.score, share), (link.two, 1 - link.pairs.score, 1 - share)):
            points[place] += score * link.pairs.games
            expected[place] += chance * link.pairs.games
    for entry, got, right in zip(of.entries, points, expected, strict=True):
        assert got == pytest.approx(right, abs=0.01 + 0.001 * entry.games)


@pytest.mark.parametrize("name", GAMES)
def test_documentation(name: str) -> None:
    text = (Path(__file__).parents[3] / "docs" / "figures" / "ladder.md").read_text(encoding="utf-8")
    assert as_markdown(published_ladder(name)) in text
    assert published_ladder(name).command in text


def test_file_round_trip(tmp_path: Path) -> None:
    of = published_ladder("othello")
    path = tmp_path / "ladder.json"
    path.write_bytes(file_content(of))
    assert read_ladder(path) == of
    assert of.games == sum(entry.games for entry in of.entries) / 2


def test_places() -> None:
    of = published_ladder("connect4")
    assert of.place(-1) == 0
    assert of.place(10**6) == len(of.entries)
    middle = of.entries[20]
    assert of.place(middle.rating - 0.05) <= 20 < of.place(middle.rating)
    assert of.index_of("random:seed=0") == 0
    assert of.index_of("mcts:iterations=5,seed=0") is not None
    assert of.index_of("mcts:iterations=123456") is None
    assert of.index_of("agents/my_agent.py:Agent") is None


@pytest.mark.parametrize("name", ["othello6", "connect4:9x7"])
def test_games_without_a_ladder(name: str) -> None:
    with pytest.raises(ArenaError, match="has no published ladder; othello, connect4, connect4:10x10"):
        published_ladder(name)


def _without(data: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != name}


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: _without(data, "rungs"), "no ladder: KeyError 'rungs'"),
        (lambda data: data | {"format": 99}, "a ladder of format 99; this flipdrop knows 1"),
        (lambda data: data | {"rungs": data["rungs"][::-1]}, "in the order of their ratings"),
        (lambda data: data | {"rungs": data["rungs"][:1]}, "a ladder of 1 opponents"),
        (lambda data: data | {"links": [[0, 1, 3]]}, "3.*: 1 counts; there are 5"),
        (lambda data: [], "no ladder"),
        (lambda data: data | {"game": "chess"}, "chess"),
    ],
)
def test_invalid_content(spoil: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps(spoil(published_ladder("othello").to_json())))
    with pytest.raises(ValueError, match=message):
        read_ladder(path)


def test_invalid_files(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="No such file"):
        read_ladder(tmp_path / "none.json")
    (tmp_path / "text").write_text("place 1: me")
    with pytest.raises(ArenaError, match="it is no JSON file"):
        read_ladder(tmp_path / "text")


def test_equality() -> None:
    of = published_ladder("othello")
    assert Ladder.from_json(json.loads(json.dumps(of.to_json()))) == of
    assert dataclasses.replace(of, seed=of.seed) == of
