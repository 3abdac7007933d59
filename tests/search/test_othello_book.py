"""Opening books of Othello: positions up to symmetry, values, reports."""

from __future__ import annotations

import random
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.games import OthelloGame
from flipdrop.search import Engine
from flipdrop.search.book import shipped_book
from flipdrop.search.book_builder import OthelloBookSettings, build_othello_book
from flipdrop.search.othello_book import OthelloBook, key_of
from flipdrop.search.values import in_discs
from flipdrop.workers import ThreadWorkers
from tests.strategies import random_line


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> OthelloBook:
    notes = tmp_path_factory.mktemp("book") / "notes"
    return build_othello_book(OthelloBookSettings(positions=100, depth=2), notes, workers=ThreadWorkers(2), command="")


def shipped() -> OthelloBook:
    book = shipped_book(OthelloGame())
    assert isinstance(book, OthelloBook)
    return book


def test_keys_are_those_of_symmetric_positions() -> None:
    source = random.Random(1)
    for _ in range(20):
        for position in random_line(OthelloGame(), source):
            assert isinstance(position, Othello)
            key, symmetry = key_of(position)
            form = key.position()
            assert form.cells in (
                position.transformed(symmetry).cells,
                position.transformed(symmetry).cells.translate(str.maketrans("XO", "OX")),
            )
            assert {key_of(position.transformed(other))[0] for other in range(8)} == {key}
            assert key.discs == sum(position.discs)


def test_values_in_all_symmetric_forms(book: OthelloBook) -> None:
    for transcript in ("", "f5", "f5d6"):
        position = Othello.from_transcript(transcript)
        values = book.move_values(position)
        assert values is not None
        for symmetry in range(8):
            turned = book.move_values(position.transformed(symmetry))
            assert turned == {position.transformed_move(move, symmetry): value for move, value in values.items()}


def test_positions_outside(book: OthelloBook) -> None:
    assert book.move_values(Othello(size=6)) is None
    assert book.move_values(ConnectFour()) is None
    assert book.report(ConnectFour()) is None
    assert book.move_values(Othello.from_transcript("f5f4g3g4h3")) is None
    assert Othello() in book
    assert book.good_moves(Othello.from_transcript("f5f4g3g4h3"), margin=8) == []


def test_reports(book: OthelloBook) -> None:
    report = book.report(Othello.from_transcript("f5"))
    assert report is not None
    values = book.move_values(report.position)
    assert values is not None
    assert {entry.move: entry.value for entry in report.moves} == values
    assert [entry.value for entry in report.moves] == sorted(values.values(), reverse=True)
    assert report.best == report.line[0] == report.moves[0].move
    assert report.value == max(values.values())
    assert len(report.line) > 2
    assert not report.proven
    assert report.describe_depth() == "depth 2 at 73%"
    assert "discs" in report.value_of(report.moves[0]).format()
    assert str(report).endswith("from the opening book; depth 2 at 73%")


def test_the_book_ends_where_the_best_move_leaves_it(book: OthelloBook) -> None:
    position = Othello()
    while (report := book.report(position)) is not None:
        assert report.best in book.good_moves(position, margin=0)
        assert set(book.good_moves(position, margin=0)) <= set(book.good_moves(position, margin=4))
        position = position.play(report.best)
    values = book.move_values(position)
    assert values is not None
    assert book.good_moves(position, margin=0) == []


def test_shipped_book() -> None:
    file = resources.files("flipdrop.search") / "data" / "othello-8x8.book"
    assert isinstance(file, Path)
    assert file.stat().st_size < 3 * 2**20
    book = shipped()
    report = book.report(Othello())
    assert report is not None
    assert abs(report.value) <= 2  # the game is a draw
    assert len(report.line) >= 10
    assert int((book.own | book.other).astype(object)[0]).bit_count() >= 4
    assert (np.abs(book.values) <= 64).all()


@pytest.mark.slow
def test_shipped_book_is_sound() -> None:
    """Values are backed up, and a deeper search finds similar ones."""
    book, source = shipped(), random.Random(5)
    differences = []
    for _ in range(20):
        position = Othello()
        while (values := book.move_values(position)) is not None:
            for move, value in values.items():
                following = book.move_values(position.play(move))
                assert following is None or value == -max(following.values())
            good = book.good_moves(position, margin=3)
            if not good:
                break
            last, position = position, position.play(source.choice(good))
        report = Engine(depth=book.depth + 2).search(last)
        known = book.move_values(last)
        assert known is not None
        differences.append(abs(in_discs(report.value) - max(known.values())))
    assert sum(differences) / len(differences) < 3
