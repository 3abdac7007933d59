"""The store of games, of runs of learners and of parts of experiments: one SQLite file."""

from flipdrop.arena.store.parts import StoredPart, keep_part, stored_parts
from flipdrop.arena.store.runs import Point, RunRecord, StoredRun, points_of, stored_runs
from flipdrop.arena.store.store import Result, Store, StoredEvent, default_path

__all__ = [
    "Point",
    "Result",
    "RunRecord",
    "Store",
    "StoredEvent",
    "StoredPart",
    "StoredRun",
    "default_path",
    "keep_part",
    "points_of",
    "stored_parts",
    "stored_runs",
]
