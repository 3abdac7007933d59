"""A bounded queue of searches that run on threads, with fair shares for clients.

The kernel releases the interpreter lock while it searches, so threads suffice and the event loop stays responsive.

Clients take turns, and so do the sessions of a client. While no other session waits, a search has all the time that it
asks for. A search that begins while others wait gets a share of it, and one that is running then is interrupted after
its share and starts again in its next turn. So a client with any number of endless searches delays the move of another
client by about a second, and that of another session of its own by two.

Moves of players come before analyses, which take longer. Analyses never take the last thread, so that a computer's move
waits for other moves only.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flipdrop.interface.web.sessions.errors import TooBusy
from flipdrop.kernel import call_interruptible

if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_SHARE, SHORTEST_SHARE = 1.0, 0.1  # s of a move while other clients wait
_LONGEST_OWN_SHARE = 2.0  # s while only other sessions of the client wait
_ROUND = 1.5  # s in which every waiting client should have had its turn
_ANALYSIS_SHARE = 4.0  # s of an analysis while other analyses wait; a review searches a move in less
_GRACE = 1.5  # times its share, after which an analysis is interrupted again
_STARVED = 5.0  # s after which an analysis has waited as long as moves may delay it
_CLIENT_SHARE = 4  # a client may have this fraction of the queue
_NICENESS = 5  # the event loop, which answers clients, comes first
_log = logging.getLogger(__name__)


class Cancelled(BaseException):
    """The search was cancelled. Not an Exception, so that no player takes it for an error of its own."""


class Preempted(Cancelled):
    """The search has used up its share while others wait; it starts again in its next turn."""


@dataclass(eq=False)
class SearchTask:
    """A queued or running search.

    :param owner: the owners of a client take turns
    :param work: runs on a thread of the queue; again from the start if it was preempted
    :param on_done: receives the result or the error
    :param on_start: called when the search starts
    :param on_wait: called when it is queued again
    :param low_priority: whether searches of players come first
    :param client: clients take turns; the owner by default
    """

    owner: str
    work: Callable[[SearchTask], Any]
    on_done: Callable[[Any, Exception | None], object]
    on_start: Callable[[], object] | None = None
    on_wait: Callable[[], object] | None = None
    low_priority: bool = False
    client: str = ""
    is_queued: bool = True
    """Whether the search has to wait for a thread."""
    share: float | None = None
    """The seconds that the search may take while others wait; None without a limit."""
    is_preemptible: bool = True
    turn: int = 0
    """Searches of a lower turn come first; those that a client has in the queue have different turns."""
    order: int = 0
    """The same among the searches of a client, by owner."""
    since: float = field(default_factory=time.monotonic)
    """When it was queued or started."""
    must_yield: Callable[[SearchTask], bool] = lambda _: False
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.client = self.client or self.owner

    def cancel(self) -> None:
        """Requests cancellation; callbacks are not invoked."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    @property
    def is_urgent(self) -> bool:
        """Whether it starts before analyses."""
        return not self.low_priority or (self.is_queued and time.monotonic() - self.since > _STARVED)

    def check(self, *_: object) -> None:
        """Raises `Cancelled` after cancellation or preemption; the search calls this about twenty times a second."""
        if self._cancelled.is_set():
            raise Cancelled
        if self.must_yield(self):
            raise Preempted

    def within_share(self, seconds: float) -> float:
        """The seconds that a search may take that asks for `seconds`."""
        return seconds if self.share is None else min(seconds, self.share)


class SearchQueue:
    """Runs searches.

    :param at_once: the number of threads
    :param max_waiting: the number of queued searches above which new ones are refused
    :param post: calls a function on the event loop, such as ``call_soon_threadsafe``
    """

    def __init__(self, *, at_once: int, max_waiting: int, post: Callable[[Callable[[], object]], object]) -> None:
        self._at_once = at_once
        self._max_waiting = max_waiting
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
        client: str = "",
        on_done: Callable[[Any, Exception | None], object],
        on_start: Callable[[], object] | None = None,
        on_wait: Callable[[], object] | None = None,
        low_priority: bool = False,
    ) -> SearchTask:
        """Queues a search; see `SearchTask`. The callbacks are posted to the event loop."""
        task = SearchTask(owner, work, on_done, on_start, on_wait, low_priority, client)
        task.must_yield = self._must_yield
        with self._changed:
            if self._closed:
                raise TooBusy("the server is shutting down")
            self._drop_cancelled()
            own = sum(other.client == task.client for other in self._waiting)
            if len(self._waiting) >= self._max_waiting or own >= max(2, self._max_waiting // _CLIENT_SHARE):
                raise TooBusy(f"{len(self._waiting)} searches wait already; try again in a moment")
            self._enqueue(task)
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

    def _enqueue(self, task: SearchTask) -> None:
        own = [other for other in self._waiting if other.client == task.client]
        task.turn = max([self._turn, *(other.turn + 1 for other in own)])
        task.order = max([self._turn, *(other.order + 1 for other in own if other.owner == task.owner)])
        task.is_queued, task.since = True, time.monotonic()
        self._waiting.append(task)

    def _start_next(self) -> None:
        """Starts searches on free threads: moves before analyses, idle clients before busy ones, then by turns."""
        self._drop_cancelled()
        while len(self._running) < self._at_once:
            ready = [task for task in self._waiting if self._may_start(task)]
            if not ready:
                return
            task = self._next(ready)
            self._waiting.remove(task)
            self._running.append(task)
            self._turn = max(self._turn, task.turn)
            if any(other.owner != task.owner for other in self._waiting):
                task.share = self._share(task)
            task.is_queued, task.since = False, time.monotonic()
            self._threads.submit(self._run, task)

    def _next(self, ready: list[SearchTask]) -> SearchTask:
        clients = Counter(running.client for running in self._running)
        owners = {running.owner for running in self._running}
        first = min(ready, key=lambda task: (not task.is_urgent, clients[task.client], task.turn))
        own = [task for task in ready if task.client == first.client and task.is_urgent == first.is_urgent]
        chosen = min(own, key=lambda task: (task.low_priority, task.owner in owners, task.order))
        chosen.turn, first.turn = first.turn, chosen.turn  # the client's turn is used, whichever search takes it
        return chosen

    def _may_start(self, task: SearchTask) -> bool:
        analyses = sum(running.low_priority for running in self._running)
        return not task.low_priority or analyses < max(1, self._at_once - 1)

    def _share(self, task: SearchTask) -> float:
        """The seconds of a search while others wait."""
        if task.low_priority:
            return _ANALYSIS_SHARE
        clients = {other.client for other in self._waiting} - {task.client}
        sessions = {other.owner for other in self._waiting if other.client == task.client} - {task.owner}
        longest = LONGEST_SHARE if clients else _LONGEST_OWN_SHARE
        return min(longest, max(SHORTEST_SHARE, _ROUND * self._at_once / max(1, len(clients) + len(sessions))))

    def _must_yield(self, task: SearchTask) -> bool:
        """Whether a running search has to make room for one that waits."""
        elapsed = time.monotonic() - task.since
        if task.share is not None:  # it should end by itself; a review cannot
            elapsed = elapsed / _GRACE if task.low_priority else 0.0
        if not task.is_preemptible or elapsed < SHORTEST_SHARE:
            return False
        with self._changed:
            self._drop_cancelled()
            if len(self._running) < self._at_once and not task.low_priority:
                return False  # what waits cannot use this thread
            for other in self._waiting:
                if other.owner == task.owner or (task.low_priority < other.low_priority and not other.is_urgent):
                    continue
                if elapsed > (self._share(task) if task.low_priority == other.low_priority else LONGEST_SHARE):
                    return self._is_largest(task)
        return False

    def _is_largest(self, task: SearchTask) -> bool:
        """Whether, of the searches that could make room, this one's client has most, and it is the oldest of them."""
        clients = Counter(running.client for running in self._running)
        candidates = [
            running
            for running in self._running
            if running.is_preemptible
            and running.low_priority >= task.low_priority
            and (running.share is None or running.low_priority)
        ]
        return task is max(
            candidates, key=lambda one: (one.low_priority, clients[one.client], -one.since), default=None
        )

    def _drop_cancelled(self) -> None:
        self._waiting = [task for task in self._waiting if not task.is_cancelled]

    def _run(self, task: SearchTask) -> None:
        result, failure, is_preempted = None, None, False
        try:
            if task.on_start is not None:
                self._notify(task, task.on_start)
            # The kernel calls `check` during every search and ends soon after a cancellation.
            result = call_interruptible(lambda: task.work(task), task.check)
        except Preempted:
            is_preempted = True
        except Cancelled:
            task.cancel()  # no callback, even if the work raised it by itself
        except Exception as error:
            failure = error
        # The thread is free before the result is announced: the search that follows need not wait for it.
        with self._changed:
            self._running.remove(task)
            if is_preempted and not self._closed and not task.is_cancelled:
                task.share = self._share(task)  # now it ends by itself
                self._enqueue(task)
            self._start_next()
            self._changed.notify_all()
        if is_preempted:
            if task.on_wait is not None and task.is_queued:
                self._notify(task, lambda: task.is_queued and task.on_wait and task.on_wait())
        else:
            self._notify(task, lambda: task.on_done(result, failure))

    def _notify(self, task: SearchTask, callback: Callable[[], object]) -> None:
        try:
            self._post(lambda: None if task.is_cancelled else callback())
        except RuntimeError:
            _log.debug("a search ended after the event loop")


def _lower_priority() -> None:
    with suppress(AttributeError, OSError):  # where threads have no priority of their own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
