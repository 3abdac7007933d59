"""The store of games: one SQLite file."""

from flipdrop.arena.store.store import Result, Store, StoredEvent, default_path

__all__ = ["Result", "Store", "StoredEvent", "default_path"]
