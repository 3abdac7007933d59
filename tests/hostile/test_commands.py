"""Commands with hostile agents: the agent has a process of its own, the command says what is wrong and ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flipdrop.players.agent_process import MAX_SHOWN
from tests.interface.cli.support import run_here

if TYPE_CHECKING:
    from collections.abc import Sequence

AGENTS = Path(__file__).parent / "agents"
PLAY = ("play", "othello4", "--as", "none", "--against")
TIMEOUT = 120  # s: for machines that are busy


def run(arguments: Sequence[str], commands: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "flipdrop", *arguments],
        input=commands,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        ("cheats.py:PatchesThePosition", "which is not a legal move"),
        ("loading.py:Sleeps", "did not answer in time"),
        ("loading.py:Dies", "ended with exit status 3"),
        ("processes.py:kills_its_group", "ended"),
        ("resources.py:fills_the_memory", "MemoryError"),
    ],
)
def test_play(agent: str, complaint: str) -> None:
    limits = ("--move-timeout", "2" if agent.endswith("Sleeps") else "60", "--agent-memory", "256")
    ended = run((*PLAY, str(AGENTS / agent), *limits))
    assert ended.returncode == 2, ended.stderr
    assert complaint in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.slow
def test_play_shows_a_limited_part_of_what_an_agent_prints() -> None:
    ended = run((*PLAY, f"{AGENTS / 'resources.py'}:prints", "--seed", "1"))
    assert ended.returncode == 0, ended.stderr[-500:]
    assert "x" * 100 not in ended.stdout
    assert "has printed more than 64 KB" in ended.stderr
    assert len(ended.stderr) < 2 * (MAX_SHOWN + 1000)  # two agents


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["processes.py:kills_its_group", "cheats.py:ForgesAnswers", "resources.py:sleeps"])
def test_gtp(agent: str) -> None:
    """The server answers every command, and the agent can be asked again."""
    commands = "genmove black\nname\ngenmove black\nshowboard\nquit\n"
    limit = "3" if agent.endswith("sleeps") else "60"
    arguments = ("gtp", "--game", "othello4", "--player", str(AGENTS / agent), "--move-timeout", limit)
    ended = run(arguments, commands)
    answers = ended.stdout.split("\n\n")
    assert ended.returncode == 0, ended.stderr
    assert [answer[:1] for answer in answers if answer.strip()] == ["?", "=", "?", "=", "="]
    assert answers[1] == "= flipdrop"


@pytest.mark.slow
def test_nboard() -> None:
    """An agent that ends its process makes the engine say so, not end."""
    commands = "nboard 2\ngo\nping 1\nping 2\nquit\n"
    ended = run(("nboard", "--player", f"{AGENTS / 'processes.py'}:kills_its_group"), commands)
    assert ended.returncode == 0, ended.stderr
    assert "pong 2" in ended.stdout
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("analyse", "othello4", "", "--player"), "cannot say how good moves are"),
        (
            ("sweep", "AGENT", "--option", "depth=1:2:1", "--against", "random", "--game", "othello4", "--no-store"),
            "has no options to set",
        ),
        (
            ("tune", "AGENT", "--option", "depth=1:2", "--against", "random", "--game", "othello4", "--no-store"),
            "has no options to set",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_files_that_need_not_be_run(
    arguments: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    agent = f"{AGENTS / 'sleeps_at_import.py'}:choose"  # it sleeps for an hour
    given = [agent if argument == "AGENT" else argument for argument in arguments]
    status, out, error = run_here(capsys, *given, *([] if "AGENT" in arguments else [agent]))
    assert (status, out) == (2, "")
    assert complaint in error
