"""The files of opening books: one line of JSON, then the positions and their values, compressed with zlib.

The line holds the format with its version, the number of positions, a SHA-256 of the compressed part, and how the book
was made. Nothing in such a file can run as code.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from flipdrop.errors import BookError, quoted
from flipdrop.files import atomic_write

if TYPE_CHECKING:
    import os

MAX_BYTES = 64 << 20
"""The largest file that is read, and the most that its compressed part may hold."""
_MAX_HEAD = 1 << 20  # bytes of the first line, whose JSON takes twenty times as much memory


def write_book_file(path: str | os.PathLike[str], head: dict[str, Any], body: bytes, *, made: dict[str, Any]) -> None:
    """Writes a book atomically.

    :param head: the format, its version, and what the reader needs to know about `body`
    :param made: how the book was made
    """
    packed = zlib.compress(body, 9)
    line = json.dumps(head | {"sha256": hashlib.sha256(packed).hexdigest(), "made": made})
    atomic_write(path, line.encode() + b"\n" + packed)


def unpack_book_file(data: bytes, formats: dict[str, int]) -> tuple[dict[str, Any], bytes]:
    """The head and the body of a book file; BookError if it is damaged or of another format.

    :param formats: the known formats and their versions
    """
    if len(data) > MAX_BYTES:
        raise BookError(f"it has more than {MAX_BYTES >> 20} MB; no book does")
    line, _, packed = data.partition(b"\n")
    head = None
    with suppress(ValueError, RecursionError):
        head = json.loads(line) if len(line) <= _MAX_HEAD else None
    if not isinstance(head, dict) or not isinstance(head.get("format"), str) or head["format"] not in formats:
        raise BookError("not an opening book")
    version = formats[head["format"]]
    if head.get("version") != version:
        raise BookError(f"version {quoted(str(head.get('version')))}; this program reads version {version}")
    if not isinstance(head.get("positions"), int) or not isinstance(head.get("made", {}), dict):
        raise BookError("its first line is damaged")
    if hashlib.sha256(packed).hexdigest() != head.get("sha256"):
        raise BookError("it is damaged: the checksum does not fit")
    unpacker = zlib.decompressobj()
    try:
        body = unpacker.decompress(packed, MAX_BYTES)
    except zlib.error:
        raise BookError("it is damaged: its positions cannot be decompressed") from None
    if not unpacker.eof:
        raise BookError(f"it is damaged: its positions end too early, or have more than {MAX_BYTES >> 20} MB")
    return head, body
