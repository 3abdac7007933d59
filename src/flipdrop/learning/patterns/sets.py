"""Named sets of patterns: the cells whose contents index a weight together.

``classic``
    Othello: every line of at least four cells, the edge with its two X-squares, and the corner as 3x3 and as 2x5, as in
    strong programs since Logistello
``squares``
    single cells: a table of squares
``walks:70x8``
    70 random walks over neighbouring cells, of 8 cells each
``blocks``
    every rectangle of 2x4 and 4x2 cells
"""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError, quoted
from flipdrop.players.linear_values import square_classes

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game

Patterns = tuple[tuple[int, ...], ...]

_WALKS = re.compile(r"walks:(\d+)x(\d+)")
_MAX_WALKS = 400
_LONGEST = {"othello": 10, "connect4": 8}  # a cell has three states in Othello, four in Connect Four


def patterns_of(name: str, game: Game, seed: int) -> Patterns:
    """The patterns of a set.

    :param seed: of random walks
    """
    walks = _WALKS.fullmatch(name)
    if walks is not None:
        return _walks(int(walks[1]), int(walks[2]), game, Random(derive_seed(seed, "patterns")))
    if name not in _SETS:
        raise LearningError(f"unknown patterns {quoted(name)}; there are {', '.join(_SETS)} and walks:70x8")
    return tuple(dict.fromkeys(_SETS[name](game)))


def _squares(game: Game) -> list[tuple[int, ...]]:
    """One cell of each symmetry class."""
    cells = np.unique(square_classes(game), return_index=True)[1]
    return [(cell,) for cell in sorted(cells.tolist())]


def _classic(game: Game) -> list[tuple[int, ...]]:
    if game.family != "othello":
        raise LearningError(f"the classic patterns are Othello's; {game.title} has squares, blocks and walks:70x8")
    size = game.columns
    rows = [tuple(row * size + column for column in range(size)) for row in range((size + 1) // 2)]
    edge = (*rows[0], size + 1, 2 * size - 2)
    corners = [_block(0, 0, 3, 3, game), _block(0, 0, 2, min(5, size), game)]
    diagonals = [tuple(i * size + size - length + i for i in range(length)) for length in range(4, size + 1)]
    return [edge, *rows[1:], *corners, *diagonals]


def _blocks(game: Game) -> list[tuple[int, ...]]:
    return [
        _block(row, column, height, width, game)
        for height, width in ((2, 4), (4, 2))
        for row in range(game.rows - height + 1)
        # The mirror image of a block in the right half lies in the left half.
        for column in range((game.columns - width) // 2 + 1)
    ]


def _block(row: int, column: int, height: int, width: int, game: Game) -> tuple[int, ...]:
    return tuple((row + i) * game.columns + column + j for i in range(height) for j in range(width))


def _walks(count: int, length: int, game: Game, random: Random) -> Patterns:
    most = _LONGEST[game.family]
    cells = game.columns * game.rows
    if not (1 <= count <= _MAX_WALKS and 1 <= length <= min(most, cells)):
        raise LearningError(f"walks:{count}x{length}; on this board 1 to {_MAX_WALKS} walks of 1 to {most} cells")
    walks: dict[tuple[int, ...], None] = {}
    for _ in range(100 * count):
        walks[_walk(length, game, random)] = None
        if len(walks) == count:
            break
    return tuple(walks)


def _walk(length: int, game: Game, random: Random) -> tuple[int, ...]:
    """Distinct neighbouring cells, in the order of the board."""
    cells = [random.randrange(game.columns * game.rows)]
    while len(cells) < length:
        row, column = divmod(random.choice(cells), game.columns)  # from any cell, so it never gets stuck
        row += random.randint(-1, 1)
        column += random.randint(-1, 1)
        cell = row * game.columns + column
        if 0 <= row < game.rows and 0 <= column < game.columns and cell not in cells:
            cells.append(cell)
    return tuple(sorted(cells))


_SETS: dict[str, Callable[[Game], list[tuple[int, ...]]]] = {
    "classic": _classic,
    "squares": _squares,
    "blocks": _blocks,
}
