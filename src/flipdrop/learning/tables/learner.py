"""Q-learning, Sarsa and TD(lambda) with a table."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.errors import LearningError
from flipdrop.learning.benchmarking import scores_against
from flipdrop.learning.learner import Learner, State
from flipdrop.learning.tables.episode import epsilons_for_game, play_episode
from flipdrop.learning.tables.exploitability import BestResponse, Exploitability
from flipdrop.learning.tables.rules import VALUE_FUNCTIONS, as_arrays, restore_arrays
from flipdrop.learning.tables.settings import RULES, Rule, TableSettings, check_board, settings_for
from flipdrop.learning.tables.state_space import StateSpace
from flipdrop.players.value_table import TablePlayer, ValueTable

if TYPE_CHECKING:
    import os

    from flipdrop.games import Game

DEFAULT_OPPONENTS = ("random", "greedy")
_BENCHMARK_PAIRS = 25
_BENCHMARK_GROWTH = 1.05  # factor of steps between benchmarks: often at first, when much changes
_LARGEST_SOLVED = 24  # cells; on larger boards solving all replies would leave no time to learn


class TableLearner(Learner):
    """Learns a table by playing against itself.

    :param until_optimal: whether learning ends when the exploitability is 0
    :param opponents: opponents of the learning curve; random and greedy if not given
    :param settings: see `TableSettings`
    """

    options: TableSettings

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
        self.games = 0
        self.options = settings_for(rule, game, **settings)
        self._positions = StateSpace(game, reward=self.options.reward, symmetric=self.options.symmetric)
        self._learned = VALUE_FUNCTIONS[rule](self._positions, self.options)
        self._steps = 0
        self._next_measured = 1
        self._opponents = DEFAULT_OPPONENTS if opponents is None else opponents
        self._best_response = BestResponse(self._positions) if game.columns * game.rows <= _LARGEST_SOLVED else None
        if until_optimal and self._best_response is None:
            raise LearningError(f"until optimal: {game.title} is too large to be solved again and again")
        self._until_optimal = until_optimal
        self._is_optimal = False

    @property
    def finished(self) -> bool:
        return self._is_full or (self._until_optimal and self._is_optimal)

    @property
    def status(self) -> str:
        return f"{self.size:,} positions" + (": the table is full" if self._is_full else "")

    @property
    def size(self) -> int:
        return len(self._learned)

    @property
    def _is_full(self) -> bool:
        return self.size >= self.options.positions

    def step(self) -> dict[str, float]:
        random = Random(derive_seed(self.seed, "step", self._steps)).random
        options, positions, learned = self.options, self._positions, self._learned
        rate, epsilon = options.rate_at(self.games), options.epsilon_at(self.games)
        for _ in range(options.batch):
            epsilons = epsilons_for_game(epsilon, random, drawn=options.drawn)
            line, end = play_episode(positions, learned, epsilons, random)
            learned.learn(line, end, rate)
        self.games += options.batch
        self._steps += 1
        if self._steps < self._next_measured:
            return {}
        self._next_measured = max(self._steps + 1, math.ceil(self._steps * _BENCHMARK_GROWTH))
        return self.benchmark()

    def benchmark(self) -> dict[str, float]:
        """The exploitability, where the board is small enough, and scores against the opponents."""
        values: dict[str, float] = {}
        if (exploitability := self.exploitability()) is not None:
            self._is_optimal = exploitability.is_optimal
            as_first, as_second = exploitability.by_side
            values = {
                "share of best moves": exploitability.share,
                "distance from perfect as first": as_first,
                "distance from perfect as second": as_second,
            }
        seed = derive_seed(self.seed, "measuring")
        return values | scores_against(
            self.player(), self._opponents, self.game, pairs=_BENCHMARK_PAIRS, seed=seed, threads=1
        )

    def exploitability(self) -> Exploitability | None:
        """The exploitability of the table; None on boards where that would take too long."""
        return None if self._best_response is None else self._best_response.exploitability(self._learned.best)

    def as_score(self, value: float) -> int:
        """A value in the unit of the game: discs by which it is won, or 1, 0 and -1."""
        return round(value * (self.game.largest_score if self.options.reward == "margin" else 1))

    def table(self) -> ValueTable:
        arrays = as_arrays(self._learned, self._positions)
        return ValueTable(
            game=self.game,
            holds=self._learned.holds,
            reward=self.options.reward,
            symmetric=self.options.symmetric,
            discount=self.options.discount,
            initial=self.options.initial,
            codes=arrays["codes"],
            values=arrays["values"],
            first=np.concatenate([[0], np.cumsum(arrays["lengths"], dtype=int)]),
            made={"learner": self.name, "settings": self.settings, "seed": self.seed, "games": self.games},
        )

    def player(self) -> TablePlayer:
        return TablePlayer(model=Path("learning"), table=self.table())

    def save_model(self, path: str | os.PathLike[str]) -> None:
        self.table().write(path)

    def state(self) -> State:
        metadata = {"steps": self._steps, "next_measured": self._next_measured, "is_optimal": self._is_optimal}
        return State(metadata | {"games": self.games}, as_arrays(self._learned, self._positions))

    def restore(self, state: State) -> None:
        self._steps = state.metadata["steps"]
        self._next_measured = state.metadata["next_measured"]
        self._is_optimal = state.metadata["is_optimal"]
        self.games = state.metadata["games"]
        restore_arrays(self._learned, self._positions, state.arrays)
