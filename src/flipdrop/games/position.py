"""`Position`: a position of either game."""

from __future__ import annotations

from typing import TypeAlias

from flipdrop.games.connect_four import ConnectFour
from flipdrop.games.othello import Othello

Position: TypeAlias = Othello | ConnectFour
"""One position of a game: an immutable, hashable value.

A move is a number from 0 to ``move_space - 1``; `play` takes its name as well. Cells are numbered in reading order: row
by row from the top left.
"""
