"""Opening books of Connect Four on 7x6: the exact score of every position of the first plies, and replies beyond.

Only positions of the last ply are solved; the scores of earlier plies follow from them. Further plies are too many for
a book, but a player that follows the book needs one reply to each move of its opponent: for those positions, and those
after the replies, the book holds scores as well. After the first line of the file (see `book_file`) each position takes
nine bytes: its key as a 64-bit number and its score as an 8-bit one, both little-endian, ordered by key.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.errors import BookError
from flipdrop.games import ConnectFour
from flipdrop.search.book_file import write_book_file
from flipdrop.search.report import SearchReport
from flipdrop.search.solution import Solution, SolvedMove

if TYPE_CHECKING:
    import os

    from numpy.typing import NDArray

    from flipdrop.games import Position

FORMAT = "flipdrop connect4 book"
VERSION = 1
COLUMNS, ROWS = 7, 6
MAX_PLIES, MAX_REPLIES = 12, 20
_ENTRY = struct.Struct("<Qb")
_ENTRIES = np.dtype([("key", "<u8"), ("score", "i1")])
_LARGEST_SCORE = (COLUMNS * ROWS + 1) // 2


def key(position: Position) -> int:
    """A number that only a position and its mirror image share: for each column its discs from the bottom, 1 for the
    second side, and a 1 above them."""
    cells = position.cells
    columns = []
    for column in range(COLUMNS):
        code, height = 0, 0
        for row in range(ROWS - 1, -1, -1):
            cell = cells[row * COLUMNS + column]
            if cell == "-":
                break
            code |= (cell == "O") << height
            height += 1
        columns.append(code | 1 << height)
    forward = backward = 0
    for code, mirrored in zip(columns, reversed(columns), strict=True):
        forward = forward << (ROWS + 1) | code
        backward = backward << (ROWS + 1) | mirrored
    return min(forward, backward)


def positions_of(ply: int) -> dict[int, ConnectFour]:
    """Every unfinished position after `ply` plies, one of each mirror pair, by key."""
    found = {key(ConnectFour()): ConnectFour()}
    for _ in range(ply):
        children = (position.play(move) for position in found.values() for move in position.legal_moves)
        found = {key(child): child for child in children if not child.is_over}
    return dict(sorted(found.items()))


class PackedScores(Mapping[int, int]):
    """Scores by key in two arrays, which take a twentieth of the memory of a dict.

    :param keys: ascending
    """

    def __init__(self, keys: NDArray[np.uint64], scores: NDArray[np.int8]) -> None:
        self._keys, self._scores = keys, scores

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[int]:
        return iter(self._keys.tolist())

    def __getitem__(self, key: int) -> int:
        at = int(np.searchsorted(self._keys, np.uint64(key)))
        if at == len(self._keys) or int(self._keys[at]) != key:
            raise KeyError(key)
        return int(self._scores[at])


def _preferred(position: Position, moves: list[int]) -> int:
    """Of equal moves one near the centre, the same in mirror images."""
    return min(moves, key=lambda move: (abs(2 * move - COLUMNS + 1), key(position.play(move))))


@dataclass(frozen=True)
class ConnectFourBook:
    """The scores, by key, of all positions up to `plies` plies, and their provenance.

    :param replies: up to this ply the book has a best move for the side that has played best moves of the book so far,
        whatever its opponent played
    """

    plies: int
    scores: Mapping[int, int]
    made: dict[str, Any] = field(default_factory=dict)
    replies: int = 0

    def __len__(self) -> int:
        return len(self.scores)

    def score(self, position: Position) -> int | None:
        """The score for the side to move; None for a position that is not in the book."""
        if position.is_over:
            return position.final_score
        return self.scores.get(key(position)) if position.ply <= max(self.plies, self.replies + 1) else None

    def knows_moves_of(self, position: Position) -> bool:
        """Whether every move's score is known."""
        return position.ply < self.plies and not position.is_over

    def move_scores(self, position: Position) -> dict[int, int]:
        """The score of every move, for the side that plays it; only for positions whose moves are known."""
        scores = {}
        for move in position.legal_moves:
            after = self.score(position.play(move))
            if after is None:
                raise BookError(f"the book lacks {position.play(move).board}, which its {self.plies} plies should hold")
            scores[move] = -after
        return scores

    def reply(self, position: Position) -> int | None:
        """A best move; None if the book holds none."""
        score = self.score(position)
        if score is None or position.is_over:
            return None
        best = [move for move in position.legal_moves if self.score(position.play(move)) == -score]
        return _preferred(position, best) if best else None

    def solution(self, position: Position, *, moves: bool = True) -> Solution:
        """The solution of a position whose moves are known, with the scores of all moves if requested."""
        solved = [SolvedMove(move, score, score) for move, score in self.move_scores(position).items()]
        line: list[int] = []
        last = position
        while self.knows_moves_of(last):
            scores = self.move_scores(last)
            line.append(_preferred(last, [move for move in scores if scores[move] == max(scores.values())]))
            last = last.play(line[-1])
        solved.sort(key=lambda m: (-m.lower, m.move != line[0]))
        score = solved[0].lower
        return Solution(
            position, score, score, score, True, line[0], tuple(line), tuple(solved) if moves else (), from_book=True
        )

    def report(self, position: Position) -> SearchReport | None:
        """The exact scores of all moves as a search reports them; None unless they are known."""
        return SearchReport.from_solution(self.solution(position)) if self.knows_moves_of(position) else None

    def solution_by_reply(self, position: Position) -> Solution | None:
        """The score and a best move; None if the book holds none."""
        reply, score = self.reply(position), self.score(position)
        if reply is None or score is None:
            return None
        return Solution(position, score, score, score, True, reply, from_book=True)

    @classmethod
    def from_last_ply(cls, plies: int, last: dict[int, int], made: dict[str, Any]) -> ConnectFourBook:
        """The book with these scores on its last ply; earlier plies follow by backing up."""
        scores = dict(last)
        for ply in range(plies - 1, -1, -1):
            for number, position in positions_of(ply).items():
                after = [position.play(move) for move in position.legal_moves]
                scores[number] = max(-(p.final_score if p.is_over else scores[key(p)]) for p in after)
        return cls(plies, scores, made)

    @classmethod
    def from_body(cls, head: dict[str, Any], body: bytes) -> ConnectFourBook:
        """The book of an unpacked file; BookError if its parts do not fit."""
        plies = head.get("plies")
        if not isinstance(plies, int) or not 0 <= plies <= MAX_PLIES:
            raise BookError("its first line is damaged")
        if len(body) != head["positions"] * _ENTRY.size:
            raise BookError("it is damaged: the number of positions does not match its header")
        replies = head.get("replies", 0)
        if not isinstance(replies, int) or not 0 <= replies <= MAX_REPLIES:
            raise BookError("its first line is damaged")
        entries = np.frombuffer(body, _ENTRIES)
        keys, scores = entries["key"].copy(), entries["score"].copy()
        if not (keys[1:] > keys[:-1]).all() or (np.abs(scores.astype(np.int16)) > _LARGEST_SCORE).any():
            raise BookError("it is damaged: its positions are not in order, or have impossible scores")
        return cls(plies, PackedScores(keys, scores), head.get("made", {}), replies)

    def write(self, path: str | os.PathLike[str]) -> None:
        head = {"format": FORMAT, "version": VERSION, "plies": self.plies, "positions": len(self.scores)}
        if self.replies:
            head["replies"] = self.replies
        body = b"".join(_ENTRY.pack(k, self.scores[k]) for k in sorted(self.scores))
        write_book_file(path, head, body, made=self.made)
