"""A program that ends while daemon threads are inside the kernel ends quietly."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

START = """
import sys, threading, time
import numpy as np
from flipdrop import ConnectFour, Othello
from flipdrop.kernel import *
from flipdrop.search import Engine, Mcts, Minimax, Solver

LONG = 10**9

def mcts(**options):
    settings = MctsSettings()
    settings.iterations = LONG
    for name, value in options.items():
        setattr(settings, name, value)
    return settings

def function(position):
    return float(position.ply)

def network(planes):
    return np.zeros((len(planes), 7), np.float32), np.zeros(len(planes), np.float32)

def puct():
    settings = PuctSettings()
    settings.simulations = 10**7
    puct_search(ConnectFour(), network, settings)

def own_games():
    settings = SelfPlaySettings()
    settings.search.simulations = 10**6
    self_play(ConnectFour(), network, settings, games=100, slots=2, threads=2)

def learn():
    made = new_pattern_network(ConnectFour(), patterns=[[0, 1, 2, 3]], stages=[0])
    made.learn(ConnectFour(), LearningSettings(), games=LONG, seed=1, threads=2)

def one_after_the_other():
    while True:
        try:
            Mcts(iterations=100).search(Othello())
        except BaseException:
            pass

def start(*works):
    begun = [threading.Event() for _ in works]
    def run(work, event):
        event.set()
        work()
    threads = [threading.Thread(target=run, args=each, daemon=True) for each in zip(works, begun)]
    for thread in threads:
        thread.start()
    for event in begun:
        event.wait()
    time.sleep(0.3)
    assert all(thread.is_alive() for thread in threads)
"""

SEARCHES = """
start(
    lambda: Minimax(depth=40, threads=2).search(Othello()),
    lambda: Mcts(iterations=LONG, threads=2).search(Othello(), progress=lambda report: None),
    lambda: Solver(book=False).solve(Othello()),
    lambda: Solver(threads=2).solve(ConnectFour(columns=9, rows=8)),
    lambda: Engine(seconds=3600).search(Othello()),
    lambda: Engine(seconds=3600).search(ConnectFour(columns=9, rows=10)),
)
"""
CALLBACKS = """
start(
    lambda: mcts_search(Othello(), Evaluation.from_function(function), mcts(bias=1.0, threads=2), MctsTree()),
    lambda: minimax_search(Othello(), Evaluation.from_function(function), MinimaxSettings()),
    one_after_the_other,
)
"""
LONG_CALLS = """
start(
    lambda: Othello().perft(40, threads=2),
    lambda: Othello().playouts(LONG, seed=1),
    lambda: play_games([Othello()] * 10, *[NativePlayer.mcts(mcts(), None)] * 2, seeds=[[1, 2]] * 10),
    puct,
    own_games,
    learn,
)
"""


def run(program: str) -> tuple[int, str, float]:
    began = time.monotonic()
    ended = subprocess.run(
        [sys.executable, "-c", START + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return ended.returncode, ended.stdout + ended.stderr, time.monotonic() - began


def test_every_call_leaves_the_interpreter_in_the_same_way() -> None:
    """nanobind's own classes for that do not know of the end of the program, nor ``std::mutex`` of callbacks."""
    folder = Path(__file__).parents[2] / "kernel" / "binding"
    sources = [path for path in folder.glob("*.?pp") if path.name != "interpreter.hpp"]
    assert len(sources) > 20
    assert not [path.name for path in sources if "gil_scoped" in path.read_text()]
    assert [path.name for path in sources if "std::mutex" in path.read_text()] == ["batch.cpp"]  # it calls nothing


@pytest.mark.slow
@pytest.mark.parametrize("program", [SEARCHES, CALLBACKS, LONG_CALLS], ids=["searches", "callbacks", "long calls"])
def test_daemon_threads_in_the_kernel_end_with_the_program(program: str) -> None:
    assert run(program)[:2] == (0, "")


@pytest.mark.slow
def test_a_callback_that_does_not_return_does_not_keep_the_program() -> None:
    program = "start(lambda: Mcts(iterations=LONG).search(Othello(), progress=lambda report: time.sleep(3600)))"
    code, output, seconds = run(program)
    assert (code, output) == (0, "")
    assert seconds < 60


@pytest.mark.slow
def test_a_callback_that_returns_into_a_finalized_interpreter_is_suspended() -> None:
    # The destructor keeps the interpreter finalizing, without its lock, while the callback returns.
    code, output, _ = run("""
        import json
        class Slow:
            def __del__(self, sleep=time.sleep):
                sleep(2)
        json.slow = Slow()
        start(lambda: Mcts(iterations=LONG, threads=2).search(Othello(), progress=lambda report: time.sleep(3)))
    """)
    assert (code, output) == (0, "")


@pytest.mark.slow
def test_the_main_thread_may_search_until_the_end() -> None:
    code, output, _ = run("""
        import atexit
        from flipdrop.kernel import end_calls
        atexit.unregister(end_calls)
        atexit.register(lambda: print(Mcts(iterations=100, threads=2).search(Othello()).nodes))
        atexit.register(end_calls)  # is called before it
        start(lambda: Othello().perft(40))
    """)
    assert (code, output) == (0, "100\n")


@pytest.mark.slow
def test_a_fork_does_not_wait_for_the_searches_of_its_parent() -> None:
    code, output, seconds = run("""
        import os, warnings
        warnings.simplefilter("ignore")  # newer versions of Python warn of forks with threads
        start(lambda: Othello().perft(40))
        child = os.fork()
        if child == 0:
            sys.exit()
        os.waitpid(child, 0)
        print("ended")
    """)
    assert (code, output) == (0, "ended\n")
    assert seconds < 60
