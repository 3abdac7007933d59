"""The results of an event so far."""

from __future__ import annotations

import numpy as np

from flipdrop.arena.run_event import EventProgress
from flipdrop.arena.statistics import Games, Pairs, Tally
from flipdrop.arena.store import GameResult
from tests.arena.events import event


def results(*numbers: int) -> dict[int, GameResult]:
    """Games that the first-named player won by 5."""
    return {number: GameResult(number, 1 - 2 * (number % 2), 5 - 10 * (number % 2), "") for number in numbers}


def test_pairs_in_order() -> None:
    state = EventProgress(event("a", "b", pairs=10), results(*range(8)))
    assert state.pairs_in_order() == [4] * 4
    assert state.pairs_in_order(3) == [4]
    assert EventProgress(event("a", "b", pairs=3), state.results).pairs_in_order() == [4] * 3
    del state.results[3]
    assert state.pairs_in_order() == [4]  # pairs after a gap do not count
    assert EventProgress(event("a", "b", pairs=10)).pairs_in_order() == []


def test_outcomes() -> None:
    state = EventProgress(event("a", "b", "c", pairs=5), results(0, 1, 2, 9, 99))
    scores, margins = state.outcomes()
    assert scores.shape == margins.shape == (3, 2, 2)
    assert np.nansum(scores) == 4
    assert np.nanmean(margins) == 5
    assert state.tallies() == [
        Tally(Games(wins=2), Pairs(ww=1)),
        Tally(Games(wins=2)),
        Tally(),
    ]
    assert state.outcomes(1)[0].shape == (3, 1, 2)


def test_forfeits() -> None:
    state = EventProgress(event("a", "b", pairs=2))
    state.results = {
        3: GameResult(3, 1, 0, "time"),
        0: GameResult(0, -1, 0, "illegal"),
        1: GameResult(1, -1, 0, ""),
        9: GameResult(9, 1, 0, "beyond the event"),
    }
    assert list(state.forfeits()) == [(0, 0, "illegal"), (3, 0, "time")]
