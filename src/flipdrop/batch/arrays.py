"""Positions as arrays, and arrays as positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from flipdrop.errors import IllegalPosition, NotationError
from flipdrop.games import ConnectFour, Othello, check_position
from flipdrop.games import game as game_of
from flipdrop.kernel import batch_masks, batch_planes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games import Game, Position
    from flipdrop.kernel import OthelloPosition

Planes: TypeAlias = NDArray[np.int8]
"""Positions x planes x rows x columns, zeros and ones."""
Mask: TypeAlias = NDArray[np.bool_]
"""Positions x moves."""


def to_numpy(positions: Sequence[Position], *, planes: int = 2) -> Planes:
    """``position.to_numpy()`` of many positions of one board, as one array.

    >>> from flipdrop import ConnectFour
    >>> to_numpy([ConnectFour(), ConnectFour().play("4")]).shape
    (2, 2, 6, 7)
    """
    return batch_planes(kernel_list(positions), planes)


def legal_masks(positions: Sequence[Position]) -> Mask:
    """``position.legal_mask`` of many positions of one board, as one array.

    >>> from flipdrop import Othello
    >>> legal_masks([Othello(), Othello().play("f5")]).sum(axis=1)
    array([4, 3])
    """
    return batch_masks(kernel_list(positions))


def from_numpy(planes: NDArray[np.generic], game: Game | str) -> list[Position]:
    """The positions that planes show: the first two planes of each row, as `to_numpy` writes them.

    >>> from flipdrop import ConnectFour
    >>> from_numpy(to_numpy([ConnectFour().play("4")]), "connect4")[0] == ConnectFour().play("4")
    True

    Planes do not say which colour is to move. In Connect Four the number of discs does; in Othello black is.
    """
    game = game_of(game)
    array = np.asarray(planes)
    if array.ndim != 4 or array.shape[1] < 2 or array.shape[2:] != (game.rows, game.columns):
        raise NotationError(
            f"planes of shape {array.shape}; {game.title} takes positions x planes x {game.rows} x {game.columns}"
        )
    own, other = array[:, 0] != 0, array[:, 1] != 0
    forbidden = own & other
    if game.family == "othello" and forbidden.any():
        raise IllegalPosition("a square is set in the planes of both sides")
    # Where discs never change sides, their numbers say who is to move.
    mover_is_second = (own.sum(axis=(1, 2)) < other.sum(axis=(1, 2))) & (not game.discs_flip)
    first = np.where(mover_is_second[:, None, None], other, own)
    marks = np.full(own.shape, b"-", dtype="S1")
    marks[own | other] = b"O"
    marks[first] = b"X"
    marks[forbidden] = b"#"
    kind = type(game.start())
    return [
        kind(game.board(row.tobytes().decode("ascii"), int(second)))
        for row, second in zip(marks, mover_is_second, strict=True)
    ]


def kernel_list(positions: Sequence[Position]) -> list[OthelloPosition]:
    """A list for the kernel, which has one function for each game; never empty."""
    if not len(positions):
        raise NotationError("no positions: an array of them needs at least one")
    kinds = set(map(type, positions))
    if not all(issubclass(kind, Othello | ConnectFour) for kind in kinds):
        wrong = next(one for one in positions if not isinstance(one, Othello | ConnectFour))
        check_position(wrong)
    if len(kinds) > 1:
        raise NotationError("positions of Othello and of Connect Four; an array has those of one board")
    return cast("list[OthelloPosition]", list(positions))
