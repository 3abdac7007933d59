"""Parts of experiments in the store: what was asked for, and what was measured.

A part is the smallest piece of an experiment that is kept: a match, a point of a sweep, a learner's run. It is written
when it has ended, so an experiment that is stopped goes on with the first part that is missing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flipdrop.arena.store.store import Store

_COLUMNS = "experiment, size, key, seed, settings, measured, seconds, threads, event, run, version, ended"


@dataclass(frozen=True)
class ExperimentResult:
    """A part that has ended.

    :param experiment: the experiment's name, such as ``R1.1``
    :param size: ``quick`` or ``full``
    :param key: which part of it
    :param settings: what decides the result, beside the seed
    :param values: what was measured
    :param seconds: how long that took
    :param threads: with so many threads
    :param event: the event whose games were counted, if there is one
    :param run: the learner's run, if there is one
    :param version: of flipdrop
    :param ended: when; both are filled in when the part is kept
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


def save_result(store: Store, part: ExperimentResult) -> None:
    """Writes a part. One of the same place, with other settings, is replaced."""
    from flipdrop import __version__

    ended = datetime.now(UTC).isoformat(timespec="seconds")
    row = (
        part.experiment,
        part.size,
        part.key,
        part.seed,
        json.dumps(part.settings),
        json.dumps(part.values, allow_nan=False),
        part.seconds,
        part.threads,
        part.event,
        part.run,
        part.version or __version__,
        part.ended or ended,
    )
    places = ", ".join("?" * len(row))
    with store.writing() as connection:
        connection.execute(f"INSERT OR REPLACE INTO experiment_results ({_COLUMNS}) VALUES ({places})", row)


def load_results(store: Store, *, experiment: str, size: str, seed: int) -> dict[str, ExperimentResult]:
    """The parts of an experiment that have ended, by their keys."""
    with store.reading() as connection:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM experiment_results WHERE experiment = ? AND size = ? AND seed = ? ORDER BY key",
            (experiment, size, seed),
        ).fetchall()
    parts = (
        ExperimentResult(name, of_size, key, its_seed, json.loads(settings), json.loads(measured), *rest)
        for name, of_size, key, its_seed, settings, measured, *rest in rows
    )
    return {part.key: part for part in parts}
