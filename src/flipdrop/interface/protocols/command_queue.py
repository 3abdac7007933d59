"""A queue of commands; a new command interrupts the running search.

A reader thread fills the queue; the main thread takes commands out and runs them. If a command arrives during a search,
the reader sends the main thread a signal, whose handler raises `Interrupted`: the kernel checks for signals twenty
times a second, a system call ends, and Python code stops. So every player can be interrupted, including agents from
files, without support of its own. Without such signals, or outside the main thread, the search is completed first.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

from flipdrop.interface.protocols.streams import read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

_SIGNAL = getattr(signal, "SIGUSR1", None)


class Interrupted(BaseException):
    """A command has arrived. Not an Exception, so that players do not catch it."""


class CommandQueue:
    """Commands in order of arrival.

    :param commands: the stream, read to its end or to the line `last`
    """

    def __init__(self, commands: TextIO, *, last: str) -> None:
        self._lines: deque[str] = deque()
        self._changed = threading.Condition()
        self._ended = False
        self._running = False
        self._held = False
        self._runner_thread = threading.get_ident()
        self._can_interrupt = False
        self._reader = threading.Thread(target=self._read, args=(commands, last), daemon=True)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Reads commands while the block runs."""
        in_main = threading.current_thread() is threading.main_thread()
        self._can_interrupt = in_main and _SIGNAL is not None
        before = signal.signal(_SIGNAL, self._on_signal) if in_main and _SIGNAL is not None else None
        try:
            self._reader.start()
            yield
        finally:
            with self._changed:  # afterwards the reader sends no signal
                self._can_interrupt = False
            if in_main and _SIGNAL is not None:
                signal.signal(_SIGNAL, before or signal.SIG_DFL)

    def take(self) -> str | None:
        """Waits for the next command; None at the end of the stream."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._ended)
            return self._lines.popleft() if self._lines else None

    def run_interruptible(self, work: Callable[[], T]) -> T | None:
        """The result of `work`; None if a command interrupted it. The end of the stream does not interrupt."""
        try:
            return self._run(work)
        except Interrupted:
            return None
        finally:
            self._running = False

    def _run(self, work: Callable[[], T]) -> T:
        try:
            self._running = True
            self._interrupt()  # commands that arrived before; later ones send the signal
            return work()
        finally:
            self._running = False

    @contextmanager
    def uninterruptible(self) -> Iterator[None]:
        """Delays the interruption to the end of the block, so that lines are written whole."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        self._interrupt()

    def _interrupt(self) -> None:
        if self._can_interrupt and self._running and not self._held and self._lines:
            self._running = False  # once is enough
            raise Interrupted

    def _on_signal(self, *_: object) -> None:
        self._interrupt()

    def _read(self, commands: TextIO, last: str) -> None:
        try:
            for line in read_lines(commands):
                with self._changed:
                    self._lines.append(line)
                    self._changed.notify()
                    if self._can_interrupt and self._running and _SIGNAL is not None:
                        signal.pthread_kill(self._runner_thread, _SIGNAL)
                if line.strip() == last:
                    break
        except (OSError, ValueError):  # a stream that breaks, or was closed, has ended
            pass
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify()
