"""Building opening books: content, resuming, and notes of another book."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello
from flipdrop.errors import BookError, OptionError
from flipdrop.search import Engine, book_builder
from flipdrop.search.book import read_book
from flipdrop.search.book_builder import OthelloBookSettings, build_connect_four_book, build_othello_book, read_notes
from flipdrop.search.connect_four_book import ConnectFourBook, key, positions_of
from flipdrop.search.solution import Solution
from flipdrop.search.solver import Solver
from flipdrop.workers import ThreadWorkers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from flipdrop.games import Position
    from flipdrop.search import SearchReport
    from flipdrop.search.othello_book import OthelloBook

SETTINGS = OthelloBookSettings(positions=60, depth=2)


class Quick(Solver):
    """Stands in for the solver, whose openings take minutes: a score that follows from the position alone."""

    asked = 0

    def solve(self, position: Position, **_: object) -> Solution:
        """A score that mirror images share, as true ones do."""
        type(self).asked += 1
        assert isinstance(position, ConnectFour)
        score = key(position) % 19 - 9
        return Solution(position, score, score, score, True, None)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> type[Quick]:
    """The solver that book making uses from now on."""
    monkeypatch.setattr(book_builder, "Solver", Quick)
    Quick.asked = 0
    return Quick


def test_a_book_is_its_last_ply_backed_up(quick: type[Quick], tmp_path: Path) -> None:
    made = build_connect_four_book(3, tmp_path / "notes", threads=1, table=1, command="make it")
    assert quick.asked == len(positions_of(3))
    assert len(made.scores) == sum(len(positions_of(ply)) for ply in range(4))

    def backed_up(position: ConnectFour) -> int:
        if position.ply == 3:
            return key(position) % 19 - 9
        return max(-backed_up(position.play(move)) for move in position.legal_moves)

    assert made.score(ConnectFour()) == backed_up(ConnectFour())
    start = made.solution(ConnectFour())
    assert start.score == backed_up(ConnectFour())
    assert next(m.move for m in start.moves if m.lower == start.score) == start.best
    assert len(start.line) == 3
    assert made.score(ConnectFour.from_transcript("4444")) is None
    assert not made.knows_moves_of(ConnectFour.from_transcript("444"))


def test_build_resumes(quick: type[Quick], tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    whole = build_connect_four_book(3, notes, threads=1, table=1, command="make it")
    lines = notes.read_text().splitlines(keepends=True)
    for kept, cut in ((0, 0), (50, 5), (121, 0)):
        notes.write_text("".join(lines[:kept]) + "".join(lines[kept : kept + 1])[:cut])  # killed in mid-line
        quick.asked = 0
        again = build_connect_four_book(3, notes, threads=1, table=1, command="make it")
        assert quick.asked == 121 - kept
        assert again.scores == whole.scores
        assert sorted(read_notes(notes)) == sorted(positions_of(3))


class Drawn(Quick):
    """Stands in for the solver: every position is a draw, which the last move keeps."""

    def solve(self, position: Position, **_: object) -> Solution:
        type(self).asked += 1
        return Solution(position, 0, 0, 0, True, position.legal_moves[-1])


def test_replies_to_every_move(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(book_builder, "Solver", Drawn)

    def built(notes: Path, *, threads: int = 1, known: ConnectFourBook | None = None) -> ConnectFourBook:
        Drawn.asked = 0
        return build_connect_four_book(1, notes, replies=4, known=known, threads=threads, table=1, command="make it")

    def check(position: ConnectFour, side: int) -> None:
        if position.ply > whole.replies:
            return
        moves: Sequence[int] = position.legal_moves
        if position.to_move == side:
            reply, mirrored = whole.reply(position), whole.reply(position.transformed(1))
            assert reply is not None
            assert mirrored is not None
            assert key(position.play(reply)) == key(position.transformed(1).play(mirrored))
            moves = [reply]
        for move in moves:
            check(position.play(move), side)

    notes = tmp_path / "notes"
    whole = built(notes, threads=2)
    asked = Drawn.asked
    check(ConnectFour(), 0)
    check(ConnectFour(), 1)

    whole.write(tmp_path / "written.book")
    read = read_book(tmp_path / "written.book")
    assert isinstance(read, ConnectFourBook)
    assert (read.plies, read.replies, dict(read.scores)) == (1, 4, dict(whole.scores))
    assert built(tmp_path / "others", known=read).scores == whole.scores

    lines = notes.read_text().splitlines(keepends=True)
    notes.write_text("".join(lines[:20]) + lines[20][:7])  # killed in mid-line
    assert built(notes).scores == whole.scores
    assert Drawn.asked == asked - 20
    assert built(notes).scores == whole.scores
    assert Drawn.asked == 0


def test_replies_on_the_last_complete_ply(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(book_builder, "Solver", Drawn)
    book = build_connect_four_book(2, tmp_path / "notes", replies=2, threads=1, table=1, command="make it")
    for first in ConnectFour().legal_moves:
        assert book.reply(ConnectFour().play(first)) is not None
    best = book.reply(ConnectFour())
    assert best is not None
    opening = ConnectFour().play(best)
    for move in opening.legal_moves:
        assert book.reply(opening.play(move)) is not None


def test_notes_of_something_else(tmp_path: Path, quick: type[Quick]) -> None:
    notes = tmp_path / "notes"
    notes.write_text("1 2 0.1\n")
    with pytest.raises(BookError, match="notes of another book"):
        build_connect_four_book(2, notes, threads=1, table=1, command="")
    notes.write_text("what is this\n")
    with pytest.raises(BookError, match="line 1: 'what is this'"):
        build_connect_four_book(2, notes, threads=1, table=1, command="")
    assert quick.asked == 0


class CountedEngine(Engine):
    """Counts its searches."""

    searches = 0

    def search(self, position: Position, **more: object) -> SearchReport:
        CountedEngine.searches += 1
        return super().search(position)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> type[CountedEngine]:
    """The engine that book making uses from now on."""
    monkeypatch.setattr(book_builder, "Engine", CountedEngine)
    CountedEngine.searches = 0
    return CountedEngine


def build(
    notes: Path, settings: OthelloBookSettings = SETTINGS, *, threads: int = 1, stop_at: int | None = None
) -> OthelloBook:
    def progress(done: int, _: int) -> None:
        if done == stop_at:
            raise KeyboardInterrupt

    return build_othello_book(settings, notes, workers=ThreadWorkers(threads), command="make it", progress=progress)


def body(book: OthelloBook) -> list[bytes]:
    return [array.tobytes() for array in (book.own, book.other, book.counts, book.values)]


def test_othello_book_is_backed_up(tmp_path: Path) -> None:
    book = build(tmp_path / "notes")
    assert len(book) == 60
    assert book.made["command"] == "make it"
    assert (book.depth, book.made["depth"], book.selectivity) == (2, 2, 73)
    linked = 0

    def check(position: Position) -> None:
        nonlocal linked
        values = book.move_values(position)
        assert values is not None
        assert set(values) == set(position.legal_moves)
        for move, value in values.items():
            after = position.play(move)
            following = book.move_values(after)
            if following is not None:
                linked += 1
                assert value == -max(following.values())
                check(after)

    check(Othello())
    assert linked > 60


def test_othello_book_keeps_within_its_plies(tmp_path: Path) -> None:
    for settings in (
        SETTINGS,
        OthelloBookSettings(positions=60, depth=2, error=0),
        OthelloBookSettings(plies=3, depth=1),
    ):
        book = build(tmp_path / f"notes{settings.error}{settings.plies}", settings)
        discs = [int(own | other).bit_count() for own, other in zip(book.own, book.other, strict=True)]
        assert max(discs) <= 4 + settings.plies
    assert len(book) < 20  # it ends when there is nothing more to expand


def test_othello_book_is_the_same_with_threads_and_after_interruptions(
    tmp_path: Path, counted: type[CountedEngine]
) -> None:
    whole = build(tmp_path / "whole")
    searches = counted.searches
    assert body(build(tmp_path / "threads", threads=3)) == body(whole)

    notes = tmp_path / "stopped"
    for stop_at in (1, 20, 45):
        with pytest.raises(KeyboardInterrupt):
            build(notes, threads=2, stop_at=stop_at)
    with notes.open("a") as file:
        file.write("00000000 killed in mid-li")
    counted.searches = 0
    assert body(build(notes)) == body(whole)
    assert counted.searches < searches

    counted.searches = 0
    again = build(notes)
    assert counted.searches == 0
    assert again.made == build(notes).made
    larger = build(notes, OthelloBookSettings(positions=80, depth=2))
    assert len(larger) == 80
    assert 0 < counted.searches < searches / 2


def test_othello_notes_of_something_else(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    build(notes, OthelloBookSettings(positions=1, depth=2))
    with pytest.raises(BookError, match="notes of another book, with depth 2 instead of 3"):
        build(notes, OthelloBookSettings(positions=1, depth=3))
    first, *_ = notes.read_text().splitlines()
    notes.write_text(json.dumps(json.loads(first) | {"network": "0"}) + "\n")
    with pytest.raises(BookError, match="with network 0 instead of"):
        build(notes)
    notes.write_text("1234 1 0.1\n")
    with pytest.raises(BookError, match="no notes of a book of Othello"):
        build(notes)
    notes.write_text(first + "\n12 zz 1,2 0.1\n")
    with pytest.raises(BookError, match=r"line 2: '12 zz 1,2 0\.1'"):
        build(notes)


def test_settings_out_of_range() -> None:
    for wrong in ({"positions": 0}, {"depth": 61}, {"error": -1}, {"selectivity": 50}, {"plies": 60}):
        with pytest.raises(OptionError):
            OthelloBookSettings(**wrong)
