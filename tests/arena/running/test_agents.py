"""Agents from files have processes of their own: one that hangs or dies forfeits its own games only."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from flipdrop.arena.model import TimeControl
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.players.agent_process import AgentLimits
from tests.arena.events import event, games_of

SEEDED = """
import random

class Agent:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def choose(self, position):
        return self.random.choice(position.legal_moves)
"""


def children() -> set[str]:
    listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    own = set(listed.read_text().split()) if listed.exists() else set()
    for thread in Path(f"/proc/{os.getpid()}/task").iterdir():  # a child belongs to the thread that started it
        own |= set((thread / "children").read_text().split())
    return own


def impatient(threads: int = 2) -> ThreadRunner:
    return ThreadRunner(threads, agents=AgentLimits(move_timeout=1.5))


@pytest.mark.slow
def test_the_seed_decides_a_game(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(SEEDED)
    of = event(f"{path}:Agent", "mcts:iterations=20", pairs=3)
    games = games_of(ThreadRunner(1), of)
    assert games == games_of(ThreadRunner(2), of)
    assert len({game.moves[2:] for game in games}) > 1


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reason"),
    [("hangs", "did not answer in time"), ("dies", "exit status 7"), ("hangs_later", "did not answer in time")],
)
def test_hanging_and_dying_agents(agents: str, name: str, reason: str) -> None:
    of = event(f"{agents}:{name}", f"{agents}:first", pairs=2)
    began = time.monotonic()
    games = games_of(impatient(), of)
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
    for game in games_of(ThreadRunner(2), of):
        assert "did not answer in time" in game.termination


@pytest.mark.slow
def test_output_of_agents(agents: str, capfd: pytest.CaptureFixture[str]) -> None:
    games_of(ThreadRunner(1), event(f"{agents}:prints", f"{agents}:first", pairs=1))
    seen = capfd.readouterr()
    assert seen.out == ""
    assert "noise" in seen.err


@pytest.mark.slow
def test_closing_the_games_ends_the_agents(agents: str) -> None:
    before = children()
    games = ThreadRunner(2).run(event(f"{agents}:first", f"{agents}:prints", pairs=50).tasks())
    next(games)
    assert children() - before
    games.close()
    assert children() == before


@pytest.mark.slow
def test_closing_the_games_does_not_wait_for_an_agent_that_hangs(agents: str) -> None:
    before = children()
    tasks = event(f"{agents}:first", "random", f"{agents}:hangs_later", pairs=5).tasks()
    games = ThreadRunner(2).run(tasks)
    next(games)
    began = time.monotonic()
    games.close()
    assert time.monotonic() - began < 30  # it may take 60 s for a move
    assert children() == before
