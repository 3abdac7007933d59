"""Runs of learners in the store: what was asked for, and the curve as it grew."""

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

    :param file: where its model goes
    :param ended: when the model was written, if it was
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
    """A point of a run's curve: what was measured after so many steps, games and seconds of learning."""

    step: int
    games: int
    seconds: float
    values: dict[str, float]


class RunWriter:
    """Writes a run into a store as it goes."""

    def __init__(self, store: Store, id_: int) -> None:
        self.id = id_
        self._store = store

    @classmethod
    def begin(
        cls, store: Store, *, learner: str, game: str, seed: int, settings: Mapping[str, Any], file: str
    ) -> RunWriter:
        """A new run."""
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
        """Adds a point. What a resumed run measures again replaces what it had measured before."""
        with self._store.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO learning_curves VALUES (?, ?, ?, ?, ?)",
                (self.id, point.step, point.games, point.seconds, json.dumps(point.values)),
            )

    def end(self) -> None:
        """The model is there."""
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
    """The curve of a run."""
    with store.reading() as connection:
        rows = connection.execute(
            "SELECT step, games, seconds, measured FROM learning_curves WHERE run = ? ORDER BY step", (run,)
        ).fetchall()
    return [Point(step, games, seconds, json.loads(measured)) for step, games, seconds, measured in rows]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
