"""Games in threads: the same with any number of threads, and stopped when the iterator is closed."""

from __future__ import annotations

import itertools
import threading
import time

import pytest

from flipdrop.arena.running.thread_runner import MAX_GAMES, ThreadRunner, next_size
from tests.arena.events import event, games_of


def test_number_of_threads() -> None:
    of = event("random", "mcts:iterations=20", "level:2", pairs=10)
    expected = games_of(ThreadRunner(1), of)
    assert len(expected) == of.games
    for threads in (2, 5):
        assert games_of(ThreadRunner(threads), of) == expected


def test_batch_size() -> None:
    assert next_size(1, 1, 10.0) == 1
    assert next_size(4, 4, 1e-9) == 8
    assert next_size(MAX_GAMES, MAX_GAMES, 1e-9) == MAX_GAMES
    assert next_size(100, 100, 0.5) == 10


@pytest.mark.timing
@pytest.mark.slow
def test_close_stops_the_games() -> None:
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
def test_close_stops_searches(thinker: str) -> None:
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
