"""The store: finished games survive killed processes, damaged files and concurrent writers."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.run_event import run_event
from flipdrop.arena.running.batch import BatchPlayer
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.arena.store import Store, default_path
from flipdrop.arena.store.schema import APPLICATION, STEPS, VERSION
from flipdrop.errors import StoreError
from tests.arena.events import event

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flipdrop.arena.model import Event

EVENT = event("random", "mcts:iterations=5", "greedy", pairs=4)


def test_games(tmp_path: Path) -> None:
    games = BatchPlayer().play(EVENT.tasks())
    with Store(tmp_path / "games.db") as store:
        number = store.event_id_for(EVENT)
        store.add(number, games[:5])
        store.add(number, games[3:])  # twice is once
    with Store(tmp_path / "games.db") as store:
        assert list(store.games(number)) == games
        (stored,) = store.events()
        assert stored.event == EVENT
        assert stored.games == EVENT.games
        assert [(r.number, r.result, r.margin) for r in store.results(number).values()] == [
            (g.task.number, g.result, g.margin) for g in games
        ]


def test_find() -> None:
    with Store(None) as store:
        assert store.find(EVENT) is None
        number = store.event_id_for(EVENT)
        assert store.event_id_for(EVENT) == number
        other = store.event_id_for(event("random", "greedy"))
        assert other != number
        found = store.find(event(*EVENT.players, pairs=9))
        assert found is not None
        assert found.id == number
        assert store.find(event(*EVENT.players, seed=5)) is None
        found = store.find(event(*EVENT.players, seed=5), any_seed=True)
        assert found is not None
        assert found.event.seed == EVENT.seed


def test_resume() -> None:
    games = BatchPlayer().play(EVENT.tasks())
    with Store(None) as store:
        number = store.event_id_for(EVENT)
        store.add(number, games[4:9])
        state = run_event(EVENT, store, ThreadRunner(1))
        assert (state.stored, state.played) == (5, EVENT.games - 5)
        assert list(store.games(number)) == games


def test_more_games() -> None:
    longer = event(*EVENT.players, pairs=6)
    with Store(None) as store:
        run_event(EVENT, store, ThreadRunner(1))
        state = run_event(longer, store, ThreadRunner(1))
        assert state.played == longer.games - EVENT.games
        assert list(store.games(store.event_id_for(longer))) == BatchPlayer().play(longer.tasks())


def test_migration(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with sqlite3.connect(path) as connection:
        assert isinstance(STEPS[0], str)
        for statement in STEPS[0].split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    with Store(path) as store:
        run_event(EVENT, store, ThreadRunner(1))
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert connection.execute("SELECT count(*) FROM results").fetchone() == (EVENT.games,)
    connection.close()


def test_find_uses_an_index() -> None:
    with Store(None) as store:
        for seed in range(3):
            store.event_id_for(event("random", "greedy", seed=seed))
        assert store.event(2).event.seed == 1
        with pytest.raises(StoreError, match="no event 9"):
            store.event(9)
        for column in ("identity", "series"):
            (plan,) = store._connection.execute(f"EXPLAIN QUERY PLAN SELECT id FROM events WHERE {column} = 'x'")
            assert "INDEX" in plan[3]


def _newer(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_newer, f"version {VERSION + 1}"),
        (_foreign, "another program"),
        (lambda path: path.write_bytes(b"not a database at all, but long enough to be one" * 100), "not a store"),
        (lambda path: path.mkdir(), "cannot be opened"),
        (lambda path: path.parent.joinpath("file").write_text("") or path.symlink_to("file/x"), "games.db"),
    ],
)
def test_invalid_files(tmp_path: Path, spoil: object, message: str) -> None:
    path = tmp_path / "games.db"
    assert callable(spoil)
    spoil(path)
    content = path.read_bytes() if path.is_file() else b""
    with pytest.raises(StoreError, match=message):
        Store(path)
    assert (path.read_bytes() if path.is_file() else b"") == content


def test_locked_store(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path, timeout=0.1) as store:
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another process"):
            store.event_id_for(EVENT)
        blocker.execute("ROLLBACK")
        blocker.close()
        store.event_id_for(EVENT)


def test_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = BatchPlayer().play(event("random", "greedy", game="othello", pairs=100, openings="random:8").tasks())
    with Store(path) as store:
        number = store.event_id_for(EVENT)
        store.add(number, games[:10])
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages + 1}")  # as if there was no more room
        with pytest.raises(StoreError, match="the disk is full"):
            store.add(number, games[10:])
        assert len(store.results(number)) == 10
    with Store(path) as store:
        assert len(store.results(number)) == 10


@contextmanager
def without_write_permission(folder: Path) -> Iterator[None]:
    """Nothing in the folder can be written or created; the administrator acts as another user."""
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)
        folder.chmod(0o755)


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that other users can enter, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("is_open", [False, True])
def test_read_only_store(shared_folder: Path, is_open: bool) -> None:
    path = shared_folder / "games.db"
    games = BatchPlayer().play(EVENT.tasks())
    with Store(path) as writer:
        writer.add(writer.event_id_for(EVENT), games)
        if not is_open:
            writer.close()  # which removes the log and the shared memory
        with without_write_permission(shared_folder), Store(path) as store:
            assert list(store.games(1)) == games
            with pytest.raises(StoreError, match="it cannot be written to"):
                store.event_id_for(event("random", "greedy"))


def test_read_only_store_of_an_older_version(shared_folder: Path) -> None:
    path = shared_folder / "games.db"
    Store(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION - 1}")
    connection.close()
    with without_write_permission(shared_folder), pytest.raises(StoreError, match="copy it to another folder"):
        Store(path)


PLAY = """
import sys
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.arena.store import Store
from tests.arena.events import event
with Store(sys.argv[1]) as store:
    run_event(event("random", "mcts:iterations=40", "greedy", pairs=int(sys.argv[2]), seed=int(sys.argv[3])), store,
            ThreadRunner(2))
"""


def _played(path: Path, pairs: int, seed: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", PLAY, str(path), str(pairs), str(seed)])


def _mcts_event(pairs: int, seed: int) -> Event:
    return event("random", "mcts:iterations=40", "greedy", pairs=pairs, seed=seed)


@pytest.mark.slow
def test_killed_writer(tmp_path: Path) -> None:
    path, pairs = tmp_path / "games.db", 150
    expected = BatchPlayer().play(_mcts_event(pairs, 1).tasks())
    moment = random.Random(9)
    before = 0
    for _ in range(4):
        process = _played(path, pairs, 1)
        while process.poll() is None and not path.exists():
            time.sleep(0.01)
        time.sleep(moment.uniform(0, 0.6))
        process.send_signal(signal.SIGKILL)
        process.wait()
        with Store(path) as store:
            known = store.find(_mcts_event(pairs, 1))
            kept = list(store.games(known.id)) if known else []
        assert len(kept) >= before  # nothing that was there is gone
        assert kept == [expected[game.task.number] for game in kept]  # nor half a game there
        before = len(kept)
    assert _played(path, pairs, 1).wait() == 0
    with Store(path) as store:
        assert list(store.games(store.event_id_for(_mcts_event(pairs, 1)))) == expected


@pytest.mark.slow
def test_two_writers(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    processes = [_played(path, 40, seed) for seed in (1, 2)] + [_played(path, 40, 1)]  # two of them the same event
    assert [process.wait() for process in processes] == [0, 0, 0]
    with Store(path) as store:
        for seed in (1, 2):
            of = _mcts_event(40, seed)
            assert list(store.games(store.event_id_for(of))) == BatchPlayer().play(of.tasks())


def test_missing_store(tmp_path: Path) -> None:
    for path in (tmp_path / "games.db", tmp_path / "no" / "such" / "games.db"):
        with pytest.raises(StoreError, match=r"games\.db: No such file"):
            Store(path, create=False)
    assert list(tmp_path.iterdir()) == []
    Store(tmp_path / "games.db").close()
    with Store(tmp_path / "games.db", create=False) as store:
        assert list(store.events()) == []


def test_default_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FLIPDROP_STORE", str(tmp_path / "mine.db"))
    assert default_path() == tmp_path / "mine.db"
    monkeypatch.delenv("FLIPDROP_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "flipdrop" / "games.db"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    assert default_path().is_relative_to(tmp_path)
    with Store(default_path()):
        assert default_path().exists()
