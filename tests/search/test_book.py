"""Opening books: what they hold, how they are made, and what is wrong with a file."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour
from flipdrop.errors import BookError
from flipdrop.search import book as books
from flipdrop.search import book_builder
from flipdrop.search.book import Book, book_from_bytes, key, positions_of, read_book
from flipdrop.search.book_builder import build_book, read_notes
from flipdrop.search.solver import Solution, Solver, book_solution
from tests.strategies import random_line

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.games import Position

NODES = 300


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


def test_keys() -> None:
    source = random.Random(1)
    seen: dict[int, set[str]] = {}
    for _ in range(200):
        for position in random_line(ConnectFour().game, source):
            assert isinstance(position, ConnectFour)
            seen.setdefault(key(position), set()).add(min(position.cells, position.transformed(1).cells))
    assert len(seen) > 2000
    assert all(len(cells) == 1 for cells in seen.values())


@pytest.mark.parametrize(("ply", "count"), [(0, 1), (1, 4), (2, 25), (3, 121), (4, 568)])
def test_positions_of_a_ply(ply: int, count: int) -> None:
    assert len(positions_of(ply)) == count


def test_a_book_is_its_last_ply_backed_up(quick: type[Quick], tmp_path: Path) -> None:
    made = build_book(3, tmp_path / "notes", threads=1, table=1, command="make it")
    assert quick.asked == len(positions_of(3))
    assert len(made.scores) == sum(len(positions_of(ply)) for ply in range(4))

    def backed_up(position: ConnectFour) -> int:
        if position.ply == 3:
            return key(position) % 19 - 9
        return max(-backed_up(position.play(move)) for move in position.legal_moves)

    assert made.score(ConnectFour()) == backed_up(ConnectFour())
    start = book_solution(made, ConnectFour())
    assert start.score == backed_up(ConnectFour())
    assert next(m.move for m in start.moves if m.lower == start.score) == start.best
    assert len(start.line) == 3
    assert made.score(ConnectFour.from_transcript("4444")) is None
    assert not made.knows_moves_of(ConnectFour.from_transcript("444"))


def test_build_resumes(quick: type[Quick], tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    whole = build_book(3, notes, threads=1, table=1, command="make it")
    lines = notes.read_text().splitlines(keepends=True)
    for kept, cut in ((0, 0), (50, 5), (121, 0)):
        notes.write_text("".join(lines[:kept]) + "".join(lines[kept : kept + 1])[:cut])  # killed in mid-line
        quick.asked = 0
        again = build_book(3, notes, threads=1, table=1, command="make it")
        assert quick.asked == 121 - kept
        assert again.scores == whole.scores
        assert sorted(read_notes(notes)) == sorted(positions_of(3))


def test_notes_of_something_else(tmp_path: Path, quick: type[Quick]) -> None:
    notes = tmp_path / "notes"
    notes.write_text("1 2 0.1\n")
    with pytest.raises(BookError, match="notes of another book"):
        build_book(2, notes, threads=1, table=1, command="")
    notes.write_text("what is this\n")
    with pytest.raises(BookError, match="line 1: 'what is this'"):
        build_book(2, notes, threads=1, table=1, command="")
    assert quick.asked == 0


def test_a_book_from_its_file(quick: type[Quick], tmp_path: Path) -> None:
    made = build_book(2, tmp_path / "notes", threads=1, table=1, command="make it")
    made.write(tmp_path / "book")
    assert read_book(tmp_path / "book") == made
    assert made.made["command"] == "make it"


def test_damaged_books(quick: type[Quick], tmp_path: Path) -> None:
    path = tmp_path / "book"
    build_book(2, tmp_path / "notes", threads=1, table=1, command="").write(path)
    data = path.read_bytes()
    head, _, body = data.partition(b"\n")
    for damaged, reason in (
        (b"", "not an opening book"),
        (b"\x00" * 100, "not an opening book"),
        (b'{"format": "weights"}\n', "not an opening book"),
        (data[:-1], "checksum"),
        (head + b"\n" + body[:-1] + bytes([body[-1] ^ 1]), "checksum"),
        (json.dumps(json.loads(head) | {"version": 2}).encode() + b"\n" + body, "version '2'"),
        (json.dumps(json.loads(head) | {"plies": "many"}).encode() + b"\n" + body, "first line"),
        (json.dumps(json.loads(head) | {"positions": 7}).encode() + b"\n" + body, "number of positions"),
    ):
        path.write_bytes(damaged)
        with pytest.raises(BookError, match=reason):
            read_book(path)
        with pytest.raises(BookError):
            book_from_bytes(damaged)


def test_a_solver_looks_into_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = {number: -number % 5 for ply in range(3) for number in positions_of(ply)}
    monkeypatch.setattr("flipdrop.search.solver.shipped_book", lambda: Book(2, scores))
    solution = Solver(moves=True).solve(ConnectFour.from_transcript("4"))
    assert solution.from_book
    assert solution.exact
    assert len(solution.moves) == 7
    assert Solver().solve(ConnectFour.from_transcript("4")).moves == ()
    assert not Solver(book=False, nodes=NODES).solve(ConnectFour.from_transcript("4")).from_book
    assert not Solver(nodes=NODES).solve(ConnectFour.from_transcript("44")).from_book  # its moves are not in it
    assert not Solver(nodes=NODES).solve(ConnectFour(columns=6)).from_book


@pytest.mark.slow
def test_shipped_book_matches_the_solver() -> None:
    book = books.shipped_book()
    assert book is not None
    assert book.plies >= 6
    assert list(book.move_scores(ConnectFour()).values()) == [-2, -1, 0, 1, 0, -1, -2]
    source = random.Random(3)
    solver = Solver(book=False, line=False, threads=2)
    deep = positions_of(book.plies)
    for number in source.sample(sorted(deep), 5):
        assert solver.solve(deep[number]).score == book.scores[number]
