"""Results of experiment tasks in the store.

A task is the smallest unit of an experiment that is stored: a match, a grid point, a learning run. It is written when
it ends, so a resumed experiment continues with the first missing task.
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


def save_result(store: Store, result: ExperimentResult) -> None:
    """Writes a result; it replaces one of the same experiment, size, key and seed."""
    from flipdrop import __version__

    ended = datetime.now(UTC).isoformat(timespec="seconds")
    row = (
        result.experiment,
        result.size,
        result.key,
        result.seed,
        json.dumps(result.settings),
        json.dumps(result.values, allow_nan=False),
        result.seconds,
        result.threads,
        result.event,
        result.run,
        result.version or __version__,
        result.ended or ended,
    )
    places = ", ".join("?" * len(row))
    with store.writing() as connection:
        connection.execute(f"INSERT OR REPLACE INTO experiment_results ({_COLUMNS}) VALUES ({places})", row)


def load_results(store: Store, *, experiment: str, size: str, seed: int) -> dict[str, ExperimentResult]:
    """The stored results of an experiment, by their keys."""
    with store.reading() as connection:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM experiment_results WHERE experiment = ? AND size = ? AND seed = ? ORDER BY key",
            (experiment, size, seed),
        ).fetchall()
    results = (
        ExperimentResult(name, of_size, key, its_seed, json.loads(settings), json.loads(measured), *rest)
        for name, of_size, key, its_seed, settings, measured, *rest in rows
    )
    return {result.key: result for result in results}
