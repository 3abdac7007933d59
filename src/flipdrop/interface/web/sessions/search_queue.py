"""The queue of searches: a few at once, in threads of their own, in turn among those who ask.

The kernel gives up the interpreter lock while it searches, so threads are right, and the event loop goes on. Players
come before analyses, which last longer and can wait; analyses never take the last thread, so that a computer's answer
waits for other answers only.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import OrderedDict, deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flipdrop.interface.web.sessions.errors import TooBusy
from flipdrop.kernel import call_interruptible

if TYPE_CHECKING:
    from collections.abc import Callable

_NICENESS = 5  # beside the event loop, which has to answer people at once
_log = logging.getLogger(__name__)


class Cancelled(BaseException):
    """Nobody waits for this search any more. Not an Exception, so that no player takes it for an error of its own."""


@dataclass(eq=False)
class SearchTask:
    """A search that waits or runs.

    :param owner: whose turn it is when others wait too
    :param work: what is done, in another thread; it is given the task
    :param done: told of the result or the error; never of a search that was cancelled
    :param began: told when the search begins
    :param low_priority: whether this is one that can wait
    """

    owner: str
    work: Callable[[SearchTask], Any]
    done: Callable[[Any, Exception | None], object]
    began: Callable[[], object] | None = None
    low_priority: bool = False
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Ends it, as soon as it looks: it is as if it had never been asked for."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for it any more."""
        return self._cancelled.is_set()

    def check(self, *_: object) -> None:
        """Raises `Cancelled` if it was cancelled: to be called while it searches, about twenty times a second."""
        if self._cancelled.is_set():
            raise Cancelled


class _FairQueue:
    """Tickets of many owners, who take turns."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[str, deque[SearchTask]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._waiting.values()))

    def add(self, task: SearchTask) -> None:
        self._waiting.setdefault(task.owner, deque()).append(task)

    def take(self, busy: set[str]) -> SearchTask | None:
        """The next task that somebody still waits for; its owner goes to the end of the row.

        Owners who are busy are passed over while others wait.
        """
        self.forget_cancelled()
        if not self._waiting:
            return None
        owner = next((owner for owner in self._waiting if owner not in busy), next(iter(self._waiting)))
        tasks = self._waiting.pop(owner)
        task = tasks.popleft()
        if tasks:
            self._waiting[owner] = tasks
        return task

    def forget_cancelled(self) -> None:
        for owner, tasks in list(self._waiting.items()):
            kept = deque(task for task in tasks if not task.is_cancelled)
            if kept:
                self._waiting[owner] = kept
            else:
                del self._waiting[owner]


class SearchQueue:
    """Runs searches.

    :param at_once: threads
    :param most_waiting: what waits beyond this is refused
    :param post: hands results to where they are to be used: the event loop's ``call_soon_threadsafe``
    """

    def __init__(self, *, at_once: int, most_waiting: int, post: Callable[[Callable[[], object]], object]) -> None:
        self._at_once = at_once
        self._most_waiting = most_waiting
        self._post = post
        self._changed = threading.Condition()
        self._moves, self._low_priority = _FairQueue(), _FairQueue()
        self._running: list[SearchTask] = []
        self._closed = False
        self._threads: list[threading.Thread] = []

    @property
    def waiting(self) -> int:
        """Searches that wait."""
        with self._changed:
            return len(self._moves) + len(self._low_priority)

    @property
    def running(self) -> int:
        """Searches that run."""
        with self._changed:
            return len(self._running)

    def submit(
        self,
        owner: str,
        work: Callable[[SearchTask], Any],
        *,
        done: Callable[[Any, Exception | None], object],
        began: Callable[[], object] | None = None,
        low_priority: bool = False,
    ) -> SearchTask:
        """Asks for a search. `done` and `began` are delivered; `done` gets the result, or the error."""
        task = SearchTask(owner, work, done, began, low_priority)
        with self._changed:
            if self._closed:
                raise TooBusy("the server is shutting down")
            if len(self._moves) + len(self._low_priority) >= self._most_waiting:
                self._moves.forget_cancelled()
                self._low_priority.forget_cancelled()
            if len(self._moves) + len(self._low_priority) >= self._most_waiting:
                raise TooBusy(f"{self._most_waiting} searches wait already; try again in a moment")
            (self._low_priority if low_priority else self._moves).add(task)
            if len(self._threads) < self._at_once:
                thread = threading.Thread(target=self._serve, name="flipdrop search", daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify()
        return task

    def close(self, timeout: float = 1.0) -> bool:
        """Cancels everything; True if no search is running any more after `timeout` seconds."""
        with self._changed:
            self._closed = True
            for task in self._running:
                task.cancel()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout)
        return not any(thread.is_alive() for thread in self._threads)

    def _serve(self) -> None:
        with suppress(AttributeError, OSError):  # where threads have no priority of their own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
        while True:
            with self._changed:
                task = self._next()
                while task is None and not self._closed:
                    self._changed.wait()
                    task = self._next()
                if task is None or self._closed:
                    return
                self._running.append(task)
            try:
                self._run(task)
            finally:
                with self._changed:
                    self._running.remove(task)
                    self._changed.notify()  # an analysis may have waited for this thread

    def _next(self) -> SearchTask | None:
        busy = {running.owner for running in self._running}
        task = self._moves.take(busy)
        if task is not None:
            return task
        analyses = sum(running.low_priority for running in self._running)
        return self._low_priority.take(busy) if analyses < max(1, self._at_once - 1) else None

    def _run(self, task: SearchTask) -> None:
        if task.began is not None:
            self._tell(task, task.began)
        result, failed = None, None
        try:
            # Whatever the kernel does for it, it ends soon after nobody waits for it any more.
            result = call_interruptible(lambda: task.work(task), task.check)
        except Cancelled:
            return
        except Exception as error:
            failed = error
        self._tell(task, lambda: task.done(result, failed))

    def _tell(self, task: SearchTask, what: Callable[[], object]) -> None:
        def unless_cancelled() -> None:
            if not task.is_cancelled:
                what()

        try:
            self._post(unless_cancelled)
        except RuntimeError:  # the event loop has ended
            _log.debug("a search ended after the server")
