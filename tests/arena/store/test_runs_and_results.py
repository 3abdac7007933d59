"""Learning runs and results of experiments in the store."""

from __future__ import annotations

import dataclasses
import sqlite3
from typing import TYPE_CHECKING

import pytest

from flipdrop import __version__
from flipdrop.arena.store import ExperimentResult, Store, load_results, save_result
from flipdrop.arena.store.schema import APPLICATION, STEPS, VERSION
from tests.arena.events import event

if TYPE_CHECKING:
    from pathlib import Path

RESULT = ExperimentResult(
    "R9.9", "quick", "10 against 20", 1, {"games": 20}, {"score": 0.1 + 0.2, "elo": None}, 1.5, threads=2
)


def test_experiment_results(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        game_event = store.event_id_for(event("random", "greedy"))
        kept = dataclasses.replace(RESULT, event=game_event, version="0.0.1", ended="2026-01-01T00:00:00+00:00")
        save_result(store, kept)
        save_result(store, dataclasses.replace(RESULT, key="another"))
    with Store(tmp_path / "games.db") as store:
        found = load_results(store, experiment="R9.9", size="quick", seed=1)
    assert found["10 against 20"] == kept
    assert set(found) == {"10 against 20", "another"}
    assert found["another"].version == __version__
    assert found["another"].ended > kept.ended


@pytest.mark.parametrize("other", [{"experiment": "R9.8"}, {"size": "full"}, {"seed": 2}])
def test_keys_of_results(other: dict[str, object]) -> None:
    with Store(None) as store:
        save_result(store, RESULT)
        save_result(store, dataclasses.replace(RESULT, **other, values={"score": 1}))  # type: ignore[arg-type]
        found = load_results(store, experiment="R9.9", size="quick", seed=1)
        assert [result.values for result in found.values()] == [RESULT.values]


def test_result_is_replaced() -> None:
    with Store(None) as store:
        save_result(store, RESULT)
        save_result(store, dataclasses.replace(RESULT, settings={"games": 40}, values={"score": 1}))
        (result,) = load_results(store, experiment="R9.9", size="quick", seed=1).values()
        assert (result.settings, result.values) == ({"games": 40}, {"score": 1})


def test_invalid_values() -> None:
    with Store(None) as store:
        with pytest.raises(ValueError, match="JSON"):
            save_result(store, dataclasses.replace(RESULT, values={"elo": float("inf")}))
        assert load_results(store, experiment="R9.9", size="quick", seed=1) == {}


def test_older_store(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    sql = [step for step in STEPS if isinstance(step, str)]
    before = next(number for number, step in enumerate(sql) if "TABLE parts" in step)
    with sqlite3.connect(path) as connection:
        for statement in ";".join(sql[:before]).split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {before}")
    connection.close()
    with Store(path) as store:
        save_result(store, RESULT)
        assert len(load_results(store, experiment="R9.9", size="quick", seed=1)) == 1
        with store.reading() as open_connection:
            assert open_connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
