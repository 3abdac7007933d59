"""`Workers`: a function applied to many tasks, several at once; here on threads, in `flipdrop.cluster` on machines."""

from __future__ import annotations

import itertools
import os
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from flipdrop.kernel import call_interruptible

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

MAX_THREADS = 1024
"""The most threads that the kernel starts."""

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")


def core_count() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """A number of threads from 1 to MAX_THREADS; `core_count` if it is None."""
    return core_count() if threads is None else min(max(1, threads), MAX_THREADS)


class Stopped(BaseException):
    """Ends the work of a thread whose results are no longer needed. A BaseException, so that no player catches it."""


class StopSwitch:
    """Ends the kernel's work on other threads, since Ctrl-C reaches the main thread only."""

    def __init__(self) -> None:
        self.stopped = False

    def stop(self) -> None:
        """The searches inside `call` raise `Stopped` within some 50 ms."""
        self.stopped = True

    def watch(self) -> None:
        """Raises `Stopped` after `stop`."""
        if self.stopped:
            raise Stopped

    def call(self, work: Callable[[], Result]) -> Result:
        """The result of ``work()``, on the thread of the caller."""
        return cast("Result", call_interruptible(work, self.watch))


class Workers(Protocol):
    """Does tasks, several at once."""

    @property
    def tasks_a_chunk(self) -> int:
        """How many small tasks should be made one, because handing one over takes time."""

    def map(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Generator[tuple[Task, Result], None, None]:
        """Yields every task with ``function(shared, task)``, in the order in which they end.

        Tasks are taken from the iterable when a worker is free. When the generator is closed, also by an error, no more
        tasks start, and searches of running ones stop. On a cluster, function, `shared`, tasks and results are
        pickled, so the function is one of a module, and a task that is lost with a machine is done again: the function
        has no side effects.
        """


def results_in_order(
    workers: Workers, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
) -> Generator[Result, None, None]:
    """Yields the results in the order of the tasks, each as soon as those before it are known."""
    finished: dict[int, Result] = {}
    next_number = 0
    with closing(workers.map(_numbered, (function, shared), enumerate(tasks))) as results:
        for (number, _), result in results:
            finished[number] = result
            while next_number in finished:
                yield finished.pop(next_number)
                next_number += 1


def _numbered(shared: tuple[Callable[[Shared, Task], Result], Shared], task: tuple[int, Task]) -> Result:
    function, function_shared = shared
    return function(function_shared, task[1])


class ThreadWorkers:
    """`Workers` on threads of this process; the kernel releases the interpreter lock.

    :param threads: tasks at once
    """

    tasks_a_chunk = 1

    def __init__(self, threads: int) -> None:
        self.threads = threads

    def map(
        self, function: Callable[[Shared, Task], Result], shared: Shared, tasks: Iterable[Task]
    ) -> Generator[tuple[Task, Result], None, None]:
        waiting = iter(tasks)
        running: dict[Future[Result], Task] = {}
        switch = StopSwitch()

        def work(task: Task) -> Result:
            return switch.call(lambda: function(shared, task))

        pool = ThreadPoolExecutor(self.threads, thread_name_prefix="flipdrop-worker")
        try:
            while True:
                for task in itertools.islice(waiting, self.threads - len(running)):
                    running[pool.submit(work, task)] = task
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        finally:
            switch.stop()
            pool.shutdown(cancel_futures=True)
