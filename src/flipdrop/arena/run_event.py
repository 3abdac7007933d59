"""Plays the games of an event that the store does not have, and stores each as it ends."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from flipdrop.arena.referee import replayed
from flipdrop.arena.statistics import Tally
from flipdrop.arena.store import GameResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from flipdrop.arena.model import Event
    from flipdrop.arena.running import Runner
    from flipdrop.arena.statistics.likelihood import Array
    from flipdrop.arena.store import Store

MAX_TERMINATIONS = 10


@dataclass
class EventProgress:
    """The results of an event so far.

    :param results: of all its games so far, by number, those of earlier runs included
    :param stored: the number of results from earlier runs
    :param earlier_games: finished games of the competition's earlier events
    :param planned: games of the whole competition; those of the event by default
    """

    event: Event
    results: dict[int, GameResult] = field(default_factory=dict)
    stored: int = 0
    began: float = field(default_factory=perf_counter)
    ended: float | None = None
    earlier_games: int = 0
    planned: int = 0

    @property
    def played(self) -> int:
        """The number of games that this run has finished."""
        return len(self.results) - self.stored

    @property
    def done(self) -> int:
        """The number of games of the competition that have ended."""
        return self.earlier_games + len(self.results)

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

    def outcomes(self, pairs: int | None = None) -> tuple[Array, Array]:
        """Scores and margins of the first-named player of each pairing: shape (pairings, pairs, 2 games of a pair).

        They are nan for games that are not finished. Games are counted by their numbers, not in the order in which they
        ended: so a resumed event has the same results as an uninterrupted one.

        :param pairs: of each pairing, from the first; as many as have begun by default
        """
        event = self.event
        in_round = 2 * len(event.pairings)  # games: a pair of each pairing
        most = event.games if pairs is None else min(event.games, pairs * in_round)  # a store may have more
        found = [(one.number, one.result, one.margin) for one in self.results.values() if one.number < most]
        numbers, results, margins = np.array(found, dtype=np.int64).reshape(-1, 3).T
        shape = 2, len(event.pairings), int(numbers.max(initial=-1)) // in_round + 1 if pairs is None else pairs, 2
        swapped = numbers % 2
        table = np.full(shape, np.nan)
        table[:, numbers % in_round // 2, numbers // in_round, swapped] = (1 - 2 * swapped) * (results, margins)
        return (1 + table[0]) / 2, table[1]

    def tallies(self) -> list[Tally]:
        """The games and pairs of each pairing, from the view of its first-named player."""
        return [Tally.from_scores(scores) for scores in self.outcomes()[0]]

    def pairs_in_order(self, start: int = 0) -> list[int]:
        """The half points of the first player in the pairs of a match from `start` on, up to the first incomplete one.

        Later pairs do not count: of the games under way the shorter ones end first, which makes them a biased sample.
        """
        points = []
        for number in range(2 * start, self.event.games, 2):
            one, two = self.results.get(number), self.results.get(number + 1)
            if one is None or two is None:
                break
            points.append(2 + one.result - two.result)
        return points

    def forfeits(self) -> Iterator[tuple[int, int, str]]:
        """Of each forfeited game, by number: the number, the index of the player that forfeited it, and the reason."""
        for number in sorted(self.results):
            result = self.results[number]
            if result.termination and number < self.event.games:
                one, two = self.event.pairings[self.event.pairing_of(number)]
                first, second = (two, one) if number % 2 else (one, two)
                yield number, second if result.result > 0 else first, result.termination


def distinct_terminations(reasons: Iterable[str]) -> tuple[str, ...]:
    """The first reasons of forfeited games that differ, at most 10, which a result lists."""
    return tuple(dict.fromkeys(reasons))[:MAX_TERMINATIONS]


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
    state.results = store.results(event_id)
    state.stored = len(state.results)
    if stop_when and stop_when(state):
        state.ended = perf_counter()
        return state
    missing = (task for task in event.tasks() if task.number not in state.results)
    with closing(runner.run(missing)) as batches:
        for finished in batches:
            batch = [replayed(game) for game in finished]
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
