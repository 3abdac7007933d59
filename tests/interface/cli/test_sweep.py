"""`flipdrop sweep`: output, files, resuming, errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.interface.cli.support import check_usage_error, run_here

if TYPE_CHECKING:
    from pathlib import Path

SWEEP = ("sweep", "mcts:iterations=10", "--against", "greedy", "--game", "othello4", "--games", "12")
ONE = (*SWEEP, "--option", "c=0.5:2:0.5")


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, out, error = run_here(capsys, *arguments, "--json")
    assert (status, error) == (0, "")
    assert out.count("\n") == 1
    data: dict[str, Any] = json.loads(out)
    del data["seconds"]
    return data


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, error = run_here(capsys, *ONE, "--seed", "1", "--no-store")
    assert status == 0
    what, setting = "mcts:iterations=10 over c=0.5:2:0.5 against greedy", "Othello 4x4, openings random:2, seed 1"
    assert error == f"{what}: 4 points, 48 games: {setting}\n"
    data = data_of(capsys, *ONE, "--seed", "1", "--no-store")
    lines = out.splitlines()
    assert lines[0].split() == ["c", "games", "score", "Elo", "95%", "margin", "95%"]
    for line, point in zip(lines[1:5], data["points"], strict=True):
        cells = line.lstrip("*~ ").split()
        assert cells[:3] == [point["options"]["c"], "12", f"{point['score']:.3f}"]
        is_best = point["options"] == data["best"]["options"]
        assert line.startswith("*" if is_best else "~" if point["may_be_best"] else " ")
    assert f"* best by score: c={data['best']['options']['c']}" in lines
    assert f"flipdrop match '{data['best']['spec']}' 'greedy' --game othello4" in out
    assert "seed 1" in lines[-1]


def test_csv_and_plot(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table, drawing = tmp_path / "sweep.csv", tmp_path / "sweep.png"
    options = (
        "--option",
        "playout=end|depth",
        "--seed",
        "1",
        "--no-store",
        "--csv",
        str(table),
        "--plot",
        str(drawing),
    )
    assert run_here(capsys, *SWEEP, *options)[0] == 0
    rows = table.read_text().splitlines()
    assert rows[0].startswith("playout,fine,games,")
    assert [row.partition(",")[0] for row in rows[1:]] == ["end", "depth"]
    assert drawing.read_bytes().startswith(b"\x89PNG")


def test_resume(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "games.db"))
    fine = (*ONE, "--refine", "0.25")
    first = data_of(capsys, *fine, "--seed", "7", *store)
    assert any(point["fine"] for point in first["points"])
    check_usage_error(
        capsys, (*fine, "--seed", "7", *store), "already has 48 games of this sweep; --resume continues it"
    )
    assert data_of(capsys, *fine, "--resume", *store) == first
    check_usage_error(capsys, (*SWEEP, "--option", "c=0.5:2:0.1", "--resume", *store), "nothing to resume: ")
    more = data_of(capsys, *fine, "--resume", *store, "--repeats", "2")
    assert more["games"] > first["games"]
    assert more["seed"] == 7


@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        ((*SWEEP, "--option", "c"), "write NAME=FROM:TO:STEP"),
        ((*SWEEP, "--option", "cc=1:2:1"), "no option 'cc'"),
        ((*SWEEP, "--option", "c=-1:2:1"), "c=-1"),
        ((*SWEEP, "--option", "iterations=1:2:0.5"), "iterations='1.5': expected a whole number"),
        ((*SWEEP, "--option", "decisive=no|root"), "decisive moves belong to Connect Four"),
        ((*ONE, "--refine", "fast"), "--refine 'fast' is not a number"),
        ((*ONE, "--refine", "1"), "a fine step of 1 for c=0.5:2:0.5; it has to be above 0 and below 0.5"),
        ((*ONE, "--refine", "c=0.1", "--refine", "c=0.2"), "--refine is given twice for c"),
        ((*ONE, "--option", "draw=0:1:1", "--refine", "0.1"), "--refine 0.1 names no option"),
        ((*ONE, "--games", "13"), "13 games; they come in pairs"),
        ((*ONE, "--plot", "a.gif"), "plots are written to files named .png or .svg"),
        ((*ONE, "--csv", "no/such/folder.csv"), "there is no folder"),
        ((*ONE, "--cluster", "somewhere"), "write ray://HOST:10001, HOST:PORT or local"),
        (("sweep", "level:3", "--against", "greedy", "--option", "c=1:2:1"), "has no options to set"),
        (("sweep", "mcts", "--against", "nobody", "--option", "c=1:2:1"), "player 'nobody'"),
    ],
)
def test_invalid_arguments(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], expected_error: str
) -> None:
    store = tmp_path / "games.db"
    status, out, error = run_here(capsys, *arguments, "--json", "--store", str(store))
    assert (status, out) == (2, "")
    assert expected_error in error
    assert error.startswith("flipdrop: ")
    assert error.count("\n") == 1


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(run_here(capsys, "sweep", "--help")[1].split())
    assert "Example: flipdrop sweep mcts:iterations=100 --option c=0.2:1.8:0.4" in text
