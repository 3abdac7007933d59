"""Othello positions as columns of a replay buffer: two bitboards each, 16 bytes on 8x8."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.kernel import OthelloPosition, Side, sample_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

_LETTERS = np.frombuffer(b"-XO", dtype=np.uint8)  # codes of `sample_cells`: empty, side to move, opponent


def pack_positions(positions: Sequence[OthelloPosition], size: int) -> dict[str, NDArray[Any]]:
    """The columns ``own`` and ``other``, seen by the side to move.

    :param size: rows and columns of the board
    """
    cells = np.array([sample_cells(position) for position in positions]).reshape(-1, size * size)
    return {"own": np.packbits(cells == 1, axis=1), "other": np.packbits(cells == 2, axis=1)}


def unpack_positions(columns: Mapping[str, NDArray[Any]], size: int) -> list[OthelloPosition]:
    """The positions with colours normalised: the first side is to move. Values for the side to move stay valid."""
    count = size * size
    own, other = (np.unpackbits(columns[name], axis=1, count=count) for name in ("own", "other"))
    text = _LETTERS[own + 2 * other].tobytes().decode()
    return [OthelloPosition(size, text[i : i + count], Side.FIRST) for i in range(0, len(text), count)]
