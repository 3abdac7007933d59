"""`flipdrop match`, as a shell runs it."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.arena.store import Store
from tests.interface.cli.support import STOPPED

if TYPE_CHECKING:
    from pathlib import Path

MATCH = [sys.executable, "-m", "flipdrop", "match"]
QUICK = ["random", "greedy", "--game", "othello6", "--games", "20"]


def run(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*MATCH, *arguments], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status, done.stderr
    return done


def as_json(*arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json").stdout)
    return found


def played(found: dict[str, Any]) -> dict[str, Any]:
    """The result without what depends on the clock."""
    return {key: value for key, value in found.items() if key not in ("seconds", "games_a_second")}


@pytest.mark.slow
def test_reproducible(tmp_path: Path) -> None:
    first = as_json(*QUICK, "--seed", "1", "--no-store")
    assert played(first) == played(as_json(*QUICK, "--seed", "1", "--store", str(tmp_path / "a.db"), "--threads", "1"))
    assert played(first) != played(as_json(*QUICK, "--seed", "2", "--no-store"))
    assert first["games"] == 20


@pytest.mark.slow
def test_text() -> None:
    done = run(*QUICK, "--seed", "1", "--no-store")
    assert "seed 1" in done.stderr
    for word in ("won", "drawn", "lost of 20", "Elo", "games/s"):
        assert word in done.stdout


@pytest.mark.slow
def test_resume(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "games.db")]
    first = as_json(*QUICK, "--seed", "1", *store)
    again = run(*QUICK, "--seed", "1", *store, status=2)
    assert "--resume" in again.stderr
    assert played(as_json(*QUICK, "--seed", "1", *store, "--resume")) == played(first)
    assert played(as_json(*QUICK, *store, "--resume")) == played(first)  # the latest with these players
    longer = as_json(*QUICK[:-1], "30", *store, "--resume")
    assert longer["games"] == 30
    assert played(longer) == played(as_json(*QUICK[:-1], "30", "--seed", "1", "--no-store"))


@pytest.mark.timing
@pytest.mark.slow
def test_interrupt_and_resume(tmp_path: Path) -> None:
    players = ["mcts:iterations=2000", "mcts:iterations=1900", "--game", "connect4", "--games", "4000", "--json"]
    store = ["--store", str(tmp_path / "games.db"), "--seed", "5"]
    process = subprocess.Popen([*MATCH, *players, *store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for(tmp_path / "games.db", "games", process)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode in STOPPED, errors
    assert "Traceback" not in errors
    stopped = json.loads(output)
    assert 0 < stopped["games"] < 4000


THINKER = "iterative:depth=30"
LONG_MOVES = {
    "match": ["match", THINKER, "random"],
    "match by the referee": ["match", "perfect", "random", "--threads", "1"],
    "match of agents": ["match", THINKER, "{folder}/agent.py:hangs"],
    "tournament": ["tournament", THINKER, "perfect", "random"],
    "ladder": ["ladder", THINKER],
    "sweep": ["sweep", "alphabeta", "--option", "depth=30:31:1", "--against", "random"],
    "tune": ["tune", "alphabeta", "--option", "depth=30:40:int", "--against", "random"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG_MOVES)
def test_interrupt_stops_searches(name: str, tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("def hangs(position):\n    while True:\n        pass\n")
    command = [argument.format(folder=tmp_path) for argument in LONG_MOVES[name]]
    store = tmp_path / "games.db"
    status, errors = interrupted(*command, "--games", "4", "--seed", "1", "--store", str(store), store=store)
    assert status in STOPPED, errors
    assert errors.endswith("stopped; --resume continues it\n")
    with closing(sqlite3.connect(store)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with Store(store) as whole:  # the event exists and can be resumed
        assert list(whole.events())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["match", "tournament", "ladder", "sweep"])
def test_no_store(name: str) -> None:
    status, errors = interrupted(*LONG_MOVES[name], "--games", "4", "--no-store")
    assert status in STOPPED, errors
    assert errors.endswith("stopped; no game was saved (--no-store)\n")


def wait_for(store: Path, table: str, process: subprocess.Popen[str]) -> None:
    """Waits until a running command has written a row into a table of its store."""
    deadline = time.monotonic() + 120
    while process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
        if store.exists():
            with closing(sqlite3.connect(store, timeout=30)) as connection, suppress(sqlite3.OperationalError):
                if connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone():
                    return


def interrupted(*arguments: str, store: Path | None = None) -> tuple[int, str]:
    """A command that gets a Ctrl-C while its players think: how it ends, and what it says.

    :param store: Ctrl-C waits until it has the event
    """
    command = [sys.executable, "-m", "flipdrop", *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()  # what is going to be played
        if store is not None:
            wait_for(store, "events", process)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        try:
            _, rest = process.communicate(timeout=60)  # it takes a moment, where the machine has nothing else to do
        finally:
            process.kill()
    assert "Traceback" not in rest
    return process.returncode, said + rest


@pytest.mark.slow
@pytest.mark.parametrize("command", [["match", "random", "greedy"], ["tournament", "random", "greedy"]])
def test_largest_number_of_games(command: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "flipdrop", *command, "--games", "100000000", "--no-store"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--games" in done.stderr
    assert "100000" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_sprt() -> None:
    found = as_json("greedy", "random", "--game", "othello6", "--sprt", "0,200", "--no-store", "--seed", "1")
    assert found["sprt"]["decision"] == "H1"
    assert found["games"] < 2000


AGENT = """
class Agent:
    def __init__(self, seed=0):
        self.seed = seed
    def choose(self, position):
        print("thinking aloud")
        return position.legal_moves[self.seed % len(position.legal_moves)]

def cheat(position):
    return "z9"
"""


@pytest.mark.slow
def test_agents_from_files(tmp_path: Path) -> None:
    path = tmp_path / "my_agent.py"
    path.write_text(AGENT)
    found = as_json(f"{path}:Agent", f"{path}:cheat", "--game", "othello4", "--games", "4", "--no-store")
    assert found["wins"] == 4
    assert found["forfeits"] == [0, 4]
    assert "z9" in found["terminations"][0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random", "greddy"], "greedy"),
        (["random", "nowhere.py:Agent"], "nowhere.py"),
        (["random", "random"], "twice"),
        (["random", "greedy", "--games", "3"], "even number"),
        (["random", "greedy", "--game", "chess"], "chess"),
        (["random", "greedy", "--sprt", "5"], "elo0,elo1"),
        (["random", "greedy", "--sprt", "5,0"], "less than"),
        (["random", "greedy", "--clock", "soon"], "write seconds"),
        (["random", "greedy", "--openings", "nowhere.txt"], "nowhere.txt"),
        (["random", "greedy", "--store", "x.db", "--no-store"], "contradict"),
        (["random", "mcts:decisive=tree"], "Connect Four"),
        (["random", "greedy", "--resume", "--store", "fresh.db"], "nothing to resume: there is no store fresh.db"),
        (["random", "greedy", "--resume", "--no-store"], "nothing to resume: --no-store"),
        (["random", "greedy", "--clock", "0"], "leaves no time for a move"),
        (["random", "greedy", "--clock", "0+1"], "leaves no time for a move"),
        (["random", "greedy", "--clock", "0/move"], "leaves no time for a move"),
        (["random", "greedy", "--store", "/dev/null/x.db"], "/dev/null"),
    ],
)
def test_invalid_arguments(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = subprocess.run([*MATCH, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not list(tmp_path.glob("fresh.db*"))  # to look for something is not to make it
