"""Learning runs, their curves, and results of experiment tasks in the store.

A task is the smallest unit of an experiment that is stored: a match, a grid point, a learning run. It is written when
it ends, so a resumed experiment continues with the first missing task.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from flipdrop.arena.store.store import utc_now

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flipdrop.arena.store.store import Store

T = TypeVar("T")
_COLUMNS = {"values": "measured"}  # names of columns that differ from those of fields
_JSON = ("settings", "values")


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


@dataclass(frozen=True)
class ExperimentResult:
    """The result of a task.

    :param experiment: the experiment's name, such as ``R1.1``
    :param size: ``quick`` or ``full``
    :param key: identifies the task in the experiment
    :param settings: everything beside the seed that determines the result
    :param values: the measured values
    :param seconds: that the task took
    :param threads: that it used
    :param event: id of the event whose games were counted
    :param run: id of the learning run
    :param version: of flipdrop; set by `save_result`, as is `ended`
    """

    experiment: str
    size: str
    key: str
    seed: int
    settings: dict[str, Any]
    values: dict[str, Any]
    seconds: float
    threads: int
    event: int | None = None
    run: int | None = None
    version: str = ""
    ended: str = ""


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

        row = {"learner": learner, "game": game, "seed": seed, "settings": settings, "file": file}
        return cls(store, _write(store, "learning_runs", row | {"version": __version__, "begun": utc_now()}))

    def add(self, point: Point) -> None:
        """Adds a point, which replaces one of the same step."""
        _write(self._store, "learning_curves", {"run": self.id} | asdict(point))

    def end(self) -> None:
        """Marks the run as finished: its model is written."""
        with self._store.writing() as connection:
            connection.execute("UPDATE learning_runs SET ended = ? WHERE id = ?", (utc_now(), self.id))


def stored_runs(store: Store) -> list[StoredRun]:
    """Every run, the oldest first."""
    return _read(store, StoredRun, "learning_runs ORDER BY id")


def points_of(store: Store, run: int) -> list[Point]:
    return _read(store, Point, "learning_curves WHERE run = ? ORDER BY step", run)


def save_result(store: Store, result: ExperimentResult) -> None:
    """Writes a result; it replaces one of the same experiment, size, key and seed."""
    from flipdrop import __version__

    result = replace(result, version=result.version or __version__, ended=result.ended or utc_now())
    _write(store, "experiment_results", asdict(result), allow_nan=False)


def load_results(store: Store, *, experiment: str, size: str, seed: int) -> dict[str, ExperimentResult]:
    """The stored results of an experiment, by their keys."""
    where = "experiment_results WHERE experiment = ? AND size = ? AND seed = ? ORDER BY key"
    return {result.key: result for result in _read(store, ExperimentResult, where, experiment, size, seed)}


def _write(store: Store, table: str, row: Mapping[str, Any], *, allow_nan: bool = True) -> int:
    """Writes a row, which replaces one with the same key, and returns its id."""
    cells = [json.dumps(value, allow_nan=allow_nan) if name in _JSON else value for name, value in row.items()]
    columns = ", ".join(_COLUMNS.get(name, name) for name in row)
    places = ", ".join("?" * len(row))
    with store.writing() as connection:
        cursor = connection.execute(f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({places})", cells)
        return cursor.lastrowid or 0


def _read(store: Store, kind: type[T], where: str, *values: object) -> list[T]:
    """The rows of a table as instances of a dataclass with the same names."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    columns = ", ".join(_COLUMNS.get(name, name) for name in names)
    with store.reading() as connection:
        rows = connection.execute(f"SELECT {columns} FROM {where}", values).fetchall()
    found = []
    for row in rows:
        with store.damage_named(f"a row of {where.partition(' ')[0]}, {names[0]} {row[0]}"):
            found.append(kind(*(_cell(name, cell) for name, cell in zip(names, row, strict=True))))
    return found


def _cell(name: str, cell: Any) -> Any:
    """The value of a cell; those with JSON hold objects."""
    if name not in _JSON:
        return cell
    if not isinstance(value := json.loads(cell), dict):
        raise TypeError
    return value
