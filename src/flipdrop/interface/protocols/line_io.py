"""Reads and writes lines of a text protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from flipdrop.errors import FlipdropError
from flipdrop.players.validation import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINE_LENGTH = 1 << 16
"""Characters; the rest of a longer line is skipped."""


def read_lines(stream: TextIO) -> Iterator[str]:
    """The lines of a stream, without line ends."""
    while line := stream.readline(MAX_LINE_LENGTH):
        yield line.rstrip("\r\n")
        while line and not line.endswith("\n") and len(line) == MAX_LINE_LENGTH:
            line = stream.readline(MAX_LINE_LENGTH)


def error_text(error: Exception) -> str:
    """An error as one line of a protocol. Agents may raise anything; the client has to get an answer."""
    text = one_line(error, 500)
    return text if isinstance(error, FlipdropError) else f"internal error: {type(error).__name__}: {text}"


def write_line(stream: TextIO, line: str) -> None:
    """Writes and flushes a line. Both protocols are ASCII; other characters are escaped."""
    stream.write(line.encode("ascii", "backslashreplace").decode("ascii") + "\n")
    stream.flush()
