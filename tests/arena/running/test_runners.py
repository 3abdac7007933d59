"""Runners: however games are played, and however many at once, they are the same games."""

from __future__ import annotations

import itertools
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.model import TimeControl
from flipdrop.arena.referee import play
from flipdrop.arena.running import runner_for
from flipdrop.arena.running.batch import BatchPlayer
from flipdrop.arena.running.processes import ProcessRunner
from flipdrop.arena.running.threads import MOST_GAMES, ThreadRunner, next_size
from tests.arena.events import event

if TYPE_CHECKING:
    from flipdrop.arena.model import Event, FinishedGame
    from flipdrop.arena.running import Runner

PLAYERS = {
    "othello": ("random", "alphabeta:depth=2", "mcts:iterations=40", "iterative:depth=3,evaluation=Seven", "level:3"),
    "othello6": (
        "greedy",
        "level:6",
        "minimax:depth=2",
        "mcts:iterations=30,seed=5,final=ucb,tie_width=0.1",
        "alphabeta:depth=3,perspective=searcher",
    ),
    "othello4": (
        "random:seed=3",
        "iterative:nodes=300",
        "mcts:iterations=20,playout=depth,depth=3,evaluation=C,perspective=searcher",
    ),
    "connect4": ("random", "alphabeta:depth=3", "mcts:iterations=40,decisive=tree", "level:3", "flat:games=5"),
    "connect4:9x7,forbid=c3": ("level:4", "alphabeta:depth=2", "mcts:iterations=20,schedule=0:10;4:20"),
}


def games_of(runner: Runner, of: Event) -> list[FinishedGame]:
    games = [game for batch in runner.run(of.tasks()) for game in batch]
    return sorted(games, key=lambda game: game.task.number)


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("openings", ["random:2", "random:3"])
def test_the_kernel_plays_the_games_that_the_referee_plays(name: str, openings: str) -> None:
    of = event(*PLAYERS[name], game=name, pairs=2, openings=openings)
    assert BatchPlayer().play(of.tasks()) == [play(task) for task in of.tasks()]


def test_any_number_of_threads_plays_the_same_games() -> None:
    of = event("random", "mcts:iterations=20", "level:2", pairs=10)
    expected = games_of(ThreadRunner(1), of)
    assert len(expected) == of.games
    for threads in (2, 5):
        assert games_of(ThreadRunner(threads), of) == expected


@pytest.mark.slow
def test_processes_play_the_same_games() -> None:
    of = event("random", "mcts:iterations=20", pairs=4)
    assert games_of(ProcessRunner(2), of) == games_of(ThreadRunner(1), of)


def test_chunks_grow_with_the_speed_of_the_games() -> None:
    assert next_size(1, 1, 10.0) == 1
    assert next_size(4, 4, 1e-9) == 8
    assert next_size(MOST_GAMES, MOST_GAMES, 1e-9) == MOST_GAMES
    assert next_size(100, 100, 0.5) == 10


@pytest.mark.timing
@pytest.mark.slow
def test_a_runner_that_is_left_stops_at_once() -> None:
    of = event("mcts:iterations=3000", "mcts:iterations=3001", game="othello", pairs=1000, openings="random:8")
    began = time.monotonic()
    games = ThreadRunner(2).run(of.tasks())
    next(games)
    games.close()
    assert time.monotonic() - began < 20


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize(
    "thinker",
    [
        "perfect",
        "iterative:depth=30",
        "alphabeta:depth=30",
        "mcts:iterations=100000000",
        "iterative:depth=30,threads=2",
    ],
)
def test_a_runner_that_is_left_does_not_wait_for_a_move(thinker: str) -> None:
    quick = event("random", "greedy", game="othello", pairs=1)
    slow = event(thinker, "random", game="othello", pairs=2)
    before = threading.active_count()
    games = ThreadRunner(2).run([*itertools.islice(quick.tasks(), 1), *slow.tasks()])
    assert [game.task.first for game in next(games)] == ["random"]
    time.sleep(0.5)  # the others think
    began = time.monotonic()
    games.close()
    assert time.monotonic() - began < 10  # some 50 ms where the machine has nothing else to do
    assert threading.active_count() == before


AGENTS = """
import os, time

def first(position):
    return position.legal_moves[0]

def prints(position):
    print("noise on standard output")
    return position.legal_moves[-1]

def hangs(position):
    while True:
        time.sleep(0.01)

def dies(position):
    os._exit(7)

def hangs_later(position):
    while position.ply > 6:
        pass
    return position.legal_moves[0]

"""


@pytest.fixture
def agents(tmp_path: Path) -> str:
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return str(path)


def test_agents_from_files_get_processes(agents: str) -> None:
    assert isinstance(runner_for(["random", f"{agents}:first"]), ProcessRunner)
    assert isinstance(runner_for(["random", f"greedy:evaluation={agents}:first"]), ProcessRunner)
    assert isinstance(runner_for(["random", "level:3"]), ThreadRunner)


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "reason"),
    [("hangs", "did not answer in time"), ("dies", "exit code 7"), ("hangs_later", "did not answer in time")],
)
def test_an_agent_that_hangs_or_dies_loses_its_games_only(agents: str, name: str, reason: str) -> None:
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
def test_an_agent_that_hangs_against_the_clock(agents: str) -> None:
    of = event(f"{agents}:hangs", f"{agents}:first", pairs=1, time=TimeControl(move=0.2))
    for game in games_of(ProcessRunner(2), of):
        assert "did not answer in time" in game.termination


@pytest.mark.slow
def test_what_agents_print_does_not_reach_standard_output(agents: str, capfd: pytest.CaptureFixture[str]) -> None:
    games_of(ProcessRunner(1), event(f"{agents}:prints", f"{agents}:first", pairs=1))
    seen = capfd.readouterr()
    assert seen.out == ""
    assert "noise" in seen.err


@pytest.mark.slow
def test_no_process_is_left_behind(agents: str) -> None:
    def children() -> set[str]:
        listed = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
        return set(listed.read_text().split()) if listed.exists() else set()

    before = children()
    games = ProcessRunner(2, move_timeout=1).run(event(f"{agents}:first", f"{agents}:prints", pairs=50).tasks())
    next(games)
    games.close()
    # multiprocessing keeps one process of its own, which tracks what processes share.
    assert len(children() - before) <= 1
