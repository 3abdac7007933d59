"""Q-learning and Sarsa with linear function approximation, for boards of any size.

Q(s, a) is a weighted sum of features of the position after the move (`LinearValues`). After each move the weights take
a step along the gradient: towards r - discount * max Q(s', a') in Q-learning, and r - discount * Q(s', a') with the
move that was played in Sarsa. s' is the opponent's position, so its values enter with the opposite sign.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.learning.episodes import DEFAULT_OPPONENTS, EpisodeLearner, EpisodeSettings, settings_with
from flipdrop.options import option
from flipdrop.players.linear_values import Features, LinearPlayer, LinearValues

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

    from flipdrop.games import Game, Position

Rule = Literal["q", "sarsa"]
RULES: tuple[Rule, ...] = get_args(Rule)
_SCALING_GAMES = 50


@dataclass(frozen=True, kw_only=True)
class LinearSettings(EpisodeSettings):
    """Settings of linear function approximation."""

    features: Features = option(
        "terms", "the terms of an evaluation (the seven in Othello), or the squares", choices=get_args(Features)
    )


_DEFAULTS = {
    "rate": 0.001,
    "rate_end": 0.0001,
    "epsilon": 0.3,
    "epsilon_end": 0.3,
    "halving": 1000,
    "drawn": False,
    "reward": "result",
    "batch": 10,
}


class LinearLearner(EpisodeLearner):
    """Learns weights of features by playing against itself; they are 0 at first.

    A feature's rate is divided by its variance in random games, so the unit of a feature does not matter.

    :param opponents: opponents of the learning curve; random and greedy if not given
    :param settings: see `LinearSettings`
    """

    options: LinearSettings
    benchmark_growth = 1.3  # games against opponents take longer than those of a table, and steps are shorter

    def __init__(
        self, game: Game, rule: str, *, seed: int, opponents: tuple[str, ...] | None = None, **settings: Any
    ) -> None:
        if rule not in RULES:
            raise LearningError(f"linear function approximation has no rule {rule!r}; there are {', '.join(RULES)}")
        self.name = f"linear-{rule}"
        self.game = game
        self.seed = seed
        self.options = settings_with(LinearSettings, _DEFAULTS, settings)
        self.opponents = DEFAULT_OPPONENTS if opponents is None else opponents
        values = LinearValues(game, self.options.features, self.options.reward, np.zeros(0))
        variances = np.var(values.features_of(_random_positions(game, seed)), axis=0)
        self._inverse_variances = np.divide(1.0, variances, out=np.zeros_like(variances), where=variances > 1e-12)
        self.values = replace(values, weights=np.zeros(len(variances)))

    @property
    def status(self) -> str:
        return " ".join(f"{weight:.2g}" for weight in self.values.weights)

    def learn_episode(self, epsilons: tuple[float, float], rate: float, random: Callable[[], float]) -> None:
        values, weights = self.values, self.values.weights
        position, features = self.game.start(), None  # features of the position, unless it is the first
        while not position.is_over:
            after, features_after, of_moves = values.look_ahead(position)
            is_random = random() < epsilons[position.to_move]
            move = int(random() * len(after)) if is_random else int(of_moves.argmax())
            if features is not None:
                best = of_moves.max() if self.name == "linear-q" else of_moves[move]
                error = self.options.discount * best - features @ weights
                weights += rate * error * self._inverse_variances * features  # in place: `values` has them too
            position, features = after[move], features_after[move]

    def player(self) -> LinearPlayer:
        return LinearPlayer(values=replace(self.values, weights=self.values.weights.copy(), made=self._made))

    def save_model(self, path: str | os.PathLike[str]) -> None:
        replace(self.values, made=self._made).write(path)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return {"weights": self.values.weights.copy()}

    def _restore_arrays(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.values.weights[:] = arrays["weights"]


def _random_positions(game: Game, seed: int) -> list[Position]:
    random = Random(derive_seed(seed, "scaling"))
    positions = []
    for _ in range(_SCALING_GAMES):
        position = game.start()
        while not position.is_over:
            position = position.play(random.choice(position.legal_moves))
            positions.append(position)
    return positions
