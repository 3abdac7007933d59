"""Lines of a conversation with another program."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LINE_LENGTH = 1 << 16
"""Characters of a line that are read; what is longer makes no sense, and the rest of it is read over."""


def read_lines(stream: TextIO) -> Iterator[str]:
    """The lines of a stream, without their ends."""
    while line := stream.readline(MAX_LINE_LENGTH):
        yield line.rstrip("\r\n")
        while line and not line.endswith("\n") and len(line) == MAX_LINE_LENGTH:
            line = stream.readline(MAX_LINE_LENGTH)


def write_line(stream: TextIO, line: str) -> None:
    """Writes a line at once. Both protocols are of ASCII characters; others are written as escapes."""
    stream.write(line.encode("ascii", "backslashreplace").decode("ascii") + "\n")
    stream.flush()
