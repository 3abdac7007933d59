"""Flat Monte Carlo: the move with the best mean result of random games, without a tree."""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from flipdrop.options import option
from flipdrop.players.clock import time_for_move
from flipdrop.players.player import AnalysingPlayer
from flipdrop.search import MoveReport, SearchReport

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.players.clock import Clock

_ROUND = 50  # games for each move between checks of the clock: about 5 ms on the largest boards


@dataclass(frozen=True, repr=False)
class FlatMonteCarlo(AnalysingPlayer):
    """Plays `games` random games after each legal move and chooses the best mean result.

    The same seed gives the same move in the same position.
    """

    kind = "flat"
    games: int = option(2000, "random games after each move", minimum=1, maximum=10**9)
    seed: int = option(0, "of every random game", minimum=0, maximum=2**64 - 1)
    threads: int = option(1, "threads to use", minimum=1, maximum=1024)

    def _report(self, position: Position, clock: Clock | None) -> SearchReport:
        """The mean result of every legal move, from -1 (all lost) to 1 (all won)."""
        began = perf_counter()
        deadline = began + time_for_move(position, clock)
        sums = dict.fromkeys(position.legal_moves, 0)
        played = dict.fromkeys(position.legal_moves, 0)
        for first in range(0, self.games, _ROUND):
            size = min(_ROUND, self.games - first)
            for move in position.legal_moves:
                seed = ((self.seed * 1_000_003 + position.ply) * 1_009 + move) * 1_000_033 + first
                wins, _, losses = position.play(move).playouts(size, seed=seed % 2**64, threads=self.threads)
                sums[move] += losses - wins  # wins are the opponent's, who is to move
                played[move] += size
                if perf_counter() >= deadline:
                    break
            if perf_counter() >= deadline:
                break
        moves = [MoveReport(move, sums[move] / max(1, played[move]), played[move]) for move in sums]
        moves.sort(key=lambda m: (-m.value, m.move) if m.visits else (math.inf, m.move))
        best = moves[0]
        return SearchReport(
            position=position,
            best=best.move,
            value=best.value,
            line=(best.move,),
            moves=tuple(moves),
            nodes=sum(played.values()),
            depth=1,
            seconds=perf_counter() - began,
            seed=self.seed,
            expected_score=True,
        )
