"""Files that were made to do harm: they are refused with the name of the file, and take little memory and time."""

from __future__ import annotations

import hashlib
import json
import math
import sqlite3
import subprocess
import sys
import zipfile
import zlib
from contextlib import closing
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop.arena.store import Store, load_results, points_of, stored_runs
from flipdrop.errors import ArenaError, BookError, FlipdropError, ModelError, StoreError
from flipdrop.evaluation.patterns import PatternModel
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.sessions.store import SessionStore
from flipdrop.learning.training_run import seed_of_checkpoint
from flipdrop.model_file import read_model_file, write_model_file
from flipdrop.players.linear_values import LinearValues
from flipdrop.players.value_table import ValueTable
from flipdrop.search.book import book_from_bytes
from tests.arena.events import event

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DEEP = "[" * 100_000
MEGABYTES = 400  # that reading a hostile file may take beside the 130 of the program


# Models.


def zeros(path: Path, megabytes: int, shape: tuple[int, ...]) -> None:
    """A model of zeros: a thousandth of its size as a file. Its checksum need not be right."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, dtype, size in (("header", "|u1", (2,)), ("weights", "<f2", shape)):
            head = repr({"descr": dtype, "fortran_order": False, "shape": size}).encode()
            head += b" " * (-(len(head) + 11) % 64) + b"\n"
            with archive.open(f"{name}.npy", "w") as file:
                file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head)
                for _ in range(megabytes if name == "weights" else 0):
                    file.write(bytes(1 << 20))
                if name == "header":
                    file.write(b"{}")


def test_small_file_of_many_zeros(tmp_path: Path) -> None:
    zeros(tmp_path / "x.pattern", 300, (150 << 20,))
    assert (tmp_path / "x.pattern").stat().st_size < 500_000
    with pytest.raises(ModelError, match=r"x\.pattern holds more than 256 MB, the limit for a pattern network"):
        PatternModel.read(tmp_path / "x.pattern")


@pytest.mark.parametrize("shape", [(10**15,), (10**6, 10**6, 10**6), (-1,), (0, 10**30), (3,)])
def test_shapes_that_lie(tmp_path: Path, shape: tuple[int, ...]) -> None:
    zeros(tmp_path / "x.pattern", 1, shape)
    with pytest.raises(ModelError, match=r"x\.pattern"):
        read_model_file(tmp_path / "x.pattern", "pattern network", most=2 << 20)


def test_directory_of_many_members(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.table", "w") as archive:
        for number in range(2000):
            archive.writestr(f"{number}.npy", b"")
    with pytest.raises(ModelError, match="damaged"):
        ValueTable.read(tmp_path / "x.table")


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="holds more than 0 MB"):
        write_model_file(tmp_path / "x", "checkpoint", {}, {"a": np.zeros(100)}, most=100)
    with pytest.raises(ModelError, match="metadata of"):
        write_model_file(tmp_path / "x", "checkpoint", {"a": "b" * (17 << 20)}, {})
    assert not list(tmp_path.iterdir())


GOOD_PATTERNS = {"game": "othello", "patterns": [[0, 1]], "stages": [0], "unit": 1.0, "made": {}}


@pytest.mark.parametrize(
    "change",
    [
        {"unit": 10**400},
        {"unit": math.inf},
        {"unit": math.nan},
        {"unit": None},
        {"stages": [0, 10**30]},
        {"stages": [math.inf]},
        {"stages": 3},
        {"patterns": [[10**30]]},
        {"patterns": [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]] * 900, "stages": list(range(60))},  # 12 GB in the kernel
        {"patterns": [list(range(64))]},
        {"patterns": {"a": 1}},
        {"game": 7},
        {"game": None},
        {"game": "chess"},
        {"made": 3},
        {"probcut": [10**400]},
        {"probcut": "abc"},
    ],
)
def test_metadata_of_networks(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "x.pattern"
    write_model_file(path, "pattern network", GOOD_PATTERNS | change, {"weights": np.zeros(9 + 16 * 16 * 17)})
    with pytest.raises(ModelError, match=r"x\.pattern"):
        PatternModel.read(path)


GOOD_TABLE = {
    "game": "othello4",
    "holds": "positions",
    "reward": "result",
    "symmetric": True,
    "discount": 1.0,
    "initial": 0.0,
    "made": {},
}
ENTRIES: dict[str, Any] = {"codes": np.arange(3), "values": np.zeros(3), "lengths": np.ones(3, np.uint8)}


@pytest.mark.parametrize(
    ("change", "arrays"),
    [
        ({"discount": 10**400}, {}),
        ({"initial": math.nan}, {}),
        ({"initial": "x"}, {}),
        ({"holds": []}, {}),
        ({"reward": {}}, {}),
        ({"other": 1}, {}),
        ({"game": [1]}, {}),
        ({}, {"lengths": np.ones(3, np.int64)}),
        ({}, {"lengths": np.ones((3, 1), np.uint8)}),
        ({}, {"lengths": np.ones(4, np.uint8)}),
        ({}, {"codes": np.arange(3)[::-1]}),
        ({}, {"codes": np.arange(3.0)}),
        ({}, {"values": np.zeros((3, 1))}),
        ({}, {"values": np.zeros(2)}),
    ],
)
def test_metadata_of_tables(tmp_path: Path, change: dict[str, Any], arrays: dict[str, Any]) -> None:
    path = tmp_path / "x.table"
    write_model_file(path, "table of learned values", GOOD_TABLE, ENTRIES)
    assert len(ValueTable.read(path)) == 3
    write_model_file(path, "table of learned values", GOOD_TABLE | change, ENTRIES | arrays)
    with pytest.raises(ModelError, match=r"x\.table"):
        ValueTable.read(path)


@pytest.mark.parametrize("change", [{"features": []}, {"reward": 1}, {"game": {}}, {"made": 1, "more": 2}])
def test_metadata_of_linear_functions(tmp_path: Path, change: dict[str, Any]) -> None:
    path = tmp_path / "x.linear"
    metadata = {"game": "othello", "features": "terms", "reward": "result", "made": {}} | change
    write_model_file(path, "linear value function", metadata, {"weights": np.zeros(7)})
    with pytest.raises(ModelError, match=r"x\.linear"):
        LinearValues.read(path)


@pytest.mark.parametrize("metadata", [{}, {"learner": "q", "settings": 3, "seed": 1}, {"learner": [], "settings": {}}])
def test_checkpoints(tmp_path: Path, metadata: dict[str, Any]) -> None:
    write_model_file(tmp_path / "q.table.checkpoint", "checkpoint", metadata, {})
    with pytest.raises(ModelError, match=r"q\.table\.checkpoint is damaged"):
        seed_of_checkpoint(tmp_path / "q.table")


# Books.


def book(head: dict[str, Any] | str, body: bytes) -> bytes:
    packed = zlib.compress(body, 1)
    if isinstance(head, str):
        return head.encode() + b"\n" + packed
    return json.dumps(head | {"sha256": hashlib.sha256(packed).hexdigest()}).encode() + b"\n" + packed


CONNECT_FOUR = {"format": "flipdrop connect4 book", "version": 1, "plies": 12}
OTHELLO = {"format": "flipdrop othello book", "version": 1, "depth": 8, "selectivity": 73}


def entries(count: int, score: int = 0) -> bytes:
    made = np.zeros(count, [("key", "<u8"), ("score", "i1")])
    made["key"], made["score"] = np.arange(count), score
    return made.tobytes()


@pytest.mark.parametrize(
    "data",
    [
        book(DEEP, b""),
        book("[" + "[]," * 500_000 + "[]]", b""),
        book(CONNECT_FOUR | {"positions": 10**400}, b""),
        book(CONNECT_FOUR | {"positions": 1, "plies": 10**400}, entries(1)),
        book(CONNECT_FOUR | {"positions": 1, "plies": True}, entries(1, 100)),
        book(CONNECT_FOUR | {"positions": 2}, entries(1) * 2),
        book(CONNECT_FOUR | {"positions": 1}, entries(1, -128)),
        book(CONNECT_FOUR | {"positions": 1, "made": []}, entries(1)),
        book(CONNECT_FOUR | {"format": []}, b""),
        book(OTHELLO | {"positions": 10**400}, b""),
        book(OTHELLO | {"positions": 1, "depth": 10**400}, bytes(17)),
        book(OTHELLO | {"positions": 1, "depth": -1}, bytes(17)),
        book(OTHELLO | {"positions": 1, "selectivity": 101}, bytes(17)),
    ],
    ids=range(13),
)
def test_books(data: bytes) -> None:
    with pytest.raises(BookError):
        book_from_bytes(data)


READ = """
import resource, sys
from flipdrop.errors import FlipdropError
from flipdrop.search.book import read_book
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_book(sys.argv[1])
except FlipdropError as error:
    print(error)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="ru_maxrss has another unit")
def test_memory_of_a_book(tmp_path: Path) -> None:
    """64 MB of positions in a file of a tenth, which took 4 GB."""
    count = (64 << 20) // 9
    (tmp_path / "x.book").write_bytes(book(CONNECT_FOUR | {"positions": count}, entries(count)))
    done = subprocess.run(
        [sys.executable, "-c", READ, str(tmp_path / "x.book")], capture_output=True, text=True, check=True, timeout=120
    )
    assert int(done.stdout.splitlines()[-1]) < MEGABYTES


# Stores.


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    with Store(path) as made:
        made.event_id_for(event("random", "greedy"))
        with made.writing() as connection:
            connection.execute("INSERT INTO players VALUES (1, 'random')")
            connection.execute("INSERT INTO games VALUES (1, 0, 1, 1, 0, 'f5', 1, 3, '', 5, NULL, NULL, 0)")
            connection.execute("INSERT INTO learning_runs VALUES (1, 'q', 'othello', 1, '{}', '', '', 'x', NULL)")
            connection.execute("INSERT INTO learning_curves VALUES (1, 5, 5, 1.0, '{}')")
            connection.execute(
                "INSERT INTO experiment_results VALUES ('R1', 'full', 'k', 1, '{}', '{}', 1, 1, NULL, NULL, '', '')"
            )
    return path


def damage(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


SETTINGS = event("random", "greedy").to_json()


@pytest.mark.parametrize(
    "settings",
    [
        DEEP,
        "",
        "[]",
        "null",
        "1" * 10_000,
        json.dumps(SETTINGS | {"pairs": "many"}),
        json.dumps(SETTINGS | {"pairs": math.inf}),
        json.dumps(SETTINGS | {"players": [1, 2]}),
        json.dumps(SETTINGS | {"pairings": [[0, 7]]}),
        json.dumps(SETTINGS | {"pairings": [[0]]}),
        json.dumps(SETTINGS | {"seed": None}),
        json.dumps(SETTINGS | {"time": []}),
    ],
    ids=range(12),
)
def test_damaged_event(store: Path, settings: str) -> None:
    damage(store, "UPDATE events SET settings = ?", settings)
    with Store(store) as damaged, pytest.raises(StoreError, match=r"games\.db: event 1 is damaged"):
        list(damaged.events())


@pytest.mark.parametrize(
    ("column", "value"),
    [("moves", "a1a1"), ("moves", "\x00" * 5), ("result", 7), ("number", -1), ("number", 10**15)],
)
def test_damaged_game(store: Path, column: str, value: object) -> None:
    damage(store, f"UPDATE games SET {column} = ?", value)
    with Store(store) as damaged, pytest.raises(StoreError, match=r"games\.db: game .* of event 1 is damaged"):
        list(damaged.games(1))
    if column == "result":
        with Store(store) as damaged, pytest.raises(StoreError, match="game 0 of event 1"):
            damaged.results(1)


def test_damaged_game_of_an_event(store: Path) -> None:
    damage(store, "UPDATE events SET settings = ?", json.dumps(SETTINGS | {"game": "chess"}))
    with Store(store) as damaged, pytest.raises(StoreError, match=r"event 1 is damaged: .*chess"):
        list(damaged.games(1))


@pytest.mark.parametrize(
    ("table", "column", "read"),
    [
        ("learning_runs", "settings", stored_runs),
        ("learning_curves", "measured", lambda store: points_of(store, 1)),
        ("experiment_results", "settings", lambda store: load_results(store, experiment="R1", size="full", seed=1)),
        ("experiment_results", "measured", lambda store: load_results(store, experiment="R1", size="full", seed=1)),
    ],
)
@pytest.mark.parametrize("value", [DEEP, "", "[]", "nothing"], ids=range(4))
def test_damaged_rows(store: Path, table: str, column: str, read: Callable[[Store], object], value: str) -> None:
    damage(store, f"UPDATE {table} SET {column} = ?", value)
    with Store(store) as damaged, pytest.raises(StoreError, match=rf"games\.db: a row of {table}"):
        read(damaged)


def test_damaged_row_of_an_older_store(tmp_path: Path) -> None:
    from shutil import copyfile

    from tests.arena.store.test_schema import OLD

    copyfile(OLD, tmp_path / "old.db")
    damage(tmp_path / "old.db", "UPDATE events SET settings = ?", DEEP)
    with pytest.raises(StoreError, match=r"old\.db cannot be upgraded"):
        Store(tmp_path / "old.db")


# Sessions of the page.


@pytest.mark.parametrize(
    "change",
    [
        {"cursor": 10**30},
        {"cursor": -1},
        {"cursor": "x"},
        {"pace": math.nan},
        {"pace": "slow"},
        {"seed": None},
        {"moves": [10**30]},
        {"moves": 3},
        {"game": []},
        {"start": "x"},
        {"players": [["random"]]},
        {"clock": {"control": "300", "remaining": [10**400, 1]}},
        {"clock": []},
        {"ending": [7, 7]},
    ],
)
def test_damaged_session(tmp_path: Path, change: dict[str, Any]) -> None:
    for game in (OthelloGame(), ConnectFourGame()):
        state = Session("abc", game.start()).to_json() | change
        path = tmp_path / f"{game.family}.db"
        store = SessionStore(path)
        with closing(store):
            damage(path, "INSERT INTO sessions VALUES ('abc', 1.0, ?)", json.dumps(state))
            assert store.read("abc") is None
            damage(path, "UPDATE sessions SET state = ?", DEEP)
            assert store.read("abc") is None
            assert store.recent(5) == []


def test_damaged_ladder(tmp_path: Path) -> None:
    from flipdrop.arena.ladder.published import read_ladder

    for text in (DEEP, "[]", "{}", '{"entries": 3}', "1" * 10_000):
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(ArenaError, match=r"x\.json"):
            read_ladder(tmp_path / "x.json")


def test_damaged_results() -> None:
    from flipdrop.experiments.results_io import read_results

    for text in (DEEP, "[]", "{}", '{"version": 1}', "1" * 10_000):
        with pytest.raises(FlipdropError, match="results"):
            read_results(text)
