"""The positions of late that a network learns from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.games import native
from flipdrop.kernel import sample_planes, sample_policies

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.games import Game


@dataclass
class Batch:
    """StateSpace to learn from.

    :param planes: what the network sees
    :param policies: what the search came to prefer; nothing but zeros where it was too short to say
    :param values: what they turned out to be worth to the side to move
    """

    planes: NDArray[np.float32]
    policies: NDArray[np.float32]
    values: NDArray[np.float32]


class Replay:
    """A window over the newest positions. They are kept as cells, and shown through random symmetries of the board."""

    def __init__(self, game: Game, window: int) -> None:
        self._start: Any = native(game.start())
        self._symmetries = self._start.symmetries
        self._window = window
        self._arrays: dict[str, NDArray[Any]] = {}

    def __len__(self) -> int:
        return len(self._arrays["outcomes"]) if self._arrays else 0

    def add(
        self,
        cells: NDArray[np.uint8],
        policies: NDArray[np.float32],
        outcomes: NDArray[np.float32],
        values: NDArray[np.float32],
    ) -> None:
        """Adds positions, and forgets the oldest beyond the window."""
        new: dict[str, NDArray[Any]] = {
            "cells": cells,
            "policies": policies.astype(np.float16),
            "outcomes": outcomes.astype(np.int8),
            "values": values.astype(np.float16),
        }
        old: dict[str, NDArray[Any]] = self._arrays or {name: array[:0] for name, array in new.items()}
        self._arrays = {name: np.concatenate([old[name], new[name]])[-self._window :] for name in new}

    def batch(self, size: int, mix: float, random: np.random.Generator) -> Batch:
        """StateSpace drawn at random, each through a random symmetry.

        :param mix: the outcome's share in the values; the rest is what the search found
        """
        rows = random.integers(len(self), size=size)
        symmetries = random.integers(self._symmetries, size=size, dtype=np.uint8)
        policies = self._arrays["policies"][rows].astype(np.float32)
        outcomes = self._arrays["outcomes"][rows].astype(np.float32)
        found = self._arrays["values"][rows].astype(np.float32)
        return Batch(
            sample_planes(self._start, self._arrays["cells"][rows], symmetries),
            sample_policies(self._start, policies, symmetries),
            mix * outcomes + (1 - mix) * found,
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything, by name."""
        return {f"replay.{name}": array for name, array in self._arrays.items()}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Takes back what `arrays` gave."""
        names = [name for name in arrays if name.startswith("replay.")]
        self._arrays = {name.removeprefix("replay."): arrays[name] for name in names}
