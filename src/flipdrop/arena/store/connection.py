"""Opens SQLite files: for writing with a write-ahead log, or read-only where the file or its folder is not writable."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from urllib.parse import quote

_NOT_WRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM")
"""The beginnings of the names of errors that a file without write permission causes."""


def is_not_writable(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith(_NOT_WRITABLE)


def connect_read_only(path: str, *, timeout: float, check_same_thread: bool = True) -> sqlite3.Connection:
    """A connection that only reads.

    A file with a write-ahead log needs a file of shared memory beside it. Where there is none and none can be made,
    the database is read as an immutable file: nothing else can write to it there either. What a log holds that was
    never copied into the database cannot be read then, so a log with content is an error.
    """
    address = f"file:{quote(str(Path(path).absolute()))}?mode=ro"
    for options in ("", "&immutable=1"):
        connection = sqlite3.connect(
            address + options, timeout=timeout, isolation_level=None, uri=True, check_same_thread=check_same_thread
        )
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.Error as error:
            connection.close()
            log = Path(f"{path}-wal")
            if options or not is_not_writable(error) or (log.exists() and log.stat().st_size):
                raise
        else:
            return connection
    raise AssertionError
