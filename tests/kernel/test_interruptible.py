"""Kernel calls on threads that receive no signal: the watch callback ends them within a move."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.evaluation import evaluation
from flipdrop.kernel import NativePlayer, call_interruptible, play_games
from flipdrop.search import Mcts, Minimax, Solver

if TYPE_CHECKING:
    from collections.abc import Callable

LONG = 10**9


def play(search: Minimax | Mcts, position: Othello | ConnectFour) -> None:
    """A game of a search against itself, inside the kernel."""
    scorer = evaluation("Seven").kernel if isinstance(position, Othello) else evaluation("lines").kernel
    if isinstance(search, Minimax):
        player = NativePlayer.minimax(search.kernel_settings(), scorer)
    else:
        player = NativePlayer.mcts(search.kernel_settings(position), None)
    starts: list[Any] = [position]  # of one game
    play_games(starts, player, player, seeds=[[1, 2]])


WORK: dict[str, Callable[[], object]] = {
    "minimax": lambda: Minimax(depth=40).search(Othello()),
    "mcts": lambda: Mcts(iterations=LONG, threads=2).search(Othello()),
    "solver": lambda: Solver().solve(Othello()),
    "solver on two threads": lambda: Solver(threads=2).solve(ConnectFour(columns=9, rows=8)),
    "perft": lambda: Othello().perft(40),
    "game of minimax": lambda: play(Minimax(algorithm="minimax", depth=30), Othello()),
    "game of alpha-beta": lambda: play(Minimax(algorithm="alphabeta", depth=40), Othello()),
    "game of alpha-beta to a number of nodes": lambda: play(
        Minimax(algorithm="alphabeta", depth=40, nodes=LONG), Othello()
    ),
    "game of iterative": lambda: play(Minimax(depth=40), Othello()),
    "game of mcts": lambda: play(Mcts(iterations=LONG), Othello()),
    "game of Connect Four": lambda: play(Minimax(algorithm="alphabeta", depth=40), ConnectFour(columns=12, rows=12)),
}


@pytest.mark.timing
@pytest.mark.slow
@pytest.mark.parametrize("name", WORK)
def test_what_the_watch_raises_ends_the_work_of_its_thread(name: str) -> None:
    stop_requested = threading.Event()
    seen: list[BaseException | None] = []
    watchers = set()

    def watch() -> None:
        watchers.add(threading.get_ident())
        if stop_requested.is_set():
            raise LookupError("enough")

    def work() -> None:
        try:
            call_interruptible(WORK[name], watch)
            seen.append(None)
        except LookupError as error:
            seen.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(0.5)
    assert thread.is_alive(), "the work is too short for this test"
    stop_requested.set()
    began = time.monotonic()
    thread.join()
    assert time.monotonic() - began < 10  # some 50 ms where the machine has nothing else to do
    assert [str(error) for error in seen] == ["enough"]
    assert watchers == {thread.ident}


@pytest.mark.slow
def test_it_answers_and_the_watch_ends_with_the_call() -> None:
    calls: list[str] = []

    def enough() -> None:
        raise LookupError("enough")

    assert call_interruptible(lambda: Othello().perft(3), enough) == 56  # over before anybody looks
    with pytest.raises(LookupError):
        call_interruptible(WORK["perft"], enough)

    def inner() -> None:
        with pytest.raises(LookupError):
            call_interruptible(WORK["perft"], enough)
        Mcts(seconds=0.3).search(Othello())  # watched by the outer one again

    call_interruptible(inner, lambda: calls.append("outer"))
    assert calls
    calls.clear()
    Mcts(seconds=0.3).search(Othello())
    assert calls == []


def test_what_the_work_raises_is_not_changed() -> None:
    def fails() -> None:
        raise KeyError("of the work")

    with pytest.raises(KeyError, match="of the work"):
        call_interruptible(fails, lambda: None)
