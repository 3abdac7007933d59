"""`AdaptivePlayer`: an alpha-beta search whose weights an online genetic algorithm sets during the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from flipdrop.errors import PlayerError
from flipdrop.evaluation import Evaluation, Weights, evaluation  # types of options
from flipdrop.evaluation.genetic_operators import online_weights
from flipdrop.options import option
from flipdrop.players.player import AnalysingPlayer
from flipdrop.players.search_player import SearchPlayer
from flipdrop.search import Minimax

if TYPE_CHECKING:
    from flipdrop.evaluation.genetic_operators import Vector
    from flipdrop.games import Game, Position
    from flipdrop.players.clock import Clock
    from flipdrop.search import SearchReport

Adapt = Literal["move", "leaf"]


@dataclass(frozen=True, repr=False)
class AdaptivePlayer(AnalysingPlayer):
    """Plays with weights that are set anew for each position.

    The genetic algorithm starts with ten random vectors and prefers those that value the position most highly for the
    side to move. Its random numbers depend on the seed and the position only.
    """

    kind = "adaptive"
    depth: int = option(4, "plies to look ahead", minimum=1, maximum=200)
    rounds: int = option(10, "rounds of the genetic algorithm on a position", minimum=1, maximum=10_000)
    adapt: Adapt = option(
        "move",
        "set the weights once for each move, or anew for each leaf of the search (slow)",
        choices=get_args(Adapt),
    )
    evaluation: Evaluation | None = option(None, "the terms; Seven for Othello, lines for Connect Four")
    seed: int = option(0, "of the genetic algorithm", minimum=0, maximum=2**64 - 1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.evaluation is not None and self.evaluation.weights is None:
            raise PlayerError(f"evaluation={self.evaluation} has no weights to set")

    def _report(self, position: Position, clock: Clock | None) -> SearchReport:
        used = Evaluation(self._leaf_value if self.adapt == "leaf" else self.weights_for(position))
        search = Minimax(algorithm="alphabeta", depth=self.depth, evaluation=used)
        return SearchPlayer(search).report(position, clock)

    def check_supported(self, game: Game) -> None:
        Evaluation(self._base_weights(game)).check_supported(game)

    def weights_for(self, position: Position) -> Weights:
        """The weights that the genetic algorithm sets for a position."""
        base = self._base_weights(position.game)
        return Weights(base.evaluation, self._adapted(position, base)[0], table=base.table or None)

    def _leaf_value(self, position: Position) -> float:
        adapted, features = self._adapted(position, self._base_weights(position.game))
        return float(adapted @ features)

    def _adapted(self, position: Position, base: Weights) -> tuple[Vector, Vector]:
        """The weights for a position, and the features that they weigh."""
        features = np.array([feature for _, feature, _ in base.kernel().terms(position)])
        random = np.random.default_rng([self.seed, *position.board.encode()])
        return online_weights(features, np.sign(base.vector), self.rounds, random), features

    def _base_weights(self, game: Game) -> Weights:
        """The weights whose signs are kept."""
        weights = (self.evaluation or evaluation(game.analysis_evaluation)).weights
        assert weights is not None
        return weights
