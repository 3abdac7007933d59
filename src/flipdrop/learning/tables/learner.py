"""Q-learning, Sarsa and TD(lambda) with a table."""

from __future__ import annotations

import math
from dataclasses import asdict
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
from flipdrop.learning.tables.rules import LEARNED, as_arrays, take_arrays
from flipdrop.learning.tables.settings import RULES, Rule, check_board, settings_for
from flipdrop.learning.tables.state_space import StateSpace
from flipdrop.players.value_table import TablePlayer, ValueTable

if TYPE_CHECKING:
    import os

    from flipdrop.games import Game

DEFAULT_OPPONENTS = ("random", "greedy")
_MEASURING_PAIRS = 25
_BETWEEN = 1.05  # it is measured again after so many times the steps: often at first, when much changes
_JUDGED_BOARD = 24  # cells; what the solver and all replies take on larger ones would leave no time to learn


class TableLearner(Learner):
    """Learns a table by playing against itself.

    :param until_optimal: whether it has finished when nobody can do better against it than against perfect play
    :param opponents: whom the curve shows scores against; random and greedy if it is not given
    :param settings: see `TableSettings`
    """

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
            raise LearningError(f"rule {rule!r}; there are {', '.join(RULES)}")
        check_board(game)
        self.name = rule
        self.game = game
        self.seed = seed
        self.games = 0
        self._chosen = settings_for(rule, game, **settings)
        self._positions = StateSpace(game, reward=self._chosen.reward, symmetric=self._chosen.symmetric)
        self._learned = LEARNED[rule](self._positions, self._chosen)
        self._steps = 0
        self._next_measured = 1
        self._opponents = DEFAULT_OPPONENTS if opponents is None else opponents
        self._judge = BestResponse(self._positions) if game.columns * game.rows <= _JUDGED_BOARD else None
        if until_optimal and self._judge is None:
            raise LearningError(f"until optimal: {game.title} is too large to be judged by the solver again and again")
        self._until_optimal = until_optimal
        self._is_optimal = False

    @property
    def settings(self) -> dict[str, Any]:
        """What decides how it learns."""
        return asdict(self._chosen)

    @property
    def finished(self) -> bool:
        """Whether the table is full, or plays perfectly if that is what was asked for."""
        return self._is_full or (self._until_optimal and self._is_optimal)

    @property
    def status(self) -> str:
        """How large the table is."""
        return f"{self.size:,} positions" + (": the table is full" if self._is_full else "")

    @property
    def size(self) -> int:
        """The number of positions in the table."""
        return len(self._learned)

    @property
    def _is_full(self) -> bool:
        return self.size >= self._chosen.positions

    def step(self) -> dict[str, float]:
        """Plays a batch of games, learns from each, and measures once in a while."""
        random = Random(derive_seed(self.seed, "step", self._steps)).random
        chosen, positions, learned = self._chosen, self._positions, self._learned
        rate, epsilon = chosen.rate_at(self.games), chosen.epsilon_at(self.games)
        for _ in range(chosen.batch):
            epsilons = epsilons_for_game(epsilon, random, drawn=chosen.drawn)
            line, end = play_episode(positions, learned, epsilons, random)
            learned.learn(line, end, rate)
        self.games += chosen.batch
        self._steps += 1
        if self._steps < self._next_measured:
            return {}
        self._next_measured = max(self._steps + 1, math.ceil(self._steps * _BETWEEN))
        return self.measured()

    def measured(self) -> dict[str, float]:
        """How good the table is now: by the solver, where the board is small enough for it, and against opponents."""
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
            self.player(), self._opponents, self.game, pairs=_MEASURING_PAIRS, seed=seed, threads=1
        )

    def exploitability(self) -> Exploitability | None:
        """How far from perfect the table plays; None on boards where that would take too long."""
        return None if self._judge is None else self._judge.judge(self._learned.best)

    def as_score(self, worth: float) -> int:
        """A result in the unit of a exploitability as people count it: discs by which a game is won, or 1, 0 and -1."""
        return round(worth * (self.game.largest_score if self._chosen.reward == "margin" else 1))

    def table(self) -> ValueTable:
        """The table as it is now."""
        arrays = as_arrays(self._learned, self._positions)
        chosen = self._chosen
        return ValueTable(
            game=self.game,
            holds=self._learned.holds,
            reward=chosen.reward,
            symmetric=chosen.symmetric,
            discount=chosen.discount,
            initial=chosen.initial,
            codes=arrays["codes"],
            values=arrays["values"],
            first=np.concatenate([[0], np.cumsum(arrays["lengths"], dtype=int)]),
            made={"learner": self.name, "settings": self.settings, "seed": self.seed, "games": self.games},
        )

    def player(self) -> TablePlayer:
        """The player that the table is now."""
        return TablePlayer(model=Path("learning"), table=self.table())

    def save_model(self, path: str | os.PathLike[str]) -> None:
        """Writes a ``.table`` file."""
        self.table().write(path)

    def state(self) -> State:
        """All values, and how far it has come."""
        metadata = {"steps": self._steps, "next_measured": self._next_measured, "is_optimal": self._is_optimal}
        return State(metadata | {"games": self.games}, as_arrays(self._learned, self._positions))

    def restore(self, state: State) -> None:
        """Goes on from there."""
        self._steps = state.metadata["steps"]
        self._next_measured = state.metadata["next_measured"]
        self._is_optimal = state.metadata["is_optimal"]
        self.games = state.metadata["games"]
        take_arrays(self._learned, self._positions, state.arrays)
