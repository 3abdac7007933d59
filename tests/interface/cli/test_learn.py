"""`flipdrop learn`: models, output, resuming, errors."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.players import player
from flipdrop.players.value_table import ValueTable
from tests.interface.cli.support import STOPPED, check_usage_error, run_here, stdout_of

if TYPE_CHECKING:
    from pathlib import Path

QUICK = ("--set", "batch=100", "--seed", "1", "--no-store")


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    status, out, error = run_here(capsys, "learn", *arguments, "--json")
    assert (status, error) == (0, "")
    assert out.count("\n") == 1
    data: dict[str, Any] = json.loads(out)
    return data


@pytest.mark.slow
def test_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "q.table"
    arguments = ("q", "othello4", "--until-optimal", "--out", str(out), "--seed", "1", "--no-store")
    data = data_of(capsys, *arguments)
    assert (data["learner"], data["with"], data["game"], data["seed"]) == ("q", "table", "othello4", 1)
    assert (data["optimal"], data["solved"], data["worst_case_value"]) == (True, -10, [-10, 10])
    assert data["values"]["distance from perfect as first"] == 0
    assert 0 < data["kept"] <= data["decisions"]
    assert data["player"] == f"table:model={out}"
    made = player(data["player"], game="othello4")
    assert made.choose(made.values.game.start()) in (1, 4, 11, 14)  # type: ignore[attr-defined]
    assert len(ValueTable.read(out)) == data["positions"]
    assert {path.suffix for path in tmp_path.iterdir()} == {".table", ".csv", ".png", ".checkpoint"}


def test_ratings_on_the_ladder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "td.pattern"))
    data = data_of(capsys, "td", "connect4", *out, "--threads", "1", *QUICK, "--games", "200", "--ladder", "2")
    assert -400 < data["values"]["rating on the ladder"] < 1600
    small = ("learn", "q", "othello4", *QUICK, "--out", str(tmp_path / "q.table"), "--ladder", "2")
    check_usage_error(capsys, small, "othello4 has no published ladder")


@pytest.mark.slow
def test_text_output_and_resuming(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    settings = ("--epsilon", "0.4", "--lambda", "0.3", "--learning-rate", "0.25", "--set", "reward=result", *QUICK[:2])
    arguments = ("learn", "sarsa", "othello4", *settings, "--no-store", "--out")
    whole, parts = tmp_path / "whole.table", tmp_path / "parts.table"
    assert run_here(capsys, *arguments, str(whole), "--games", "600", "--seed", "9")[0] == 0
    assert run_here(capsys, *arguments, str(parts), "--games", "300", "--seed", "9")[0] == 0
    status, out, error = run_here(capsys, *arguments, str(parts), "--games", "600", "--resume")
    assert status == 0
    assert error == "sarsa, Othello 4x4, seed 9\n"
    assert "share of best moves: 0." in out
    assert "600 games, " in out
    assert f"player: table:model={parts}" in out
    assert "as second side; perfect play gets -1 and +1" in out
    assert ValueTable.read(whole).values.tolist() == ValueTable.read(parts).values.tolist()
    made = ValueTable.read(parts).made["settings"]
    assert (made["epsilon"], made["lambda_"], made["rate"], made["rate_end"]) == (0.4, 0.3, 0.25, 0.25)


@pytest.mark.slow
def test_default_file_name(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    data = data_of(capsys, "td", "connect4:4x4,forbid=b2", "--games", "100", *QUICK)
    assert data["model"] == "td-connect4-4x4-forbid-b2.table"
    assert (tmp_path / data["model"]).exists()


def test_patterns(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("td", "othello6", "--games", "100", "--patterns", "squares", "--threads", "1", "--epsilon", "0.2")
    data = data_of(capsys, *arguments, *QUICK)
    assert (data["with"], data["model"]) == ("patterns", "td-othello6.pattern")
    assert (data["settings"]["patterns"], data["settings"]["epsilon"], data["settings"]["batch"]) == (
        "squares",
        0.2,
        100,
    )
    player(data["player"], game="othello6")


@pytest.mark.slow
def test_linear(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ("--with", "linear", "--epsilon", "0.2", "--learning-rate", "0.01", "--set", "features=squares")
    data = data_of(capsys, "sarsa", "othello", "--games", "20", *arguments, "--seed", "1", "--no-store")
    assert (data["learner"], data["with"], data["games"]) == ("linear-sarsa", "linear", 20)
    assert (data["model"], data["player"]) == ("sarsa-othello.linear", "linear:model=sarsa-othello.linear")
    assert (data["settings"]["features"], data["settings"]["rate_end"]) == ("squares", 0.01)
    assert data["values"].keys() == {"score against random", "score against greedy"}
    player(data["player"], game="othello")
    assert data_of(capsys, "sarsa", "othello", "--games", "30", *arguments, "--resume", "--no-store")["games"] == 30
    error = run_here(capsys, "learn", "td", "othello", "--with", "linear", "--no-store")[2]
    assert "no rule 'td'" in error


@pytest.mark.slow
def test_evaluation(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = ("positions=200", "rounds=1", "depth=2", "solved=8", "probcut=10")
    chosen = (word for setting in settings for word in ("--set", setting))
    data = data_of(capsys, "evaluation", "othello6", *chosen, "--no-store", "--seed", "3", "--threads", "2")
    assert (data["with"], data["model"]) == ("patterns", "evaluation-othello6.pattern")
    assert (data["settings"]["positions"], data["settings"]["solved"]) == (200, 8)
    player(data["player"], game="othello6")

    position = "XOOOXX-OOXXXXOXOXXXXXOOX-XOOX-------"
    found = []
    for ordering in ((), ("--ordering", data["model"])):
        status, out, error = run_here(
            capsys, "solve", "othello6", f"{position} X", "--threads", "1", "--json", *ordering
        )
        assert (status, error) == (0, "")
        found.append(json.loads(out))
    assert found[0]["score"] == found[1]["score"]


@pytest.mark.slow
def test_ctrl_c(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "flipdrop",
        "learn",
        "q",
        "othello4",
        "--minutes",
        "9",
        "--no-store",
        "--out",
        "q.table",
    ]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stderr is not None
    assert process.stderr.readline().startswith("q, Othello 4x4, seed ")
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode in STOPPED
    assert out == ""
    assert "--resume continues" in error
    assert "Traceback" not in error
    assert {path.name for path in tmp_path.iterdir()} <= {"q.table.checkpoint", "q.table.csv"}


@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        (("q", "othello4", "--seconds", "0"), "a budget of 0.0 seconds; it must be more than 0"),
        (("q", "othello4", "--games", "0"), "a budget of 0 games"),
        (("q", "othello4", "--seconds", "nan"), "a budget of nan seconds"),
        (("q", "othello4", "--seconds", "1", "--minutes", "1"), "contradict each other"),
        (("q", "othello4", "--learning-rate", "nan"), "rate=nan: expected a finite number"),
        (("q", "othello4", "--epsilon", "1.5"), "epsilon=1.5: expected a number of at least 0 and at most 1"),
        (("q", "othello4", "--epsilon", "-0.5"), "epsilon=-0.5"),
        (("td", "othello4", "--lambda", "7"), "lambda=7: expected"),
        (("q", "othello4", "--patterns", "classic"), "--patterns does not apply; settings are rate"),
        (
            ("q", "othello4", "--set", "speed=3"),
            "--set 'speed=3': unknown setting; settings are rate,",
        ),
        (("q", "othello4", "--set", "batch"), "--set 'batch' has no value; write batch=VALUE"),
        (("q", "othello4", "--set", "batch=many"), "batch='many': expected a whole number"),
        (("q", "othello4", "--set", "discount=low"), "discount='low': expected a number"),
        (("q", "othello4", "--set", "symmetric=perhaps"), "symmetric='perhaps': expected yes or no"),
        (("q", "othello4", "--set", "reward=fame"), "reward='fame': expected one of margin, result"),
        (("q", "othello4", "--set", "epsilon=0.1", "--epsilon", "0.2"), "epsilon is given twice"),
        (
            ("q", "connect4:9x10", "--with", "table"),
            "a table for Connect Four 9x10, with 90 cells",
        ),
        (("q", "othello6", "--with", "table", "--until-optimal"), "Othello 6x6 is too large to be solved"),
        (("q", "othello", "--until-optimal"), "--until-optimal needs a table"),
        (
            ("q", "othello4", "--out", "q.weights"),
            "--out q.weights: the model of a table player needs",
        ),
        (("q", "othello4", "--out", "nowhere/q.table"), "the folder nowhere does not exist"),
        (("q", "othello4", "--resume"), "nothing to resume: there is no q-othello4.table.checkpoint"),
        (("q", "chess"), "game 'chess'"),
        (("evaluation", "connect4"), "the engine plays Othello on 8x8 and 6x6, not Connect Four 7x6"),
        (
            ("evaluation", "othello", "--with", "table"),
            "--with table: the evaluation of the engine is a pattern network",
        ),
        (("evaluation", "othello", "--until-optimal"), "--until-optimal needs a table"),
        (("evaluation", "othello", "--lambda", "0.5"), "--lambda does not apply; settings are positions"),
        (("evaluation", "othello", "--set", "stages=3"), "--set 'stages=3': unknown setting; settings are"),
        (("evaluation", "othello", "--set", "passes=0"), "passes=0: expected a whole number of at least 1"),
    ],
)
def test_errors(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    expected_error: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    check_usage_error(capsys, ("learn", *arguments, "--no-store"), expected_error)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_resuming_another_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = ("--out", "my.table", "--games", "100")
    data_of(capsys, "q", "othello4", *out, *QUICK)
    for arguments, expected_error in (
        (("q", "connect4:4x4", *out, *QUICK, "--resume"), "is of a run with game othello4, not connect4:4x4"),
        (("td", "othello4", *out, *QUICK, "--resume"), "is of a run with learner q, not td"),
        (("q", "othello4", *out, *QUICK), "exists from an earlier run; --resume continues it"),
    ):
        check_usage_error(capsys, ("learn", *arguments), expected_error)


@pytest.mark.slow
def test_help_has_examples() -> None:
    text = " ".join(stdout_of("learn", "--help").split())
    assert "flipdrop learn q othello4 --out q.table --seconds 60 --seed 1" in text
    assert "flipdrop learn td othello --minutes 15 --out td.pattern" in text
    assert "flipdrop learn evaluation othello --set positions=100000 --out my.pattern" in text
