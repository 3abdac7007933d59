"""Plays an event: what is not yet in the store is played, and goes into it as it ends."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

from flipdrop.arena.store import Result

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.arena.event import Event
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store


@dataclass
class EventProgress:
    """How far an event has come.

    :param results: of all its games so far, by number, those of earlier runs included
    :param before: how many of them are from earlier runs
    """

    event: Event
    results: dict[int, Result] = field(default_factory=dict)
    before: int = 0
    began: float = field(default_factory=perf_counter)

    @property
    def played(self) -> int:
        """How many games have ended in this run."""
        return len(self.results) - self.before

    @property
    def seconds(self) -> float:
        """How long this run has taken so far."""
        return perf_counter() - self.began

    @property
    def games_a_second(self) -> float:
        """The speed of this run."""
        return self.played / max(self.seconds, 1e-9)


def run_event(
    event: Event,
    store: Store,
    runner: Runner,
    *,
    stop_when: Callable[[EventProgress], bool] | None = None,
    progress: Callable[[EventProgress], object] | None = None,
) -> EventProgress:
    """Plays what is missing of an event.

    :param stop_when: asked as games end; true ends the event before its last game
    :param progress: shown the state as games end
    """
    event_id = store.event_id_for(event)
    state = EventProgress(event, {result.number: result for result in store.results(event_id)})
    state.before = len(state.results)
    if stop_when and stop_when(state):
        return state
    missing = (task for task in event.tasks() if task.number not in state.results)
    with closing(runner.run(missing)) as games:
        for batch in games:
            store.add(event_id, batch)
            for played in batch:
                number = played.task.number
                state.results[number] = Result(number, played.result, played.margin, played.termination)
            if progress:
                progress(state)
            if stop_when and stop_when(state):
                break
    return state
