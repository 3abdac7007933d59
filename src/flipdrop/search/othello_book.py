"""Opening books of Othello on 8x8: positions of good play with a value for each of their moves.

The builder expands the graph of positions; a move that leads to another position of the book has that position's value,
backed up through the graph, any other move the value that a search gave it. Values are in discs for the side to move.
Of the eight symmetric forms of a position the book holds one, without colours: discs of the side to move and of its
opponent.

After the first line of the file (see `book_file`) come, for n positions ordered by `own`, then `other`:

- ``own``: n 64-bit numbers, the squares of the side to move; bit 0 is a1, bit 1 is b1, bit 8 is a2
- ``other``: n 64-bit numbers, the squares of its opponent
- ``counts``: n bytes, the number of legal moves
- ``values``: a signed byte for each legal move, in the order of squares

Numbers are little-endian. The first line has the ``depth`` and ``selectivity`` of the searches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flipdrop.errors import BookError
from flipdrop.games import Othello, OthelloGame
from flipdrop.kernel import Side
from flipdrop.search.book_file import write_book_file
from flipdrop.search.report import FROM_BOOK, MoveReport, SearchReport

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from flipdrop.games import Position

FORMAT = "flipdrop othello book"
VERSION = 1
_SYMMETRIES = range(8)
_LARGEST_VALUE = 64  # discs
_BITS = ({ord("X"): "1", ord("O"): "0", ord("-"): "0"}, {ord("X"): "0", ord("O"): "1", ord("-"): "0"})


class Key(NamedTuple):
    """A position up to symmetry and colours, as bitboards."""

    own: int
    other: int

    @property
    def discs(self) -> int:
        return (self.own | self.other).bit_count()

    def position(self) -> Othello:
        """The position, with black to move."""
        marks = "-XO"
        cells = "".join(marks[(self.own >> n & 1) + 2 * (self.other >> n & 1)] for n in range(64))
        return Othello(f"{cells} X")


def key_of(position: Position) -> tuple[Key, int]:
    """The key of a position, and the number of the symmetry that leads to its form in the book."""
    own, other = _BITS if position.to_move == Side.FIRST else _BITS[::-1]
    forms = []
    for symmetry in _SYMMETRIES:
        cells = position.transformed(symmetry).cells[::-1]
        forms.append((Key(int(cells.translate(own), 2), int(cells.translate(other), 2)), symmetry))
    return min(forms)


@dataclass(frozen=True, eq=False)
class OthelloBook:
    """Positions and the values of their moves.

    :param depth: of the searches that value moves to positions outside the book
    :param selectivity: of those searches, in percent
    :param made: how the book was made
    :param source: the file as a spec names it; empty for the package's own book
    """

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    counts: NDArray[np.uint8]
    values: NDArray[np.int8]
    depth: int
    selectivity: int
    made: dict[str, Any] = field(default_factory=dict)
    source: str = ""

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        """For each position, where its values end."""
        return np.cumsum(self.counts, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.own)

    def __contains__(self, position: Position) -> bool:
        return self._index(key_of(position)[0]) is not None

    def move_values(self, position: Position) -> dict[int, int] | None:
        """The value of every move; None for a position that is not in the book."""
        if position.game != OthelloGame() or position.is_over:
            return None
        key, symmetry = key_of(position)
        index = self._index(key)
        if index is None:
            return None
        end = int(self._ends[index])
        values = self.values[end - int(self.counts[index]) : end].tolist()
        moves = {position.transformed_move(move, symmetry): move for move in position.legal_moves}
        if len(moves) != len(values):
            raise BookError(f"the book has {len(values)} moves for {position.board}, which has {len(moves)}")
        return {moves[form]: value for form, value in zip(sorted(moves), values, strict=True)}

    def report(self, position: Position) -> SearchReport | None:
        """The values of all moves as a search reports them.

        None unless the best move leads to another position of the book: where the book ends, its values are those of
        a single search, and a search with more time finds better ones.
        """
        values = self.move_values(position)
        if values is None:
            return None
        best = self._best(position, values)
        if position.play(best) not in self:
            return None
        ranked = sorted(values, key=lambda move: (-values[move], move != best))
        return SearchReport(
            position=position,
            best=best,
            value=float(values[best]),
            line=self._line(position, best),
            moves=tuple(MoveReport(move, float(values[move]), 0, line=self._line(position, move)) for move in ranked),
            nodes=0,
            depth=self.depth,
            seconds=0.0,
            note=FROM_BOOK,
            selectivity=self.selectivity,
        )

    def _line(self, position: Position, move: int) -> tuple[int, ...]:
        """A move and the best moves after it, to the end of the book."""
        line = [move]
        after = position.play(move)
        while (following := self.move_values(after)) is not None:
            line.append(self._best(after, following))
            after = after.play(line[-1])
        return tuple(line)

    def good_moves(self, position: Position, *, margin: int) -> list[int]:
        """The moves at most `margin` discs worse than the best that lead to positions of the book."""
        values = self.move_values(position) or {}
        least = max(values.values(), default=0) - margin
        return [move for move, value in values.items() if value >= least and position.play(move) in self]

    def _best(self, position: Position, values: Mapping[int, int]) -> int:
        """The move with the highest value; of equal ones the first that leads to a position of the book."""
        highest = max(values.values())
        equal = [move for move in values if values[move] == highest]
        return next((move for move in equal if position.play(move) in self), equal[0])

    def _index(self, key: Key) -> int | None:
        first, last = (int(np.searchsorted(self.own, np.uint64(key.own), side)) for side in ("left", "right"))
        index = first + int(np.searchsorted(self.other[first:last], np.uint64(key.other)))
        return index if index < last and int(self.other[index]) == key.other else None

    @classmethod
    def from_values(
        cls, values: Mapping[Key, Sequence[int]], *, depth: int, selectivity: int, made: dict[str, Any]
    ) -> OthelloBook:
        """The book of these positions, each with the values of its legal moves in the order of squares."""
        keys = sorted(values)
        return cls(
            np.array([key.own for key in keys], dtype=np.uint64),
            np.array([key.other for key in keys], dtype=np.uint64),
            np.array([len(values[key]) for key in keys], dtype=np.uint8),
            np.array([value for key in keys for value in values[key]], dtype=np.int8),
            depth,
            selectivity,
            made,
        )

    @classmethod
    def from_body(cls, head: dict[str, Any], body: bytes) -> OthelloBook:
        """The book of an unpacked file; BookError if its parts do not fit."""
        size, depth, selectivity = (head.get(name) for name in ("positions", "depth", "selectivity"))
        if not isinstance(size, int) or not isinstance(depth, int) or not isinstance(selectivity, int):
            raise BookError("its first line is damaged")
        if not 0 <= depth <= _LARGEST_VALUE or not 0 <= selectivity <= 100:
            raise BookError("its first line is damaged: depth or selectivity is out of range")
        if not 0 < 17 * size <= len(body):
            raise BookError("it is damaged: the number of positions does not match its header")
        own, other = np.frombuffer(body, "<u8", 2 * size).reshape(2, size)
        counts = np.frombuffer(body, np.uint8, size, 16 * size)
        values = np.frombuffer(body, np.int8, -1, 17 * size)
        if len(values) != int(counts.sum()):
            raise BookError("it is damaged: the number of values does not match that of moves")
        ordered = (own[1:] > own[:-1]) | ((own[1:] == own[:-1]) & (other[1:] > other[:-1]))
        if not ordered.all() or (own & other).any() or (np.abs(values.astype(np.int16)) > _LARGEST_VALUE).any():
            raise BookError("it is damaged: it holds impossible positions or values")
        return cls(own, other, counts, values, depth, selectivity, head.get("made", {}))

    def write(self, path: str | os.PathLike[str]) -> None:
        head = {
            "format": FORMAT,
            "version": VERSION,
            "positions": len(self),
            "depth": self.depth,
            "selectivity": self.selectivity,
        }
        arrays = (self.own.astype("<u8"), self.other.astype("<u8"), self.counts, self.values)
        write_book_file(path, head, b"".join(array.tobytes() for array in arrays), made=self.made)
