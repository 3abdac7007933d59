"""Players without a tree: random moves, the best evaluation after one move, the best mean of random games."""

from __future__ import annotations

import math
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from flipdrop.evaluation import Evaluation  # noqa: TC001 - options are read by the types of fields
from flipdrop.kernel import is_random_move, random_move
from flipdrop.options import option
from flipdrop.players.clock import time_for_move
from flipdrop.players.player import AnalysingPlayer, SpecPlayer
from flipdrop.search import Minimax, MoveReport, SearchReport

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.players.clock import Clock

_ROUND = 50  # games for each move between checks of the clock: about 5 ms on the largest boards


@dataclass(frozen=True, repr=False)
class RandomPlayer(SpecPlayer):
    """A random legal move; the same seed gives the same move in the same position."""

    kind = "random"
    seed: int = option(0, "of every choice", minimum=0, maximum=2**64 - 1)

    def _choose(self, position: Position, clock: Clock | None) -> int:  # noqa: ARG002 - it needs no time
        return random_move(position, self.seed)


@dataclass(frozen=True, repr=False)
class GreedyPlayer(AnalysingPlayer):
    """The move after which the evaluation is best; the first of equals. A finished game outweighs any evaluation."""

    kind = "greedy"
    evaluation: Evaluation | None = option(
        None, "value of the position after a move; D for Othello, lines for Connect Four"
    )
    epsilon: float = option(0.0, "share of random moves", minimum=0, maximum=1)
    seed: int = option(0, "which random moves it makes", minimum=0, maximum=2**64 - 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.epsilon == 0:
            object.__setattr__(self, "seed", 0)  # unused, so that equal players have equal specs

    def _choose(self, position: Position, clock: Clock | None) -> int:
        if is_random_move(position, self.seed, self.epsilon):
            return random_move(position, self.seed)
        return self._report(position, clock).best

    def _report(self, position: Position, clock: Clock | None) -> SearchReport:  # noqa: ARG002 - it needs no time
        return self.search.search(position)

    def check_supported(self, game: Game) -> None:
        self.search.check_supported(game)

    @property
    def search(self) -> Minimax:
        """A search of depth 1: the evaluation after each move."""
        return Minimax(algorithm="minimax", depth=1, all_moves=True, evaluation=self.evaluation)


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
