"""Learning runs in the store: settings and learning curves."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.arena.store.store import Store


@dataclass(frozen=True)
class StoredRun:
    """A run in a store.

    :param file: of its model
    :param ended: when the model was written; None before
    """

    id: int
    learner: str
    game: str
    seed: int
    settings: dict[str, Any]
    version: str
    begun: str
    file: str
    ended: str | None


@dataclass(frozen=True)
class Point:
    """A point of a learning curve: measured values after some steps, games and seconds."""

    step: int
    games: int
    seconds: float
    values: dict[str, float]


class RunWriter:
    """Writes a learning run into a store while it is running."""

    def __init__(self, store: Store, id_: int) -> None:
        self.id = id_
        self._store = store

    @classmethod
    def begin(
        cls, store: Store, *, learner: str, game: str, seed: int, settings: Mapping[str, Any], file: str
    ) -> RunWriter:
        from flipdrop import __version__

        row = (learner, game, seed, json.dumps(settings), __version__, _now(), file)
        with store.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO learning_runs (learner, game, seed, settings, version, begun, file) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )
            assert cursor.lastrowid is not None
            return cls(store, cursor.lastrowid)

    def add(self, point: Point) -> None:
        """Adds a point, which replaces one of the same step."""
        with self._store.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO learning_curves VALUES (?, ?, ?, ?, ?)",
                (self.id, point.step, point.games, point.seconds, json.dumps(point.values)),
            )

    def end(self) -> None:
        """Marks the run as finished: its model is written."""
        with self._store.writing() as connection:
            connection.execute("UPDATE learning_runs SET ended = ? WHERE id = ?", (_now(), self.id))


def stored_runs(store: Store) -> list[StoredRun]:
    """Every run, the oldest first."""
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT id, learner, game, seed, settings, version, begun, file, ended FROM learning_runs ORDER BY id"
        ).fetchall()
    return [
        StoredRun(id_, learner, game, seed, json.loads(settings), *rest)
        for id_, learner, game, seed, settings, *rest in rows
    ]


def points_of(store: Store, run: int) -> list[Point]:
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT step, games, seconds, measured FROM learning_curves WHERE run = ? ORDER BY step", (run,)
        ).fetchall()
    return [Point(step, games, seconds, json.loads(measured)) for step, games, seconds, measured in rows]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
