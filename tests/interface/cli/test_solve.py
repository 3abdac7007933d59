"""`flipdrop solve`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour
from flipdrop.games.records.parsing import decode_text
from tests.interface.cli.support import flipdrop

if TYPE_CHECKING:
    from pathlib import Path

WON = "121212"


@pytest.mark.slow
def test_one_position() -> None:
    done = flipdrop("solve", "connect4", WON)
    assert done.stdout.startswith("+18 (win); best 1; line 1; ")
    assert flipdrop("solve", "othello4").stdout.startswith("-10 (loss by 10); best ")
    assert "the game is over" in flipdrop("solve", "connect4", WON + "1").stdout


@pytest.mark.slow
def test_every_move() -> None:
    lines = flipdrop("solve", "connect4", WON, "--moves").stdout.splitlines()
    assert len(lines) == 8
    assert lines[0].split() == ["1", "+18", "(win)"]


def test_outcome_only() -> None:
    assert flipdrop("solve", "othello4", "--wld").stdout.startswith("loss; ")


@pytest.mark.slow
@pytest.mark.parametrize("more", [[], ["--wld"], ["--moves"], ["--threads", "2"], ["--no-book"]])
def test_json(more: list[str]) -> None:
    (line,) = flipdrop("solve", "connect4", WON, "--json", *more).stdout.splitlines()
    read = json.loads(line)
    assert {"position", "score", "best", "line", "nodes", "seconds", "exact"} <= set(read)
    assert read["outcome"] == 1
    assert read["best"] == "1"


@pytest.mark.slow
def test_a_file_of_positions(tmp_path: Path) -> None:
    path = tmp_path / "positions"
    path.write_text(f"{WON} 18\n\n44444453555 0\n{ConnectFour.from_transcript(WON).board}\n")
    reads = [
        json.loads(line)
        for line in flipdrop("solve", "connect4", "--file", str(path), "--json").stdout.split("\n")[:-1]
    ]
    assert [read["score"] for read in reads][::2] == [18, 18]
    path.write_text("-XO--XO--XO----- X; D1:+14; % after a mistake\n")
    assert json.loads(flipdrop("solve", "othello4", "--file", str(path), "--json").stdout)["score"] == 14
    piped = flipdrop("solve", "connect4", "--file", "-", stdin=f"{WON}\n")
    assert piped.stdout.startswith("+18")


@pytest.mark.slow
def test_unproven_positions() -> None:
    read = json.loads(flipdrop("solve", "connect4", "--nodes", "500", "--no-book", "--json").stdout)
    assert (read["exact"], read["proven"], read["score"]) == (False, False, None)
    assert read["lower"] < read["upper"]
    assert "not proven: " in flipdrop("solve", "connect4", "--nodes", "500", "--no-book").stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["connect4", "8"], "column"),
        (["connect4", "--no-book", "--table", "1000000"], "this machine has"),
        (["chess"], "chess"),
        (["connect4", "--file", "nowhere"], "nowhere"),
        (["othello", "--ordering", "nowhere.pattern"], "nowhere.pattern"),
        (["connect4", "-------/-------/-------/-------/---X---/------- O"], "air"),
        (["connect4", "-------/-------/-------/-------/-------/XXX---- O"], "X moves first"),
    ],
)
def test_bad_calls_are_one_line(arguments: list[str], message: str) -> None:
    done = flipdrop("solve", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_bad_line_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "positions"
    path.write_text(f"{WON}\n9999\n")
    done = flipdrop("solve", "connect4", "--file", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "line 2" in done.stderr


def test_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "positions"
    path.write_text(f"{WON}\n4\n")
    command = [sys.executable, "-m", "flipdrop", "solve", "connect4", "--file", str(path), "--no-book", "--json"]
    hear_ctrl_c = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=hear_ctrl_c) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["score"] == 18
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=20)
        assert (process.returncode, rest, decode_text(errors)) == (130, b"", "stopped\n")
