"""The queue of searches: a limited number at once, owners take turns, and cancelled searches call nothing back."""

from __future__ import annotations

import queue
import threading
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import pytest

from flipdrop.games import Othello
from flipdrop.interface.web.sessions.errors import TooBusy
from flipdrop.interface.web.sessions.search_queue import SearchQueue, SearchTask
from flipdrop.search import Mcts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TIMEOUT = 20.0  # s: for machines that are busy


class Loop:
    """Stands for the event loop: `run` calls what was posted."""

    def __init__(self) -> None:
        self._calls: queue.Queue[Callable[[], object]] = queue.Queue()

    def post(self, call: Callable[[], object]) -> None:
        self._calls.put(call)

    def run(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + TIMEOUT
        while not until():
            assert time.monotonic() < end, "nothing was delivered"
            try:
                self._calls.get(timeout=0.05)()
            except queue.Empty:
                continue

    def drain(self) -> None:
        while not self._calls.empty():
            self._calls.get()()


@contextmanager
def search_queue(at_once: int = 2, max_waiting: int = 100) -> Iterator[tuple[SearchQueue, Loop]]:
    loop = Loop()
    searches = SearchQueue(at_once=at_once, max_waiting=max_waiting, post=loop.post)
    try:
        yield searches, loop
    finally:
        assert searches.close(TIMEOUT)


def _wait(gate: threading.Event, _: SearchTask) -> None:
    assert gate.wait(TIMEOUT)


def test_results_and_errors() -> None:
    with search_queue() as (searches, loop):
        found: list[object] = []
        main = threading.get_ident()
        where: list[int] = []

        def done(result: object, error: Exception | None) -> None:
            where.append(threading.get_ident())
            found.append(error or result)

        searches.submit("a", lambda _: threading.get_ident(), on_done=done)
        searches.submit("b", lambda _: 1 // 0, on_done=done)
        loop.run(lambda: len(found) == 2)
        assert where == [main, main]
        assert main not in found
        assert any(isinstance(one, ZeroDivisionError) for one in found)


def test_concurrent_searches() -> None:
    with search_queue(at_once=3) as (searches, loop):
        lock, now, most = threading.Lock(), 0, 0
        together = threading.Barrier(3)  # three run at once, or none gets through
        done: list[int] = []

        def work(number: int, _: SearchTask) -> int:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            together.wait(TIMEOUT)
            with lock:
                now -= 1
            return number

        for number in range(30):
            searches.submit(
                str(number % 4),
                partial(work, number),
                on_done=lambda result, _: done.append(result),
            )
        loop.run(lambda: len(done) == 30)
        assert most == 3
        assert sorted(done) == list(range(30))


def order_of(submissions: list[tuple[str, str]]) -> list[str]:
    """Submits searches of (client, session) while the only place is taken; returns the sessions in order of service."""
    with search_queue(at_once=1) as (searches, loop):
        order: list[str] = []
        gate = threading.Event()

        def record(name: str, _: SearchTask) -> None:
            order.append(name)

        searches.submit("gate", lambda _: gate.wait(TIMEOUT), on_done=lambda *_: None)
        while searches.running == 0:
            time.sleep(0.001)
        for client, session in submissions:
            searches.submit(session, partial(record, session), client=client, on_done=lambda *_: None)
        assert searches.waiting == len(submissions)
        gate.set()
        loop.run(lambda: len(order) == len(submissions))
        return order


def test_fairness() -> None:
    """An owner with a hundred searches does not block an owner with one."""
    submissions = [("", name) for name in ["greedy"] * 5 + ["modest"] * 2]
    assert order_of(submissions) == ["greedy", "modest", "greedy", "modest", "greedy", "greedy", "greedy"]


def test_clients_take_turns() -> None:
    """However many sessions a client has, it gets as many turns as a client with one; its sessions share them."""
    submissions = [*(("greedy", f"g{n}") for n in (1, 1, 1, 2, 3)), *(("modest", "m") for _ in range(2))]
    assert order_of(submissions) == ["g1", "m", "g2", "m", "g3", "g1", "g1"]


@pytest.mark.parametrize("low_priority", [False, True])
@pytest.mark.parametrize("client", ["greedy", "modest"])
def test_preemption(low_priority: bool, client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search without end makes room for another session, and starts again with a share."""
    monkeypatch.setattr("flipdrop.interface.web.sessions.search_queue._ANALYSIS_SHARE", 0.5)
    with search_queue(at_once=1) as (searches, loop):
        happened: list[object] = []

        def search(task: SearchTask) -> str:
            while task.share is None:
                task.check()
                time.sleep(0.01)
            assert task.within_share(60) == task.share <= 2
            return "end"

        endless = searches.submit(
            "first",
            search,
            client="greedy",
            on_done=lambda *result: happened.append(result),
            on_start=lambda: happened.append("start"),
            on_wait=lambda: happened.append("wait"),
            low_priority=low_priority,
        )
        loop.run(lambda: "start" in happened)
        searches.submit(
            "second",
            lambda _: None,
            client=client,
            on_done=lambda *_: happened.append("other"),
            low_priority=low_priority,
        )
        loop.run(lambda: ("end", None) in happened and "other" in happened)
        assert happened.count("start") == 2
        assert not endless.is_queued


def test_preempted_and_cancelled() -> None:
    with search_queue(at_once=1) as (searches, loop):
        began, done = threading.Event(), []

        def search(task: SearchTask) -> None:
            began.set()
            while True:
                task.check()
                time.sleep(0.01)

        endless = searches.submit("first", search, on_done=lambda *_: done.append("first"))
        assert began.wait(TIMEOUT)
        gate = threading.Event()
        searches.submit("second", partial(_wait, gate), on_done=lambda *_: done.append("second"))
        while not endless.is_queued:
            time.sleep(0.01)
        endless.cancel()
        gate.set()
        loop.run(lambda: done == ["second"])
        assert searches.waiting == 0


def test_searches_that_are_not_preempted() -> None:
    """Those of external engines, those within their share, those whose session alone waits."""
    with search_queue(at_once=1) as (searches, _):
        gate = threading.Event()
        task = searches.submit("first", partial(_wait, gate), on_done=lambda *_: None)
        while searches.running == 0:
            time.sleep(0.001)
        searches.submit("first", lambda _: None, on_done=lambda *_: None)
        task.since -= 100
        assert not searches._must_yield(task)
        searches.submit("second", lambda _: None, on_done=lambda *_: None)
        assert searches._must_yield(task)
        task.is_preemptible = False
        assert not searches._must_yield(task)
        task.is_preemptible, task.share = True, 1.0
        assert not searches._must_yield(task)
        gate.set()


def test_queue_of_one_client() -> None:
    with search_queue(at_once=1, max_waiting=40) as (searches, _):
        gate = threading.Event()
        for number in range(11):
            searches.submit(str(number), partial(_wait, gate), client="greedy", on_done=lambda *_: None)
        with pytest.raises(TooBusy, match="10 searches wait already"):
            searches.submit("11", lambda _: None, client="greedy", on_done=lambda *_: None)
        searches.submit("12", lambda _: None, client="modest", on_done=lambda *_: None)
        gate.set()


def test_busy_owner() -> None:
    """Not every search can be interrupted: an owner that cancels and submits again does not occupy all threads."""
    with search_queue(at_once=2) as (searches, loop):
        order: list[str] = []
        gates = {name: threading.Event() for name in ("restless", "other")}
        for name, gate in gates.items():
            searches.submit(name, partial(_wait, gate), on_done=lambda *_: None)
        while searches.running < 2:
            time.sleep(0.001)

        def record(name: str, _: SearchTask) -> None:
            order.append(name)

        for name in ("restless", "restless", "modest"):
            searches.submit(name, partial(record, name), on_done=lambda *_: None)
        gates["other"].set()
        loop.run(lambda: len(order) == 3)  # the first search of that owner still runs
        assert order == ["modest", "restless", "restless"]
        gates["restless"].set()


def test_priority() -> None:
    with search_queue(at_once=2) as (searches, loop):
        gate = threading.Event()
        order: list[str] = []
        for _ in range(3):
            searches.submit(
                "analyst", lambda _: gate.wait(TIMEOUT), on_done=lambda *_: order.append("analysis"), low_priority=True
            )
        searches.submit("player", lambda _: None, on_done=lambda *_: order.append("move"))
        loop.run(lambda: order == ["move"] and searches.running == 1)
        assert searches.waiting == 2
        gate.set()
        loop.run(lambda: len(order) == 4)


@pytest.mark.timing
def test_cancel() -> None:
    with search_queue(at_once=1) as (searches, loop):
        called: list[str] = []
        began = threading.Event()

        def search(task: SearchTask) -> object:
            began.set()
            return Mcts(seconds=60).search(Othello(), progress=task.check)

        running = searches.submit("a", search, on_done=lambda *_: called.append("running"))
        waiting = searches.submit("b", lambda _: called.append("worked"), on_done=lambda *_: called.append("waiting"))
        assert began.wait(TIMEOUT)
        start = time.monotonic()
        waiting.cancel()
        running.cancel()
        searches.submit("c", lambda _: None, on_done=lambda *_: called.append("next"))
        loop.run(lambda: "next" in called)
        assert called == ["next"]
        assert time.monotonic() - start < TIMEOUT / 2  # and not the minute that it was given


def test_cancel_before_delivery() -> None:
    with search_queue(at_once=1) as (searches, loop):
        called: list[str] = []
        worked = threading.Event()
        task = searches.submit("a", lambda _: worked.set(), on_done=lambda *_: called.append("late"))
        assert worked.wait(TIMEOUT)
        while searches.running:
            time.sleep(0.001)
        task.cancel()
        loop.drain()
        assert called == []


def test_full_queue() -> None:
    with search_queue(at_once=1, max_waiting=2) as (searches, _):
        gate = threading.Event()
        searches.submit("a", lambda _: gate.wait(TIMEOUT), on_done=lambda *_: None)
        while searches.running == 0:
            time.sleep(0.001)
        first = searches.submit("b", lambda _: None, on_done=lambda *_: None)
        searches.submit("c", lambda _: None, on_done=lambda *_: None)
        with pytest.raises(TooBusy, match="2 searches wait already"):
            searches.submit("d", lambda _: None, on_done=lambda *_: None)
        first.cancel()
        searches.submit("d", lambda _: None, on_done=lambda *_: None)
        gate.set()


def test_closed_queue() -> None:
    with search_queue() as (searches, _):
        assert searches.close()
        with pytest.raises(TooBusy, match="shutting down"):
            searches.submit("a", lambda _: None, on_done=lambda *_: None)


def test_search_after_search_does_not_wait() -> None:
    """A player's next search starts at once when its last result arrives, while an analysis has the other thread."""
    gate = threading.Event()
    queued: list[bool] = []
    with search_queue(at_once=2) as (searches, loop):
        searches.submit("analysis", partial(_wait, gate), on_done=lambda *_: None, low_priority=True)

        def again(*_: object) -> None:
            if len(queued) < 50:
                task = searches.submit("game", lambda _: None, on_done=again)
                queued.append(task.is_queued)

        again()
        loop.run(lambda: len(queued) == 50)
        gate.set()
    assert not any(queued)
