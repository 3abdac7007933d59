"""Events for tests."""

from __future__ import annotations

from typing import Any

from flipdrop.arena.model import Event, round_robin


def event(*players: str, **options: Any) -> Event:
    """Everybody against everybody, quickly over."""
    given: dict[str, Any] = {
        "kind": "match",
        "game": "othello4",
        "pairings": round_robin(len(players)),
        "pairs": 3,
        "openings": "random:2",
        "seed": 1,
    }
    return Event(players=players, **given | options)
