"""`flipdrop tournament`: output, files, resuming, and kill -9 at any moment."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.arena.model import Event
from flipdrop.arena.referee import play
from flipdrop.arena.store import Store
from flipdrop.reporting.tournament_report import FILES
from tests.interface.cli.support import check_usage_error, flipdrop, json_of, stdout_of

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.arena.model import FinishedGame

PLAYERS = ("random", "greedy", "mcts:iterations=40", "level:2")
QUICK = ("--game", "othello4", "--openings", "random:2", "--games", "6", "--seed", "3")


@pytest.mark.slow
def test_text(tmp_path: Path) -> None:
    text = stdout_of("tournament", *PLAYERS, *QUICK, "--store", str(tmp_path / "games.db"))
    lines = text.splitlines()
    assert lines[0].split() == ["#", "player", "Elo", "95%", "score", "games", "won", "drawn", "lost"]
    assert {line.split()[1] for line in lines[1:5]} == set(PLAYERS)
    assert "the first side won" in text
    assert "score against" in text
    with Store(tmp_path / "games.db") as store:
        (stored,) = store.events()
        assert (stored.event.kind, stored.games) == ("tournament", 36)


@pytest.mark.slow
def test_json_and_report(tmp_path: Path) -> None:
    found = json_of("tournament", *PLAYERS, *QUICK, "--no-store", "--report", str(tmp_path / "new" / "report"))
    assert [entry["rank"] for entry in found["standings"]] == [1, 2, 3, 4]
    assert found["games"] == found["games_planned"] == 36
    assert found["seed"] == 3
    assert sum(entry["elo"] for entry in found["standings"]) == pytest.approx(0, abs=1e-6)
    assert len(found["cross"]) == 12
    assert {path.name for path in (tmp_path / "new" / "report").iterdir()} == set(FILES)


def test_a_report_without_matplotlib_ends_before_the_first_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("flipdrop.reporting.figures.matplotlib_installed", lambda: False)
    report = tmp_path / "report"
    arguments = ("tournament", *PLAYERS, *QUICK, "--no-store", "--report", str(report))
    check_usage_error(capsys, arguments, "plots need matplotlib, which is not installed")
    assert not report.exists()


@pytest.mark.slow
def test_gauntlet() -> None:
    found = json_of("tournament", *PLAYERS, *QUICK, "--no-store", "--gauntlet", "1")
    assert found["games"] == 18
    assert {row["player"] for row in found["cross"] if row["opponent"] != "random"} == {"random"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("random",), "a tournament needs at least two players"),
        (("random", "greedy", "--games", "3"), "they come in pairs"),
        (("random", "random"), "takes part twice"),
        (("random", "gredy"), "gredy"),
        (("random", "greedy", "--gauntlet", "2"), "a gauntlet of 2 with 2 players"),
        (("random", "missing.py:Agent"), "missing.py"),
        (("random", "greedy", "--resume", "--no-store"), "nothing to resume"),
        (("random", "greedy", "--store", "x.db", "--no-store"), "contradict"),
        (("random", "greedy", "--no-store", "--report", "{folder}/file/below"), "Not a directory"),
        (("random", "greedy", "--openings", "random:x"), "write random:8"),
        (("random", "mcts:decisive=root", "--game", "othello"), "decisive"),
    ],
)
def test_invalid_arguments(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    filled = [argument.format(folder=tmp_path) for argument in arguments]
    done = flipdrop("tournament", *filled)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


@pytest.mark.slow
def test_failing_agents(tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text("def bad(position):\n    raise RuntimeError('no idea')\n")
    text = stdout_of("tournament", f"{agent}:bad", "random", "greedy", *QUICK, "--no-store")
    assert f"{agent}:bad forfeited 12 games:" in text
    assert "RuntimeError: no idea" in text


@pytest.mark.slow
def test_same_tournament_twice(tmp_path: Path) -> None:
    command = ("tournament", *PLAYERS, *QUICK, "--store", str(tmp_path / "games.db"))
    once = json_of(*command)
    again = flipdrop(*command)
    assert again.returncode == 2
    assert "--resume" in again.stderr
    assert _result(json_of(*command, "--resume")) == _result(once)


# Killed and resumed ------------------------------------------------------------------------------------------------

LONG = ("--game", "othello6", "--openings", "random:4", "--games", "30", "--seed", "5")
CONTESTANTS = ("random", "mcts:iterations=30", "alphabeta:depth=3", "level:3")


@pytest.mark.slow
def test_killed_and_resumed(tmp_path: Path) -> None:
    unbroken = json_of("tournament", *CONTESTANTS, *LONG, "--no-store")
    store = tmp_path / "games.db"
    command = ("tournament", *CONTESTANTS, *LONG, "--store", str(store), "--threads", "2")
    instants = random.Random(7)
    seen: dict[int, tuple[Any, ...]] = {}
    kills = 0
    for _ in range(4):
        kills += run_and_kill(command, store, after_games=instants.randrange(1, 50), resume=bool(seen))
        games = rows(store)
        assert seen.items() <= games.items()  # whatever was there is still there, unchanged
        seen = games
        check_whole(store)
    assert kills >= 2
    assert _result(json_of(*command, "--resume")) == _result(unbroken)
    assert len(rows(store)) == 180


def run_and_kill(command: tuple[str, ...], store: Path, *, after_games: int, resume: bool) -> bool:
    """Runs a tournament and kills it once `after_games` games are added to the store; False if it ended before."""
    before = len(rows(store))
    process = subprocess.Popen(
        [sys.executable, "-m", "flipdrop", *command, *(["--resume"] if resume else [])],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while process.poll() is None and len(rows(store)) < before + after_games:
            time.sleep(0.002)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    return process.returncode == -signal.SIGKILL


def rows(store: Path) -> dict[int, tuple[Any, ...]]:
    """The games in a store, as another program finds them."""
    if not store.exists():
        return {}
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True, timeout=30)
    try:
        found = connection.execute(
            "SELECT number, moves, result, margin, termination, seed, ended FROM games"
        ).fetchall()
    except sqlite3.OperationalError as error:
        if "no such table" in str(error) or "unable to open" in str(error):
            return {}  # it was killed before it had made its tables
        raise
    finally:
        connection.close()
    return {number: tuple(rest) for number, *rest in found}


def check_whole(store: Path) -> None:
    """Every game in a store is a whole one, and some are played again to see that they are those of the event."""
    with Store(store) as opened:
        (stored,) = opened.events()
        games = list(opened.games(stored.id))
    for played in games:
        position = played.task.opening.start
        for move in played.moves:
            position = position.play(move)
        assert position.is_over
    for played in games[:: max(1, len(games) // 5)]:
        assert _same(played, play(stored.event.task(played.task.number)))


def _same(one: FinishedGame, other: FinishedGame) -> bool:
    return (one.moves, one.result, one.margin) == (other.moves, other.result, other.margin)


def _result(found: dict[str, Any]) -> dict[str, Any]:
    """Everything but the time it took."""
    return {name: value for name, value in found.items() if name not in ("seconds", "games_a_second")}


@pytest.mark.slow
def test_event_in_the_store(tmp_path: Path) -> None:
    store = tmp_path / "games.db"
    stdout_of("tournament", *PLAYERS, *QUICK, "--gauntlet", "2", "--store", str(store))
    with Store(store) as opened:
        (stored,) = opened.events()
    again = Event.from_json(json.loads(json.dumps(stored.event.to_json())))
    assert again == stored.event
    assert again.pairings == ((0, 2), (0, 3), (1, 2), (1, 3))
