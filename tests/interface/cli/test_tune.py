"""`flipdrop tune`: output, Ctrl-C, errors."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.arena.store import Store
from tests.interface.cli.support import STOPPED, check_usage_error, run_here

if TYPE_CHECKING:
    from pathlib import Path

TUNE = ("tune", "mcts:iterations=5", "--against", "mcts:iterations=15", "--game", "othello4")
QUICK = ("--trials", "6", "--games", "6", "--validation-games", "20")
OPTIONS = ("--option", "iterations=1:60", "--option", "c=0.1:3:log")


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, out, error = run_here(capsys, *arguments, "--json")
    assert (status, error) == (0, "")
    assert out.count("\n") == 1
    data: dict[str, Any] = json.loads(out)
    for timed in (data, data["validation"]):
        del timed["seconds"]
    del data["validation"]["games_a_second"]
    return data


@pytest.mark.slow
@pytest.mark.parametrize("method", ["optuna", "cma"])
def test_text(capsys: pytest.CaptureFixture[str], method: str) -> None:
    arguments = (*TUNE, *OPTIONS, *QUICK, "--method", method, "--seed", "1", "--no-store")
    data = data_of(capsys, *arguments)
    assert [trial["trial"] for trial in data["trials"]] == list(range(7))
    assert data["options"] == ["iterations=1:60:int", "c=0.1:3:log"]
    assert data["trials"][0]["spec"] == data["spec"]
    assert data["best"]["spec"] == data["final"][0]["spec"] == data["validation"]["players"][0]
    status, out, error = run_here(capsys, *arguments)
    assert status == 0
    assert error.splitlines()[1].startswith("start: iterations=5 c=0.707107: score ")
    assert f"  {data['best']['spec']}\n" in out
    assert out.count("): score ") == len(data["final"]) == 4
    match = data["validation"]
    assert f"against the start, 20 fresh games: {match['wins']} won, {match['draws']} drawn" in out
    assert "%: better\n" in out or "%: neither better nor worse" in out or "%: worse\n" in out
    assert out.endswith("seed 1\n")


@pytest.mark.slow
def test_resume(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "games.db"))
    first = data_of(capsys, *TUNE, *OPTIONS, *QUICK, "--seed", "4", *store)
    check_usage_error(capsys, (*TUNE, *OPTIONS, *QUICK, "--seed", "4", *store), "--resume continues it")
    other = data_of(capsys, *TUNE, "--option", "c=0.1:3", "--option", "iterations=1:60", *QUICK, "--seed", "5", *store)
    assert other["best"] != first["best"]
    assert data_of(capsys, *TUNE, *OPTIONS, *QUICK, "--resume", *store) == first
    check_usage_error(capsys, (*TUNE, "--option", "c=0.1:2", "--resume", *store), "has no such tune")


@pytest.mark.slow
@pytest.mark.timing
def test_interrupt(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    options = ["--trials", "5000", "--games", "6", "--seed", "1", "--store", str(store)]
    # A test runner in the background ignores Ctrl-C, and children inherit that: a person's shell does not.
    restore = (
        "import signal, sys, os; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    )
    command = [sys.executable, "-c", restore, sys.executable, "-m", "flipdrop", *TUNE, *OPTIONS, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        deadline = time.monotonic() + 60
        while _events(store) < 4:
            assert started.poll() is None, started.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.1)
        os.kill(started.pid, signal.SIGINT)
        out, error = started.communicate(timeout=30)
    assert started.returncode in STOPPED, error
    assert out.startswith("best of ")
    assert "in the search (an overestimate): score " in out
    assert error.endswith("stopped; --resume continues it\n")


def _events(path: Path) -> int:
    if not path.exists():
        return 0
    with Store(path) as store:
        return len(list(store.events()))


@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        (("--option", "c=1"), "write NAME=LOW:HIGH for numbers"),
        (("--option", "cc=1:2"), "no option 'cc'"),
        (("--option", "c=1:2", "--method", "cma"), "use --method optuna for one"),
        (("--option", "c=1:2", "--games", "7"), "7 games of a trial; they come in pairs"),
        (("--option", "c=1:2", "--validation-games", "7"), "7 games of a validation; they come in pairs"),
        (("--option", "evaluation.corner=1:2"), "did you mean corners"),
    ],
)
def test_invalid_arguments(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected_error: str) -> None:
    check_usage_error(capsys, (*TUNE, *arguments, "--no-store"), expected_error)


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(run_here(capsys, "tune", "--help")[1].split())
    assert "Example: flipdrop tune mcts:iterations=100 --option c=0.1:3:log" in text
