"""Computers move in turn and at their pace; searches that are no longer wanted end."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

import pytest

from flipdrop.games import Othello
from flipdrop.interface.web.config import Limits
from flipdrop.interface.web.schemas import PlayerView
from flipdrop.interface.web.sessions import computer_moves
from flipdrop.interface.web.sessions.view import view_of
from flipdrop.kernel import Side
from tests.interface.web.sessions.harness import TIMEOUT, play_out, running_manager, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session


@pytest.mark.parametrize("game", ["othello4", "othello6", "connect4", "connect4:5x4,forbid=b2"])
def test_game(tmp_path: Path, game: str) -> None:
    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new(game, first="level:1", seed=3)
            await play_out(session)
            assert session.ending is not None
            assert session.ending.reason == "board"
            assert session.error is None
            assert view_of(session).players["first"] == PlayerView(spec="level:1", name="level:1")

    asyncio.run(play())


def test_pause_and_step(tmp_path: Path) -> None:
    async def watch() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", first="random", second="greedy", paused=True, pace=30.0)
            await asyncio.sleep(0.05)
            assert session.moves == ()
            for _ in range(3):  # steps do not wait for the pace
                before = len(session.moves)
                session.step()
                await until(lambda: len(session.moves) > before)  # noqa: B023 - waited for at once
            await asyncio.sleep(0.05)
            assert len(session.moves) == 3
            session.jump(1)
            session.step()  # within the record it shows the next move
            assert (session.cursor, len(session.moves)) == (2, 3)
            session.jump(3)
            session.pause(False)
            await asyncio.sleep(0.05)
            assert len(session.moves) == 3  # the pace is half a minute
            session.set_pace(0)
            await until(lambda: session.is_over)

    asyncio.run(watch())


@pytest.mark.timing
def test_pace(tmp_path: Path) -> None:
    async def watch() -> None:
        async with running_manager(tmp_path) as manager:
            began = time.monotonic()
            session = manager.new("othello4", first="random", second="random", pace=0.05)
            await until(lambda: len(session.moves) >= 5)
            assert time.monotonic() - began >= 5 * 0.05

    asyncio.run(watch())


LEAVING: dict[str, Callable[[SessionManager, Session], object]] = {
    "undone": lambda _, session: session.undo(),
    "set up anew": lambda manager, session: manager.set_up(session, ""),
    "given to a person": lambda manager, session: manager.set_players(session, None, None),
    "paused": lambda _, session: session.pause(True),
    "resigned": lambda _, session: session.resign(),
    "removed": lambda manager, session: manager.remove(session),
    "left to the file": lambda manager, _: manager.new("othello"),
}


@pytest.mark.timing
@pytest.mark.parametrize("left", LEAVING)
def test_outdated_search(tmp_path: Path, left: str) -> None:
    """The search was given a minute; its move is not played."""

    async def play() -> None:
        async with running_manager(
            tmp_path, limits=Limits(searches=2, seconds=60, megabytes=1024, open_sessions=1)
        ) as manager:
            session = manager.new("othello", second="mcts:seconds=60")
            session.play("f5")
            await until(lambda: manager.search_queue.running)
            LEAVING[left](manager, session)
            began = time.monotonic()
            await until(lambda: manager.search_queue.running == 0)
            assert time.monotonic() - began < 30  # and not the minute that it was given
            assert [session.positions[0].move_name(move) for move in session.moves[:2]] in (["f5"], [])

    asyncio.run(play())


@pytest.mark.timing
@pytest.mark.parametrize("player", ["iterative:seconds=60", "solver:seconds=60", "level:10"])
def test_cancel_long_search(tmp_path: Path, player: str) -> None:
    async def play() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=1, seconds=60, megabytes=1024)) as manager:
            session = manager.new("othello", second=player)
            session.play("f5")
            await until(lambda: manager.search_queue.running)
            session.undo()
            began = time.monotonic()
            await until(lambda: manager.search_queue.running == 0)
            assert time.monotonic() - began < 30  # and not the minute that it was given

    asyncio.run(play())


def test_move_after_undo(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", second="mcts:seconds=0.2")
            session.play("f5")
            await until(lambda: session.thinking == Side.SECOND)
            session.undo()
            assert view_of(session).thinking is None
            session.play("d3")
            await until(lambda: len(session.moves) == 2)
            assert session.transcript.startswith("d3")
            assert session.positions[0] == Othello()

    asyncio.run(play())


@pytest.mark.slow
@pytest.mark.parametrize("position", ["d3", "d3c3c4"])
def test_set_up_during_search(tmp_path: Path, position: str) -> None:
    """The move for the previous position, f5, may be illegal in the new one."""

    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", second="mcts:seconds=0.5")
            session.play("f5")
            await until(lambda: session.thinking == Side.SECOND and not session.waiting)
            asked = manager._entries[session.id].computers.turn
            manager.set_up(session, position)
            turn = manager._entries[session.id].computers.turn
            assert asked is not None
            assert asked.task is not None
            assert asked.task.is_cancelled
            assert turn is not None
            assert turn.position == session.position
            await until(lambda: session.transcript != position)
            assert session.error is None
            assert session.positions[-1] in [turn.position.play(move) for move in turn.position.legal_moves]

    asyncio.run(play())


def test_hundred_games(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            sessions = [manager.new("othello4", second="level:1", seed=seed) for seed in range(100)]
            await asyncio.gather(*map(play_out, sessions))
            assert all(session.ending is not None and session.error is None for session in sessions)

    asyncio.run(play())


def test_full_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer_moves, "_RETRY", 0.02)

    async def play() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=1, waiting=3)) as manager:
            sessions = [manager.new("connect4:4x4", first="random", second="random") for _ in range(12)]
            await until(lambda: all(session.is_over for session in sessions))

    asyncio.run(play())


@pytest.mark.slow
def test_clock(tmp_path: Path) -> None:
    """Without a clock each of these would take five seconds for a move."""

    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello6", first="iterative", second="mcts", clock="5")
            await until(lambda: session.is_over or len(session.moves) >= 4)
            assert session.ending is None
            assert session.clock is not None
            first, second = session.clock.left  # of one move and of two, for the first of a game is not timed
            assert 2.5 < first < 5
            assert 1 < second < 5

    asyncio.run(play())


AGENT = """
class Agent:
    def choose(self, position):
        if sum(position.discs) > 6:
            raise RuntimeError("lost my way")
        return position.legal_moves[0]
"""


def test_agents(tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(AGENT)

    async def play() -> None:
        async with running_manager(tmp_path, allow_code=True) as manager:
            session = manager.new("othello", second=f"{agent}:Agent")
            session.play("f5")
            await until(lambda: len(session.moves) == 2)
            session.play(session.position.move_name(session.position.legal_moves[0]))
            await until(lambda: session.error)
            assert session.error is not None
            assert "lost my way" in session.error.message
            assert view_of(session).thinking is None
            session.undo()
            assert session.error is None

    asyncio.run(play())


def test_announcements(tmp_path: Path) -> None:
    """A page paints twice: the move together with the thinking computer, and the answer."""

    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", second="level:1")
            heard: list[tuple[int, Side | None, bool]] = []
            session.subscribe(lambda changed: heard.append((changed.cursor, changed.thinking, changed.waiting)))
            session.play("f5")
            await until(lambda: len(session.moves) == 2)
            assert heard == [(1, Side.SECOND, False), (2, None, False)]
            session.undo()
            assert len(heard) == 3

    asyncio.run(play())


def test_waiting_computer(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=1)) as manager:
            gate = threading.Event()
            manager.search_queue.submit("other", lambda _: gate.wait(TIMEOUT), on_done=lambda *_: None)
            session = manager.new("othello", second="level:1")
            heard: list[tuple[int, bool]] = []
            session.subscribe(lambda changed: heard.append((changed.cursor, changed.waiting)))
            session.play("f5")
            assert heard == [(1, True)]
            gate.set()
            await until(lambda: len(session.moves) == 2)
            assert heard == [(1, True), (1, False), (2, False)]

    asyncio.run(play())
