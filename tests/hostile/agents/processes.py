# mypy: ignore-errors
"""Agents that start processes, and send signals."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PIDS = Path(__file__).with_name("pids")


def _stay() -> None:
    with PIDS.open("a") as file:
        file.write(f"{os.getpid()}\n")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(3600)


def _grow_then_play(position, start):
    started = len(PIDS.read_text().split()) if PIDS.exists() else 0
    start()
    while not PIDS.exists() or len(PIDS.read_text().split()) <= started:
        time.sleep(0.01)
    return position.legal_moves[0]


def forks(position):
    """Leaves a child behind, which holds its pipes."""

    def start():
        if os.fork() == 0:
            _stay()

    return _grow_then_play(position, start)


def daemonises(position):
    """Leaves a process behind in a session of its own, whose parent has ended."""

    def start():
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                _stay()
            os._exit(0)
        os.waitpid(child, 0)

    return _grow_then_play(position, start)


def starts_a_program(position):
    """Leaves a program behind in a session of its own."""
    program = f"import os, time; open({str(PIDS)!r}, 'a').write(f'{{os.getpid()}}\\n'); time.sleep(3600)"
    return _grow_then_play(
        position, lambda: subprocess.Popen([sys.executable, "-S", "-c", program], start_new_session=True)
    )


def kills_its_group(position):
    os.killpg(os.getpgrp(), signal.SIGKILL)


def kills_its_parent(position):
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(3600)


def closes_everything(position):
    os.closerange(0, 256)
    return position.legal_moves[0]
