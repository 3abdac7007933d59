"""Reading and writing files of games; the format follows from the file name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop.errors import RecordError, quoted
from flipdrop.files import atomic_write
from flipdrop.games.records.ggf import read_ggf, write_ggf
from flipdrop.games.records.parsing import decode_text, error_location
from flipdrop.games.records.plain import read_plain, write_plain
from flipdrop.games.records.wthor import read_wthor, read_wthor_file

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

    from flipdrop.games.base import Game
    from flipdrop.games.records.record import GameRecord

FORMATS = {"ggf": ".ggf", "wthor": ".wtb", "plain": ".txt"}
"""The names of the formats, and the end of the names of their files."""
_READ_ONLY = "wthor"


def format_of(path: str | os.PathLike[str], *, writing: bool = False) -> str:
    """The format of a file, by its name.

    :param writing: whether the file will be written; not every format can be
    """
    suffix = Path(path).suffix.lower()
    for name, ending in FORMATS.items():
        if suffix == ending:
            return name
    raise RecordError(
        f"{quoted(str(path))} has no known file name ending; {_known(writing=writing)}, or name the format"
    )


def decode_games(data: bytes, format: str, *, game: Game | None = None) -> list[GameRecord]:  # noqa: A002
    """The games in the bytes of a file; WTHOR players and tournaments are numbered.

    :param game: the game of plain lines without a header; Othello on 8x8 by default
    """
    _check_format(format)
    if format == "wthor":
        return list(read_wthor(data))
    text = decode_text(data)
    return list(read_ggf(text) if format == "ggf" else read_plain(text, game))


def encode_games(records: Iterable[GameRecord], format: str) -> bytes:  # noqa: A002
    _check_format(format, writing=True)
    if format == _READ_ONLY:
        raise RecordError("WTHOR files can only be read; write ggf or plain")
    text = write_ggf(records) if format == "ggf" else write_plain(records)
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        near = quoted(text[max(0, error.start - 20) : error.start + 20])
        raise RecordError(f"{near} holds a character that UTF-8 cannot write") from None


def read_games(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    game: Game | None = None,
) -> list[GameRecord]:
    """The games of a file.

    :param format: one of `FORMATS`; by default that of the file name
    :param game: the game of plain lines without a header; Othello on 8x8 by default
    """
    name = format_of(path) if format is None else _check_format(format)
    if name == "wthor":
        return list(read_wthor_file(path))
    with error_location(str(path)):
        return decode_games(Path(path).read_bytes(), name, game=game)


def write_games(
    path: str | os.PathLike[str],
    records: Iterable[GameRecord],
    *,
    format: str | None = None,  # noqa: A002
) -> None:
    """Writes the games to a file atomically.

    :param format: one of `FORMATS` that can be written; by default that of the file name
    """
    name = format_of(path, writing=True) if format is None else _check_format(format, writing=True)
    with error_location(str(path)):
        data = encode_games(records, name)
    atomic_write(path, data)


def _check_format(name: str, *, writing: bool = False) -> str:
    if name not in FORMATS:
        raise RecordError(f"unknown format {quoted(name)}; {_known(writing=writing)}")
    return name


def _known(*, writing: bool = False) -> str:
    known = (f"{name} ({ending})" for name, ending in FORMATS.items() if not (writing and name == _READ_ONLY))
    return "formats are " + ", ".join(known)
