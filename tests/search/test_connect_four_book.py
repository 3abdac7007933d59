"""Opening books of Connect Four: content, and their use by the solver."""

from __future__ import annotations

import random

import pytest

from flipdrop import ConnectFour
from flipdrop.search.book import shipped_book
from flipdrop.search.connect_four_book import ConnectFourBook, key, positions_of
from flipdrop.search.solver import Solver
from tests.strategies import random_line

NODES = 300


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


def test_a_solver_looks_into_the_book(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = {number: -number % 5 for ply in range(3) for number in positions_of(ply)}
    books = {ConnectFour().game: ConnectFourBook(2, scores)}
    monkeypatch.setattr("flipdrop.search.solver.shipped_book", books.get)
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
    book = shipped_book(ConnectFour().game)
    assert isinstance(book, ConnectFourBook)
    assert book.plies >= 6
    assert list(book.move_scores(ConnectFour()).values()) == [-2, -1, 0, 1, 0, -1, -2]
    source = random.Random(3)
    solver = Solver(book=False, line=False, threads=2)
    deep = positions_of(book.plies)
    for number in source.sample(sorted(deep), 5):
        assert solver.solve(deep[number]).score == book.scores[number]


@pytest.mark.parametrize("side", [0, 1])
def test_perfect_replies_from_the_shipped_book(side: int) -> None:
    book = shipped_book(ConnectFour().game)
    assert isinstance(book, ConnectFourBook)
    assert book.replies >= 11
    source = random.Random(side)
    solver = Solver(line=False)
    checked = 0
    for _ in range(30):
        position = ConnectFour()
        while position.ply <= book.replies and not position.is_over:
            if position.to_move != side:
                position = position.play(source.choice(position.legal_moves))
                continue
            solution = solver.solve(position)
            assert solution.from_book
            assert solution.best is not None
            if position.ply >= 10:  # the last reply of the side
                after = position.play(solution.best)
                assert Solver(book=False, line=False).solve(position).score == solution.score
                if not after.is_over:
                    assert Solver(book=False, line=False).solve(after).score == -(solution.score or 0)
                checked += 1
            position = position.play(solution.best)
    assert checked > 0


def test_the_line_of_a_position_with_a_reply_comes_from_the_solver() -> None:
    position = ConnectFour.from_transcript("444444")
    solution = Solver(nodes=NODES).solve(position)
    assert not solution.from_book
    assert Solver(line=False).solve(position).from_book
