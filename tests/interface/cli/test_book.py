"""`flipdrop book`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.search.book import read_book
from flipdrop.search.connect_four_book import ConnectFourBook
from flipdrop.search.othello_book import OthelloBook
from tests.interface.cli.support import flipdrop

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.slow
def test_book_of_connect_four(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    # The empty board would take a minute; what is noted is not solved again.
    path.with_name("my.book.notes").write_text(f"{0b0000001_0000001_0000001_0000001_0000001_0000001_0000001} 1 17.2\n")
    done = flipdrop("book", "connect4", "--out", str(path), "--plies", "0", "--json")
    assert json.loads(done.stdout)["positions"] == 1
    book = read_book(path)
    assert isinstance(book, ConnectFourBook)
    assert book.score(ConnectFour()) == 1


@pytest.mark.slow
def test_book_of_othello(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    arguments = ("book", "othello", "--positions", "12", "--depth", "2", "--out", str(path))
    info = json.loads(flipdrop(*arguments, "--json").stdout)
    assert (info["positions"], info["depth"], info["bytes"]) == (12, 2, path.stat().st_size)
    assert "--positions 12 --depth 2" in info["command"]
    first = path.read_bytes()
    assert flipdrop(*arguments).stdout.startswith(f"{path}: 12 positions")
    assert path.read_bytes() == first
    book = read_book(path)
    assert isinstance(book, OthelloBook)
    assert Othello() in book


@pytest.mark.parametrize(
    ("arguments", "expected_error"),
    [
        (("connect4", "--depth", "3"), "--depth is for Othello"),
        (("connect4", "--plies", "13"), "at most 12"),
        (("othello6",), "othello6"),
        (("othello", "--positions", "0"), "--positions"),
    ],
)
def test_refused(arguments: tuple[str, ...], expected_error: str, tmp_path: Path) -> None:
    refused = flipdrop("book", *arguments, "--out", str(tmp_path / "my.book"))
    assert refused.returncode == 2
    assert expected_error in refused.stderr
    assert list(tmp_path.iterdir()) == []
