"""The update rules of tabular learning.

The textbook's rule for a single agent is

    Q(s, a)  <-  Q(s, a) + rate * (r + discount * max Q(s', a') - Q(s, a))

In a zero-sum game with alternating moves every value is that of the side to move, and s' belongs to the opponent, so
its value enters with the opposite sign:

    Q(s, a)  <-  Q(s, a) + rate * (r - discount * max Q(s', a') - Q(s, a))        Q-learning
    Q(s, a)  <-  Q(s, a) + rate * (r - discount * Q(s', a') - Q(s, a))            Sarsa: a' is the move played
    V(s)     <-  V(s)    + rate * (r - discount * V(s') - V(s))                   TD

The reward r is 0 except for the last move, whose r is the result, and after which there is no s'.

With lambda, the value of s' is mixed with the target of s' itself. That is the lambda-return. No position occurs twice
in a game, so it equals eligibility traces, and takes one pass from the end of the game to its start.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from flipdrop.learning.tables.state_space import START

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from flipdrop.learning.tables.settings import Rule, TableSettings
    from flipdrop.learning.tables.state_space import StateSpace
    from flipdrop.players.value_table import Holds

Trajectory = list[tuple[int, int]]
"""The positions of a game, each with the index of the move played."""


class ValueFunction(ABC):
    """The values of a table, and the rule that updates them."""

    holds: ClassVar[Holds]

    def __init__(self, positions: StateSpace, settings: TableSettings) -> None:
        self._positions = positions
        self._discount = settings.discount
        self._lambda = settings.lambda_
        self._backward = settings.backward
        self._initial = settings.initial

    @abstractmethod
    def best(self, position: int) -> int:
        """The index of the move with the highest value; the first of equals."""

    @abstractmethod
    def learn(self, trajectory: Trajectory, end: int, rate: float) -> None:
        """Updates the values from a game.

        :param end: the last position
        """

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def entries(self) -> dict[int, list[float]]:
        """All values by positions."""

    @abstractmethod
    def set_entries(self, entries: dict[int, list[float]]) -> None:
        """Replaces all values."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All values with the codes of their positions, ascending."""
        entries, codes = self.entries(), self._positions.codes
        numbers = sorted(entries, key=codes.__getitem__)
        return {
            "codes": np.array([codes[number] for number in numbers], dtype=np.int64),
            "values": np.array([value for number in numbers for value in entries[number]], dtype=np.float64),
            "lengths": np.array([len(entries[number]) for number in numbers], dtype=np.uint8),
        }

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Replaces all values by those of `arrays`."""
        ends = np.cumsum(arrays["lengths"], dtype=int)
        parts = np.split(arrays["values"], ends[:-1])
        entries = zip(arrays["codes"].tolist(), parts, strict=True) if len(ends) else ()
        self.set_entries({self._positions.number_of_code(code): part.tolist() for code, part in entries})


class _MoveValues(ValueFunction):
    """Q: a value for each move of a position."""

    holds = "moves"

    def __init__(self, positions: StateSpace, settings: TableSettings) -> None:
        super().__init__(positions, settings)
        self._q: dict[int, list[float]] = {}

    def best(self, position: int) -> int:
        values = self._q.get(position)
        return 0 if values is None else values.index(max(values))

    def __len__(self) -> int:
        return len(self._q)

    def entries(self) -> dict[int, list[float]]:
        return self._q

    def set_entries(self, entries: dict[int, list[float]]) -> None:
        self._q = dict(entries)

    def _values(self, position: int) -> list[float]:
        """The values of a position's moves; creates a missing entry with initial values."""
        values = self._q.get(position)
        if values is None:
            values = self._q[position] = [self._initial] * len(self._positions.after(position))
        return values


class QLearning(_MoveValues):
    """Off-policy: learns the value of best play, however the game was played."""

    def learn(self, trajectory: Trajectory, end: int, rate: float) -> None:
        target = -self._positions.terminal_reward(end)  # the reward of the side that made the last move
        for position, move in reversed(trajectory):
            q = self._values(position)
            before = max(q)
            is_best = q[move] == before
            q[move] += rate * (target - q[move])
            value = max(q) if self._backward else before
            # The rest of the game is evidence of best play only if the move was a best one (Watkins).
            if is_best:
                value += self._lambda * (target - value)
            target = -self._discount * value  # the move before was the opponent's


class Sarsa(_MoveValues):
    """On-policy: learns the value of its own play, random moves included."""

    def learn(self, trajectory: Trajectory, end: int, rate: float) -> None:
        target = -self._positions.terminal_reward(end)
        for position, move in reversed(trajectory):
            q = self._values(position)
            before = q[move]
            q[move] += rate * (target - before)
            value = q[move] if self._backward else before
            value += self._lambda * (target - value)
            target = -self._discount * value


class TemporalDifferences(ValueFunction):
    """V: a value for each position; the best move leads to the lowest value of the opponent."""

    holds = "positions"

    def __init__(self, positions: StateSpace, settings: TableSettings) -> None:
        super().__init__(positions, settings)
        self._v: dict[int, float] = {}
        self._ends: dict[int, float] = {}

    def best(self, position: int) -> int:
        values = [self._value(after) for after in self._positions.after(position)]
        return values.index(min(values))

    def learn(self, trajectory: Trajectory, end: int, rate: float) -> None:
        target = -self._positions.terminal_reward(end)
        for position, _ in reversed(trajectory):
            before = self._v.get(position, self._initial)
            after = self._v[position] = before + rate * (target - before)
            value = after if self._backward else before
            value += self._lambda * (target - value)
            target = -self._discount * value

    def __len__(self) -> int:
        return len(self._v)

    def entries(self) -> dict[int, list[float]]:
        return {position: [value] for position, value in self._v.items()}

    def set_entries(self, entries: dict[int, list[float]]) -> None:
        self._v = {position: value for position, (value,) in entries.items()}

    def _value(self, position: int) -> float:
        value = self._v.get(position)
        if value is None:
            value = self._ends.get(position)
        if value is None:
            if self._positions.after(position):
                return self._initial
            # Undoes the discount that `learn` does not apply to the last move.
            value = self._ends[position] = self._positions.terminal_reward(position) / self._discount
        return value


VALUE_FUNCTIONS: dict[Rule, type[ValueFunction]] = {"q": QLearning, "sarsa": Sarsa, "td": TemporalDifferences}


def play_episode(
    positions: StateSpace, learned: ValueFunction, epsilons: tuple[float, float], random: Callable[[], float]
) -> tuple[Trajectory, int]:
    """Plays a game from the start. Returns its trajectory and its last position.

    Values do not change during a game; no position occurs twice in it, so that would not affect its moves.

    :param epsilons: the probability of a random move for each side
    """
    mine, theirs = epsilons
    position, trajectory = START, []
    while after := positions.after(position):
        move = int(random() * len(after)) if random() < mine else learned.best(position)
        trajectory.append((position, move))
        position = after[move]
        mine, theirs = theirs, mine  # a pass is a move, so the sides always alternate
    return trajectory, position
