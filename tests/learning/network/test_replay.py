"""The window of positions that are learned from."""

from __future__ import annotations

from typing import Any

import numpy as np

from flipdrop.games import game
from flipdrop.learning.network.replay import Replay


def rows(start: int, count: int) -> tuple[Any, ...]:
    """StateSpace whose only disc, only policy and outcome all tell their number."""
    cells = np.zeros((count, 6, 7), np.uint8)
    policies = np.zeros((count, 7), np.float32)
    numbers = np.arange(start, start + count)
    cells[np.arange(count), 5, numbers % 7] = 1
    policies[np.arange(count), numbers % 7] = 1
    return cells, policies, np.float32(numbers % 3 - 1), np.float32(numbers % 3 - 1)


def test_the_newest_stay() -> None:
    replay = Replay(game("connect4"), 10)
    assert len(replay) == 0
    replay.add(*rows(0, 7))
    assert len(replay) == 7
    replay.add(*rows(7, 9))
    assert len(replay) == 10
    np.testing.assert_array_equal(replay.arrays()["replay.outcomes"], np.arange(6, 16) % 3 - 1)


def test_a_symmetry_turns_board_and_policy_together() -> None:
    replay = Replay(game("connect4"), 100)
    replay.add(*rows(0, 7))
    batch = replay.batch(200, 0.3, np.random.default_rng(1))
    assert batch.planes.shape == (200, 4, 6, 7)
    np.testing.assert_array_equal(batch.planes[:, 0, 5], batch.policies)  # the disc is where the move goes
    number = batch.policies.argmax(1)
    mirrored = (6 - number) % 3 - 1
    straight = number % 3 - 1
    assert ((batch.values == straight) | (batch.values == mirrored)).all()
    assert (batch.values != straight).any()


def test_outcome_and_search_are_mixed() -> None:
    replay = Replay(game("connect4"), 100)
    cells, policies, outcomes, _ = rows(0, 20)
    replay.add(cells, policies, np.ones_like(outcomes), np.full_like(outcomes, -0.5))
    np.testing.assert_allclose(replay.batch(5, 0.75, np.random.default_rng(1)).values, 0.75 - 0.125)


def test_what_is_restored_gives_the_same_batches() -> None:
    replay, again = (Replay(game("connect4"), 50) for _ in range(2))
    replay.add(*rows(3, 40))
    again.restore(replay.arrays() | {"other": np.zeros(1)})
    for one, other in ((replay.batch(9, 1, np.random.default_rng(4)), again.batch(9, 1, np.random.default_rng(4))),):
        np.testing.assert_array_equal(one.planes, other.planes)
        np.testing.assert_array_equal(one.policies, other.policies)
        np.testing.assert_array_equal(one.values, other.values)
