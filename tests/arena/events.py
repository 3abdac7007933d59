"""Events and competitions for tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from flipdrop.arena.competition import Competition, from_json
from flipdrop.arena.model import Event, round_robin
from flipdrop.arena.running import runner_for
from flipdrop.arena.store import Store

if TYPE_CHECKING:
    from flipdrop.arena.model import FinishedGame
    from flipdrop.arena.running import Runner

Result = TypeVar("Result")


def event(*players: str, **options: Any) -> Event:
    """A short round robin."""
    given: dict[str, Any] = {
        "kind": "match",
        "game": "othello4",
        "pairings": round_robin(len(players)),
        "pairs": 3,
        "openings": "random:2",
        "seed": 1,
    }
    return Event(players=players, **given | options)


def play(plan: Competition[Result], store: Store | None = None, **options: Any) -> Result:
    """Runs a competition with two threads, in memory by default."""
    assert from_json(json.loads(json.dumps(plan.to_json()))) == plan
    runner = runner_for(plan.check(), threads=2)
    if store is not None:
        return plan.run(store, runner, **options)
    with Store(None) as memory:
        return plan.run(memory, runner, **options)


def games_of(runner: Runner, of: Event) -> list[FinishedGame]:
    """All games of an event, by number."""
    games = [game for batch in runner.run(of.tasks()) for game in batch]
    return sorted(games, key=lambda game: game.task.number)
