"""`ValueTable`: learned values by position, and `TablePlayer`, which plays from one.

A table holds values for the side to move, from -1 to 1, of each move of a position (Q-learning, Sarsa) or of the
position itself (TD). Mirror images can share the entry of the image with the lowest code.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from flipdrop.errors import DAMAGE, FlipdropError, ModelError, PlayerError
from flipdrop.games import game as game_of
from flipdrop.model_file import read_model_file, write_model_file
from flipdrop.players.learned import LearnedPlayer, Reward, reward_of

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Game, Position

Holds = Literal["moves", "positions"]

LARGEST_BOARD = 64  # cells
MAX_BYTES = 512 << 20
"""The most that a file may hold unpacked: some seven million positions."""
_LARGEST_NUMBER = 1e6  # of discount and initial value
_PRIME = 2**61 - 1
_KIND = "table of learned values"
_DIGITS = str.maketrans("XO-#", "1200")


def code_of(position: Position) -> int:
    """The position as a number below 2**63: one base-3 digit per cell, then the side to move.

    On boards of more than 36 cells, whose numbers are longer, it is the remainder by a prime: of a million
    positions two have the same with a chance of one in four million.
    """
    code = 2 * int(position.cells.translate(_DIGITS), 3) + position.to_move
    return code if len(position.cells) <= 36 else code % _PRIME


@cache
def symmetries_of(game: Game) -> tuple[int, ...]:
    """The symmetries that map the board to itself, including a forbidden cell."""
    start = game.start()
    return tuple(symmetry for symmetry in range(start.symmetries) if start.transformed(symmetry).game == game)


def canonical(position: Position, symmetries: tuple[int, ...]) -> tuple[int, int, Position]:
    """The mirror image with the lowest code: its code, the symmetry that leads there, and the image."""
    images = ((symmetry, position.transformed(symmetry)) for symmetry in symmetries)
    return min((code_of(image), symmetry, image) for symmetry, image in images)


@dataclass(frozen=True, eq=False)
class ValueTable:
    """Learned values of positions.

    :param holds: whether an entry has a value for each move, ascending, or one for the position
    :param reward: the reward that values predict
    :param symmetric: whether mirror images share an entry
    :param discount: factor per move
    :param initial: the value of positions without an entry
    :param codes: of the positions with an entry, ascending
    :param values: all entries, concatenated
    :param first: the index at which each entry begins, then the number of values
    :param made: provenance, for people
    """

    game: Game
    holds: Holds
    reward: Reward
    symmetric: bool
    discount: float
    initial: float
    codes: NDArray[np.int64]
    values: NDArray[np.float64]
    first: NDArray[np.int64]
    made: dict[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.codes)

    def move_values(self, position: Position) -> dict[int, float]:
        """The value of each move for the side that plays it; of equal moves the first is preferred."""
        if position.game != self.game:
            raise PlayerError(f"the table is one of {self.game.title}, and the position one of {position.game.title}")
        code, symmetry, image = canonical(position, self._symmetries)
        moves = image.legal_moves
        if self.holds == "moves":
            values = self._entry(code, len(moves))
        else:
            values = [self._value_after(image, move) for move in moves]
        back = {position.transformed_move(move, symmetry): move for move in position.legal_moves}
        return {back[move]: value for move, value in zip(moves, values, strict=True)}

    @property
    def _symmetries(self) -> tuple[int, ...]:
        return symmetries_of(self.game) if self.symmetric else (0,)

    def _value_after(self, position: Position, move: int) -> float:
        after = position.play(move)
        if after.is_over:
            return -reward_of(self.game, after.final_score, self.reward)
        code = canonical(after, self._symmetries)[0]
        # The opponent is to move after the move: its value is negated.
        return -self.discount * self._entry(code, 1)[0]

    def _entry(self, code: int, count: int) -> list[float]:
        """The stored values of a position, or the initial value for each."""
        at = int(np.searchsorted(self.codes, code))
        if at == len(self.codes) or self.codes[at] != code:
            return [self.initial] * count
        entry: list[float] = self.values[self.first[at] : self.first[at + 1]].tolist()
        if len(entry) != count:
            raise ModelError(f"the table has {len(entry)} values for a position that needs {count}")
        return entry

    def write(self, path: str | os.PathLike[str]) -> None:
        metadata = {
            "game": self.game.name,
            "holds": self.holds,
            "reward": self.reward,
            "symmetric": self.symmetric,
            "discount": self.discount,
            "initial": self.initial,
            "made": self.made,
        }
        lengths = np.diff(self.first).astype(np.uint8)
        arrays: dict[str, NDArray[Any]] = {"codes": self.codes, "values": self.values, "lengths": lengths}
        write_model_file(path, _KIND, metadata, arrays, most=MAX_BYTES)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> ValueTable:
        metadata, arrays = read_model_file(path, _KIND, most=MAX_BYTES)
        try:
            codes, values, lengths = (arrays[name] for name in ("codes", "values", "lengths"))
            metadata["game"] = game_of(metadata["game"])
            if codes.dtype != np.int64 or lengths.dtype != np.uint8 or not codes.ndim == lengths.ndim == 1:
                raise ModelError("codes, values and lengths do not go together")
            first = np.concatenate([[0], np.cumsum(lengths, dtype=int)])
            table = cls(codes=codes, values=values, first=first, **metadata)
            table._check(len(lengths))
        except DAMAGE as error:
            why = str(error) if isinstance(error, FlipdropError) else "a part is missing or has the wrong shape"
            raise ModelError(f"{path}: not a valid table: {why}") from None
        return table

    def _check(self, entries: int) -> None:
        """Raises ModelError unless the parts fit together."""
        numbers = (self.discount, self.initial)
        if self.values.dtype != np.float64 or self.codes.shape != (entries,):
            raise ModelError("codes, values and lengths do not go together")
        if self.values.shape != (self.first[-1],) or not (np.diff(self.codes) > 0).all():
            raise ModelError("its entries are not in order")
        if self.holds not in get_args(Holds) or self.reward not in get_args(Reward):
            raise ModelError(f"it holds {self.holds!r} by {self.reward!r}")
        if not isinstance(self.symmetric, bool) or not all(type(number) in (int, float) for number in numbers):
            raise ModelError("its metadata have wrong types")
        if not all(abs(number) <= _LARGEST_NUMBER for number in numbers):
            raise ModelError("its discount or initial value is out of range")


@dataclass(frozen=True, repr=False)
class TablePlayer(LearnedPlayer):
    """Plays by a table."""

    kind = "table"
    read = staticmethod(ValueTable.read)
