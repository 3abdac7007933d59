"""The compiled kernel: published counts, threads, interruption, and which build is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import flipdrop.kernel
from flipdrop import ConnectFour, Othello
from flipdrop.kernel import _cpu
from tests.kernel.stub import STUB, generate

# By depth. Othello as at http://www.aartbik.com/MISC/reversi.html: a pass is a ply, and from depth 11 on there
# are games that ended earlier, each of which counts as one leaf. Connect Four: such games do not count.
OTHELLO_PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800]
CONNECT_FOUR_PERFT = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646, 1844590828]

LONG = 40  # plies: hours of counting


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs Python code in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


# Perft ---------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_published_counts(threads: int) -> None:
    for depth, count in enumerate(OTHELLO_PERFT):
        assert Othello().perft(depth, threads=threads) == count
    for depth, count in enumerate(CONNECT_FOUR_PERFT):
        assert ConnectFour().perft(depth, threads=threads) == count


@pytest.mark.parametrize("threads", [1, 2, 3, 100])
@pytest.mark.parametrize("depth", range(9))
def test_counts_do_not_depend_on_threads(depth: int, threads: int) -> None:
    for position in (
        Othello(size=6),
        Othello.from_transcript("b1c1d3a1", size=4),
        ConnectFour(columns=5, rows=4, forbidden="c2"),
        ConnectFour.from_transcript("1212121"),
    ):
        total = sum(position.play(move).perft(depth) for move in position.legal_moves)
        over = 1 if isinstance(position, Othello) else 0
        assert position.perft(depth + 1, threads=threads) == (total if position.legal_moves else over)


@pytest.mark.timing
def test_progress_is_reported() -> None:
    reports: list[tuple[int, int]] = []
    main = threading.get_ident()
    callers = set()

    def progress(finished: int, parts: int) -> None:
        reports.append((finished, parts))
        callers.add(threading.get_ident())

    started = time.monotonic()
    depth = 10
    while len(reports) < 3:  # deeper on a faster computer
        reports.clear()
        Othello().perft(depth, threads=2, progress=progress)
        depth += 1
        assert time.monotonic() - started < 60
    assert callers == {main}
    assert len({parts for _, parts in reports}) == 1
    assert [finished for finished, _ in reports] == sorted(finished for finished, _ in reports)
    assert all(0 <= finished <= parts for finished, parts in reports)


@pytest.mark.timing
@pytest.mark.parametrize("position", [Othello, ConnectFour])
def test_an_error_in_the_progress_callback_ends_the_count(position: type[Othello] | type[ConnectFour]) -> None:
    def progress(finished: int, parts: int) -> None:
        raise LookupError(f"{finished} of {parts}")

    started = time.monotonic()
    with pytest.raises(LookupError, match="of"):
        position().perft(LONG, threads=2, progress=progress)
    assert time.monotonic() - started < 5
    assert position().perft(1) == len(position().legal_moves)


def test_the_callback_may_use_the_kernel() -> None:
    class Enough(Exception):
        pass

    def progress(finished: int, parts: int) -> None:
        raise Enough(ConnectFour().perft(7, threads=2))

    with pytest.raises(Enough, match=r"^823536$"):
        ConnectFour().perft(LONG, progress=progress)


INTERRUPTED = """
import os, signal, sys, threading, time
from flipdrop import ConnectFour, Othello
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
started = time.monotonic()
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic() - started)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
@pytest.mark.parametrize(
    "call",
    [
        f"Othello().perft({LONG})",
        f"Othello().perft({LONG}, threads=2)",
        f"ConnectFour(columns=12, rows=12).perft({LONG}, threads=2)",
        "Othello().playouts(10**9, seed=1, threads=2)",
    ],
)
def test_ctrl_c_stops_the_kernel(call: str) -> None:
    done = run(INTERRUPTED.format(call=call))
    assert done.returncode == 0, done.stderr
    assert 0.2 < float(done.stdout) < 3


@pytest.mark.slow
@pytest.mark.parametrize("work", ["perft", "playouts"])
def test_other_python_threads_go_on(work: str) -> None:
    """While the kernel counts in one thread, another one runs Python code: the interpreter lock is free."""
    ready, finished = threading.Event(), threading.Event()

    def count() -> None:
        ready.set()
        if work == "perft":
            Othello().perft(11)
        else:
            Othello().playouts(100_000, seed=1)
        finished.set()

    worker = threading.Thread(target=count)
    worker.start()
    ready.wait()
    steps = 0
    while not finished.is_set():
        steps += 1
        time.sleep(0)
    worker.join()
    assert steps > 10


def test_counts_run_side_by_side() -> None:
    results: list[int] = []
    workers = [threading.Thread(target=lambda: results.append(ConnectFour().perft(8, threads=2))) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == [5673234] * 8


# Builds --------------------------------------------------------------------------------------------------------------

SHOW_BUILD = "import flipdrop, flipdrop.kernel; print(flipdrop.kernel.BUILD, flipdrop.Othello().perft(5))"


def test_this_process_has_the_build_that_was_asked_for() -> None:
    forced = os.environ.get("FLIPDROP_KERNEL")
    expected = forced or ("v3" if _cpu.has_v3() else "baseline")
    assert expected == flipdrop.kernel.BUILD


@pytest.mark.parametrize("forced", ["", "baseline", "v3"])
def test_the_environment_chooses_the_build(forced: str) -> None:
    done = run(SHOW_BUILD, FLIPDROP_KERNEL=forced)
    if forced == "v3" and not _cpu.has_v3():
        assert "ImportError" in done.stderr
        assert "'baseline'" in done.stderr
        return
    build = forced or ("v3" if _cpu.has_v3() else "baseline")
    assert done.stdout == f"{build} 1396\n", done.stderr


@pytest.mark.parametrize("nonsense", ["avx512", "V3", "baseline ", "../_v3"])
def test_a_build_that_does_not_exist(nonsense: str) -> None:
    done = run(SHOW_BUILD, FLIPDROP_KERNEL=nonsense)
    assert done.returncode == 1
    assert f"ImportError: FLIPDROP_KERNEL is {nonsense!r}; it can be 'v3' or 'baseline'" in done.stderr


@pytest.mark.parametrize(("hidden", "other"), [("v3", "baseline"), ("baseline", "v3")])
def test_one_build_is_enough(hidden: str, other: str) -> None:
    # As after a build with FLIPDROP_KERNELS=native.
    hide = (
        "import importlib.util as util; find = util.find_spec\n"
        f"util.find_spec = lambda name, package=None: None if name.endswith('._{hidden}') else find(name, package)\n"
    )
    done = run(hide + SHOW_BUILD, FLIPDROP_KERNEL=hidden)
    assert done.returncode == 1
    if hidden == "baseline" or _cpu.has_v3():
        assert f"ImportError: FLIPDROP_KERNEL is {hidden!r}, but only {other} was built" in done.stderr
    if other == "baseline" or _cpu.has_v3():
        assert run(hide + SHOW_BUILD, FLIPDROP_KERNEL="").stdout == f"{other} 1396\n"


SAMPLE = """
import random
from flipdrop import game
for name in ("othello", "othello6", "othello4", "connect4", "connect4:8x7", "connect4:9x10,forbid=c3", "connect4:12x9"):
    source, position = random.Random(name), game(name).start()
    while not position.is_over:
        print(position.board, position.legal_moves, hash(position), position.perft(3), position.playouts(50, seed=9))
        position = position.play(source.choice(position.legal_moves))
    print(position.board, position.result)
"""


@pytest.mark.slow
@pytest.mark.skipif(not _cpu.has_v3(), reason="this CPU runs the baseline build only")
def test_both_builds_give_the_same_answers() -> None:
    baseline, v3 = run(SAMPLE, FLIPDROP_KERNEL="baseline"), run(SAMPLE, FLIPDROP_KERNEL="v3")
    assert baseline.returncode == v3.returncode == 0, baseline.stderr + v3.stderr
    assert len(baseline.stdout.splitlines()) > 100
    assert baseline.stdout == v3.stdout


def test_classes_name_the_package_and_not_the_build() -> None:
    for name in flipdrop.kernel.__all__:
        if name != "BUILD":
            assert getattr(flipdrop.kernel, name).__module__ == "flipdrop.kernel"


def test_the_stub_is_up_to_date() -> None:
    assert STUB.read_text() == generate(), "run `make stubs`"


# Imports -------------------------------------------------------------------------------------------------------------

HEAVY = {
    *("numpy", "scipy", "matplotlib", "pandas", "torch", "onnxruntime", "ray", "optuna"),
    *("nicegui", "fastapi", "typer", "click", "rich", "gymnasium", "pettingzoo"),
    *("asyncio", "sqlite3", "hypothesis", "pytest"),
}


def test_import_is_light() -> None:
    done = run("import flipdrop, sys; print(*sys.modules)")
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "flipdrop" in loaded, done.stderr
    assert loaded.isdisjoint(HEAVY)


def test_the_package_is_typed() -> None:
    assert (Path(flipdrop.__file__).parent / "py.typed").exists()
