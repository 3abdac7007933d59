"""Parsing that the formats share: errors with their location, text from bytes, numbers in range."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError, RecordError, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGEST_NUMBER = 1e15
"""Ratings, scores, evaluations and times are smaller than this; a larger number comes from a corrupt file."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")


@contextmanager
def error_location(where: str) -> Iterator[None]:
    """Prefixes the message of a `FlipdropError` raised inside with `where`."""
    try:
        yield
    except FlipdropError as error:
        raise type(error)(f"{where}: {error}") from None


def decode_text(data: bytes) -> str:
    """The text of a file, which is UTF-8 with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        start = data.rfind(b"\n", 0, error.start) + 1
        shown = quoted(data[max(start, error.start - 20) : error.start + 20].decode("latin-1"))
        raise RecordError(f"line {line} is not UTF-8 at byte {error.start}, near {shown}; save it as UTF-8") from None


def parse_number(text: str) -> float:
    """A number such as ``-3.25`` in plain digits."""
    if _NUMBER.fullmatch(text) and is_in_range(number := float(text)):
        return number
    raise RecordError(f"{quoted(text, 40)} is not a number; write one such as -3.25, smaller than 1e15")


def is_in_range(number: float) -> bool:
    """Whether a number is finite and of a size that occurs in records."""
    return -LARGEST_NUMBER < number < LARGEST_NUMBER


def short_number(number: object) -> str:
    """A number out of bounds, for an error message."""
    try:
        return f"{number:.6g}" if isinstance(number, int | float) else quoted(repr(number), 20)
    except OverflowError:
        return "a huge number"
