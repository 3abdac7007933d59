"""Opening books of both games: reading a file, and the books of the package.

Connect Four's book holds exact scores, Othello's values of searches; see `connect_four_book` and `othello_book`.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from flipdrop.errors import BookError
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.search import connect_four_book, othello_book
from flipdrop.search.book_file import MAX_BYTES, unpack_book_file
from flipdrop.search.connect_four_book import ConnectFourBook
from flipdrop.search.othello_book import OthelloBook
from flipdrop.search.report import SearchReport

if TYPE_CHECKING:
    import os

    from flipdrop.games import Game, Position

Book: TypeAlias = ConnectFourBook | OthelloBook

_FORMATS: dict[str, tuple[int, type[ConnectFourBook] | type[OthelloBook]]] = {
    connect_four_book.FORMAT: (connect_four_book.VERSION, ConnectFourBook),
    othello_book.FORMAT: (othello_book.VERSION, OthelloBook),
}
_SHIPPED = {ConnectFourGame(): "connect4-7x6.book", OthelloGame(): "othello-8x8.book"}


def read_book(path: str | os.PathLike[str]) -> Book:
    """The book of a file; BookError if the file is damaged or no book."""
    try:
        with Path(path).open("rb") as file:
            return book_from_bytes(file.read(MAX_BYTES + 1))
    except BookError as error:
        raise BookError(f"{path}: {error}") from None


def book_from_bytes(data: bytes) -> Book:
    """A book from the bytes of its file; BookError if they are damaged."""
    head, body = unpack_book_file(data, {name: version for name, (version, _) in _FORMATS.items()})
    return _FORMATS[head["format"]][1].from_body(head, body)


@cache
def shipped_book(game: Game) -> Book | None:
    """The package's own book of a game; None if there is none."""
    if game not in _SHIPPED:
        return None
    file = resources.files("flipdrop.search") / "data" / _SHIPPED[game]
    return book_from_bytes(file.read_bytes()) if file.is_file() else None


def report_from_book(position: Position, *, all_moves: bool = True) -> SearchReport | None:
    """The report of the package's own book; None if the book does not hold the position, or there is none.

    :param all_moves: whether a best move alone is not enough
    """
    book = shipped_book(position.game)
    report = None if book is None else book.report(position)
    if report is None and not all_moves and isinstance(book, ConnectFourBook):
        solution = book.solution_by_reply(position)
        return None if solution is None else SearchReport.from_solution(solution)
    return report
