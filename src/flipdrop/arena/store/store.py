"""The store: all played games in one SQLite file.

Games are written as they end, in one transaction per batch. The file uses a write-ahead log (WAL), so that a process
killed at any instant leaves whole games only, and several processes can write at once.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flipdrop.arena.model import Event, FinishedGame
from flipdrop.arena.store.connection import connect_read_only, is_not_writable
from flipdrop.arena.store.schema import VERSION, migrate, version_of
from flipdrop.errors import DAMAGE, FlipdropError, StoreError
from flipdrop.games import game as game_of
from flipdrop.games.transcripts import read_transcript, write_transcript

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

BUSY_TIMEOUT = 30.0  # s to wait for another process to finish writing
_RESULTS = (-1, 0, 1)
_MAX_MISSING = 100_000  # games of an event that were not played, before one that was


@dataclass(frozen=True)
class GameResult:
    """The result of a game without its moves."""

    number: int
    result: int
    margin: int
    termination: str


@dataclass(frozen=True)
class StoredEvent:
    """An event in a store."""

    id: int
    event: Event
    version: str
    begun: str
    games: int


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def default_path() -> Path:
    """The default file: FLIPDROP_STORE, or ``games.db`` in the user's data directory."""
    named = os.environ.get("FLIPDROP_STORE")
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME")
    return (Path(data) if data else Path.home() / ".local" / "share") / "flipdrop" / "games.db"


class Store:
    """An open store; path None keeps games in memory. A file that cannot be written is open for reading.

    :param create: whether a missing file is created; otherwise it is an error

    >>> with Store(None) as store:
    ...     list(store.events())
    []
    """

    def __init__(
        self, path: str | os.PathLike[str] | None, *, create: bool = True, timeout: float = BUSY_TIMEOUT
    ) -> None:
        self.name = "the store in memory" if path is None else os.fspath(path)
        with self._errors_named():
            if path is not None and not create:
                Path(path).stat()  # SQLite would create a missing file
            elif path is not None and Path(path).parent != Path():
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._connection = self._connect(path, timeout)
        self._players: dict[str, int] = {}

    def _connect(self, path: str | os.PathLike[str] | None, timeout: float) -> sqlite3.Connection:
        """A connection to a store of this version; to one that cannot be written, for reading only."""
        target = ":memory:" if path is None else os.fspath(path)
        connection = sqlite3.connect(target, timeout=timeout, isolation_level=None)
        try:
            version_of(connection, self.name)  # before the first write
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            migrate(connection, self.name)
        except sqlite3.Error as error:
            connection.close()
            if path is None or not Path(path).is_file() or not is_not_writable(error):
                raise
            return self._connect_read_only(target, timeout)
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect_read_only(self, target: str, timeout: float) -> sqlite3.Connection:
        connection = connect_read_only(target, timeout=timeout)
        try:
            if (version := version_of(connection, self.name)) != VERSION:
                raise StoreError(
                    f"{self.name} is a store of version {version} that cannot be written to, and so not upgraded to "
                    f"version {VERSION}; copy it to another folder"
                )
        except BaseException:
            connection.close()
            raise
        return connection

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; finished games are already in it."""
        self._connection.close()

    def find(self, event: Event, *, any_seed: bool = False) -> StoredEvent | None:
        """The same event, if the store has it.

        :param any_seed: the latest one that differs by its seed at most
        """
        column, key = ("series", event.series) if any_seed else ("identity", event.identity)
        return next(self._events(f"WHERE {column} = ? ORDER BY id DESC LIMIT 1", key), None)

    def event(self, id_: int) -> StoredEvent:
        found = next(self._events("WHERE id = ?", id_), None)
        if found is None:
            raise StoreError(f"{self.name} has no event {id_}")
        return found

    def events(self) -> Iterator[StoredEvent]:
        """Every event, the oldest first."""
        return self._events("ORDER BY id")

    def _events(self, which: str, *values: object) -> Iterator[StoredEvent]:
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, settings, version, begun, (SELECT count(*) FROM games WHERE event = id) "
                f"FROM events {which}",
                values,
            ).fetchall()
        for id_, settings, version, begun, games in rows:
            with self.damage_named(f"event {id_}"):
                event = Event.from_json(json.loads(settings))
            yield StoredEvent(id_, event, version, begun, games)

    def event_id_for(self, event: Event) -> int:
        """The id of an event, which is added if the store does not have it."""
        from flipdrop import __version__

        settings = json.dumps(event.to_json())
        with self.writing() as connection:
            connection.execute(
                "INSERT INTO events (identity, series, settings, version, begun) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (identity) DO UPDATE SET settings = excluded.settings",
                (event.identity, event.series, settings, __version__, utc_now()),
            )
            (id_,) = connection.execute("SELECT id FROM events WHERE identity = ?", (event.identity,)).fetchone()
        return int(id_)

    def add(self, event_id: int, games: Iterable[FinishedGame]) -> None:
        """Writes finished games in one transaction. A game that the store has is not changed."""
        now = time.time()
        with self.writing() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [self._game_row(event_id, played, now) for played in games],
            )

    def results(self, event_id: int) -> dict[int, GameResult]:
        """The results of an event's games, by number."""
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT number, result, margin, termination FROM games WHERE event = ? ORDER BY number", (event_id,)
            )
            results = {row[0]: GameResult(*row) for row in rows}
        for result in results.values():
            if result.result not in _RESULTS:
                where = f"game {result.number} of event {event_id}"
                raise StoreError(f"{self.name}: {where} is damaged: its result is not 1, 0 or -1")
        return results

    def games(self, event_id: int, number: int | None = None) -> Iterator[FinishedGame]:
        """The games of an event by number, or the one with this number."""
        event = self.event(event_id).event
        with self.damage_named(f"event {event_id}"):
            start = game_of(event.game).start()
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT number, moves, result, margin, termination, first_seconds, second_seconds "
                "FROM games WHERE event = ?1 AND (?2 IS NULL OR number = ?2) ORDER BY number",
                (event_id, number),
            ).fetchall()
        most = max(event.games, 2 * len(rows)) + _MAX_MISSING
        for played_as, moves, result, margin, termination, first_seconds, second_seconds in rows:
            seconds = None if first_seconds is None else (first_seconds, second_seconds)
            with self.damage_named(f"game {played_as} of event {event_id}"):
                if result not in _RESULTS or not 0 <= played_as < most:
                    raise StoreError("its number or result is out of range")
                played = tuple(read_transcript(start, moves)[0])
                task = event.task(played_as)
            yield FinishedGame(task, played, result, margin, termination, seconds)

    def _game_row(self, event_id: int, played: FinishedGame, ended: float) -> tuple[Any, ...]:
        task = played.task
        start = task.opening.start
        return (
            event_id,
            task.number,
            self._player(task.first),
            self._player(task.second),
            len(task.opening.moves),
            write_transcript(start, played.moves),
            played.result,
            played.margin,
            played.termination,
            task.seed,
            *(played.seconds or (None, None)),
            ended,
        )

    def _player(self, spec: str) -> int:
        if spec not in self._players:
            self._connection.execute("INSERT OR IGNORE INTO players (spec) VALUES (?)", (spec,))
            (id_,) = self._connection.execute("SELECT id FROM players WHERE spec = ?", (spec,)).fetchone()
            self._players[spec] = id_
        return self._players[spec]

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction, for the rest of this package."""
        with self.reading():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                self._players.clear()  # their rows were rolled back
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for the rest of this package."""
        with self._errors_named():
            yield self._connection

    @contextmanager
    def damage_named(self, which: str) -> Iterator[None]:
        """Names the row whose content turns out to be damaged, for the rest of this package."""
        try:
            yield
        except DAMAGE as error:
            why = f": {error}" if isinstance(error, FlipdropError) else ""
            raise StoreError(f"{self.name}: {which} is damaged{why}") from None

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            reason = _REASONS.get(getattr(error, "sqlite_errorname", ""), error)
            raise StoreError(f"{self.name}: {reason}") from error
        except OSError as error:
            raise StoreError(f"{self.name}: {error.strerror}") from error


_REASONS = {
    "SQLITE_BUSY": "another process is writing to it and does not finish; try again, or use another store",
    "SQLITE_LOCKED": "another process is writing to it and does not finish; try again, or use another store",
    "SQLITE_FULL": "the disk is full; what was written before is safe",
    "SQLITE_NOTADB": "it is not a store of games",
    "SQLITE_READONLY": "it cannot be written to",
    "SQLITE_READONLY_DIRECTORY": "it cannot be written to",
    "SQLITE_CANTOPEN": "it cannot be opened",
}
