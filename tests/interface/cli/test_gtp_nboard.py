"""`flipdrop gtp` and `flipdrop nboard` as other programs start them."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop import Othello
from flipdrop.interface.cli.nboard import DEFAULT
from flipdrop.players import SearchPlayer, player
from flipdrop.search import Minimax
from flipdrop.search.analyse import best_evaluation
from tests.interface.cli.support import flipdrop, stdout_of
from tests.players.external.engines import all_gone, engine, processes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHATTY = """
import time

def sleeping(position):
    print("I print what I like")
    time.sleep(1000)

def chatty(position):
    print("I print what I like")
    return position.legal_moves[0]
"""


class Engine:
    """A command that another program has started, and talks to."""

    def __init__(self, *arguments: str, **options: Any) -> None:
        self.process: subprocess.Popen[str] = subprocess.Popen(
            [sys.executable, "-m", "flipdrop", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A test runner in the background ignores Ctrl-C, and children inherit that.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
            **options,
        )

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def ended(self) -> tuple[int, str]:
        """The exit status, and what it wrote to standard error but for its first line."""
        errors = self.process.communicate(timeout=30)[1]
        return self.process.returncode, "".join(errors.splitlines(keepends=True)[1:])


@pytest.fixture
def started() -> Iterator[list[Engine]]:
    engines: list[Engine] = []
    yield engines
    for one in engines:
        one.process.kill()
        one.process.communicate()


def test_default_player_of_nboard() -> None:
    made = player(DEFAULT, game="othello")
    assert isinstance(made, SearchPlayer)
    assert isinstance(made.search, Minimax)
    assert made.search.evaluation == best_evaluation(Othello().game)
    assert made.search.depth is None  # NBoard says how deep


@pytest.mark.slow
def test_help() -> None:
    overview = stdout_of("--help")
    for command in ("gtp", "nboard"):
        assert command in overview
        assert f"Example: flipdrop {command}" in stdout_of(command, "--help")


def test_gtp_answers_a_script() -> None:
    done = flipdrop("gtp", "--game", "connect4", "--player", "perfect", stdin="1 play black 4\r\n2 genmove white\n")
    assert done.returncode == 0
    assert done.stdout == "=1\n\n=2 4\n\n"
    assert re.fullmatch(r"flipdrop gtp: Connect Four 7x6, perfect.*, seed \d+\n", done.stderr)


def test_nboard_answers_a_script() -> None:
    done = flipdrop("nboard", "--player", "greedy", stdin="nboard 2\nset depth 3\nmove F5\nping 3\ngo\n")
    assert done.returncode == 0
    said = done.stdout.splitlines()
    assert said[:3] == ["set myname greedy", "pong 3", "status thinking"]
    assert re.match(r"=== [DF][46]/", said[3])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        (("gtp", "--game", "chess"), "games are"),
        (("gtp", "--player", "nobody"), "players are"),
        (("nboard", "--player", "mcts:decisive=root"), "decisive moves belong to Connect Four"),
    ],
)
def test_errors(arguments: tuple[str, ...], expected_error: str) -> None:
    done = flipdrop(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert expected_error in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("command", ["gtp", "nboard"])
def test_answers_are_flushed(command: str, tmp_path: Path, started: list[Engine]) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    started.append(one := Engine(command, "--player", f"{tmp_path / 'chatty.py'}:chatty"))
    if command == "gtp":
        one.say("genmove black")
        assert (one.hear(), one.hear()) == ("= d3", "")
    else:
        one.say("go")
        assert one.hear() == "status thinking"
        assert one.hear().startswith("=== D3/")
        assert one.hear() == "status"
    one.say("quit")
    status, errors = one.ended()
    assert (status, errors) == (0, "I print what I like\n")


@pytest.mark.timing
@pytest.mark.slow
def test_nboard_is_interrupted_by_a_ping(tmp_path: Path, started: list[Engine]) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    for spec in (f"{tmp_path / 'chatty.py'}:sleeping", "perfect"):
        started.append(one := Engine("nboard", "--player", spec))
        one.say("go")
        assert one.hear() == "status thinking"
        time.sleep(0.3)
        began = time.monotonic()
        one.say("ping 7")
        assert (one.hear(), one.hear()) == ("status", "pong 7")
        assert time.monotonic() - began < 10
        one.say("go")
        one.say("quit")
        assert one.ended()[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", ["gtp", "nboard"])
@pytest.mark.parametrize("thinking", [False, True])
def test_ctrl_c(command: str, thinking: bool, started: list[Engine]) -> None:
    started.append(one := Engine(command, "--player", "perfect"))
    one.say({"gtp": "name", "nboard": "ping 1"}[command])
    one.hear()
    if thinking:
        one.say({"gtp": "genmove black", "nboard": "go"}[command])
    time.sleep(0.5)
    one.process.send_signal(signal.SIGINT)
    assert one.ended() == (130, "stopped\n")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["gtp", "nboard"])
def test_closed_pipes_during_a_search(command: str, started: list[Engine]) -> None:
    started.append(one := Engine(command, "--player", "perfect"))
    one.say({"gtp": "name", "nboard": "ping 1"}[command])
    one.hear()
    one.say({"gtp": "genmove black", "nboard": "go"}[command])
    time.sleep(0.5)
    for pipe in (one.process.stdin, one.process.stdout):
        assert pipe is not None
        pipe.close()
    one.process.stdin = one.process.stdout = None
    assert one.ended() == (1, "")


def test_a_broken_pipe_is_no_traceback() -> None:
    command = f"yes name | {sys.executable} -m flipdrop gtp | head -2"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "= flipdrop\n\n"
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.slow
@pytest.mark.timing
def test_external_engine_ends_too(tmp_path: Path, started: list[Engine]) -> None:
    inner = f"gtp:{engine(tmp_path, 'time.sleep(1000)')}"
    for end in ("quit", "kill"):
        started.append(one := Engine("nboard", "--player", inner))
        one.say("go")
        assert one.hear() == "status thinking"
        deadline = time.monotonic() + 30
        while len(processes(tmp_path)) < 3:  # ours, the supervisor and the engine
            assert time.monotonic() < deadline
            time.sleep(0.02)
        if end == "quit":
            one.say("quit")
            assert one.ended() == (0, "")
        else:
            os.kill(one.process.pid, signal.SIGKILL)
            one.process.wait()
        assert all_gone(tmp_path, within=10)
