"""Tasks on threads: all results, in any order or in that of the tasks; errors and early ends."""

from __future__ import annotations

import itertools
import threading
from contextlib import closing

import pytest

from flipdrop import Othello
from flipdrop.workers import Stopped, StopSwitch, ThreadWorkers, results_in_order


def double(factor: int, task: int) -> int:
    return factor * task


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_map(threads: int) -> None:
    workers = ThreadWorkers(threads)
    assert sorted(workers.map(double, 3, range(17))) == [(n, 3 * n) for n in range(17)]
    assert list(workers.map(double, 3, [])) == []


def test_results_in_order() -> None:
    gates = [threading.Event() for _ in range(4)]
    gates[3].set()

    def wait(_: None, task: int) -> int:
        gates[task].wait(60)
        if task:
            gates[task - 1].set()  # they end in reverse
        return task

    assert list(results_in_order(ThreadWorkers(4), wait, None, range(4))) == [0, 1, 2, 3]


def test_error_of_a_task() -> None:
    def fail(_: None, task: int) -> int:
        raise LookupError(task)

    with pytest.raises(LookupError):
        list(ThreadWorkers(2).map(fail, None, range(4)))


def test_closed_early() -> None:
    taken = []

    def tasks() -> itertools.count[int]:
        return itertools.count()

    def note(_: None, task: int) -> int:
        taken.append(task)
        return task

    with closing(ThreadWorkers(2).map(note, None, tasks())) as results:
        next(results)
        next(results)
    assert len(taken) <= 6  # endless, but no task is taken before a worker is free


def test_closing_stops_searches() -> None:
    """The searches would not end by themselves."""
    searching = threading.Event()

    def search(_: None, task: int) -> int:
        if task == 0:
            searching.wait()
            return 0
        searching.set()
        return Othello().perft(40)

    with closing(ThreadWorkers(3).map(search, None, range(3))) as results:
        assert next(results) == (0, 0)


def test_error_stops_searches() -> None:
    searching = threading.Event()

    def search(_: None, task: int) -> int:
        if task == 0:
            searching.wait()
            raise LookupError(task)
        searching.set()
        return Othello().perft(40)

    with pytest.raises(LookupError):
        list(ThreadWorkers(2).map(search, None, range(2)))


def test_stop_switch() -> None:
    switch = StopSwitch()
    assert switch.call(lambda: 7) == 7
    switch.stop()
    with pytest.raises(Stopped):
        switch.call(lambda: Othello().perft(40))
