"""Opening books as options of specs: ``book=yes`` is the package's own, ``book=my.book`` a file."""

from __future__ import annotations

from dataclasses import replace

from flipdrop.errors import BookError, PlayerError
from flipdrop.games import OthelloGame
from flipdrop.options import BOOLEANS, ValueType, register_type
from flipdrop.search.book import read_book, shipped_book
from flipdrop.search.othello_book import OthelloBook


def parse_book(text: str, *, allow_files: bool) -> OthelloBook | None:
    chosen = BOOLEANS.get(text.lower())
    if chosen is False:
        return None
    if chosen is None and not allow_files:
        raise PlayerError("files are not read here; write yes or no")
    try:
        book = shipped_book(OthelloGame()) if chosen else read_book(text)
    except OSError as error:
        raise PlayerError(f"{error.strerror}") from None
    if not isinstance(book, OthelloBook):
        raise BookError("the package has no opening book" if chosen else "an opening book of another game")
    return book if chosen else replace(book, source=text)


register_type(
    OthelloBook,
    ValueType("yes, no or a file such as my.book", parse_book, lambda book: book.source or "yes", reads_files=True),
)
