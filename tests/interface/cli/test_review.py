"""`flipdrop review`: for people and for programs, of moves and of files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.interface.cli.support import check_usage_error, run_here

if TYPE_CHECKING:
    from pathlib import Path

FAST = ("--time", "0.02", "--threads", "1")


def test_a_blunder(capsys: pytest.CaptureFixture[str]) -> None:
    """Red has a proven win with 5, and gives it away with 2; the book knows both."""
    shown = run_here(capsys, "review", "connect4", "4, 4, 4, 1, 2", *FAST)[1].splitlines()
    assert shown[0].split() == ["ply", "side", "move", "value", "lost", "best"]
    assert "2??" in shown[5]
    assert "5 (win in" in shown[5]
    assert "red: accuracy" in shown[6]
    assert "1 blunder" in shown[6]
    assert "0 blunders" in shown[7]


def test_json_of_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("f5d6c3\nf5f4\n")
    found = json.loads(run_here(capsys, "review", "othello", "--file", str(file), "--number", "2", *FAST, "--json")[1])
    assert found["transcript"] == "f5f4"
    assert found["unit"] == "discs"
    assert [one["move"] for one in found["moves"]] == ["f5", "f4"]
    assert len(found["values"]) == 3
    assert found["moves"][1]["lost_discs"] == found["summary"]["white"]["lost_discs"] > 0


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("review", "othello"), "no moves to review"),
        (("review", "othello", "f5", "--file", "a.txt"), "either the moves or --file"),
        (("review", "connect4", "9"), "9"),
    ],
)
def test_wrong_reviews(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], error: str) -> None:
    check_usage_error(capsys, arguments, error)


def test_missing_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("f5d6c3\n")
    check_usage_error(capsys, ("review", "othello", "--file", str(file), "--number", "2"), "holds 1 game;")


def test_one_lost_disc(capsys: pytest.CaptureFixture[str]) -> None:
    """The book values f6 one disc below d6."""
    shown = run_here(capsys, "review", "othello", "f5f6", *FAST)[1].splitlines()
    assert shown[-1].endswith(", 1 disc lost")
    assert shown[-2].endswith(", 0 discs lost")
