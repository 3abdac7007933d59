"""Live analyses and reviews of sessions: they follow the board, and stop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from flipdrop.interface.web.config import Limits
from flipdrop.interface.web.sessions.errors import OutOfRange
from tests.interface.web.sessions.harness import running_manager, until

if TYPE_CHECKING:
    from pathlib import Path


OUTSIDE_THE_BOOK = "f5f4g3g4h3"


def test_live_analysis(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello6", keep=False)
            manager.analysis.start(session, seconds=20)
            await until(lambda: session.analysis and session.analysis.moves)
            assert session.analysis is not None
            first = session.analysis.position
            session.play(session.analysis.best or "")
            await until(lambda: session.analysis and session.analysis.moves)
            assert session.analysis.position == session.position.board != first
            names = {entry.move for entry in session.analysis.moves}
            assert names == {session.position.move_name(move) for move in session.position.legal_moves}
            manager.analysis.stop(session)
            assert session.analysis is None
            await until(lambda: manager.search_queue.running == 0)

    asyncio.run(look())


def test_review_of_changed_record(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position="f5d6c3d3c4f4f6")
            manager.analysis.review(session, seconds=0.3)
            session.jump(2)  # looking around does not matter
            await until(lambda: session.review and session.review.reviewed >= 1)
            session.play("c4")  # another game
            assert session.review is None
            manager.analysis.review(session, seconds=0.02)
            await until(lambda: session.review and session.review.done)
            assert session.review is not None
            assert len(session.review.moves) == 3
            assert len(session.review.graph) == 4

    asyncio.run(look())


def test_stopped_review(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position="f5d6c3d3c4f4f6")
            manager.analysis.review(session, seconds=2)
            await until(lambda: session.review is not None)
            manager.analysis.stop(session)
            assert session.review is None
            manager.analysis.review(session, seconds=0.01)
            await until(lambda: session.review and session.review.done)
            manager.analysis.stop(session)
            assert session.review is not None

    asyncio.run(look())


def test_rounds(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position=OUTSIDE_THE_BOOK, keep=False)
            manager.analysis.start(session, seconds=0.05, lines=3)
            await until(lambda: session.analysis and session.analysis.done)
            first = session.analysis
            assert first is not None
            for rank, entry in enumerate(first.moves):
                assert entry.line[:1] == ([entry.move] if rank < 3 else [])
            manager.analysis.go_deeper(session)
            assert session.analysis is not None
            assert not session.analysis.done
            assert session.analysis.depth == first.depth  # nothing that is known is lost
            await until(lambda: session.analysis and session.analysis.done)
            assert session.analysis.depth >= first.depth
            manager.analysis.stop(session)
            manager.analysis.go_deeper(session)  # not while it is off
            assert session.analysis is None

    asyncio.run(look())


def test_infinite_analysis(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position=OUTSIDE_THE_BOOK, keep=False)
            manager.analysis.start(session, seconds=0.01, infinite=True)
            seen: list[int] = []
            session.subscribe(lambda session: seen.append(session.analysis.depth if session.analysis else 0))
            await until(lambda: seen and seen[-1] >= 10)
            assert session.analysis is not None
            assert not session.analysis.done
            assert seen == sorted(seen)
            manager.analysis.stop(session)
            await until(lambda: manager.search_queue.running == 0)
            # One that can be proven ends.
            end = manager.new("connect4", position="1122334", keep=False)
            manager.analysis.start(end, infinite=True)
            await until(lambda: end.analysis and end.analysis.done)

    asyncio.run(look())


def test_book_and_deeper(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position="f5d6c3", keep=False)
            manager.analysis.start(session, seconds=0.05, infinite=True, lines=2)
            await until(lambda: session.analysis and session.analysis.done)
            assert session.analysis is not None
            assert session.analysis.from_book
            assert session.analysis.moves[0].in_book
            assert all(len(entry.line) > 1 for entry in session.analysis.moves[:2])
            manager.analysis.go_deeper(session)
            await until(lambda: session.analysis and not session.analysis.from_book and session.analysis.depth > 2)
            manager.analysis.stop(session)

    asyncio.run(look())


def test_settings_out_of_range(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path, limits=Limits(threads=2)) as manager:
            session = manager.new("othello", keep=False)
            for wrong in ({"depth": 0}, {"depth": 61}, {"threads": 3}, {"lines": 6}, {"seconds": 1e9}):
                with pytest.raises(OutOfRange):
                    manager.analysis.start(session, **wrong)

    asyncio.run(look())
