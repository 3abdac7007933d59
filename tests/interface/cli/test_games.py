"""`flipdrop games`: lists and exports the games of a store."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import pytest

from flipdrop.games.records import read_games
from tests.interface.cli.support import check_usage_error, run_here

if TYPE_CHECKING:
    from pathlib import Path

MATCH = ("match", "random", "greedy", "--game", "othello6", "--games", "6", "--seed", "1", "--json")


@pytest.fixture
def store(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> str:
    """A store with a match of six games."""
    path = str(tmp_path / "games.db")
    assert run_here(capsys, *MATCH, "--store", path)[0] == 0
    return path


def test_events_are_listed(capsys: pytest.CaptureFixture[str], store: str) -> None:
    status, text, _ = run_here(capsys, "games", "--store", store)
    assert status == 0
    assert "match, othello6: random - greedy; 6 of 6 games, seed 1" in text
    listed = json.loads(run_here(capsys, "games", "--store", store, "--json")[1])
    assert (listed["event"], listed["played"], listed["seed"]) == (1, 6, 1)


@pytest.mark.parametrize("ending", ["ggf", "txt", "csv", "GGF"])
def test_export(capsys: pytest.CaptureFixture[str], store: str, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out.{ending}"
    status, _, said = run_here(capsys, "games", "1", "--to", str(path), "--store", store)
    assert status == 0
    assert said == f"6 games written to {path}\n"
    if ending == "csv":
        assert len(list(csv.DictReader(path.read_text().splitlines()))) == 6
    else:
        assert len(read_games(path)) == 6


def test_reading_makes_no_store(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "typo" / "games.db"
    check_usage_error(capsys, ("games", "--store", str(missing)), f"{missing}: No such file")
    check_usage_error(capsys, ("games", "1", "--store", str(missing)), f"{missing}: No such file")
    monkeypatch.setenv("FLIPDROP_STORE", str(missing))  # one's own, before anything was played
    status, text, said = run_here(capsys, "games")
    assert (status, text) == (0, "")
    assert f"{missing} is empty; flipdrop match adds games" in said
    check_usage_error(capsys, ("games", "1"), f"{missing} has no event 1; it is empty")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("7",), "has no event 7; it has 1 to 1"),
        (("--to", "out.csv"), "needs the number of an event"),
        (("1", "--to", "out.pdf"), "the file has to end in .ggf, .txt, .csv"),
        (("1", "--to", "out.wtb"), "the file has to end in .ggf, .txt, .csv"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], store: str, arguments: tuple[str, ...], says: str) -> None:
    check_usage_error(capsys, ("games", *arguments, "--store", store), says)
