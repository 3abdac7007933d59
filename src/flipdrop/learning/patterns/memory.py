"""StateSpace of Othello and their values, as many as a learner wants to learn from again, in 20 bytes each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.kernel import OthelloPosition, Side, sample_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_LETTERS = np.frombuffer(b"-XO", dtype=np.uint8)  # as `sample_cells` counts: empty, the side to move's, its opponent's


class Memory:
    """A window over the newest positions. All come back with the first side to move, which is all the same to values
    that are for the side to move.

    :param size: rows and columns of the board
    :param window: so many positions are kept
    """

    def __init__(self, size: int, window: int) -> None:
        self._size, self._window = size, window
        discs = np.empty((0, (size * size + 7) // 8), dtype=np.uint8)
        self._arrays: dict[str, NDArray[Any]] = {
            "own": discs,
            "other": discs,
            "values": np.empty(0, dtype=np.float32),
        }

    def __len__(self) -> int:
        return len(self._arrays["values"])

    def add(self, positions: Sequence[OthelloPosition], values: NDArray[np.float32]) -> None:
        """Adds positions, and forgets the oldest beyond the window."""
        cells = np.array([sample_cells(position) for position in positions]).reshape(-1, self._size * self._size)
        new = {"own": np.packbits(cells == 1, axis=1), "other": np.packbits(cells == 2, axis=1), "values": values}
        self._arrays = {name: np.concatenate([self._arrays[name], new[name]])[-self._window :] for name in new}

    def take(self, rows: NDArray[np.int64]) -> tuple[list[OthelloPosition], NDArray[np.float32]]:
        """StateSpace and values by their numbers; the last is the newest."""
        count = self._size * self._size
        own, other = (np.unpackbits(self._arrays[name][rows], axis=1, count=count) for name in ("own", "other"))
        text = _LETTERS[own + 2 * other].tobytes().decode()
        boards = (text[first : first + count] for first in range(0, len(text), count))
        return [OthelloPosition(self._size, board, Side.FIRST) for board in boards], self._arrays["values"][rows]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything, by name."""
        return {f"memory.{name}": array for name, array in self._arrays.items()}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Takes back what `arrays` gave."""
        self._arrays = {name: arrays[f"memory.{name}"] for name in self._arrays}
