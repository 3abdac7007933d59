"""Players without a tree: random moves, and the best evaluation after one move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.evaluation import Evaluation  # noqa: TC001 - options are read by the types of fields
from flipdrop.kernel import is_random_move, random_move
from flipdrop.options import option
from flipdrop.players.player import AnalysingPlayer, SpecPlayer
from flipdrop.search import Minimax, SearchReport

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.players.clock import Clock


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
