"""Live analyses and reviews: they follow the board and end with the record."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.interface.web.sessions.harness import running_manager, until

if TYPE_CHECKING:
    from pathlib import Path


def test_analysis_follows_the_board_and_ends(tmp_path: Path) -> None:
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


def test_a_review_ends_with_the_record_that_it_is_about(tmp_path: Path) -> None:
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


def test_a_stopped_review_is_hidden_and_a_complete_one_stays(tmp_path: Path) -> None:
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
