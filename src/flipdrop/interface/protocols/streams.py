"""The streams of a protocol server: lines of text, standard input and output."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from flipdrop.errors import FlipdropError, one_line

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
    """Writes and flushes a line. The protocols are ASCII; other characters are escaped."""
    stream.write(line.encode("ascii", "backslashreplace").decode("ascii") + "\n")
    stream.flush()


@contextmanager
def stdio_streams() -> Iterator[tuple[TextIO, TextIO]]:
    """The streams of commands and answers.

    They are separate file objects: output that a player prints goes to standard error instead of between the answers,
    and a thread that waits for a command does not delay the exit of the program.
    """
    commands = open(0, encoding="utf-8", errors="replace", newline="\n", closefd=False)  # noqa: SIM115
    answers = open(1, "w", encoding="utf-8", newline="\n", closefd=False)  # noqa: SIM115
    _exit_when_output_closes()
    with contextlib.redirect_stdout(sys.stderr):
        try:
            yield commands, answers
        except BrokenPipeError:  # the client is gone: discard buffered output
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise SystemExit(1) from None


def _exit_when_output_closes() -> None:
    """Exits when the client closes the output: a running search would notice only at its end."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(1, 0)  # poll always reports errors

    def watch() -> None:
        if poll.poll():
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
