"""Keeping sessions: one SQLite file, written at every move, so that games go on after the server was killed."""

from __future__ import annotations

import json
import logging
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.errors import StoreError
from flipdrop.interface.web.sessions.session import Session

if TYPE_CHECKING:
    import os

VERSION = 1
_TABLE = """
    CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY,
        changed REAL NOT NULL,  -- seconds since 1970, UTC
        state TEXT NOT NULL     -- JSON
    ) STRICT, WITHOUT ROWID;
"""
_INDEX = "CREATE INDEX IF NOT EXISTS sessions_changed ON sessions (changed)"
_log = logging.getLogger(__name__)


class Kept:
    """The sessions in a file; None keeps them in memory only."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self.name = "sessions in memory" if path is None else str(path)
        try:
            if path is not None:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(
                ":memory:" if path is None else path, isolation_level=None, check_same_thread=False, timeout=5
            )
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{self.name}: {error}") from None
        try:
            self._connection.execute("PRAGMA journal_mode = WAL")
            # A process that is killed loses nothing by this; a machine that loses its power, perhaps the last moves.
            self._connection.execute("PRAGMA synchronous = NORMAL")
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version not in (0, VERSION):
                raise StoreError(f"{self.name}: version {version}; this program reads version {VERSION}")
            self._connection.execute(_TABLE)
            self._connection.execute(_INDEX)
            self._connection.execute(f"PRAGMA user_version = {VERSION}")
        except sqlite3.Error as error:
            self._connection.close()
            raise StoreError(f"{self.name}: {error}") from None
        except BaseException:
            self._connection.close()
            raise

    def __len__(self) -> int:
        (count,) = self._connection.execute("SELECT count(*) FROM sessions").fetchone()
        return int(count)

    def write(self, session: Session) -> None:
        """Keeps a session as it is now."""
        state = json.dumps(session.to_json(), separators=(",", ":"))
        self._connection.execute(
            "INSERT INTO sessions VALUES (?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, state = excluded.state",
            (session.id, session.changed, state),
        )

    def read(self, id_: str) -> Session | None:
        """The session as it was kept; None if there is none, or what was kept is damaged."""
        row = self._connection.execute("SELECT state FROM sessions WHERE id = ?", (id_,)).fetchone()
        if row is None:
            return None
        try:
            return Session.from_json(json.loads(row[0]))
        except (ValueError, KeyError, TypeError, IndexError):  # FlipdropError is a ValueError
            _log.warning("%s: session %s is damaged", self.name, id_, exc_info=True)
            return None

    def recent(self, limit: int) -> list[dict[str, Any]]:
        """What was kept of the sessions that were touched last, newest first."""
        rows = self._connection.execute("SELECT state FROM sessions ORDER BY changed DESC LIMIT ?", (limit,))
        return [json.loads(state) for (state,) in rows]

    def forget(self, id_: str) -> None:
        """Forgets a session."""
        self._connection.execute("DELETE FROM sessions WHERE id = ?", (id_,))

    def forget_oldest(self, most: int) -> None:
        """Forgets those that were not touched for longest, so that at most so many remain."""
        self._connection.execute(
            "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions ORDER BY changed DESC LIMIT -1 OFFSET ?)",
            (most,),
        )

    def close(self) -> None:
        """Closes the file. What was written is in it."""
        self._connection.close()
