"""The lifetime of an engine: it ends with its player and with the process that started it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flipdrop import Othello
from flipdrop.players import player
from tests.players.external.engines import all_gone, engine, processes
from tests.players.external.test_process import BUSY, DETACH, FORK, IGNORE_SIGNALS

if TYPE_CHECKING:
    from collections.abc import Iterator

OWNER = """
import sys, time
from flipdrop import Othello
from flipdrop.players import player

owned = player(sys.argv[1])
owned.set_history(Othello(), [])
print("ready", flush=True)
{then}
"""


@pytest.fixture
def owners() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that own a player; ended after the test whatever happens."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


def owner(owners: list[subprocess.Popen[str]], command: str, then: str = "time.sleep(1000)") -> subprocess.Popen[str]:
    """A process of its own group that has a player with a running engine, and then does something."""
    # A test runner in the background ignores Ctrl-C, and children inherit that: a person's shell does not.
    hear_ctrl_c = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(
        [sys.executable, "-c", OWNER.format(then=then), f"gtp:{command}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=hear_ctrl_c,
    )
    owners.append(process)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.slow
@pytest.mark.parametrize("before", ["", IGNORE_SIGNALS, FORK, DETACH], ids=["plain", "ignores", "forks", "detaches"])
def test_kill_9_of_the_owner(before: str, tmp_path: Path, owners: list[subprocess.Popen[str]]) -> None:
    process = owner(owners, engine(tmp_path, before=before))
    running = [command for command in processes(tmp_path) if "supervisor.py" not in command]
    assert len(running) > 1  # its owner names it, too
    process.kill()
    process.wait()
    assert all_gone(tmp_path, within=BUSY)


@pytest.mark.slow
def test_many_engines_at_once(tmp_path: Path, owners: list[subprocess.Popen[str]]) -> None:
    many = """
import resource
from concurrent.futures import ThreadPoolExecutor

hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (4096 if hard == resource.RLIM_INFINITY else min(4096, hard), hard))
files = [open("/dev/null") for _ in range(min(1100, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 100))]
players = [player(sys.argv[1]) for _ in range(8)]
with ThreadPoolExecutor(8) as threads:
    print(*set(threads.map(lambda p: p.choose(Othello()), players)), flush=True)
players[0].close()
print("closed", flush=True)
time.sleep(1000)
"""
    process = owner(owners, engine(tmp_path), many)
    assert process.stdout is not None
    assert process.stdout.readline() == "19\n"
    assert process.stdout.readline() == "closed\n"
    assert len([command for command in processes(tmp_path) if "supervisor.py" in command]) == 8  # one was there before
    process.kill()
    process.wait()
    assert all_gone(tmp_path, within=BUSY)


@pytest.mark.slow
@pytest.mark.parametrize("then", ["", "raise SystemExit(3)", "import os; os._exit(0)", "1 / 0"])
def test_engine_ends_with_its_owner(then: str, tmp_path: Path, owners: list[subprocess.Popen[str]]) -> None:
    process = owner(owners, engine(tmp_path, before=IGNORE_SIGNALS), then)
    errors = process.communicate(timeout=30)[1]
    assert all_gone(tmp_path, within=BUSY)
    assert "Exception ignored" not in errors
    assert ("Traceback" in errors) == (then == "1 / 0")


def test_engine_outlives_its_thread(tmp_path: Path) -> None:
    shared = player(f"gtp:{engine(tmp_path)}")
    starter = threading.Thread(target=lambda: shared.set_history(Othello(), []))  # type: ignore[attr-defined]
    starter.start()
    starter.join()
    before = sorted(_pids(tmp_path))
    time.sleep(0.2)
    assert Othello().move_name(shared.choose(Othello())) == "d3"
    assert sorted(_pids(tmp_path)) == before
    shared.close()


@pytest.mark.slow
def test_fork_of_the_owner(tmp_path: Path, owners: list[subprocess.Popen[str]]) -> None:
    then = """
import os
child = os.fork()
if child == 0:
    owned.choose(Othello())  # an engine of its own
    owned.close()
    os._exit(0)
print(os.waitpid(child, 0)[1], flush=True)
child = os.fork()
if child == 0:
    del owned
    sys.exit()
print(os.waitpid(child, 0)[1], flush=True)
print(Othello().move_name(owned.choose(Othello())), flush=True)
"""
    process = owner(owners, engine(tmp_path), then)
    out, errors = process.communicate(timeout=60)
    assert (out.split(), errors) == (["0", "0", "d3"], "")
    assert all_gone(tmp_path, within=BUSY)


@pytest.mark.slow
def test_ctrl_c_is_for_the_owner(tmp_path: Path, owners: list[subprocess.Popen[str]]) -> None:
    log = tmp_path / "signals"
    hear = f"signal.signal(signal.SIGINT, lambda *_: open({str(log)!r}, 'a').write('interrupted'))"
    then = """
try:
    print("asking", flush=True)
    owned.choose(Othello())
except KeyboardInterrupt:
    print("stopped", flush=True)
"""
    process = owner(owners, engine(tmp_path, "while True: time.sleep(1)", before=hear), then)
    assert process.stdout is not None
    assert process.stdout.readline() == "asking\n"
    time.sleep(0.3)
    os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to everybody in the foreground
    out, errors = process.communicate(timeout=30)
    assert (out, errors, process.returncode) == ("stopped\n", "", 0)
    assert all_gone(tmp_path, within=BUSY)
    assert not log.exists()


@pytest.mark.slow
@pytest.mark.timing
def test_ctrl_c_without_a_traceback(tmp_path: Path, owners: list[subprocess.Popen[str]]) -> None:
    started = tmp_path / "started"
    command = engine(tmp_path, f"open({str(started)!r}, 'w').close()\ntime.sleep(1000)")
    process = subprocess.Popen(
        [sys.executable, "-m", "flipdrop", "play", "othello", "--as", "none", "--against", f"gtp:{command}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    owners.append(process)
    deadline = time.monotonic() + 30
    while not started.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    errors = process.communicate(timeout=30)[1]
    assert (errors, process.returncode) == ("", 130)
    assert all_gone(tmp_path, within=BUSY)


def test_import_players_without_subprocess() -> None:
    code = "import sys, flipdrop.players; print(*{'subprocess', 'flipdrop.players.external'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def _pids(folder: Path) -> list[int]:
    entries = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    found = []
    for entry in entries:
        try:
            if str(folder).encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found
