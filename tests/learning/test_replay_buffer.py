"""The replay buffer: what it drops, returns and restores, also from checkpoints of version 0.1."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.learning.replay_buffer import ReplayBuffer


@given(st.integers(1, 30), st.lists(st.integers(0, 12), max_size=6))
def test_the_newest_rows_stay(capacity: int, sizes: list[int]) -> None:
    buffer = ReplayBuffer(capacity)
    numbers = np.arange(sum(sizes))
    for chunk in np.split(numbers, np.cumsum(sizes)[:-1]) if sizes else ():
        buffer.add(number=chunk, twice=2 * chunk)
    kept = numbers[-capacity:]
    assert len(buffer) == len(kept)
    if sizes:
        rows = buffer.rows(np.arange(len(kept))[::-1])
        assert rows["number"].tolist() == kept[::-1].tolist()
        assert rows["twice"].tolist() == (2 * kept[::-1]).tolist()


@pytest.mark.parametrize("prefix", ["replay", "memory"])
def test_restoring_with_other_arrays(prefix: str) -> None:
    buffer, again = ReplayBuffer(5), ReplayBuffer(5)
    buffer.add(values=np.arange(9))
    arrays = {name.replace("replay", prefix): array for name, array in buffer.arrays().items()}
    again.restore(arrays | {"weights": np.zeros(1)})
    assert again.rows(np.arange(5))["values"].tolist() == [4, 5, 6, 7, 8]
    assert again.arrays().keys() == {"replay.values"}
