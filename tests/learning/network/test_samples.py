"""Samples of self-play, and batches drawn from them."""

from __future__ import annotations

from typing import Any

import numpy as np

from flipdrop.games import game
from flipdrop.learning.network.samples import add_samples, draw_batch
from flipdrop.learning.replay_buffer import ReplayBuffer

START = game("connect4").start()


def rows(start: int, count: int) -> tuple[Any, ...]:
    """Positions whose only disc, only policy and outcome are functions of their number."""
    cells = np.zeros((count, 6, 7), np.uint8)
    policies = np.zeros((count, 7), np.float32)
    numbers = np.arange(start, start + count)
    cells[np.arange(count), 5, numbers % 7] = 1
    policies[np.arange(count), numbers % 7] = 1
    return cells, policies, np.float32(numbers % 3 - 1), np.float32(numbers % 3 - 1)


def test_symmetries_of_samples() -> None:
    replay = ReplayBuffer(100)
    add_samples(replay, *rows(0, 7))
    batch = draw_batch(replay, START, 200, 0.3, np.random.default_rng(1))
    assert batch.planes.shape == (200, 4, 6, 7)
    np.testing.assert_array_equal(batch.planes[:, 0, 5], batch.policies)  # the disc is where the move goes
    number = batch.policies.argmax(1)
    mirrored = (6 - number) % 3 - 1
    straight = number % 3 - 1
    assert ((batch.values == straight) | (batch.values == mirrored)).all()
    assert (batch.values != straight).any()


def test_outcome_and_search_are_mixed() -> None:
    replay = ReplayBuffer(100)
    cells, policies, outcomes, _ = rows(0, 20)
    add_samples(replay, cells, policies, np.ones_like(outcomes), np.full_like(outcomes, -0.5))
    np.testing.assert_allclose(draw_batch(replay, START, 5, 0.75, np.random.default_rng(1)).values, 0.75 - 0.125)


def test_restored_buffer() -> None:
    replay, again = ReplayBuffer(50), ReplayBuffer(50)
    add_samples(replay, *rows(3, 40))
    again.restore(replay.arrays() | {"other": np.zeros(1)})
    one, other = (draw_batch(of, START, 9, 1, np.random.default_rng(4)) for of in (replay, again))
    np.testing.assert_array_equal(one.planes, other.planes)
    np.testing.assert_array_equal(one.policies, other.policies)
    np.testing.assert_array_equal(one.values, other.values)
