"""The schema of the store, and its migrations.

The version is SQLite's own ``user_version``. Each step takes a store from one version to the next; a fresh store goes
through all of them. Steps are never changed once they were released: a new one is added instead.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from flipdrop.arena.store.learner_names import upgrade_learner, upgrade_settings, upgrade_task_settings
from flipdrop.errors import DAMAGE, StoreError
from flipdrop.players.upgrade import upgrade_spec

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

APPLICATION = 0x666C6470  # "fldp": distinguishes stores from databases of other programs

_TABLES = """
    CREATE TABLE events (
        id INTEGER PRIMARY KEY,
        identity TEXT NOT NULL UNIQUE,  -- what makes it the same event when it is resumed
        settings TEXT NOT NULL,         -- JSON
        version TEXT NOT NULL,          -- of flipdrop
        begun TEXT NOT NULL             -- UTC, ISO 8601
    ) STRICT;
    CREATE TABLE players (
        id INTEGER PRIMARY KEY,
        spec TEXT NOT NULL UNIQUE
    ) STRICT;
    CREATE TABLE games (
        event INTEGER NOT NULL REFERENCES events,
        number INTEGER NOT NULL,        -- within the event
        first INTEGER NOT NULL REFERENCES players,
        second INTEGER NOT NULL REFERENCES players,
        opening INTEGER NOT NULL,       -- number of its moves
        moves TEXT NOT NULL,            -- transcript, passes left out
        result INTEGER NOT NULL,        -- 1, 0 or -1 for the first side
        margin INTEGER NOT NULL,
        ending TEXT NOT NULL,           -- why it was not played out, if it was not
        seed INTEGER NOT NULL,
        first_seconds REAL,
        second_seconds REAL,
        ended REAL NOT NULL,            -- seconds since 1970, UTC
        PRIMARY KEY (event, number)
    ) STRICT, WITHOUT ROWID;
"""
_VIEW = """
    CREATE VIEW results AS
        SELECT event, number, f.spec AS first, s.spec AS second, result, margin, opening, moves, ending, seed,
               first_seconds, second_seconds, datetime(ended, 'unixepoch') AS ended
        FROM games JOIN players AS f ON f.id = first JOIN players AS s ON s.id = second;
"""
_RUNS = """
    CREATE TABLE runs (
        id INTEGER PRIMARY KEY,
        learner TEXT NOT NULL,
        game TEXT NOT NULL,
        seed INTEGER NOT NULL,
        settings TEXT NOT NULL,         -- JSON
        version TEXT NOT NULL,          -- of flipdrop
        begun TEXT NOT NULL,            -- UTC, ISO 8601
        file TEXT NOT NULL,             -- where the model goes
        ended TEXT                      -- NULL until there is a model
    ) STRICT;
    CREATE TABLE run_points (
        run INTEGER NOT NULL REFERENCES runs,
        step INTEGER NOT NULL,
        games INTEGER NOT NULL,
        seconds REAL NOT NULL,
        measured TEXT NOT NULL,         -- JSON: values by name
        PRIMARY KEY (run, step)
    ) STRICT, WITHOUT ROWID;
"""
_PARTS = """
    CREATE TABLE parts (
        experiment TEXT NOT NULL,
        size TEXT NOT NULL,             -- quick or full
        key TEXT NOT NULL,              -- which part of the experiment
        seed INTEGER NOT NULL,
        settings TEXT NOT NULL,         -- JSON: what else decides the result
        measured TEXT NOT NULL,         -- JSON: values by name
        seconds REAL NOT NULL,
        threads INTEGER NOT NULL,
        event INTEGER REFERENCES events, -- its games, if it is a match
        run INTEGER REFERENCES runs,    -- what was learned, if it is a learner
        version TEXT NOT NULL,          -- of flipdrop
        ended TEXT NOT NULL,            -- UTC, ISO 8601
        PRIMARY KEY (experiment, size, key, seed)
    ) STRICT, WITHOUT ROWID;
"""
_TERMINATION = """
    DROP VIEW results;
    ALTER TABLE games RENAME COLUMN ending TO termination;
    CREATE VIEW results AS
        SELECT event, number, f.spec AS first, s.spec AS second, result, margin, opening, moves, termination, seed,
               first_seconds, second_seconds, datetime(ended, 'unixepoch') AS ended
        FROM games JOIN players AS f ON f.id = first JOIN players AS s ON s.id = second;
    ALTER TABLE parts RENAME TO experiment_results;
    ALTER TABLE runs RENAME TO learning_runs;
    ALTER TABLE run_points RENAME TO learning_curves;
"""
_SCORE_AGAINST = "score against "  # begins the name of a curve that measures a learner against an opponent


def _upgrade_names(connection: sqlite3.Connection) -> None:
    """Upgrades the specs and learners of 0.1.0, and indexes events by what they have in common but the seed."""
    connection.execute("ALTER TABLE events ADD COLUMN series TEXT NOT NULL DEFAULT ''")
    connection.execute("CREATE INDEX events_by_series ON events (series)")
    for id_, text in connection.execute("SELECT id, settings FROM events").fetchall():
        settings = json.loads(text)
        settings["players"] = list(map(upgrade_spec, settings["players"]))
        key = {name: value for name, value in settings.items() if name != "pairs"}
        series = {name: value for name, value in key.items() if name != "seed"}
        columns = (json.dumps(settings), json.dumps(key, sort_keys=True), json.dumps(series, sort_keys=True), id_)
        connection.execute("UPDATE events SET settings = ?, identity = ?, series = ? WHERE id = ?", columns)
    for id_, spec in connection.execute("SELECT id, spec FROM players").fetchall():
        connection.execute("UPDATE players SET spec = ? WHERE id = ?", (upgrade_spec(spec), id_))
    for id_, learner, text in connection.execute("SELECT id, learner, settings FROM learning_runs").fetchall():
        settings = json.dumps(upgrade_settings(_upgraded(json.loads(text))))
        connection.execute(
            "UPDATE learning_runs SET learner = ?, settings = ? WHERE id = ?", (upgrade_learner(learner), settings, id_)
        )
    for run, step, text in connection.execute("SELECT run, step, measured FROM learning_curves").fetchall():
        measured = json.dumps(_upgraded(json.loads(text)))
        connection.execute("UPDATE learning_curves SET measured = ? WHERE run = ? AND step = ?", (measured, run, step))
    place = "experiment, size, key, seed"
    for *names, settings, measured in connection.execute(
        f"SELECT {place}, settings, measured FROM experiment_results"
    ).fetchall():
        connection.execute(
            f"UPDATE experiment_results SET settings = ?, measured = ? WHERE ({place}) = (?, ?, ?, ?)",
            (
                json.dumps(upgrade_task_settings(_upgraded(json.loads(settings)))),
                json.dumps(_upgraded(json.loads(measured))),
                *names,
            ),
        )


def _upgraded(data: Any) -> Any:
    """JSON with every spec in today's notation."""
    if isinstance(data, dict):
        return {_upgraded_name(name): _upgraded(value) for name, value in data.items()}
    if isinstance(data, list):
        return [_upgraded(value) for value in data]
    return upgrade_spec(data) if isinstance(data, str) else data


def _upgraded_name(name: str) -> str:
    if name.startswith(_SCORE_AGAINST):
        return _SCORE_AGAINST + upgrade_spec(name.removeprefix(_SCORE_AGAINST))
    return {"broken_off": "forfeits", "endings": "terminations"}.get(name, name)


STEPS: tuple[str | Callable[[sqlite3.Connection], None], ...] = (
    _TABLES,
    _VIEW,
    _RUNS,
    _PARTS,
    _TERMINATION,
    _upgrade_names,
)
"""Step i makes version i + 1."""
VERSION = len(STEPS)


def migrate(connection: sqlite3.Connection, name: str) -> None:
    """Upgrades a store to this version in one transaction."""
    if version_of(connection, name) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in STEPS[version_of(connection, name) :]:  # another process may have upgraded it meanwhile
            if callable(step):
                _run(step, connection, name)
                continue
            for statement in step.split(";"):
                if statement.strip():
                    connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _run(step: Callable[[sqlite3.Connection], None], connection: sqlite3.Connection, name: str) -> None:
    try:
        step(connection)
    except DAMAGE:
        raise StoreError(f"{name} cannot be upgraded to version {VERSION}: a row of it is damaged") from None


def version_of(connection: sqlite3.Connection, name: str) -> int:
    """The version of a store, 0 for a new file; raises for other databases and for newer versions."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (objects,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application != APPLICATION and (objects or version):
        raise StoreError(f"{name} is a database of another program; name a file of flipdrop's, or a new one")
    if version > VERSION:
        raise StoreError(
            f"{name} is a store of version {version}, and this flipdrop knows versions up to {VERSION}: use a newer one"
        )
    return int(version)
