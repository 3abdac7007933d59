"""Self-play samples in a replay buffer, and the batches that are drawn from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.kernel import sample_planes, sample_policies

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.learning.replay_buffer import ReplayBuffer


@dataclass
class Batch:
    """Positions of one update.

    :param planes: the network's input
    :param policies: the search's visit distribution; all zeros where a cheap search gives no policy target
    :param values: targets for the side to move
    """

    planes: NDArray[np.float32]
    policies: NDArray[np.float32]
    values: NDArray[np.float32]


def concatenated(one: Batch, other: Batch) -> Batch:
    """The positions of two batches."""
    return Batch(
        np.concatenate([one.planes, other.planes]),
        np.concatenate([one.policies, other.policies]),
        np.concatenate([one.values, other.values]),
    )


def add_samples(
    buffer: ReplayBuffer,
    cells: NDArray[np.uint8],
    policies: NDArray[np.float32],
    outcomes: NDArray[np.float32],
    values: NDArray[np.float32],
) -> None:
    """Adds the positions of games, in 16-bit precision.

    :param outcomes: results of the games for the side to move
    :param values: values that the search found
    """
    buffer.add(
        cells=cells,
        policies=policies.astype(np.float16),
        outcomes=outcomes.astype(np.int8),
        values=values.astype(np.float16),
    )


def draw_batch(buffer: ReplayBuffer, start: Any, size: int, mix: float, random: np.random.Generator) -> Batch:
    """Draws positions with replacement, each through a random symmetry of the board.

    :param start: the kernel's start position of the game
    :param mix: weight of the outcome in the value targets; the rest is the search's value
    """
    drawn = buffer.rows(random.integers(len(buffer), size=size))
    symmetries = random.integers(start.symmetries, size=size, dtype=np.uint8)
    outcomes, found = drawn["outcomes"].astype(np.float32), drawn["values"].astype(np.float32)
    return Batch(
        sample_planes(start, drawn["cells"], symmetries),
        sample_policies(start, drawn["policies"].astype(np.float32), symmetries),
        mix * outcomes + (1 - mix) * found,
    )
