"""What decides how a table learns."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, get_args

from flipdrop.errors import LearningError
from flipdrop.games import OthelloGame
from flipdrop.players.value_table import LARGEST_BOARD, Reward

if TYPE_CHECKING:
    from flipdrop.games import Game

Rule = Literal["q", "sarsa", "td"]
RULES: tuple[Rule, ...] = get_args(Rule)

# Each number lies between these.
_RANGES: dict[str, tuple[float, float]] = {
    "rate": (1e-6, 1),
    "rate_end": (1e-6, 1),
    "epsilon": (0, 1),
    "epsilon_end": (0, 1),
    "halving": (1, 1e12),
    "lambda_": (0, 1),
    "discount": (1e-3, 1),
    "initial": (-10, 10),
    "batch": (1, 10**7),
    "positions": (1, 10**8),
}


@dataclass(frozen=True, kw_only=True)
class TableSettings:
    """What decides how a table learns. Values are parts of the best result: from -1 to 1.

    :param rate: how far a value moves towards its target, from this at first...
    :param rate_end: ...to this in the end
    :param epsilon: share of random moves at first
    :param epsilon_end: and in the end
    :param halving: after so many games, `rate` and `epsilon` are half way to their ends
    :param drawn: whether each side's share of random moves is drawn anew for each game, from 0 to epsilon
    :param lambda_: how much of the rest of the game is in a target, from 0 (only the next value) to 1 (only the result)
    :param discount: what a value is worth one move earlier; less than 1 makes wins soon better than wins late
    :param initial: the value of what was never tried; a high one is optimistic, and makes the learner try everything
    :param reward: ``margin`` (by how much the game is won) or ``result`` (only whether)
    :param symmetric: whether mirror images share an entry
    :param backward: whether a game is learned from its last move to its first, so that a result reaches the first move
        at once; otherwise in the order of play, by one move a game unless `lambda_` carries it further
    :param batch: games in a step
    :param positions: the table is full, and learning ends, when it has entries for so many
    """

    rate: float
    rate_end: float
    epsilon: float
    epsilon_end: float
    halving: float
    drawn: bool = True
    lambda_: float = 0.0
    discount: float = 1.0
    initial: float = 0.0
    reward: Reward = "margin"
    symmetric: bool = True
    backward: bool = True
    batch: int = 1000
    positions: int = 2_000_000

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise LearningError(f"{name.rstrip('_')}={value!r}; it is a number between {low:g} and {high:g}")
            if not (math.isfinite(value) and low <= value <= high):
                raise LearningError(f"{name.rstrip('_')}={value}; it lies between {low:g} and {high:g}")
        for name in ("batch", "positions"):
            if not isinstance(getattr(self, name), int):
                raise LearningError(f"{name}={getattr(self, name)}; it is a whole number")
        for name in ("drawn", "symmetric", "backward"):
            if not isinstance(getattr(self, name), bool):
                raise LearningError(f"{name}={getattr(self, name)!r}; it is True or False")
        if self.reward not in get_args(Reward):
            raise LearningError(f"reward={self.reward!r}; it can be {' or '.join(get_args(Reward))}")

    def rate_at(self, games: int) -> float:
        """The learning rate after so many games."""
        return self._between(self.rate, self.rate_end, games)

    def epsilon_at(self, games: int) -> float:
        """The share of random moves after so many games."""
        return self._between(self.epsilon, self.epsilon_end, games)

    def _between(self, first: float, last: float, games: int) -> float:
        return float(last + (first - last) * 0.5 ** (games / self.halving))


# Q-learning learns what best play is worth, whatever is played: so it can play anything, and because the games have no
# chance in them it can believe each result. The others learn what their own play is worth, random moves included: so
# they have to play better and better, and average over what those moves do.
_USUAL: dict[Rule, dict[str, Any]] = {
    "q": {"rate": 1.0, "rate_end": 1.0, "epsilon": 1.0, "epsilon_end": 1.0},
    "sarsa": {"rate": 0.3, "rate_end": 0.05, "epsilon": 1.0, "epsilon_end": 0.1, "lambda_": 0.5},
    "td": {"rate": 0.3, "rate_end": 0.05, "epsilon": 1.0, "epsilon_end": 0.1, "lambda_": 0.5},
}


def settings_for(rule: Rule, game: Game, **given: Any) -> TableSettings:
    """The usual settings of a rule, but for those that are given. A rate or epsilon without an end stays as it is."""
    known = {field.name for field in fields(TableSettings)}
    for name in given:
        if name not in known:
            raise LearningError(f"a table has no setting {name.rstrip('_')}; settings are {', '.join(sorted(known))}")
    for name in ("rate", "epsilon"):
        if name in given:
            given.setdefault(f"{name}_end", given[name])
    halving = 10_000 if isinstance(game, OthelloGame) else 100_000  # 4x4 has ten times the positions in Connect Four
    return TableSettings(**_USUAL[rule] | {"halving": halving} | given)


def fits_a_table(game: Game) -> bool:
    """Whether a table with all that matters of the game fits into memory, and can be filled within minutes."""
    cells = game.columns * game.rows
    return cells <= (16 if isinstance(game, OthelloGame) else 20)


def check_board(game: Game) -> None:
    """Raises if even the codes of positions are too long for a table."""
    cells = game.columns * game.rows
    if cells > LARGEST_BOARD:
        raise LearningError(
            f"a table for {game.title}, with {cells} cells, would never be filled; tables are for boards of up to "
            f"{LARGEST_BOARD} cells (othello4, connect4:5x4), patterns for larger ones"
        )
