"""`flipdrop evolve`: output, models, resuming, errors."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.arena.store import Store, points_of, stored_runs
from flipdrop.evaluation import read_weights
from tests.interface.cli.support import STOPPED, check_usage_error, run_here

if TYPE_CHECKING:
    from pathlib import Path

QUICK = ("--population", "6", "--depth", "1", "--generations", "3")


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, out, error = run_here(capsys, "evolve", *arguments, "--json")
    assert (status, error) == (0, "")
    data: dict[str, Any] = json.loads(out)
    del data["seconds"]
    return data


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "name", "steps"),
    [
        (("othello6", *QUICK, "--start", "D.initial-1", "--start", "D", "--mutation", "0.5"), "tournament-ga", 3),
        (("othello6", *QUICK, "--threshold", "1000"), "tournament-ga", 1),
        (("connect4", *QUICK, "--method", "cma", "--openings", "random:4", "--openings-per-generation", "3"), "cma", 3),
        (
            ("othello6", "--method", "online-ga", "--positions", "4", "--generations", "2", "--depth", "1"),
            "online-ga",
            8,
        ),
        (("othello6", "--method", "online-ga", "--position", "", "--copy-probability", "0.8"), "online-ga", 10),
        (
            (
                "othello6",
                "--method",
                "position-ga",
                "--positions",
                "3",
                "--competitor",
                "C",
                "--evaluation",
                "C",
                "--final",
                "random",
            ),
            "position-ga",
            3,
        ),
    ],
)
def test_models_of_all_methods(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], name: str, steps: int
) -> None:
    out = tmp_path / "best.weights"
    data = data_of(capsys, *arguments, "--seed", "1", "--benchmark-every", "0", "--no-store", "--out", str(out))
    assert (data["learner"], data["steps"], data["seed"]) == (name, steps, 1)
    assert data["weights"] == dict(read_weights(out, evaluation=data["evaluation"]))
    status, _, _ = run_here(
        capsys, "match", data["player"], "random", "--game", data["game"], "--games", "2", "--no-store", "--seed", "1"
    )
    assert status == 0


def test_what_people_see(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out, store = tmp_path / "best.weights", tmp_path / "games.db"
    status, text, error = run_here(
        capsys, "evolve", "othello6", *QUICK, "--seed", "5", "--out", str(out), "--store", str(store)
    )
    assert (status, error) == (0, "tournament-ga, Othello 6x6, seed 5\n")
    assert "fitness best: " in text
    assert f"model: {out}; player: alphabeta:depth=1,evaluation={out}\n" in text
    corners = read_weights(out)["corners"]
    assert f"weights: corners {corners:.4g}, edges " in text
    assert {path.name for path in tmp_path.glob("best.*")} == {
        "best.weights",
        "best.weights.csv",
        "best.weights.png",
        "best.weights.checkpoint",
    }
    header, *lines = (tmp_path / "best.weights.csv").read_text().splitlines()
    assert header.startswith("step,games,seconds,fitness best,")
    assert len(lines) == 3
    with Store(store) as kept:
        (run,) = stored_runs(kept)
        assert (run.learner, run.seed, run.settings["population"]) == ("tournament-ga", 5, 6)
        assert [point.step for point in points_of(kept, run.id)] == [1, 2, 3]


@pytest.mark.slow
def test_resuming(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    fixed = ("othello6", "--population", "6", "--depth", "1", "--no-store", "--benchmark-every", "0")
    whole = data_of(capsys, *fixed, "--generations", "6", "--seed", "2", "--out", str(tmp_path / "whole.weights"))
    part = ("--out", str(tmp_path / "part.weights"))
    data_of(capsys, *fixed, "--generations", "2", "--seed", "2", *part)
    check_usage_error(capsys, ("evolve", *fixed, "--generations", "6", "--seed", "2", *part), "--resume continues")
    check_usage_error(capsys, ("evolve", *fixed, "--mutation", "0.3", "--resume", *part), "part.weights.checkpoint")
    rest = data_of(capsys, *fixed, "--generations", "6", "--resume", *part)
    for data in (whole, rest):
        del data["model"], data["player"]
    assert rest == whole
    assert (tmp_path / "part.weights").read_bytes() == (tmp_path / "whole.weights").read_bytes()


@pytest.mark.slow
def test_ctrl_c(tmp_path: Path) -> None:
    out = tmp_path / "best.weights"
    restore = (
        "import signal, sys, os; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])"
    )
    options = ["--depth", "4", "--population", "300", "--seed", "1", "--out", str(out), "--no-store"]  # for minutes
    command = [sys.executable, "-c", restore, sys.executable, "-m", "flipdrop", "evolve", "othello", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        assert started.stderr is not None
        assert started.stderr.readline() == "tournament-ga, Othello 8x8, seed 1\n"
        time.sleep(0.5)
        assert started.poll() is None
        started.send_signal(signal.SIGINT)
        _, error = started.communicate(timeout=120)
    assert started.returncode in STOPPED
    assert "Traceback" not in error
    assert "stopped" in error


@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        (("othello", "--method", "cma", "--population", "2"), "CMA-ES needs at least 4"),
        (("othello", "--seconds", "0"), "a budget of 0.0 seconds"),
        (("othello", "--evaluation", "Deee"), "evaluation 'Deee'"),
        (("othello", "--evaluation", "D(1,2,nan,-4,5,6)"), "nan"),
        (("othello", "--evaluation", "mobility"), "nothing to evolve"),
        (("connect4", "--evaluation", "D"), "evaluation D is for Othello, and the game is Connect Four 7x6"),
        (("othello", "--genes", "squares"), "evaluation D has no table of squares"),
        (("othello", "--start", "D(1,2,3,4,5,6)"), "genes keep their sign"),
        (("othello", "--start", "gone.weights"), "gone.weights"),
        (("othello", "--fitness", "value"), "tournament-ga plays games"),
        (("othello", "--competitor", "Seven"), "--competitor is an option of position-ga, not of tournament-ga"),
        (
            ("othello", "--method", "position-ga", "--population", "20"),
            "--population is an option of tournament-ga, cma, not of position-ga",
        ),
        (("othello", "--method", "online-ga", "--position", "", "--positions", "3"), "--position is fixed"),
        (("othello", "--method", "online-ga", "--position", "a1"), "a1"),
        (("othello", "--openings", "random:99"), "random:99"),
        (("othello", "--resume"), "nothing to resume"),
    ],
)
def test_mistakes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: tuple[str, ...], expected_error: str
) -> None:
    check_usage_error(
        capsys, ("evolve", *arguments, "--no-store", "--out", str(tmp_path / "best.weights")), expected_error
    )
    assert list(tmp_path.iterdir()) == []


def test_invalid_extension(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    check_usage_error(capsys, ("evolve", "othello", "--out", str(tmp_path / "best.json")), "ends in .weights")
    check_usage_error(capsys, ("evolve", "othello", "--out", str(tmp_path / "no" / "best.weights")), "does not exist")


@pytest.mark.parametrize(
    ("option", "value"), [("--population", "1"), ("--generations", "0"), ("--depth", "0"), ("--mutation", "1.5")]
)
def test_ranges_of_options(capsys: pytest.CaptureFixture[str], option: str, value: str) -> None:
    status, out, error = run_here(capsys, "evolve", "othello", option, value, "--no-store")
    assert (status, out) == (2, "")
    assert option in error
    assert "Invalid value" in error
