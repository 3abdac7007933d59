"""SIGTERM ends a command as Ctrl-C does: the command saves its state, says so and exits with status 143."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells report it: 128 and the number of the signal."""
TERMINATED = 143


class Terminated(KeyboardInterrupt):
    """SIGTERM was received.

    A class of its own: Python ends by SIGINT if a KeyboardInterrupt itself, no subclass, leaves a string that an import
    executes, as those of dataclasses are, even if the command handles it.
    """


@dataclass
class Termination:
    """Whether SIGTERM was received."""

    received: bool = False

    def status(self, status: int) -> int:
        """The exit status of a command that ends with `status`."""
        return TERMINATED if self.received and status in (0, INTERRUPTED) else status


@contextmanager
def sigterm_interrupts() -> Iterator[Termination]:
    """Inside, SIGTERM raises `Terminated` on the main thread, wherever Ctrl-C would raise KeyboardInterrupt."""
    termination = Termination()
    if threading.current_thread() is not threading.main_thread():
        yield termination
        return

    def terminate(_: int, frame: FrameType | None) -> None:
        termination.received = True
        interrupt = signal.getsignal(signal.SIGINT)
        if callable(interrupt):  # it may do more than raise
            try:
                interrupt(signal.SIGINT, frame)
            except KeyboardInterrupt:
                raise Terminated from None
        else:  # in the background of a script, SIGINT is ignored
            raise Terminated

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield termination
    finally:
        signal.signal(signal.SIGTERM, before)
