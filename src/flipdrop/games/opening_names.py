"""Names of openings of Othello on 8x8, such as Tiger for f5d6c3d3c4."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from flipdrop.games.othello import Othello
from flipdrop.games.transcripts import read_transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games.position import Position

_SYMMETRIES = range(8)


@dataclass(frozen=True)
class NamedOpening:
    """An opening with a name.

    :param plies: the number of its moves
    """

    name: str
    plies: int


def named_opening(start: Position, moves: Sequence[int]) -> NamedOpening | None:
    """The longest named opening that a game begins with, in any of its symmetric forms.

    The order of the moves counts: a transposition has another name, or none.

    >>> from flipdrop.games import GameHistory
    >>> game = GameHistory.from_transcript(Othello(), "d3c5f6f5e6e3")
    >>> named_opening(game.start, game.moves)
    NamedOpening(name='Tiger', plies=5)
    """
    if start != Othello():
        return None
    openings = _openings()
    longest = max(map(len, openings))
    found = None
    for symmetry in _SYMMETRIES:
        if start.transformed(symmetry) != start:
            continue
        line = tuple(start.transformed_move(move, symmetry) for move in moves[:longest])
        plies = next((plies for plies in range(len(line), 0, -1) if line[:plies] in openings), 0)
        if plies > (0 if found is None else found.plies):
            found = NamedOpening(openings[line[:plies]], plies)
    return found


@cache
def _openings() -> dict[tuple[int, ...], str]:
    """Names by the moves of the openings."""
    file = resources.files("flipdrop.games") / "data" / "othello-openings.json"
    openings = json.loads(file.read_text(encoding="utf-8"))["openings"]
    return {tuple(read_transcript(Othello(), moves)[0]): name for moves, name in openings.items()}
