"""Sessions in a file: whole, in order, and refused politely where they are damaged."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from flipdrop.errors import StoreError
from flipdrop.games import ConnectFour, Othello
from flipdrop.interface.web.sessions.keeping import Kept
from flipdrop.interface.web.sessions.session import Seat, Session
from flipdrop.interface.web.sessions.timing import SessionClock
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from pathlib import Path


def test_a_session_survives(tmp_path: Path) -> None:
    session = Session(
        "abc",
        Othello.from_transcript("f5d6"),  # not the usual start
        seats=(Seat(), Seat("mcts:iterations=30", "mcts:iterations=30")),
        clock=SessionClock.of("60+1"),
        pace=1.5,
        seed=7,
    )
    session.play("c3")
    session.place(session.position.legal_moves[0])
    session.jump(1)
    kept = Kept(tmp_path / "deep" / "sessions.db")
    kept.write(session)
    kept.close()
    again = Kept(tmp_path / "deep" / "sessions.db")
    found = again.read("abc")
    again.close()
    assert found is not None
    ignored = {"version": None, "clock": None}
    assert view_of(found) | ignored == view_of(session) | ignored
    assert found.seed == 7
    assert found.clock is not None
    assert found.clock.left == pytest.approx(session.clock.left if session.clock else (), abs=5)


def test_one_that_is_not_there_and_one_that_is_damaged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "sessions.db"
    kept = Kept(path)
    kept.write(Session("a", ConnectFour()))
    kept.write(Session("b", ConnectFour()))
    kept._connection.execute("UPDATE sessions SET state = replace(state, '\"moves\":[]', '\"moves\":[9,9]')")
    kept._connection.execute("UPDATE sessions SET state = '{' WHERE id = 'b'")
    assert kept.read("c") is None
    assert kept.read("a") is None
    assert kept.read("b") is None
    assert "session a is damaged" in caplog.text
    kept.close()


def test_the_oldest_are_forgotten() -> None:
    kept = Kept(None)
    for number in range(10):
        session = Session(str(number), Othello())
        session.changed = 1000.0 + number
        kept.write(session)
    kept.forget_oldest(4)
    assert [state["id"] for state in kept.recent(10)] == ["9", "8", "7", "6"]
    assert [state["id"] for state in kept.recent(2)] == ["9", "8"]
    kept.forget("9")
    assert len(kept) == 3
    kept.close()


def test_files_that_are_something_else(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("not a database at all, but long enough to be looked at" * 10)
    with pytest.raises(StoreError, match=r"text\.db"):
        Kept(text)
    newer = tmp_path / "newer.db"
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="version 99"):
        Kept(newer)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        Kept(tmp_path / "file" / "sessions.db")
