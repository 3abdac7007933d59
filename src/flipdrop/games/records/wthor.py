"""WTHOR, the database of tournament games of the French Othello federation. It is read-only here.

Three kinds of binary files, little-endian, each with a header of 16 bytes::

    0  century, year, month, day of the file   8  u16 number of names (.jou, .trn)  12  size of the board; 0 means 8
    4  u32 number of games (.wtb)             10  u16 year of the games             13  1 for solitaires
                                                                                    14  empties of the theoretical score

A game (``.wtb``) takes 68 bytes::

    0  u16 tournament    2  u16 black    4  u16 white    6  black's discs at the end    7  the same in theory
    8  60 moves, 10 * row + column with both counted from 1; 0 after the last. Passes are implied.

Players (``.jou``) are names of 20 bytes and tournaments (``.trn``) of 26, padded with zeros.

A game that was stopped by the clock or written down in part ends early, and its score is then not that of its last
board. `GameRecord.score` is what the database states and `GameRecord.margin` what the board shows; where a game was
played out, the two agree.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from flipdrop.errors import RecordError
from flipdrop.games.othello import Othello
from flipdrop.games.records.parsing import error_location
from flipdrop.games.records.record import GameRecord
from flipdrop.games.transcripts import read_transcript

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

PLAYER_BYTES = 20
TOURNAMENT_BYTES = 26

_HEADER = struct.Struct("<4x I H H B B B x")
_GAME = struct.Struct("<H H H B B 60s")
_SQUARES = {10 * row + column: f"{'abcdefgh'[column - 1]}{row}" for row in range(1, 9) for column in range(1, 9)}


class _Header(NamedTuple):
    games: int
    names: int
    year: int
    size: int
    kind: int
    empties: int


def read_wthor(data: bytes, *, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> Iterator[GameRecord]:
    """The games of a ``.wtb`` file; players and tournaments without a name there are numbered ``#123``."""
    header = _header(data)
    if header.size not in (0, 8):
        raise RecordError(f"the board's size is {header.size} (byte 12); WTHOR games on 8x8 have 8 or 0 there")
    if header.kind != 0:
        raise RecordError(f"the type of the file is {header.kind} (byte 13); a file of games has 0 there")
    _check_length(data, header.games, _GAME.size, "games")
    for number, fields in enumerate(_GAME.iter_unpack(data[_HEADER.size :]), 1):
        with error_location(f"game {number}"):
            record = _record(header, fields, players, tournaments)
        yield record


def read_names(data: bytes, width: int) -> list[str]:
    """The names of a ``.jou`` or ``.trn`` file, in the order of their numbers.

    :param width: bytes of a name: `PLAYER_BYTES` or `TOURNAMENT_BYTES`
    """
    header = _header(data)
    _check_length(data, header.names, width, "names")
    body = data[_HEADER.size :]
    return [_name(body[i : i + width]) for i in range(0, len(body), width)]


def read_wthor_file(
    path: str | os.PathLike[str],
    *,
    players: str | os.PathLike[str] | None = None,
    tournaments: str | os.PathLike[str] | None = None,
) -> Iterator[GameRecord]:
    """The games of a ``.wtb`` file with the names of its players and tournaments.

    :param players: the ``.jou`` file; by default that with the stem of `path` beside it, or ``WTH.JOU`` (any case)
    :param tournaments: the ``.trn`` file; found in the same way
    """
    games = Path(path)
    with error_location(str(games)):
        yield from read_wthor(
            games.read_bytes(),
            players=_names_for(games, players, ".jou", PLAYER_BYTES),
            tournaments=_names_for(games, tournaments, ".trn", TOURNAMENT_BYTES),
        )


def _header(data: bytes) -> _Header:
    if len(data) < _HEADER.size:
        raise RecordError(f"{len(data)} bytes, {data.hex(' ')!r}; a WTHOR file begins with a header of {_HEADER.size}")
    return _Header(*_HEADER.unpack_from(data))


def _check_length(data: bytes, count: int, width: int, what: str) -> None:
    expected = _HEADER.size + count * width
    if len(data) != expected:
        raise RecordError(
            f"{len(data)} bytes, but the header says {count} {what}, which take {expected}: "
            "the file is cut, corrupt or of another format"
        )


def _record(
    header: _Header, fields: tuple[int, int, int, int, int, bytes], players: Sequence[str], tournaments: Sequence[str]
) -> GameRecord:
    tournament, black, white, discs, theoretical_discs, codes = fields
    start = Othello()
    return GameRecord(
        start,
        _moves(start, codes),
        first=_named(players, black),
        second=_named(players, white),
        event=_named(tournaments, tournament),
        date=str(header.year) if header.year else "",
        score=_margin(discs, "score"),
        theoretical_score=_margin(theoretical_discs, "theoretical score"),
        theoretical_empties=header.empties,
    )


def _moves(start: Othello, codes: bytes) -> tuple[int, ...]:
    played = codes.rstrip(b"\0")
    for number, code in enumerate(played, 1):
        if code not in _SQUARES:
            raise RecordError(
                f"move {number} is the byte {code}; a square is 10 * row + column, 11 to 88; zeros come last"
            )
    return tuple(read_transcript(start, "".join(_SQUARES[code] for code in played))[0])


def _margin(discs: int, what: str) -> int:
    if discs > 64:
        raise RecordError(f"the {what} is {discs} discs for black; it can be 0 to 64")
    return 2 * discs - 64


def _named(names: Sequence[str], number: int) -> str:
    return (names[number] if number < len(names) else "") or f"#{number}"


def _name(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("latin-1").strip()


def _names_for(games: Path, given: str | os.PathLike[str] | None, suffix: str, width: int) -> list[str]:
    path = Path(given) if given is not None else _file_beside(games, suffix)
    if path is None:
        return []
    with error_location(str(path)):
        return read_names(path.read_bytes(), width)


def _file_beside(games: Path, suffix: str) -> Path | None:
    there = {path.name.lower(): path for path in sorted(games.parent.iterdir())}
    return there.get(games.stem.lower() + suffix) or there.get("wth" + suffix)
