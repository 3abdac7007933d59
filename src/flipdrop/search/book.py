"""Opening books of Connect Four on 7x6: the exact score of every position of the first plies.

A book file is one line of JSON (format, provenance, checksum), then the positions and scores, compressed. Only
positions of the last ply are solved; the scores of earlier plies follow from them.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.errors import BookError, quoted
from flipdrop.files import atomic_write
from flipdrop.games import ConnectFour

if TYPE_CHECKING:
    import os

FORMAT = "flipdrop connect4 book"
VERSION = 1
COLUMNS, ROWS = 7, 6
MAX_PLIES = 12
_ENTRY = struct.Struct("<Qb")
_SHIPPED = "connect4-7x6.book"


def key(position: ConnectFour) -> int:
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


@dataclass(frozen=True)
class Book:
    """The scores, by key, of all positions up to `plies` plies, and their provenance."""

    plies: int
    scores: dict[int, int]
    made: dict[str, Any] = field(default_factory=dict)

    def score(self, position: ConnectFour) -> int | None:
        """The score for the side to move; None for a position that is not in the book."""
        if position.is_over:
            return position.final_score
        return self.scores.get(key(position)) if position.ply <= self.plies else None

    def knows_moves_of(self, position: ConnectFour) -> bool:
        """Whether every move's score is known."""
        return position.ply < self.plies and not position.is_over

    def move_scores(self, position: ConnectFour) -> dict[int, int]:
        """The score of every move, for the side that plays it; only for positions whose moves are known."""
        scores = {}
        for move in position.legal_moves:
            after = self.score(position.play(move))
            if after is None:
                raise BookError(f"the book lacks {position.play(move).board}, which its {self.plies} plies should hold")
            scores[move] = -after
        return scores

    @classmethod
    def from_last_ply(cls, plies: int, last: dict[int, int], made: dict[str, Any]) -> Book:
        """The book with these scores on its last ply; earlier plies follow by backing up."""
        scores = dict(last)
        for ply in range(plies - 1, -1, -1):
            for number, position in positions_of(ply).items():
                after = [position.play(move) for move in position.legal_moves]
                scores[number] = max(-(p.final_score if p.is_over else scores[key(p)]) for p in after)
        return cls(plies, scores, made)

    def write(self, path: str | os.PathLike[str]) -> None:
        body = zlib.compress(b"".join(_ENTRY.pack(k, self.scores[k]) for k in sorted(self.scores)), 9)
        head = {
            "format": FORMAT,
            "version": VERSION,
            "plies": self.plies,
            "positions": len(self.scores),
            "sha256": hashlib.sha256(body).hexdigest(),
            "made": self.made,
        }
        atomic_write(path, json.dumps(head).encode() + b"\n" + body)


def read_book(path: str | os.PathLike[str]) -> Book:
    try:
        return book_from_bytes(Path(path).read_bytes())
    except BookError as error:
        raise BookError(f"{path}: {error}") from None


def book_from_bytes(data: bytes) -> Book:
    """A book from the bytes of its file; BookError if they are damaged."""
    line, _, body = data.partition(b"\n")
    try:
        head = json.loads(line)
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BookError("not an opening book")
    if head.get("version") != VERSION:
        raise BookError(f"version {quoted(str(head.get('version')))}; this program reads version {VERSION}")
    plies, count = head.get("plies"), head.get("positions")
    if not isinstance(plies, int) or not 0 <= plies <= MAX_PLIES or not isinstance(count, int):
        raise BookError("its first line is damaged")
    if hashlib.sha256(body).hexdigest() != head.get("sha256"):
        raise BookError("it is damaged: the checksum does not fit")
    raw = zlib.decompress(body)
    if len(raw) != count * _ENTRY.size:
        raise BookError("it is damaged: the number of positions does not match its header")
    return Book(plies, dict(_ENTRY.iter_unpack(raw)), head.get("made", {}))


@cache
def shipped_book() -> Book | None:
    """The package's own book; None if the package was built without it."""
    file = resources.files("flipdrop.search") / "data" / _SHIPPED
    return book_from_bytes(file.read_bytes()) if file.is_file() else None
