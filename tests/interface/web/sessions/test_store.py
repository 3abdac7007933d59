"""Sessions in a file: complete, in order; damaged ones are skipped."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from flipdrop.errors import StoreError
from flipdrop.games import ConnectFour, Othello
from flipdrop.interface.web.schemas import PERSON, PlayerView
from flipdrop.interface.web.sessions.clock import SessionClock
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.sessions.store import SessionStore
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from pathlib import Path


def test_round_trip(tmp_path: Path) -> None:
    session = Session(
        "abc",
        Othello.from_transcript("f5d6"),  # not the usual start
        players=(PERSON, PlayerView(spec="mcts:iterations=30", name="mcts:iterations=30")),
        clock=SessionClock.of("60+1"),
        pace=1.5,
        seed=7,
    )
    session.play("c3")
    session.push(session.position.legal_moves[0])
    session.jump(1)
    store = SessionStore(tmp_path / "deep" / "sessions.db")
    store.write(session)
    store.close()
    again = SessionStore(tmp_path / "deep" / "sessions.db")
    found = again.read("abc")
    again.close()
    assert found is not None
    ignored = {"version": None, "clock": None}
    assert view_of(found).model_copy(update=ignored) == view_of(session).model_copy(update=ignored)
    assert found.seed == 7
    assert found.clock is not None
    assert found.clock.left == pytest.approx(session.clock.left if session.clock else (), abs=5)


def test_missing_and_damaged_sessions(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "sessions.db"
    store = SessionStore(path)
    store.write(Session("a", ConnectFour()))
    store.write(Session("b", ConnectFour()))
    store._connection.execute("UPDATE sessions SET state = replace(state, '\"moves\":[]', '\"moves\":[9,9]')")
    store._connection.execute("UPDATE sessions SET state = '{' WHERE id = 'b'")
    assert store.read("c") is None
    assert store.read("a") is None
    assert store.read("b") is None
    assert "session a is damaged" in caplog.text
    store.close()


@pytest.mark.parametrize("state", ["{", "[]", "null", "7", '"text"', "{}", '{"id": "b", "players": 3}'])
def test_list_with_damaged_sessions(tmp_path: Path, state: str) -> None:
    store = SessionStore(tmp_path / "sessions.db")
    for id_ in "abc":
        store.write(Session(id_, ConnectFour()))
    store._connection.execute("UPDATE sessions SET state = ? WHERE id = 'b'", (state,))
    assert sorted(found.id for found in store.recent(10)) == ["a", "c"]
    assert store.read("b") is None
    store.close()


def test_file_damaged_while_open(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "sessions.db")
    store._connection.execute("DROP TABLE sessions")
    for act in (
        lambda: len(store),
        lambda: store.recent(3),
        lambda: store.read("a"),
        lambda: store.write(Session("a", ConnectFour())),
        lambda: store.delete("a"),
        lambda: store.prune(3),
    ):
        with pytest.raises(StoreError, match=r"sessions\.db: no such table"):
            act()
    store.close()


def test_prune(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "sessions.db")
    for number in range(10):
        session = Session(str(number), Othello())
        session.changed_at = 1000.0 + number
        store.write(session)
    store.prune(4)
    assert [state.id for state in store.recent(10)] == ["9", "8", "7", "6"]
    assert [state.id for state in store.recent(2)] == ["9", "8"]
    store.delete("9")
    assert len(store) == 3
    store.close()


def test_other_files(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("not a database at all, but long enough to be looked at" * 10)
    with pytest.raises(StoreError, match=r"text\.db"):
        SessionStore(text)
    newer = tmp_path / "newer.db"
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="version 99"):
        SessionStore(newer)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError):
        SessionStore(tmp_path / "file" / "sessions.db")


def test_version_1(tmp_path: Path) -> None:
    """As flipdrop 0.1.0 wrote it; a damaged session does not stop the upgrade."""
    state = (
        '{"id":"abc","game":"othello","start":"---------------------------OX------XO--------------------------- X",'
        '"moves":[37,43],"cursor":1,"seats":[[null,""],["deepening:depth=2","deepening:depth=2"]],"clock":{"control":"60+1","remaining":'
        '[60.0,59.0]},"pace":0.0,"paused":true,"seed":7,"ending":["first","resign"],"changed":1000.0}'
    )
    path = tmp_path / "sessions.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, changed REAL NOT NULL, state TEXT NOT NULL)")
    connection.executemany("INSERT INTO sessions VALUES (?, 1000.0, ?)", [("abc", state), ("bad", "{")])
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    for _ in range(2):  # the second time it is of version 2
        store = SessionStore(path)
        session = store.read("abc")
        assert session is not None
        assert (session.transcript, session.cursor, session.seed) == ("f5", 1, 7)
        assert session.players == (PERSON, PlayerView(spec="iterative:depth=2", name="iterative:depth=2"))
        assert [one.id for one in store.recent(5)] == ["abc"]
        assert store.read("bad") is None
        store.close()
