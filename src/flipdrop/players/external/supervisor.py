"""A small program between flipdrop and an engine: it starts the engine and ends the engine's whole process tree.

    python -I -S supervisor.py SOCKET COMMAND ARGUMENT...

The engine inherits the supervisor's standard input, output and error, and the supervisor closes its own copies. It
reports to its parent over the socket, one line each: ``started PID`` or ``failed REASON``, later ``exited STATUS``.
When the parent closes the socket or dies, even by SIGKILL, the supervisor ends the engine, its children and itself.

The engine needs a separate supervising process: Linux's PDEATHSIG fires when the *thread* that started the child ends,
so an engine would die with a worker thread, and it does not reach the engine's own children. Here PDEATHSIG only covers
the death of the supervisor, which has one thread.

The file imports nothing from flipdrop and little from the standard library, because every engine starts one.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import sys
import time
from contextlib import suppress

TERM_SECONDS = 0.3  # between SIGTERM and SIGKILL
KILL_SECONDS = 5.0  # limit for processes to disappear after SIGKILL
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_REQUESTS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)  # to end
_OURS = (*_REQUESTS, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ)  # signals with handlers here or in Python


def main() -> None:
    """Runs the engine until it ends or the parent closes the socket."""
    parent = socket.socket(fileno=int(sys.argv[1]))
    parent.set_inheritable(False)
    wake = _wake_on_signals()
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)  # orphans of the engine become children of this process
    engine, reason = _start(sys.argv[2:])
    _close_standard_streams()
    if reason:
        _report(parent, f"failed {reason}")
        return
    _report(parent, f"started {engine}")
    status = _watch(engine, parent, wake)
    _end_all(engine)
    if status is not None:
        _report(parent, f"exited {status}")


def _wake_on_signals() -> int:
    """A descriptor that becomes readable when a child ends or a signal asks the supervisor to end."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    os.set_blocking(reading, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in (*_REQUESTS, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    return reading


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        nothing = ctypes.c_ulong(0)
        ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), nothing, nothing, nothing)


def _start(command: list[str]) -> tuple[int, str]:
    """Starts the engine in its own session, so that Ctrl-C does not reach it: its pid, and an error message or ''."""
    reading, writing = os.pipe()
    engine = os.fork()
    if engine == 0:
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            for number in _OURS:
                signal.signal(number, signal.SIG_DFL)
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            os.execvp(command[0], command)
        except OSError as error:
            os.write(writing, (error.strerror or str(error)).encode())
        except ValueError as error:
            os.write(writing, str(error).encode())
        finally:
            os._exit(127)
    os.close(writing)
    reason = os.read(reading, 1000).decode()
    os.close(reading)
    return engine, reason


def _close_standard_streams() -> None:
    """Closes the supervisor's copies, so that a pipe ends when the engine closes it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    os.close(nothing)


def _watch(engine: int, parent: socket.socket, wake: int) -> int | None:
    """The engine's exit status once it has ended; None when the engine has to be ended."""
    poll = select.poll()  # not select, which cannot wait for a descriptor with a number beyond 1023
    poll.register(parent, select.POLLIN)
    poll.register(wake, select.POLLIN)
    while True:
        ready = [descriptor for descriptor, _ in poll.poll()]
        if parent.fileno() in ready:
            return None
        noticed = os.read(wake, 1000)
        status = _reaped(engine)
        if status is not None:
            return status
        if any(number in noticed for number in _REQUESTS):
            return None


def _reaped(engine: int) -> int | None:
    """Reaps exited children: the engine's exit status if it is among them, 128 plus the signal that ended it."""
    status = None
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0] != 0:
            if found[0] == engine:
                code = os.waitstatus_to_exitcode(found[1])
                status = code if code >= 0 else 128 - code
    return status


def _end_all(engine: int) -> None:
    """Ends the engine and its descendants: SIGTERM, then SIGKILL."""
    _signal_all(engine, signal.SIGTERM)
    if _wait_for_all(engine, TERM_SECONDS):
        return
    deadline = time.monotonic() + KILL_SECONDS
    while time.monotonic() < deadline:  # a process started during one pass is found in the next
        _signal_all(engine, signal.SIGKILL)
        if _wait_for_all(engine, 0.05):
            return


def _signal_all(engine: int, number: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(engine, number)
    for process in _descendants():
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _descendants() -> list[int]:
    """All descendants of this process."""
    children: dict[int, list[int]] = {}
    for process, parent in _processes():
        children.setdefault(parent, []).append(process)
    found = [os.getpid()]
    for process in found:
        found += children.get(process, [])
    return found[1:]


def _processes() -> list[tuple[int, int]]:
    """All processes with their parents: from /proc, or by ps where there is none, as on macOS."""
    found: list[tuple[int, int]] = []
    try:
        names = os.listdir("/proc")  # noqa: PTH208 - pathlib takes longer to import than all of this to run
    except OSError:
        with suppress(OSError), os.popen("ps -A -o pid=,ppid=") as listed:
            found = [(int(process), int(parent)) for process, parent in map(str.split, listed)]
        return found
    for name in filter(str.isdigit, names):
        with suppress(OSError, ValueError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
            # PID (NAME) STATE PARENT ...; the name may hold anything
            found.append((int(name), int(file.read().rpartition(b")")[2].split()[1])))
    return found


def _wait_for_all(engine: int, seconds: float) -> bool:
    """Waits for all children; whether they ended in time."""
    deadline = time.monotonic() + seconds
    while True:
        _reaped(engine)
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return True
        if time.monotonic() >= deadline:
            return False
        time.sleep(0.005)


def _report(parent: socket.socket, line: str) -> None:
    with suppress(OSError):  # the parent may have exited
        parent.sendall(line.encode(errors="replace") + b"\n")


if __name__ == "__main__":
    main()
