"""How specs write two types of options: evaluations and opening books. Importing this module registers them.

Commas separate options, so weights are separated by slashes: ``evaluation=D(15/6/-10/-4/8/8)``. A file of weights is
``evaluation=my.weights``, a pattern network ``evaluation=my.pattern``, a function of a position
``evaluation=my_evaluation.py:score``. ``book=yes`` is the package's own book, ``book=my.book`` a file.
"""

from __future__ import annotations

import re
from dataclasses import replace

from flipdrop.errors import BookError, PlayerError
from flipdrop.evaluation import Evaluation, evaluation
from flipdrop.evaluation.lookup import is_plugin
from flipdrop.games import OthelloGame
from flipdrop.options import BOOLEANS, ValueType, register_type
from flipdrop.players.agent_loader import load_object, split_path
from flipdrop.search.book import read_book, shipped_book
from flipdrop.search.othello_book import OthelloBook

_WITH_WEIGHTS = re.compile(r"[^()/\\]*\([^()]*\)")
_FILE = re.compile(r".*(\.weights|\.pattern|[/\\].*)", re.IGNORECASE | re.DOTALL)


def parse_evaluation(text: str, *, allow_files: bool) -> Evaluation:
    if _WITH_WEIGHTS.fullmatch(text):
        return evaluation(text.replace("/", ","))
    code = split_path(text)
    if code is None and not _FILE.fullmatch(text):
        if not allow_files and is_plugin(text):
            raise PlayerError("code of other packages is not run here; name one of flipdrop's own evaluations")
        return evaluation(text)
    if not allow_files:
        raise PlayerError("files are not read here; name an evaluation, such as D")
    if code is not None:
        path, name, rest = code
        function = load_object(path, name)
        if rest is not None or not callable(function):
            raise PlayerError("an evaluation from a file is a function of a position, my_evaluation.py:score")
        return Evaluation(function, source=text)
    try:
        return Evaluation(evaluation(text).made_from, source=text)
    except OSError as error:
        raise PlayerError(f"{error.strerror}") from None


def format_evaluation(value: Evaluation) -> str:
    """The text that `parse_evaluation` reads; the bare name of a function that is not from a file."""
    return value.source or str(value).replace(",", "/")


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
    Evaluation,
    ValueType(
        "an evaluation such as D, D(15/6/-10/-4/8/8), patterns, my.weights or my.pattern",
        parse_evaluation,
        format_evaluation,
        reads_files=True,
    ),
)
register_type(
    OthelloBook,
    ValueType("yes, no or a file such as my.book", parse_book, lambda book: book.source or "yes", reads_files=True),
)
