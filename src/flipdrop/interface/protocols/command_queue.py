"""Thinking that a new command interrupts.

Commands are read by a thread of their own into an queue; the main thread takes them out and thinks. When a command
arrives meanwhile, the main thread gets a signal, whose handler raises: the kernel looks for signals twenty times a
second, a system call ends, and Python code stops wherever it is. So every player can be interrupted, the user's own
included, without knowing of it. Where there are no such signals, or another thread runs all this, what is under way is
finished first.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

from flipdrop.interface.protocols.line_io import read_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

_SIGNAL = getattr(signal, "SIGUSR1", None)


class Interrupted(BaseException):
    """A command has arrived. Not an Exception, so that no player takes it for an error of its own."""


class CommandQueue:
    """Commands that have arrived, and the interruption of whoever is thinking when they do.

    :param commands: where they come from, until it ends or a line says `last`
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
            with self._changed:  # no signal is on its way any longer, and none will be
                self._can_interrupt = False
            if in_main and _SIGNAL is not None:
                signal.signal(_SIGNAL, before or signal.SIG_DFL)

    def take(self) -> str | None:
        """The next command, waited for; None if there will be none."""
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._ended)
            return self._lines.popleft() if self._lines else None

    def run_interruptible(self, work: Callable[[], T]) -> T | None:
        """What the work results in; None if a command interrupted it. The end of the commands does not."""
        try:
            return self._run(work)
        except Interrupted:
            return None
        finally:
            self._running = False

    def _run(self, work: Callable[[], T]) -> T:
        try:
            self._running = True
            self._interrupt()  # what has arrived before is noticed here, what arrives from now on by the signal
            return work()
        finally:
            self._running = False

    @contextmanager
    def uninterruptible(self) -> Iterator[None]:
        """No interruption before the block has ended: a line is written whole or not at all."""
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
