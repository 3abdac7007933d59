"""The store of games, learning runs and results of experiments: one SQLite file."""

from flipdrop.arena.store.runs_and_results import (
    ExperimentResult,
    Point,
    RunWriter,
    StoredRun,
    load_results,
    points_of,
    save_result,
    stored_runs,
)
from flipdrop.arena.store.store import GameResult, Store, StoredEvent, default_path

__all__ = [
    "ExperimentResult",
    "GameResult",
    "Point",
    "RunWriter",
    "Store",
    "StoredEvent",
    "StoredRun",
    "default_path",
    "load_results",
    "points_of",
    "save_result",
    "stored_runs",
]
