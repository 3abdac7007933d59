"""Sessions in one SQLite file, written at every change, so that games continue after the server was killed."""

from __future__ import annotations

import json
import logging
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flipdrop.arena.store.connection import connect_read_only, is_not_writable
from flipdrop.errors import DAMAGE, StoreError
from flipdrop.interface.web.schemas import PlayerView, SessionSummary
from flipdrop.interface.web.sessions.session import Session
from flipdrop.players.upgrade import upgrade_spec

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 2
"""Version 1, of flipdrop 0.1, has the players of a session under ``seats``, with specs of 0.1."""
_TABLE = """
    CREATE TABLE IF NOT EXISTS sessions (
        id TEXT PRIMARY KEY,
        changed REAL NOT NULL,  -- seconds since 1970, UTC
        state TEXT NOT NULL     -- JSON
    ) STRICT, WITHOUT ROWID;
"""
_INDEX = "CREATE INDEX IF NOT EXISTS sessions_changed ON sessions (changed)"
_TIMEOUT = 5.0  # s to wait for another process
_log = logging.getLogger(__name__)


class SessionStore:
    """The sessions in a file."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_TIMEOUT)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{self.name}: {error}") from None
        try:
            self._prepare()
        except StoreError as error:
            self._connection.close()
            if not isinstance(error.__cause__, sqlite3.Error) or not is_not_writable(error.__cause__):
                raise
            self._open_read_only()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        try:
            self._run("PRAGMA journal_mode = WAL")
            # A killed process loses nothing; a machine that loses power may lose the last moves.
            self._run("PRAGMA synchronous = NORMAL")
            version = self._run("PRAGMA user_version")[0][0]
            if not 0 <= version <= VERSION:
                raise StoreError(f"{self.name}: version {version}; this program reads version {VERSION}")
            self._run("BEGIN IMMEDIATE")
            self._run(_TABLE)
            self._run(_INDEX)
            if version == 1:
                self._upgrade()
            self._run(f"PRAGMA user_version = {VERSION}")
            self._run("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._run("ROLLBACK")
            raise

    def _open_read_only(self) -> None:
        """Opens a file that cannot be written: its sessions can be seen, and no change is saved."""
        try:
            self._connection = connect_read_only(self.name, timeout=_TIMEOUT, check_same_thread=False)
        except sqlite3.Error as error:
            raise StoreError(f"{self.name}: {error}") from None
        version = self._run("PRAGMA user_version")[0][0]
        if version != VERSION:
            self._connection.close()
            raise StoreError(f"{self.name}: version {version}, and the file cannot be written to be upgraded")
        _log.warning("%s cannot be written: sessions can be seen, and no change is saved", self.name)

    def __len__(self) -> int:
        return int(self._run("SELECT count(*) FROM sessions")[0][0])

    def write(self, session: Session) -> None:
        state = _dumps(session.to_json())
        self._run(
            "INSERT INTO sessions VALUES (?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, state = excluded.state",
            (session.id, session.changed_at, state),
        )

    def read(self, id_: str) -> Session | None:
        """A session; None if there is none, or it is damaged."""
        rows = self._run("SELECT state FROM sessions WHERE id = ?", (id_,))
        if not rows:
            return None
        try:
            return Session.from_json(json.loads(rows[0][0]))
        except DAMAGE:
            _log.warning("%s: session %s is damaged", self.name, id_, exc_info=True)
            return None

    def recent(self, limit: int) -> list[SessionSummary]:
        """The sessions that changed last, newest first, without damaged ones."""
        found = []
        for id_, state in self._run("SELECT id, state FROM sessions ORDER BY changed DESC LIMIT ?", (limit,)):
            try:
                found.append(_summary(json.loads(state)))
            except DAMAGE:
                _log.warning("%s: session %s is damaged", self.name, id_, exc_info=True)
        return found

    def delete(self, id_: str) -> None:
        self._run("DELETE FROM sessions WHERE id = ?", (id_,))

    def prune(self, most: int) -> None:
        """Deletes the least recently changed sessions, so that at most `most` remain."""
        self._run(
            "DELETE FROM sessions WHERE id IN (SELECT id FROM sessions ORDER BY changed DESC LIMIT -1 OFFSET ?)",
            (most,),
        )

    def close(self) -> None:
        self._connection.close()

    def _upgrade(self) -> None:
        """Rewrites sessions of version 1; damaged ones stay as they are."""
        for id_, state in self._run("SELECT id, state FROM sessions"):
            with suppress(*DAMAGE):
                session = json.loads(state)
                session["players"] = [
                    [spec, name] if spec is None else [upgrade_spec(spec), upgrade_spec(name)]
                    for spec, name in session.pop("seats")
                ]
                self._run("UPDATE sessions SET state = ? WHERE id = ?", (_dumps(session), id_))

    def _run(self, statement: str, values: tuple[object, ...] = ()) -> list[Any]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"{self.name}: {error}") from error


def _dumps(state: dict[str, Any]) -> str:
    return json.dumps(state, separators=(",", ":"))


def _summary(state: dict[str, Any]) -> SessionSummary:
    first, second = (PlayerView(spec=spec, name=name) for spec, name in state["players"])
    return SessionSummary(
        id=state["id"],
        game=state["game"],
        moves=len(state["moves"]),
        players={"first": first, "second": second},
        changed=state["changed"],
    )
