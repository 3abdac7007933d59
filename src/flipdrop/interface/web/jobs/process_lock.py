"""Locks of files that a process holds, and the processes that it starts, until all of them have ended."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, BinaryIO

from flipdrop.errors import ArenaError

try:
    import fcntl
except ImportError:  # Windows, where a process cannot hand on a lock
    fcntl = None  # type: ignore[assignment] # a module elsewhere

if TYPE_CHECKING:
    from pathlib import Path

PROBE_TIMEOUT = 0.5  # s that another process may hold the lock while it tests whether the job is alive
_POLL = 0.02


def acquire(lock: BinaryIO) -> bool:
    """Locks a file; False if a job holds it. Processes that only test the lock release it within `PROBE_TIMEOUT`."""
    if fcntl is None:
        raise ArenaError("jobs in the background need Linux or macOS; use the command line")
    deadline = time.monotonic() + PROBE_TIMEOUT
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL)
        else:
            return True


def is_held(path: Path) -> bool:
    """Whether a process holds the lock of a file."""
    if fcntl is None:
        return False
    try:
        with path.open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False
