"""Plays the games of an event that the store does not have, and stores each as it ends."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from flipdrop.arena.store import GameResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.arena.model import Event
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store


@dataclass
class EventProgress:
    """The results of an event so far.

    :param results: of all its games so far, by number, those of earlier runs included
    :param before: the number of results from earlier runs
    :param earlier: games of the competition's earlier events
    :param planned: games of the whole competition; those of the event by default
    """

    event: Event
    results: dict[int, GameResult] = field(default_factory=dict)
    before: int = 0
    began: float = field(default_factory=perf_counter)
    ended: float | None = None
    earlier: int = 0
    planned: int = 0

    @property
    def played(self) -> int:
        """The number of games that this run has finished."""
        return len(self.results) - self.before

    @property
    def done(self) -> int:
        """The number of games of the competition that have ended."""
        return self.earlier + len(self.results)

    @property
    def total(self) -> int:
        """The approximate number of games of the competition."""
        return max(self.planned or self.event.games, self.done)

    @property
    def seconds(self) -> float:
        return (self.ended or perf_counter()) - self.began

    @property
    def games_a_second(self) -> float:
        return self.played / max(self.seconds, 1e-9)


def run_event(
    event: Event,
    store: Store,
    runner: Runner,
    *,
    state: EventProgress | None = None,
    stop_when: Callable[[EventProgress], bool] | None = None,
    progress: Callable[[EventProgress], object] | None = None,
) -> EventProgress:
    """Plays the games of an event that the store does not have.

    :param stop_when: called as games end; true ends the event before its last game
    :param progress: called as games end
    """
    event_id = store.event_id_for(event)
    state = state or EventProgress(event)
    state.results = {result.number: result for result in store.results(event_id)}
    state.before = len(state.results)
    if stop_when and stop_when(state):
        state.ended = perf_counter()
        return state
    missing = (task for task in event.tasks() if task.number not in state.results)
    with closing(runner.run(missing)) as batches:
        for batch in batches:
            store.add(event_id, batch)
            for played in batch:
                number = played.task.number
                state.results[number] = GameResult(number, played.result, played.margin, played.termination)
            if progress:
                progress(state)
            if stop_when and stop_when(state):
                break
    state.ended = perf_counter()
    return state
