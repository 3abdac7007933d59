"""Q-learning, Sarsa and TD(lambda) with a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.errors import LearningError
from flipdrop.learning.episodes import DEFAULT_OPPONENTS, EpisodeLearner
from flipdrop.learning.tables.exploitability import BestResponse, Exploitability
from flipdrop.learning.tables.rules import VALUE_FUNCTIONS, play_episode
from flipdrop.learning.tables.settings import RULES, Rule, TableSettings, check_board, settings_for
from flipdrop.learning.tables.state_space import StateSpace
from flipdrop.players.value_table import TablePlayer, ValueTable

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import NDArray

    from flipdrop.games import Game

_LARGEST_SOLVED = 24  # cells; on larger boards solving all replies would leave no time to learn


class TableLearner(EpisodeLearner):
    """Learns a table by playing against itself.

    :param until_optimal: whether learning ends when the exploitability is 0
    :param opponents: opponents of the learning curve; random and greedy if not given
    :param settings: see `TableSettings`
    """

    options: TableSettings
    more_state = ("is_optimal",)

    def __init__(
        self,
        game: Game,
        rule: Rule,
        *,
        seed: int,
        until_optimal: bool = False,
        opponents: tuple[str, ...] | None = None,
        **settings: Any,
    ) -> None:
        if rule not in RULES:
            raise LearningError(f"unknown rule {rule!r}; there are {', '.join(RULES)}")
        check_board(game)
        self.name = rule
        self.game = game
        self.seed = seed
        self.options = settings_for(rule, game, **settings)
        self._positions = StateSpace(game, reward=self.options.reward, symmetric=self.options.symmetric)
        self._values = VALUE_FUNCTIONS[rule](self._positions, self.options)
        self.opponents = DEFAULT_OPPONENTS if opponents is None else opponents
        self._best_response = BestResponse(self._positions) if game.columns * game.rows <= _LARGEST_SOLVED else None
        if until_optimal and self._best_response is None:
            raise LearningError(f"until optimal: {game.title} is too large to be solved again and again")
        self._until_optimal = until_optimal
        self.is_optimal = False

    @property
    def finished(self) -> bool:
        return self._is_full or (self._until_optimal and self.is_optimal)

    @property
    def status(self) -> str:
        return f"{self.size:,} positions" + (": the table is full" if self._is_full else "")

    @property
    def size(self) -> int:
        return len(self._values)

    @property
    def _is_full(self) -> bool:
        return self.size >= self.options.positions

    def learn_episode(self, epsilons: tuple[float, float], rate: float, random: Callable[[], float]) -> None:
        self._values.learn(*play_episode(self._positions, self._values, epsilons, random), rate)

    def benchmark(self) -> dict[str, float]:
        """The exploitability, where the board is small enough, and scores against the opponents."""
        values: dict[str, float] = {}
        if (exploitability := self.exploitability()) is not None:
            self.is_optimal = exploitability.is_optimal
            as_first, as_second = exploitability.by_side
            values = {
                "share of best moves": exploitability.share,
                "distance from perfect as first": as_first,
                "distance from perfect as second": as_second,
            }
        return values | super().benchmark()

    def exploitability(self) -> Exploitability | None:
        """The exploitability of the table; None on boards where that would take too long."""
        return None if self._best_response is None else self._best_response.exploitability(self._values.best)

    def as_score(self, value: float) -> int:
        """A value in the unit of the game: discs by which it is won, or 1, 0 and -1."""
        return round(value * (self.game.largest_score if self.options.reward == "margin" else 1))

    def table(self) -> ValueTable:
        arrays = self._values.arrays()
        return ValueTable(
            game=self.game,
            holds=self._values.holds,
            reward=self.options.reward,
            symmetric=self.options.symmetric,
            discount=self.options.discount,
            initial=self.options.initial,
            codes=arrays["codes"],
            values=arrays["values"],
            first=np.concatenate([[0], np.cumsum(arrays["lengths"], dtype=int)]),
            made=self._made,
        )

    def player(self) -> TablePlayer:
        return TablePlayer(model=Path("learning"), values=self.table())

    def save_model(self, path: str | os.PathLike[str]) -> None:
        self.table().write(path)

    def _arrays(self) -> dict[str, NDArray[Any]]:
        return self._values.arrays()

    def _restore_arrays(self, arrays: dict[str, NDArray[Any]]) -> None:
        self._values.restore(arrays)
