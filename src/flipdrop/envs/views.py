"""What a side sees of a position: planes and a mask of legal actions; and the position that a game starts from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.errors import FlipdropError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop.games import Game, Position


def start_position(game: Game, options: dict[str, Any] | None) -> Position:
    """The position that `reset` starts from: its option ``start``, else the game's."""
    start: Position | None = (options or {}).get("start")
    if start is None:
        return game.start()
    if getattr(start, "game", None) != game or start.is_over:
        raise FlipdropError(f"start {start!r}: a position of {game.title} that is not over is needed")
    return start


def view_of(position: Position, side: int) -> NDArray[np.int8]:
    """Two planes: the discs of `side`, and those of the other side."""
    planes = position.to_numpy()
    return planes if position.to_move == side else np.ascontiguousarray(planes[::-1])


def mask_of(position: Position, side: int) -> NDArray[np.int8]:
    """1 for each legal action of `side`; all 0 if it is not its turn."""
    if position.is_over or position.to_move != side:
        return np.zeros(position.move_space, dtype=np.int8)
    return position.legal_mask.astype(np.int8)
