"""Games in processes: an agent that hangs or dies loses its own games only."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from flipdrop.arena.model import TimeControl
from flipdrop.arena.running.processes import ProcessRunner
from flipdrop.arena.running.threads import ThreadRunner
from tests.arena.events import event, games_of


@pytest.mark.slow
def test_same_games_as_threads() -> None:
    of = event("random", "mcts:iterations=20", pairs=4)
    assert games_of(ProcessRunner(2), of) == games_of(ThreadRunner(1), of)


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reason"),
    [("hangs", "did not answer in time"), ("dies", "exit code 7"), ("hangs_later", "did not answer in time")],
)
def test_hanging_and_dying_agents(agents: str, name: str, reason: str) -> None:
    of = event(f"{agents}:{name}", f"{agents}:first", pairs=2)
    began = time.monotonic()
    games = games_of(ProcessRunner(2, move_timeout=1.5), of)
    assert time.monotonic() - began < 60
    assert [game.task.number for game in games] == list(range(of.games))
    for game in games:
        culprit = 0 if game.task.first.endswith(name) else 1
        if game.termination:  # a game may be over before the agent gets to hang
            assert reason in game.termination
            assert game.result == (-1 if culprit == 0 else 1)
    assert sum(bool(game.termination) for game in games) >= 2


@pytest.mark.slow
def test_hanging_agent_with_a_clock(agents: str) -> None:
    of = event(f"{agents}:hangs", f"{agents}:first", pairs=1, time=TimeControl(move=0.2))
    for game in games_of(ProcessRunner(2), of):
        assert "did not answer in time" in game.termination


@pytest.mark.slow
def test_output_of_agents(agents: str, capfd: pytest.CaptureFixture[str]) -> None:
    games_of(ProcessRunner(1), event(f"{agents}:prints", f"{agents}:first", pairs=1))
    seen = capfd.readouterr()
    assert seen.out == ""
    assert "noise" in seen.err


@pytest.mark.slow
def test_close_ends_the_processes(agents: str) -> None:
    def children() -> set[str]:
        listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
        return set(listed.read_text().split()) if listed.exists() else set()

    before = children()
    games = ProcessRunner(2, move_timeout=1).run(event(f"{agents}:first", f"{agents}:prints", pairs=50).tasks())
    next(games)
    games.close()
    # multiprocessing keeps one process of its own, which tracks what processes share.
    assert len(children() - before) <= 1
