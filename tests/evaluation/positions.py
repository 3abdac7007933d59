"""Positions to score: from games, and strewn with discs as no game would leave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.games import Othello
from tests.reference.connect_four import ReferenceConnectFour
from tests.reference.othello import DIRECTIONS, ReferenceOthello
from tests.strategies import random_line

if TYPE_CHECKING:
    import random

    from flipdrop.games import ConnectFour, OthelloGame


def strewn(size: int, source: random.Random) -> Othello:
    """Discs anywhere, so long as they hang together with the filled centre: every rule about positions but reach."""
    discs, own = source.random(), source.random()
    low, high = size // 2 - 1, size // 2
    centre = {(r, c) for r in (low, high) for c in (low, high)}
    wanted = centre | {(r, c) for r in range(size) for c in range(size) if source.random() < discs}
    joined, edge = set(centre), list(centre)
    while edge:
        r, c = edge.pop()
        new = {(r + down, c + right) for down, right in DIRECTIONS} & wanted - joined
        joined |= new
        edge += new
    marks = {square: "X" if source.random() < own else "O" for square in sorted(joined)}
    cells = "".join(marks.get((r, c), "-") for r in range(size) for c in range(size))
    return Othello(f"{cells} {source.choice('XO')}")


def othello_positions(game: OthelloGame, source: random.Random) -> list[Othello]:
    """Some of a random game, the last one among them, and some strewn ones."""
    line = random_line(game, source)
    chosen = [source.choice(line), source.choice(line), line[-1]]
    return [p for p in chosen if isinstance(p, Othello)] + [strewn(game.size, source) for _ in range(3)]


def reference_of(position: Othello) -> ReferenceOthello:
    n = position.size
    rows = [list(position.cells[i : i + n]) for i in range(0, n * n, n)]
    return ReferenceOthello(rows, "XO"[position.to_move])


def reference_of_lines(position: ConnectFour) -> ReferenceConnectFour:
    columns = [list(position.cells[column :: position.columns])[::-1] for column in range(position.columns)]
    return ReferenceConnectFour(columns)
