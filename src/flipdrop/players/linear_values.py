"""`LinearValues`: learned values as weighted sums of features of a position, and `LinearPlayer`, which plays by them.

The features of a position are numbers for the side to move. The value of a move is minus the weighted sum after it,
where the opponent is to move; the value of a move that ends the game is its reward.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from flipdrop.errors import DAMAGE, FlipdropError, ModelError
from flipdrop.evaluation import evaluation
from flipdrop.games import game as game_of
from flipdrop.model_file import read_model_file, write_model_file
from flipdrop.players.learned import LearnedPlayer, Reward, reward_of

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game, Position

Features = Literal["terms", "squares"]
_KIND = "linear value function"
_MAX_BYTES = 1 << 20  # of the weights; a board has a few dozen features


@dataclass(frozen=True, eq=False)
class LinearValues:
    """Weights of features.

    :param features: the terms of an evaluation (the seven terms in Othello, those of lines in Connect Four), or own
        minus other discs on each class of squares that symmetries map to each other
    :param reward: the reward that values predict
    :param made: provenance, for people
    """

    game: Game
    features: Features
    reward: Reward
    weights: NDArray[np.float64]
    made: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def _evaluation(self) -> Any:
        return evaluation(self.game.analysis_evaluation).kernel

    @cached_property
    def _classes(self) -> NDArray[np.intp]:
        return square_classes(self.game)

    @property
    def names(self) -> list[str]:
        """The name of each feature."""
        if self.features == "terms":
            return [name for name, _, _ in self._evaluation.terms(self.game.start())]
        cells = np.unique(self._classes, return_index=True)[1].tolist()  # the first of each class
        return [self.game.cell_name(cell) for cell in cells]

    def features_of(self, positions: list[Position]) -> NDArray[np.float64]:
        """A row of features for each position."""
        if self.features == "terms":
            terms = self._evaluation.terms
            return np.array([[feature for _, feature, _ in terms(position)] for position in positions])
        text = "".join(position.cells for position in positions).encode()
        cells = np.frombuffer(text, dtype=np.uint8).reshape(len(positions), -1)
        sides = np.array([1 - 2 * position.to_move for position in positions])
        discs = ((cells == ord("X")).astype(np.int8) - (cells == ord("O"))) * sides[:, None]
        features: NDArray[np.float64] = discs @ np.eye(self._classes.max() + 1)[self._classes]
        return features

    def look_ahead(self, position: Position) -> tuple[list[Position], NDArray[np.float64], NDArray[np.float64]]:
        """The positions after each move, their features, and the values of the moves."""
        after = [position.play(move) for move in position.legal_moves]
        features = self.features_of(after)
        values = -(features @ self.weights)
        for index, position_after in enumerate(after):
            if position_after.is_over:
                values[index] = -reward_of(self.game, position_after.final_score, self.reward)
        return after, features, values

    def move_values(self, position: Position) -> dict[int, float]:
        return dict(zip(position.legal_moves, self.look_ahead(position)[2].tolist(), strict=True))

    def write(self, path: str | os.PathLike[str]) -> None:
        metadata = {"game": self.game.name, "features": self.features, "reward": self.reward, "made": self.made}
        write_model_file(path, _KIND, metadata, {"weights": self.weights})

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> LinearValues:
        metadata, arrays = read_model_file(path, _KIND, most=_MAX_BYTES)
        try:
            metadata["game"] = game_of(metadata["game"])
            values = cls(weights=arrays["weights"], **metadata)
            if values.features not in get_args(Features) or values.reward not in get_args(Reward):
                raise ModelError(f"it has {values.features!r} by {values.reward!r}")
            if values.weights.dtype != np.float64 or values.weights.shape != (len(values.names),):
                raise ModelError("its number of weights is wrong")
        except DAMAGE as error:
            why = str(error) if isinstance(error, FlipdropError) else "a part is missing or has the wrong shape"
            raise ModelError(f"{path}: not a valid linear value function: {why}") from None
        return values


@dataclass(frozen=True, repr=False)
class LinearPlayer(LearnedPlayer):
    """Plays by learned weights of features."""

    kind = "linear"
    read = staticmethod(LinearValues.read)


def square_classes(game: Game) -> NDArray[np.intp]:
    """A number for each cell; cells that symmetries of the board map to each other have the same."""
    row, column = np.divmod(np.arange(game.rows * game.columns), game.columns)
    column = np.minimum(column, game.columns - 1 - column)
    if game.start().symmetries == 8:  # those of a square; the others have left and right only
        row = np.minimum(row, game.rows - 1 - row)
        row, column = np.minimum(row, column), np.maximum(row, column)
    return np.unique(row * game.columns + column, return_inverse=True)[1]
