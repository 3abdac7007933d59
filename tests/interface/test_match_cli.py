"""`flipdrop match`, as a shell runs it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

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


def test_the_same_seed_gives_the_same_result(tmp_path: Path) -> None:
    first = as_json(*QUICK, "--seed", "1", "--no-store")
    assert played(first) == played(as_json(*QUICK, "--seed", "1", "--store", str(tmp_path / "a.db"), "--threads", "1"))
    assert played(first) != played(as_json(*QUICK, "--seed", "2", "--no-store"))
    assert first["games"] == 20


def test_what_people_see() -> None:
    done = run(*QUICK, "--seed", "1", "--no-store")
    assert "seed 1" in done.stderr
    for word in ("won", "drawn", "lost of 20", "Elo", "games/s"):
        assert word in done.stdout


def test_a_match_is_resumed_and_not_played_twice(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "games.db")]
    first = as_json(*QUICK, "--seed", "1", *store)
    again = run(*QUICK, "--seed", "1", *store, status=2)
    assert "--resume" in again.stderr
    assert played(as_json(*QUICK, "--seed", "1", *store, "--resume")) == played(first)
    assert played(as_json(*QUICK, *store, "--resume")) == played(first)  # the latest with these players
    longer = as_json(*QUICK[:-1], "30", *store, "--resume")
    assert longer["games"] == 30
    assert played(longer) == played(as_json(*QUICK[:-1], "30", "--seed", "1", "--no-store"))


def test_interrupted_it_shows_what_it_has_and_resumes(tmp_path: Path) -> None:
    players = ["mcts:iterations=2000", "mcts:iterations=1900", "--game", "connect4", "--games", "4000", "--json"]
    store = ["--store", str(tmp_path / "games.db"), "--seed", "5"]
    process = subprocess.Popen([*MATCH, *players, *store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (tmp_path / "games.db-wal").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    stopped = json.loads(output)
    assert 0 < stopped["games"] < 4000


def test_a_test_stops_the_match() -> None:
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


def test_agents_from_files(tmp_path: Path) -> None:
    path = tmp_path / "my_agent.py"
    path.write_text(AGENT)
    found = as_json(f"{path}:Agent", f"{path}:cheat", "--game", "othello4", "--games", "4", "--no-store")
    assert found["wins"] == 4
    assert found["broken_off"] == [0, 4]
    assert "z9" in found["endings"][0]


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
        (["random", "greedy", "--resume", "--store", "fresh.db"], "nothing to resume"),
        (["random", "greedy", "--store", "/dev/null/x.db"], "/dev/null"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = subprocess.run([*MATCH, *arguments], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
