"""Standard input and output for a protocol."""

from __future__ import annotations

import contextlib
import os
import select
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def stdio_streams() -> Iterator[tuple[TextIO, TextIO]]:
    """The streams of commands and of answers, for as long as anybody listens.

    Both are files of their own, so that whatever a player prints goes to standard error and not between the answers,
    and a thread that still waits for a command does not hold up the end of the program.
    """
    commands = open(0, encoding="utf-8", errors="replace", newline="\n", closefd=False)  # noqa: SIM115
    answers = open(1, "w", encoding="utf-8", newline="\n", closefd=False)  # noqa: SIM115
    _exit_when_output_closes()
    with contextlib.redirect_stdout(sys.stderr):
        try:
            yield commands, answers
        except BrokenPipeError:  # nobody listens: what is not written yet goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise SystemExit(1) from None


def _exit_when_output_closes() -> None:
    """Ends this process when nobody reads its answers any longer: a search would not notice before it has finished."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(1, 0)  # errors are reported whatever one waits for

    def watch() -> None:
        if poll.poll():
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
