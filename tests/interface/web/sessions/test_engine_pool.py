"""External engines of sessions: kept between moves, and closed after release."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import pytest

from flipdrop.games import Othello
from flipdrop.interface.web.config import ServerConfig
from flipdrop.interface.web.schemas import PERSON, PlayerView
from flipdrop.interface.web.sessions import engine_pool
from flipdrop.interface.web.sessions.clock import SessionClock
from flipdrop.interface.web.sessions.engine_pool import EnginePool
from flipdrop.interface.web.sessions.search_queue import Cancelled, SearchTask
from flipdrop.interface.web.sessions.session import Session
from flipdrop.kernel import Side
from flipdrop.players import Clock
from tests.interface.web.sessions.harness import TIMEOUT, play_out, running_manager

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.games import Position


@pytest.mark.parametrize(
    ("control", "expected"),
    [
        (None, Clock(move_limit=5)),
        ("300+2", Clock(remaining=300, increment=2, move_limit=5)),
        ("60/move", Clock(move_limit=60)),  # all of it, not the five seconds of a player without limits
        ("90/move", Clock(move_limit=60)),  # made by a server with a higher limit
    ],
)
def test_clock_of_a_move(monkeypatch: pytest.MonkeyPatch, control: str | None, expected: Clock) -> None:
    given: list[Clock] = []

    def choose(_: object, position: Position, clock: Clock) -> int:
        given.append(clock)
        return position.legal_moves[0]

    monkeypatch.setattr(engine_pool, "checked_move", choose)
    clock = None if control is None else SessionClock.of(control)
    session = Session("a", Othello(), players=(PlayerView(spec="mcts", name="mcts"), PERSON), clock=clock)
    EnginePool(ServerConfig()).work(session, Side.FIRST)(SearchTask("a", lambda _: None, lambda *_: None))
    (found,) = given
    assert (found.remaining, found.move_limit) == pytest.approx((expected.remaining, expected.move_limit), abs=0.5)
    assert found.increment == expected.increment


@pytest.mark.slow
def test_release_during_search(tmp_path: Path) -> None:
    """The event loop does not wait; the engine closes after its search, not during it."""
    engines = EnginePool(ServerConfig(store=tmp_path / "games.db", allow_code=True))
    spec = f"gtp:{sys.executable} -m flipdrop gtp --player random"
    session = Session("a", Othello(), players=(PlayerView(spec=spec, name="random"), PERSON))
    task = SearchTask("a", lambda _: None, lambda *_: None)
    choose = engines.work(session, Side.FIRST)
    assert choose(task) in Othello().legal_moves
    (engine,) = engines._engines.values()
    with engine.lock:  # a search uses it
        engines.forget("a")
        assert engines._engines == {}
        (closing,) = engines._closing
        closing.join(0.05)
        assert closing.is_alive()
    closing.join(TIMEOUT)
    assert not closing.is_alive()
    task.cancel()
    with pytest.raises(Cancelled):  # a search that was cancelled meanwhile keeps no engine
        choose(task)
    engines.close()
    with pytest.raises(Cancelled):
        choose(SearchTask("a", lambda _: None, lambda *_: None))
    assert engines._engines == {}


@pytest.mark.slow
def test_external_engine(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_manager(tmp_path, allow_code=True) as manager:
            session = manager.new("othello4", second=f"gtp:{sys.executable} -m flipdrop gtp --player random")
            await play_out(session)
            assert session.error is None
            assert len(manager.engines._engines) == 1
            manager.remove(session)
            assert len(manager.engines._engines) == 0

    asyncio.run(play())
