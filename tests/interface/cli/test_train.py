"""`flipdrop train`: models, resuming, errors."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from flipdrop.evaluation.network import read_metadata
from flipdrop.players import player
from tests.interface.cli.support import STOPPED, check_usage_error, run_here

if TYPE_CHECKING:
    from pathlib import Path

TINY = ("--body", "dense:16", "--simulations", "8", "--no-store", "--threads", "1")
OPTIONS = ("games=8", "slots=8", "cheap_simulations=3", "batch=32", "gate_every=2", "gate_pairs=1", "opponent_pairs=1")
SMALL = (*TINY, *(word for option in OPTIONS for word in ("--set", option)))


@pytest.mark.slow
def test_model(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "my.onnx"
    status, text, error = run_here(
        capsys, "train", "othello4", "--games", "24", "--seed", "3", "--out", str(out), *SMALL, "--json"
    )
    assert (status, error) == (0, "")
    data = json.loads(text)
    assert (data["games"], data["steps"], data["seed"], data["learner"]) == (24, 3, 3, "network")
    assert data["settings"]["cheap_simulations"] == 3
    assert data["player"] == f"network:model={out}"
    assert player(data["player"], game="othello4").spec == data["player"]
    assert read_metadata(out).settings == data["settings"]
    status, text, error = run_here(capsys, "train", "othello4", "--games", "40", "--resume", "--out", str(out), *SMALL)
    assert status == 0
    assert "40 games" in text
    assert read_metadata(out).made == {**read_metadata(out).made, "seed": 3, "games": 40, "steps": 5}


@pytest.mark.slow
def test_ratings_on_the_ladder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """As often as gating matches by default, here every two steps; the curve has them too."""
    out = tmp_path / "my.onnx"
    arguments = ("train", "connect4", "--games", "16", "--seed", "3", *SMALL, "--out")
    status, text, error = run_here(capsys, *arguments, str(out))
    assert status == 0
    assert "every 2 steps: a rating on the ladder" in error
    assert re.search(r"step 2, 16 games, \d+ s: rating -?\d+ \(95%: (-?\d+|-inf) to (-?\d+|inf)\)", error)
    assert "rating on the ladder: " in text
    assert "rating on the ladder" in (tmp_path / "my.onnx.csv").read_text().partition("\n")[0]
    status, text, error = run_here(capsys, *arguments, str(tmp_path / "other.onnx"), "--ladder", "0")
    assert (status, "on the ladder" in text + error) == (0, False)


def test_what_a_step_does_and_how_long_it_takes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without an opponent there is none; steps of the warm start and of self-play take different times."""
    arguments = ("train", "othello4", "--games", "8", "--seed", "3", *SMALL, "--set", "opponent=", "--out")
    status, _, error = run_here(capsys, *arguments, str(tmp_path / "my.onnx"))
    assert status == 0
    assert "a step: 8 games of self-play" in error
    assert "every 2 steps: 2 games against the champion\n" in error
    assert re.search(r"^the first step took \d+\.\d s$", error, re.MULTILINE)
    data = str(tmp_path / "labelled.npz")
    label = ("--label", "alphabeta:depth=2,evaluation=A,all_moves=yes", "--policy", "2", "--seed", "1", "--out", data)
    played = ("--self-play", "random", "--game", "othello4", "--games", "60", *label)
    assert run_here(capsys, "dataset", *played)[0] == 0
    warm = ("--set", f"warm_start={data}", "--set", "warm_updates=20")
    status, _, error = run_here(capsys, *arguments, str(tmp_path / "warm.onnx"), *warm)
    assert status == 0
    assert "warm start: 20 updates of 32" in error
    assert re.findall(r"the first step of (.+) took \d+\.\d s", error) == ["the warm start", "self-play"]


@pytest.mark.slow
def test_ctrl_c_and_resuming(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "my.onnx"
    first = run_here(capsys, "train", "othello4", "--games", "8", "--seed", "3", "--out", str(out), *SMALL)
    assert first[0] == 0
    command = [
        sys.executable,
        "-m",
        "flipdrop",
        "train",
        "othello4",
        "--minutes",
        "30",
        "--resume",
        "--out",
        str(out),
        *SMALL,
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert process.stderr is not None
    assert "seed 3" in process.stderr.readline()  # it has begun
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert process.returncode in STOPPED, error
    assert "Traceback" not in error
    assert run_here(capsys, "train", "othello4", "--games", "16", "--resume", "--out", str(out), *SMALL)[0] == 0


def test_invalid_file_names(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("my.txt", "my", "my.csv"):
        check_usage_error(capsys, ("train", "othello4", "--games", "8", "--out", str(tmp_path / name)), "ends in .onnx")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("othello4", "--minutes", "0"), "budget"),
        (("othello4", "--games", "8", "--body", "lstm"), "body="),
        (("othello4", "--games", "8", "--set", "noise="), "--set 'noise=' has no value; write noise=VALUE"),
        (("othello4", "--games", "8", "--set", "noise=loud"), "noise='loud': expected a number"),
        (("othello4", "--games", "8", "--set", "volume=3"), "unknown setting; settings are"),
        (("othello4", "--games", "8", "--set", "noise=7"), "at most 1"),
        (("othello5", "--games", "8"), "othello5"),
        (("othello4", "--games", "8", "--resume"), "nothing to resume"),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], says: str) -> None:
    check_usage_error(capsys, ("train", *arguments, "--out", str(tmp_path / "my.onnx"), "--no-store"), says)
