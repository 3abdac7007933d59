"""The manager: computers that move, sessions that survive, limits that hold."""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

import pytest

from flipdrop.errors import FlipdropError, PlayerError
from flipdrop.games import Othello
from flipdrop.interface.web.config import Limits
from flipdrop.interface.web.schemas import PlayerView
from flipdrop.interface.web.sessions import SessionError, UnknownSession, view_of
from flipdrop.interface.web.sessions import manager as manager_module
from flipdrop.interface.web.sessions.errors import TooBusy
from flipdrop.interface.web.sessions.session import Ending
from flipdrop.kernel import Side
from tests.interface.web.sessions.harness import running_manager, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.interface.web.sessions import Session, SessionManager


async def play_out(session: Session) -> None:
    """A person who plays the first legal move until the game is over."""
    while not session.is_over:
        await until(lambda: session.is_over or session.computer_to_move is None)
        if not session.is_over:
            session.play(session.position.move_name(session.position.legal_moves[0]), cursor=session.cursor)


@pytest.mark.parametrize("game", ["othello4", "othello6", "connect4", "connect4:5x4,forbid=b2"])
def test_a_game_against_a_computer(tmp_path: Path, game: str) -> None:
    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new(game, first="level:1", seed=3)
            await play_out(session)
            assert session.ending is not None
            assert session.ending.reason == "board"
            assert session.error is None
            assert view_of(session).players["first"] == PlayerView(spec="level:1", name="level:1")

    asyncio.run(play())


def test_computers_play_each_other_at_their_pace_pause_and_step(tmp_path: Path) -> None:
    async def watch() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", first="random", second="greedy", paused=True, pace=30.0)
            await asyncio.sleep(0.05)
            assert session.moves == []
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


def test_a_pace_holds_moves_apart(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("left", LEAVING)
def test_a_search_that_nobody_waits_for_any_more_ends(tmp_path: Path, left: str) -> None:
    """It was asked to take a minute. What it would have answered is not played."""

    async def play() -> None:
        async with running_manager(
            tmp_path, limits=Limits(searches=2, seconds=60, megabytes=1024, open_sessions=1)
        ) as manager:
            session = manager.new("othello", second="mcts:seconds=60")
            session.play("f5")
            await until(lambda: session.thinking == Side.SECOND and not session.waiting)
            LEAVING[left](manager, session)
            began = time.monotonic()
            await until(lambda: manager.search_queue.running == 0)
            assert time.monotonic() - began < 3
            assert [session.positions[0].move_name(move) for move in session.moves[:2]] in (["f5"], [])

    asyncio.run(play())


@pytest.mark.parametrize("player", ["iterative:seconds=60", "solver:seconds=60", "level:10"])
def test_whoever_searches_ends_when_nobody_waits_any_more(tmp_path: Path, player: str) -> None:
    async def play() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=1, seconds=60, megabytes=1024)) as manager:
            session = manager.new("othello", second=player)
            session.play("f5")
            await until(lambda: session.thinking == Side.SECOND and not session.waiting)
            session.undo()
            began = time.monotonic()
            await until(lambda: manager.search_queue.running == 0)
            assert time.monotonic() - began < 3

    asyncio.run(play())


def test_a_move_after_one_that_was_taken_back_is_answered(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("position", ["d3", "d3c3c4"])
def test_a_position_set_up_while_the_computer_thinks_is_thought_about_anew(tmp_path: Path, position: str) -> None:
    """Its answer to the game before, f5, may be illegal now, and is not what it was asked for."""

    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", second="mcts:seconds=0.5")
            session.play("f5")
            await until(lambda: session.thinking == Side.SECOND and not session.waiting)
            asked = manager._entries[session.id].turn
            manager.set_up(session, position)
            turn = manager._entries[session.id].turn
            assert asked is not None
            assert asked.task is not None
            assert asked.task.is_cancelled
            assert turn is not None
            assert turn.position == session.position
            await until(lambda: session.transcript != position)
            assert session.error is None
            assert session.positions[-1] in [turn.position.play(move) for move in turn.position.legal_moves]

    asyncio.run(play())


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


def test_what_is_not_to_be_kept_is_not(tmp_path: Path) -> None:
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


def test_memory_and_file_hold_so_many_sessions(tmp_path: Path) -> None:
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
            assert manager.find(watched.id) is watched  # somebody looks at it
            assert manager.find(ids[-15]).transcript == "f5"  # from the file
            assert len(manager._store) < 90
            with pytest.raises(UnknownSession):
                manager.find(ids[0])

    asyncio.run(fill())


def test_computers_that_wait_do_not_fill_the_memory(tmp_path: Path) -> None:
    async def fill() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=2, open_sessions=10)) as manager:
            idle = manager.new("othello", keep=False)
            ids = [manager.new("othello", first="random", second="random", pace=60.0).id for _ in range(60)]
            assert len(manager._entries) == 10
            with pytest.raises(UnknownSession):
                manager.find(idle.id)
            session = manager.find(ids[0])  # goes on where it was left
            turn = manager._entries[ids[0]].turn
            assert turn is not None
            assert turn.position is session.positions[-1]

    asyncio.run(fill())


def test_more_sessions_than_can_be_looked_at_are_refused(tmp_path: Path) -> None:
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


def test_a_hundred_games_at_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            sessions = [manager.new("othello4", second="level:1", seed=seed) for seed in range(100)]
            await asyncio.gather(*map(play_out, sessions))
            assert all(session.ending is not None and session.error is None for session in sessions)

    asyncio.run(play())


def test_more_turns_than_may_wait_are_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manager_module, "_RETRY", 0.02)

    async def play() -> None:
        async with running_manager(tmp_path, limits=Limits(searches=1, waiting=3)) as manager:
            sessions = [manager.new("connect4:4x4", first="random", second="random") for _ in range(12)]
            await until(lambda: all(session.is_over for session in sessions))

    asyncio.run(play())


def test_a_person_whose_time_is_up_loses_although_nobody_does_anything(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", clock="1")
            session.play("f5")
            await until(lambda: session.is_over)
            assert session.ending == Ending(Side.FIRST, "time")

    asyncio.run(play())


def test_a_computer_keeps_to_its_clock(tmp_path: Path) -> None:
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


def test_analysis_follows_the_board_and_ends(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello6", keep=False)
            manager.analyse(session, seconds=20)
            await until(lambda: session.analysis and session.analysis.moves)
            assert session.analysis is not None
            first = session.analysis.position
            session.play(session.analysis.best or "")
            await until(lambda: session.analysis and session.analysis.moves)
            assert session.analysis.position == session.position.board != first
            names = {entry.move for entry in session.analysis.moves}
            assert names == {session.position.move_name(move) for move in session.position.legal_moves}
            manager.stop_analysis(session)
            assert session.analysis is None
            await until(lambda: manager.search_queue.running == 0)

    asyncio.run(look())


def test_a_review_ends_with_the_record_that_it_is_about(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position="f5d6c3d3c4f4f6")
            manager.review(session, seconds=0.3)
            session.jump(2)  # looking around does not matter
            await until(lambda: session.review and session.review.reviewed >= 1)
            session.play("c4")  # another game
            assert session.review is None
            manager.review(session, seconds=0.02)
            await until(lambda: session.review and session.review.done)
            assert session.review is not None
            assert len(session.review.moves) == 3
            assert len(session.review.graph) == 4

    asyncio.run(look())


def test_a_review_that_is_broken_off_is_not_shown_and_a_complete_one_is(tmp_path: Path) -> None:
    async def look() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", position="f5d6c3d3c4f4f6")
            manager.review(session, seconds=2)
            await until(lambda: session.review is not None)
            manager.stop_analysis(session)
            assert session.review is None
            manager.review(session, seconds=0.01)
            await until(lambda: session.review and session.review.done)
            manager.stop_analysis(session)
            assert session.review is not None

    asyncio.run(look())


def test_a_game_that_was_removed_is_looked_at_and_not_played(tmp_path: Path) -> None:
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
                lambda: manager.analyse(session),
                lambda: manager.review(session),
            )
            for act in acts:
                with pytest.raises(UnknownSession, match="removed"):
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
        {"pace": -1.0},
        {"pace": float("nan")},
    ],
)
def test_what_cannot_be_begun(tmp_path: Path, arguments: dict[str, object]) -> None:
    async def begin() -> None:
        async with running_manager(tmp_path) as manager:
            with pytest.raises(FlipdropError):
                manager.new(**arguments)  # type: ignore[arg-type]
            assert len(manager._entries) == 0

    asyncio.run(begin())


def test_other_players_and_positions_of_another_size(tmp_path: Path) -> None:
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
                manager.analyse(session, "search", evaluation="lines")
            with pytest.raises(SessionError, match="up to 30"):
                manager.analyse(session, "search", seconds=1e9)
            with pytest.raises(SessionError, match="no move to review"):
                manager.review(session)

    asyncio.run(change())


AGENT = """
class Agent:
    def choose(self, position):
        if sum(position.discs) > 6:
            raise RuntimeError("lost my way")
        return position.legal_moves[0]
"""


def test_code_where_it_is_allowed_and_its_failure_is_told(tmp_path: Path) -> None:
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


def test_another_program_is_kept_from_move_to_move_and_ended(tmp_path: Path) -> None:
    async def play() -> None:
        async with running_manager(tmp_path, allow_code=True) as manager:
            session = manager.new("othello4", second=f"gtp:{sys.executable} -m flipdrop gtp --player random")
            await play_out(session)
            assert session.error is None
            assert len(manager.engines._engines) == 1
            manager.remove(session)
            assert len(manager.engines._engines) == 0

    asyncio.run(play())


def test_find_takes_any_text(tmp_path: Path) -> None:
    async def look(manager: SessionManager) -> None:
        for id_ in ("", "x" * 10_000, "\x00", "\ud800", "' OR 1=1 --"):
            with pytest.raises(UnknownSession):
                manager.find(id_)

    async def run() -> None:
        async with running_manager(tmp_path) as manager:
            await look(manager)

    asyncio.run(run())
