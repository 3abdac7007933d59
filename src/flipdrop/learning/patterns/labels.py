"""The file of labelled positions that the learner of the engine's evaluation keeps.

A line of JSON, filled up with spaces to `HEADER` bytes, and then a record of `LABELLED` for each position. NumPy reads
it at once::

    positions = np.fromfile("othello.pattern.positions", LABELLED, offset=HEADER)

Records are appended and never changed. A file that a crash cut off in the middle of a record is read up to the last
whole one.
"""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, nullcontext
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from flipdrop.errors import LearningError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

LABELLED = np.dtype([("own", "<u8"), ("other", "<u8"), ("value", "<f4"), ("round", "<u4")])
"""A labelled position: discs of the side to move, of its opponent (bit 0 is a1, bit 1 b1, bit 8 a2, on every board),
the value in discs for the side to move, and the round of the run that made it, from 0."""
HEADER = 256
"""Bytes before the first record."""


class LabelFile:
    """Labelled positions of a run, in memory until a file is opened.

    :param about: what determines the positions; a file of another run is refused
    """

    def __init__(self, about: dict[str, Any]) -> None:
        self._header = _header(about)
        self._path: Path | None = None
        self._memory = BytesIO(self._header)
        self.count = 0

    def open(self, path: Path, *, count: int) -> None:
        """Continues in a file, after the first `count` positions or as many of them as it has. It begins a new file for
        a count of 0."""
        if count == 0 or not path.exists():
            path.write_bytes(self._header)
        self._path = path
        with self._file() as file:
            if file.read(HEADER) != self._header:
                raise LearningError(f"{path} is not the file of positions of this run; move it away")
            held = (path.stat().st_size - HEADER) // LABELLED.itemsize
            self.count = min(count, held)
            file.truncate(HEADER + self.count * LABELLED.itemsize)

    def append(self, positions: NDArray[Any]) -> None:
        """Adds positions; they are in the file when this returns."""
        with self._file() as file:
            file.seek(HEADER + self.count * LABELLED.itemsize)
            file.write(positions.tobytes())
        self.count += len(positions)

    def read(self, first: int) -> NDArray[Any]:
        """All positions from a number on."""
        with self._file() as file:
            file.seek(HEADER + first * LABELLED.itemsize)
            return np.frombuffer(file.read(), LABELLED)

    def _file(self) -> AbstractContextManager[IO[bytes]]:
        return nullcontext(self._memory) if self._path is None else self._path.open("r+b")


def _header(about: dict[str, Any]) -> bytes:
    text = json.dumps({"flipdrop": "labelled positions", "version": 1} | about)
    if len(text) >= HEADER:
        raise LearningError(f"{text} is too long for the file of positions")
    return text.ljust(HEADER - 1).encode() + b"\n"
