"""The examples run, in small."""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop import match

if TYPE_CHECKING:
    import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_reinforce(capsys: pytest.CaptureFixture[str]) -> None:
    names = runpy.run_path(str(EXAMPLES / "reinforce_connect4.py"))
    policy = names["train"](40)
    result = match(policy, "random", game="connect4", games=40, seed=1)
    assert result.forfeits == (0, 0)
    assert result.score > 0.5
    assert not capsys.readouterr().out


def test_tour(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "tour.py"), run_name="__main__")
    shown = capsys.readouterr().out
    assert "ranking:" in shown
    assert "exact: +1 (win)" in shown
    assert "did you mean alphabeta?" in shown


def test_gtp_engine() -> None:
    commands = "name\nplay black f5\ngenmove white\nshowboard\nclear_board\nquit\n"
    ran = subprocess.run(
        [sys.executable, str(EXAMPLES / "gtp_engine.py")], input=commands, capture_output=True, text=True, check=True
    )
    name, played, answered, unknown, cleared, quitted = ran.stdout.split("\n\n")[:6]
    assert (name, played.strip(), cleared.strip(), quitted.strip()) == ("= example", "=", "=", "=")
    assert answered in ("= d6", "= f4", "= f6")
    assert unknown == "? unknown command"
