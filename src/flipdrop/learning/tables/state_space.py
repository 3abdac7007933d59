"""The positions of a game as numbers, in the order of their discovery.

A learner plays a million games through the same few thousand positions. The rules are applied once to each; from then
on a game is a walk over integers::

    number            0          1         2        3
    position       start      after 1   after 2    ...
    after[number]  (1, 2, 3)  (4, 5)    None: not expanded yet; (): the game is over
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.players.learned import reward_of
from flipdrop.players.value_table import canonical, symmetries_of

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.players.learned import Reward

START = 0


class StateSpace:
    """Numbers positions of a game.

    :param symmetric: whether mirror images have the same number
    :param start: the position with the number 0; the start of the game if not given
    """

    def __init__(
        self, game: Game, *, reward: Reward = "margin", symmetric: bool = True, start: Position | None = None
    ) -> None:
        self.game = game
        self.reward = reward
        self._symmetries = symmetries_of(game) if symmetric else (0,)
        self.codes: list[int] = []
        self._numbers: dict[int, int] = {}
        self._after: list[tuple[int, ...] | None] = []
        self._terminal_rewards: dict[int, float] = {}
        self._unexplored: dict[int, Position] = {}
        self.number(game.start() if start is None else start)

    def __len__(self) -> int:
        return len(self.codes)

    def number(self, position: Position) -> int:
        code, _, position = canonical(position, self._symmetries)
        number = self.number_of_code(code)
        if self._after[number] is None:
            self._unexplored[number] = position
        return number

    def number_of_code(self, code: int) -> int:
        """The number of the position with a code, which is canonical if mirror images share their number."""
        number = self._numbers.setdefault(code, len(self.codes))
        if number == len(self.codes):
            self.codes.append(code)
            self._after.append(None)
        return number

    def after(self, number: int) -> tuple[int, ...]:
        """The positions after each move, in the order of the moves; empty if the game is over."""
        after = self._after[number]
        return self._explore(number) if after is None else after

    def terminal_reward(self, number: int) -> float:
        """The reward of a finished game for the side to move."""
        self.after(number)
        return self._terminal_rewards[number]

    def position(self, number: int) -> Position:
        """The position with a number: the canonical one of its mirror images if these share their number."""
        known = self._unexplored.get(number)
        return self.game.position(_board(self.game, self.codes[number])) if known is None else known

    def _explore(self, number: int) -> tuple[int, ...]:
        position = self.position(number)
        self._unexplored.pop(number, None)
        after = tuple(self.number(position.play(move)) for move in position.legal_moves)
        self._after[number] = after
        if not after:
            self._terminal_rewards[number] = reward_of(self.game, position.final_score, self.reward)
        return after


def _board(game: Game, code: int) -> str:
    code, side = divmod(code, 2)
    marks = []
    for _ in range(game.columns * game.rows):
        code, digit = divmod(code, 3)
        marks.append("-XO"[digit])
    marks.reverse()
    for cell, mark in enumerate(game.start().cells):
        if mark == "#":
            marks[cell] = mark
    return game.board("".join(marks), side)
