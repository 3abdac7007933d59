"""The session manager: sessions survive a restart, limits hold."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from flipdrop.errors import FlipdropError, PlayerError
from flipdrop.games import Othello
from flipdrop.interface.web.config import Limits
from flipdrop.interface.web.schemas import GameResult
from flipdrop.interface.web.sessions.errors import SessionError, TooBusy, UnknownSession
from flipdrop.interface.web.sessions.view import view_of
from tests.interface.web.sessions.harness import play_out, running_manager, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.interface.web.sessions.manager import SessionManager


def test_games_go_on_after_a_restart(tmp_path: Path) -> None:
    async def begin() -> tuple[str, str]:
        async with running_manager(tmp_path) as manager:
            session = manager.new("connect4", second="level:2", seed=5)
            session.play("4")
            await until(lambda: len(session.moves) == 2)
            session.play("3")  # the manager is closed while the computer thinks
            return session.id, session.transcript

    async def go_on(id_: str, transcript: str) -> None:
        async with running_manager(tmp_path) as manager:
            assert [kept.id for kept in manager.recent()] == [id_]
            session = manager.find(id_)
            assert session.transcript.startswith(transcript)
            await play_out(session)
            manager.remove(session)
            with pytest.raises(UnknownSession):
                manager.find(id_)
            assert manager.recent() == []

    asyncio.run(go_on(*asyncio.run(begin())))


def test_unsaved_session(tmp_path: Path) -> None:
    async def begin() -> str:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", keep=False)
            session.play("f5")
            assert manager.find(session.id) is session
            assert manager.recent() == []
            return session.id

    async def look(id_: str) -> None:
        async with running_manager(tmp_path) as manager:
            with pytest.raises(UnknownSession, match="no session"):
                manager.find(id_)

    asyncio.run(look(asyncio.run(begin())))


def test_limits_of_sessions(tmp_path: Path) -> None:
    async def fill() -> None:
        async with running_manager(tmp_path, limits=Limits(open_sessions=10, stored_sessions=30)) as manager:
            watched = manager.new("othello")
            watched.subscribe(lambda _: None)
            ids = []
            for _ in range(120):
                session = manager.new("othello")
                session.play("f5")
                ids.append(session.id)
            assert len(manager._entries) <= 11
            assert manager.find(watched.id) is watched  # it has a subscriber
            assert manager.find(ids[-15]).transcript == "f5"  # from the file
            assert len(manager._store) < 90
            with pytest.raises(UnknownSession):
                manager.find(ids[0])

    asyncio.run(fill())


def test_evict_waiting_computers(tmp_path: Path) -> None:
    async def fill() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=2, open_sessions=10)) as manager:
            idle = manager.new("othello", keep=False)
            ids = [manager.new("othello", first="random", second="random", pace=60.0).id for _ in range(60)]
            assert len(manager._entries) == 10
            with pytest.raises(UnknownSession):
                manager.find(idle.id)
            session = manager.find(ids[0])  # continues where it was evicted
            turn = manager._entries[ids[0]].computers.turn
            assert turn is not None
            assert turn.position is session.positions[-1]

    asyncio.run(fill())


def test_watched_sessions(tmp_path: Path) -> None:
    async def fill() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=2, open_sessions=3)) as manager:
            closed = manager.new("othello")
            stops = [manager.new("othello").subscribe(lambda _: None) for _ in range(6)]
            with pytest.raises(TooBusy, match="6 sessions"):
                manager.new("othello")
            with pytest.raises(TooBusy):
                manager.find(closed.id)
            stops[0]()
            assert manager.find(closed.id).id == closed.id

    asyncio.run(fill())


@pytest.mark.slow
@pytest.mark.parametrize("clock", ["1", "1/move"])
def test_loss_on_time(tmp_path: Path, clock: str) -> None:
    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", clock=clock)
            session.play("f5")
            await until(lambda: session.is_over)
            assert session.ending == GameResult(winner="first", reason="time")

    asyncio.run(play())


def test_deleted_session(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position="f5d6")
            session.subscribe(lambda _: None)  # a page
            manager.remove(session)
            session.jump(1)
            acts: tuple[Callable[[], object], ...] = (
                lambda: session.play("c3"),
                session.undo,
                session.resign,
                session.step,
                lambda: manager.set_players(session, None, "random"),
                lambda: manager.set_up(session, "f5"),
                lambda: manager.analysis.start(session),
                lambda: manager.analysis.review(session),
            )
            for act in acts:
                with pytest.raises(UnknownSession, match="deleted"):
                    act()
            assert (session.transcript, len(session.moves)) == ("f5", 2)
            assert manager.recent() == []

    asyncio.run(play())


@pytest.mark.parametrize(
    "arguments",
    [
        {"game": "chess"},
        {"game": "connect4:99x99"},
        {"position": "e4"},
        {"position": "f5" * 9000},
        {"second": "gtp:sh"},
        {"second": "agent.py:Agent"},
        {"second": "mcts:evaluation=x.weights"},
        {"second": "level:0"},
        {"clock": "for ever"},
        {"clock": "61/move"},
        {"pace": -1.0},
        {"pace": float("nan")},
    ],
)
def test_invalid_arguments(tmp_path: Path, arguments: dict[str, object]) -> None:
    async def begin() -> None:
        async with running_manager(tmp_path) as manager:
            with pytest.raises(FlipdropError):
                manager.new(**arguments)  # type: ignore[arg-type]
            assert len(manager._entries) == 0

    asyncio.run(begin())


def test_changed_players_and_positions(tmp_path: Path) -> None:
    async def change() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello")
            session.play("f5")
            manager.set_players(session, None, "level:1")
            await until(lambda: len(session.moves) == 2)
            with pytest.raises(PlayerError):
                manager.set_players(session, None, "gtp:sh")
            manager.set_up(session, Othello(size=6).board)
            assert view_of(session).game == "othello6"
            with pytest.raises(FlipdropError):
                manager.analysis.start(session, "search", evaluation="lines")
            with pytest.raises(SessionError, match="up to 60"):
                manager.analysis.start(session, "search", seconds=1e9)
            with pytest.raises(SessionError, match="no move to review"):
                manager.analysis.review(session)

    asyncio.run(change())


def test_find_takes_any_text(tmp_path: Path) -> None:
    async def look(manager: SessionManager) -> None:
        for id_ in ("", "x" * 10_000, "\x00", "\ud800", "' OR 1=1 --"):
            with pytest.raises(UnknownSession):
                manager.find(id_)

    async def run() -> None:
        async with running_manager(tmp_path) as manager:
            await look(manager)

    asyncio.run(run())
