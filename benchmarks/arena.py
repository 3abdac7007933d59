"""The arena: games per second, with and without a store on disk."""

from __future__ import annotations

import tempfile
from pathlib import Path

from flipdrop.arena.model import Event
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.arena.store import Store

PLAYERS = ("alphabeta:depth=2,evaluation=D", "alphabeta:depth=2,evaluation=D(15/6/-8/-6/4/4)")
THREADS = 2


def run(effort: float) -> None:
    """Prints the speed with a store on disk and without one, in turns."""
    pairs = max(500, round(5000 * effort))
    event = Event(
        kind="match", game="othello", players=PLAYERS, pairings=((0, 1),), pairs=pairs, openings="random:8", seed=1
    )
    event.opening(pairs - 1)  # finding openings is not what is measured
    print(f"\na match of {event.games:,} games between two players of depth 2 with D, {THREADS} threads, games/s")
    with_store, without = 0.0, 0.0
    for _ in range(3):
        without = max(without, run_event(event, Forgetful(None), ThreadRunner(THREADS)).games_a_second)
        with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "games.db") as store:
            with_store = max(with_store, run_event(event, store, ThreadRunner(THREADS)).games_a_second)
    cost = 1 - with_store / without
    print(f"  stored on disk {with_store:,.0f}   not stored {without:,.0f}   the store costs {100 * cost:.1f}%")


class Forgetful(Store):
    """A store that saves nothing."""

    def add(self, event_id: int, games: object) -> None:
        pass
