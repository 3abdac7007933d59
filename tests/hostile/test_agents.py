"""Hostile agents: they play by the rules or forfeit, and nothing else happens."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.referee import margin_of, replayed, result_of
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running import make_players
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.arena.store import Store
from flipdrop.errors import PlayerError
from flipdrop.games import game
from flipdrop.players.agent_process import MAX_SHOWN, AgentLimits, AgentPlayer
from tests.arena.events import event, games_of

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from flipdrop.arena.model import FinishedGame, GameTask

AGENTS = Path(__file__).parent / "agents"
OTHELLO4 = game("othello4")


def runner(**limits: float) -> ThreadRunner:
    return ThreadRunner(1, agents=AgentLimits(**limits))  # type: ignore[arg-type]


def check_by_the_rules(played: FinishedGame) -> None:
    """A game that was played to the end has the result of its last position."""
    position = played.task.opening.position
    for move in played.moves[len(played.task.opening.moves) :]:
        position = position.play(move)
    assert position.is_over
    assert (played.result, played.margin) == (result_of(position), margin_of(position))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "forfeits"),
    [
        ("PatchesThePosition", True),
        ("PatchesTheReferee", None),  # it may break its own process
        ("ForgesAnswers", True),
        ("SendsAPickle", True),
        ("AnswersWithNonsense", True),
    ],
)
def test_cheats(name: str, forfeits: bool | None) -> None:
    spec = f"{AGENTS / 'cheats.py'}:{name}"
    with Store(None) as store:
        of = event(spec, "random", pairs=1)
        games: list[FinishedGame] = []
        for batch in runner(move_timeout=20).run(of.tasks()):
            games += batch
            store.add(store.event_id_for(of), batch)
    for played in games:
        if played.termination:
            assert forfeits is not False
            cheat = 1 if played.task.first == spec else -1
            assert played.result == -cheat
        else:
            assert not forfeits
            check_by_the_rules(played)


class FalseRunner:
    """Hands in games that were not played."""

    def __init__(self, **changes: object) -> None:
        self.changes = changes

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        for played in games_of(ThreadRunner(1), event("random", "greedy", pairs=1)):
            task = next(iter(tasks))
            yield [replace(played, task=task, **self.changes)]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"margin": 16}, "false result"),
        ({"result": 0, "margin": 0}, "false result"),
        ({"result": 1, "termination": "it gave up"}, "false result"),
        ({"moves": ()}, "does not begin with the opening"),
    ],
)
def test_games_are_replayed_where_results_are_kept(changes: dict[str, object], reason: str) -> None:
    of = event("random", "agent.py:Cheat", pairs=1)
    with Store(None) as store:
        state = run_event(of, store, FalseRunner(**changes))
    for number, loser, why in state.forfeits():
        assert of.players[loser] == "agent.py:Cheat"
        assert reason in why, number
    assert len(list(state.forfeits())) == 2


def test_games_that_stop_early_or_break_the_rules_are_forfeits() -> None:
    played = games_of(ThreadRunner(1), event("random", "greedy", pairs=1))[0]
    assert replayed(played) == played
    short = replayed(replace(played, moves=played.moves[:-1]))
    assert "is not over" in short.termination
    wrong = replayed(replace(played, moves=(*played.moves[:4], played.moves[0], *played.moves[5:])))
    assert "move 5 of its game is not legal" in wrong.termination
    assert wrong.moves == played.moves[:4]
    assert "is not legal" in replayed(replace(played, moves=(*played.moves, 0))).termination
    assert "is not legal" in replayed(replace(played, moves=(*played.moves[:4], 2**70))).termination


@pytest.fixture
def processes(tmp_path: Path) -> Path:
    """A copy of the agents that start processes, beside which they note these."""
    return Path(shutil.copy(AGENTS / "processes.py", tmp_path))


def is_running(process: str) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and orphans are adopted on Linux only")
@pytest.mark.parametrize("name", ["forks", "daemonises", "starts_a_program"])
def test_processes_of_an_agent_end_with_it(processes: Path, name: str) -> None:
    games = games_of(runner(move_timeout=30), event(f"{processes}:{name}", "random", pairs=1))
    assert [played.termination for played in games] == ["", ""]
    started = processes.with_name("pids").read_text().split()
    assert started
    deadline = time.monotonic() + 20
    while any(map(is_running, started)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_running, started))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kills_its_group", "kills_its_parent", "closes_everything"])
def test_signals_reach_the_agent_alone(processes: Path, name: str) -> None:
    spec = f"{processes}:{name}"
    for played in games_of(runner(move_timeout=20), event(spec, "random", pairs=1)):
        assert played.termination.startswith(spec)
        assert played.result == (-1 if played.task.first == spec else 1)


@pytest.mark.slow
def test_output_is_cut(capfd: pytest.CaptureFixture[str]) -> None:
    games = games_of(runner(), event(f"{AGENTS / 'resources.py'}:prints", "random", pairs=1))
    assert [played.termination for played in games] == ["", ""]
    seen = capfd.readouterr()
    assert seen.out == ""
    assert "prints has printed more than 64 KB; the rest is not shown" in seen.err
    assert len(seen.err) < MAX_SHOWN + 1000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the memory of a process")
@pytest.mark.parametrize("name", ["fills_the_memory", "recurses"])
def test_memory_is_limited(name: str) -> None:
    spec = f"{AGENTS / 'resources.py'}:{name}"
    (played, *_) = games_of(runner(megabytes=256, move_timeout=30), event(spec, "random", pairs=1))
    assert ("MemoryError" if name == "fills_the_memory" else "RecursionError") in played.termination


@pytest.mark.slow
@pytest.mark.parametrize(
    ("agent", "complaint"),
    [
        ("sleeps_at_import.py:choose", "did not answer in time"),
        ("loading.py:Sleeps", "did not answer in time"),
        ("loading.py:Endless", "did not answer in time"),
        ("loading.py:Exits", "SystemExit: no"),
        ("loading.py:Dies", "ended with exit status 3"),
    ],
)
def test_loading_has_a_time_limit(agent: str, complaint: str) -> None:
    began = time.monotonic()
    with pytest.raises(PlayerError, match=complaint):
        make_players([str(AGENTS / agent)], OTHELLO4, agents=AgentLimits(move_timeout=1))
    assert time.monotonic() - began < 30


@pytest.mark.slow
def test_a_command_says_that_an_agent_cannot_be_loaded() -> None:
    command = [sys.executable, "-m", "flipdrop", "match", f"{AGENTS / 'loading.py'}:Sleeps", "random", "--no-store"]
    ended = subprocess.run(
        [*command, "--game", "othello4", "--move-timeout", "1", "--agent-memory", "512"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "loading.py:Sleeps did not answer in time" in ended.stderr


@pytest.mark.slow
def test_an_agent_is_usable_after_a_failure() -> None:
    player = AgentPlayer(f"{AGENTS / 'cheats.py'}:AnswersWithNonsense", move_timeout=20)
    try:
        for _ in range(2):
            with pytest.raises(PlayerError, match="not a legal move"):
                player.choose(OTHELLO4.start())
        player.close()
        with pytest.raises(PlayerError, match="not a legal move"):
            player.choose(OTHELLO4.start())
    finally:
        player.close()
