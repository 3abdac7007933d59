"""The replay buffer of the learners that reuse positions: a bounded window over the newest rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_PREFIX = "replay."
_PREFIX_0_1 = "memory."  # in checkpoints of pattern learners of version 0.1


class ReplayBuffer:
    """Rows of named columns. Learners choose the columns and their encoding.

    :param capacity: rows that are kept; the oldest are dropped
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._columns: dict[str, NDArray[Any]] = {}

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()))) if self._columns else 0

    def add(self, **columns: NDArray[Any]) -> None:
        old = self._columns or {name: column[:0] for name, column in columns.items()}
        self._columns = {
            name: np.concatenate([old[name], column])[-self._capacity :] for name, column in columns.items()
        }

    def rows(self, indices: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """The columns of some rows; the last row is the newest."""
        return {name: column[indices] for name, column in self._columns.items()}

    def arrays(self) -> dict[str, NDArray[Any]]:
        return {_PREFIX + name: column for name, column in self._columns.items()}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Continues with the columns of `arrays`; other names are ignored."""
        self._columns = {
            name.partition(".")[2]: column for name, column in arrays.items() if name.startswith((_PREFIX, _PREFIX_0_1))
        }
