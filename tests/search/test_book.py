"""Files of opening books: they read back, and damaged ones are refused."""

from __future__ import annotations

import hashlib
import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.errors import BookError
from flipdrop.games import game
from flipdrop.search import book_file
from flipdrop.search.book import book_from_bytes, read_book, shipped_book
from flipdrop.search.connect_four_book import ConnectFourBook, positions_of
from flipdrop.search.othello_book import Key, OthelloBook, key_of

if TYPE_CHECKING:
    from pathlib import Path

CONNECT_FOUR = ConnectFourBook.from_last_ply(2, {number: number % 5 for number in positions_of(2)}, {"command": "make"})
START, NEXT = key_of(Othello())[0], key_of(Othello.from_transcript("f5"))[0]
OTHELLO = OthelloBook.from_values({START: [0] * 4, NEXT: [1, 0, -2]}, depth=8, selectivity=73, made={"command": "make"})


def repacked(data: bytes, body: bytes | None = None, **head: Any) -> bytes:
    """A file with another body or head, and the checksum that fits."""
    line, _, packed = data.partition(b"\n")
    packed = packed if body is None else zlib.compress(body)
    changed = json.loads(line) | {"sha256": hashlib.sha256(packed).hexdigest()} | head
    return json.dumps(changed).encode() + b"\n" + packed


def unpacked(data: bytes) -> bytes:
    return zlib.decompress(data.partition(b"\n")[2])


def test_connect_four_reads_back(tmp_path: Path) -> None:
    CONNECT_FOUR.write(tmp_path / "book")
    assert read_book(tmp_path / "book") == CONNECT_FOUR


def test_othello_reads_back(tmp_path: Path) -> None:
    OTHELLO.write(tmp_path / "book")
    read = read_book(tmp_path / "book")
    assert isinstance(read, OthelloBook)
    assert (read.depth, read.selectivity, read.made) == (8, 73, {"command": "make"})
    for position in (Othello(), Othello.from_transcript("f5"), Othello.from_transcript("d3")):
        assert read.move_values(position) == OTHELLO.move_values(position) != {}


@pytest.mark.parametrize("book", [CONNECT_FOUR, OTHELLO], ids=["connect4", "othello"])
def test_damaged_files(book: ConnectFourBook | OthelloBook, tmp_path: Path) -> None:
    path = tmp_path / "book"
    book.write(path)
    data = path.read_bytes()
    head, _, packed = data.partition(b"\n")
    for damaged, reason in (
        (b"", "not an opening book"),
        (b"\x00" * 100, "not an opening book"),
        (b"[1]\n", "not an opening book"),
        (b'{"format": "weights"}\n', "not an opening book"),
        (head, "checksum"),
        (data[:-1], "checksum"),
        (head + b"\n" + packed[:-1] + bytes([packed[-1] ^ 1]), "checksum"),
        (repacked(data, version=2), "version '2'"),
        (repacked(data, positions="many"), "first line"),
        (repacked(data, made=3), "first line"),
        (repacked(data, positions=7), "number of positions"),
        (repacked(data, positions=-1), "number of positions"),
        (repacked(data, unpacked(data)[:-2]), "number of"),
        (repacked(data, b""), "number of positions"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(BookError, match=reason) as refused:
            read_book(path)
        assert str(path) in str(refused.value)
        with pytest.raises(BookError):
            book_from_bytes(damaged)


def test_damaged_connect_four(tmp_path: Path) -> None:
    CONNECT_FOUR.write(tmp_path / "book")
    with pytest.raises(BookError, match="first line"):
        book_from_bytes(repacked((tmp_path / "book").read_bytes(), plies="many"))


def test_damaged_othello(tmp_path: Path) -> None:
    OTHELLO.write(tmp_path / "book")
    data = (tmp_path / "book").read_bytes()
    body = bytearray(unpacked(data))
    swapped = body[8:16] + body[:8] + body[16:]
    too_large = body[:-1] + b"\x41"  # 65 discs
    overlapping = body[:16] + body[:16] + body[32:]
    for wrong in (swapped, too_large, overlapping):
        with pytest.raises(BookError, match="impossible positions or values"):
            book_from_bytes(repacked(data, bytes(wrong)))
    with pytest.raises(BookError, match="number of values"):
        book_from_bytes(repacked(data, bytes(body) + b"\x00"))
    with pytest.raises(BookError, match="first line"):
        book_from_bytes(repacked(data, depth=None))
    wrong_count = OthelloBook.from_values({START: [0, 0, 0]}, depth=1, selectivity=73, made={})
    with pytest.raises(BookError, match="has 3 moves for"):
        wrong_count.move_values(Othello())


def test_files_that_are_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    OTHELLO.write(tmp_path / "book")
    data = (tmp_path / "book").read_bytes()
    monkeypatch.setattr(book_file, "MAX_BYTES", 1000)
    with pytest.raises(BookError, match="more than"):
        book_from_bytes(repacked(data, b"\x00" * 2000))  # small as long as it is packed
    with pytest.raises(BookError, match="more than"):
        book_from_bytes(data + b"\x00" * 2000)


def test_shipped_books() -> None:
    assert isinstance(shipped_book(game("connect4")), ConnectFourBook)
    assert isinstance(shipped_book(game("othello")), OthelloBook)
    assert shipped_book(game("othello6")) is None
    assert shipped_book(game("connect4:6x6")) is None
    assert ConnectFour().game == game("connect4")
    assert Key(1, 2).discs == 2
