"""`Position`: a position of either game."""

from __future__ import annotations

from typing import TypeAlias

from flipdrop.errors import NotationError, one_line
from flipdrop.games.connect_four import ConnectFour
from flipdrop.games.othello import Othello

Position: TypeAlias = Othello | ConnectFour
"""One position of a game: an immutable, hashable value.

A move is a number from 0 to ``move_space - 1``; `play` takes its name as well. Cells are numbered in reading order: row
by row from the top left.
"""


def check_position(given: object) -> None:
    """Raises NotationError unless `given` is a position.

    >>> check_position("f5d6")
    Traceback (most recent call last):
    flipdrop.errors.NotationError: 'f5d6' is no position; Othello() is one, and so is Othello.from_transcript('f5d6')
    """
    if not isinstance(given, Position):
        shown = one_line(repr(given), 60)
        raise NotationError(f"{shown} is no position; Othello() is one, and so is Othello.from_transcript('f5d6')")
