"""Flat Monte Carlo: the move whose random games go best. No tree, no knowledge, and already hard for a beginner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.errors import IllegalPosition

if TYPE_CHECKING:
    from flipdrop.games import Position


@dataclass(frozen=True)
class FlatMonteCarlo:
    """Plays `games` random games after each legal move and chooses the one with the best mean result.

    The same seed gives the same choice in the same position, whatever was asked before.
    """

    games: int = 2000
    seed: int = 0
    threads: int = 1

    def choose(self, position: Position) -> int:
        """The move with the best mean result; the first of equals."""
        values = self.values(position)
        if not values:
            raise IllegalPosition(f"{position!r}: the game is over, there is no move to choose")
        return max(values, key=lambda move: values[move])

    def values(self, position: Position) -> dict[int, float]:
        """The mean result of every legal move, from -1 (always lost) to 1 (always won), for the side to move."""
        values = {}
        for move in position.legal_moves:
            after = position.play(move)
            seed = (self.seed * 1_000_003 + position.ply) * 1_009 + move
            wins, _, losses = after.playouts(self.games, seed=seed % 2**64, threads=self.threads)
            values[move] = (losses - wins) / self.games  # counted for the opponent, who is to move afterwards
        return values
