"""A fair, bounded queue of searches that run on threads.

The kernel releases the interpreter lock while it searches, so threads suffice and the event loop stays responsive.
Moves of players come before analyses, which take longer. Analyses never take the last thread, so that a computer's move
waits for other moves only.
"""

from __future__ import annotations

import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flipdrop.interface.web.sessions.errors import TooBusy
from flipdrop.kernel import call_interruptible

if TYPE_CHECKING:
    from collections.abc import Callable

_NICENESS = 5  # the event loop, which answers clients, comes first
_log = logging.getLogger(__name__)


class Cancelled(BaseException):
    """The search was cancelled. Not an Exception, so that no player takes it for an error of its own."""


@dataclass(eq=False)
class SearchTask:
    """A queued or running search.

    :param owner: owners take turns
    :param work: runs on a thread of the queue
    :param on_done: receives the result or the error
    :param on_start: called when the search starts
    :param low_priority: whether searches of players come first
    """

    owner: str
    work: Callable[[SearchTask], Any]
    on_done: Callable[[Any, Exception | None], object]
    on_start: Callable[[], object] | None = None
    low_priority: bool = False
    is_queued: bool = True
    """Whether the search has to wait for a thread."""
    turn: int = 0
    """Searches of a lower turn come first; those that an owner has in the queue have different turns."""
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Requests cancellation; callbacks are not invoked."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def check(self, *_: object) -> None:
        """Raises `Cancelled` after cancellation; the search calls this about twenty times a second."""
        if self._cancelled.is_set():
            raise Cancelled


class SearchQueue:
    """Runs searches.

    :param at_once: the number of threads
    :param most_waiting: the number of queued searches above which new ones are refused
    :param post: calls a function on the event loop, such as ``call_soon_threadsafe``
    """

    def __init__(self, *, at_once: int, most_waiting: int, post: Callable[[Callable[[], object]], object]) -> None:
        self._at_once = at_once
        self._most_waiting = most_waiting
        self._post = post
        self._threads = ThreadPoolExecutor(at_once, "flipdrop search", initializer=_lower_priority)
        self._changed = threading.Condition()
        self._waiting: list[SearchTask] = []
        self._running: list[SearchTask] = []
        self._turn = 0
        self._closed = False

    @property
    def waiting(self) -> int:
        """The number of queued searches."""
        with self._changed:
            return len(self._waiting)

    @property
    def running(self) -> int:
        """The number of running searches."""
        with self._changed:
            return len(self._running)

    def submit(
        self,
        owner: str,
        work: Callable[[SearchTask], Any],
        *,
        on_done: Callable[[Any, Exception | None], object],
        on_start: Callable[[], object] | None = None,
        low_priority: bool = False,
    ) -> SearchTask:
        """Queues a search; see `SearchTask`. The callbacks are posted to the event loop."""
        task = SearchTask(owner, work, on_done, on_start, low_priority)
        with self._changed:
            if self._closed:
                raise TooBusy("the server is shutting down")
            self._drop_cancelled()
            if len(self._waiting) >= self._most_waiting:
                raise TooBusy(f"{self._most_waiting} searches wait already; try again in a moment")
            task.turn = max([self._turn, *(other.turn + 1 for other in self._waiting if other.owner == owner)])
            self._waiting.append(task)
            self._start_next()
        return task

    def close(self, timeout: float = 1.0) -> bool:
        """Cancels all searches; True if none is running after `timeout` seconds."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            for task in self._running:
                task.cancel()
            ended = self._changed.wait_for(lambda: not self._running, timeout)
        self._threads.shutdown(wait=False)
        return ended

    def _start_next(self) -> None:
        """Starts searches on free threads: moves before analyses, idle owners before busy ones, then by turns."""
        self._drop_cancelled()
        while len(self._running) < self._at_once:
            busy = {running.owner for running in self._running}
            may_analyse = sum(running.low_priority for running in self._running) < max(1, self._at_once - 1)
            ready = [task for task in self._waiting if may_analyse or not task.low_priority]
            if not ready:
                return
            task = min(ready, key=lambda task: (task.low_priority, task.owner in busy, task.turn))
            self._waiting.remove(task)
            self._running.append(task)
            task.is_queued = False
            self._turn = max(self._turn, task.turn)
            self._threads.submit(self._run, task)

    def _drop_cancelled(self) -> None:
        self._waiting = [task for task in self._waiting if not task.is_cancelled]

    def _run(self, task: SearchTask) -> None:
        try:
            if task.on_start is not None:
                self._notify(task, task.on_start)
            # The kernel calls `check` during every search and ends soon after a cancellation.
            result = call_interruptible(lambda: task.work(task), task.check)
            self._notify(task, lambda: task.on_done(result, None))
        except Cancelled:
            pass
        except Exception as error:
            failure = error
            self._notify(task, lambda: task.on_done(None, failure))
        finally:
            with self._changed:
                self._running.remove(task)
                self._start_next()
                self._changed.notify_all()

    def _notify(self, task: SearchTask, callback: Callable[[], object]) -> None:
        try:
            self._post(lambda: None if task.is_cancelled else callback())
        except RuntimeError:
            _log.debug("a search ended after the event loop")


def _lower_priority() -> None:
    with suppress(AttributeError, OSError):  # where threads have no priority of their own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
