"""The store of games and of runs of learners: one SQLite file."""

from flipdrop.arena.store.runs import Point, RunRecord, StoredRun, points_of, stored_runs
from flipdrop.arena.store.store import Result, Store, StoredEvent, default_path

__all__ = [
    "Point",
    "Result",
    "RunRecord",
    "Store",
    "StoredEvent",
    "StoredRun",
    "default_path",
    "points_of",
    "stored_runs",
]
