r"""GGF, the Generic Game Format of the GGS server and of NBoard, for Othello::

    (;GM[Othello]PC[GGS/os]DT[2024.05.01_20:15:00.UTC]PB[ada]PW[grace]RB[1850.20]RW[1790.00]TI[05:00//02:00]
    TY[8]RE[+12.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
    B[F5//0.01]W[D6/1.20/3.00]...;)

A move is ``move/evaluation/seconds``; the last two may be left out. A file holds any number of games, each of which a
number may precede, as in the archives of GGS. In a value, ``\]`` stands for ``]`` and ``\\`` for ``\``.

Every other tag (times, komi, or unknown) is kept as text in `GameRecord.tags`, and written again; so is a type ``TY`` that
says more than the size. ``EV`` is not a tag of GGS: it holds the event. Not written, because the format has no place
for them: a value after the moves, and the theoretical score.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flipdrop.errors import RecordError, quoted
from flipdrop.games.othello import SIZES, Othello
from flipdrop.games.records.reading import located, number_of
from flipdrop.games.records.record import GameRecord, MoveNote
from flipdrop.kernel import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_Tag = tuple[str, str]

_OPEN = re.compile(r"\s*(?:[0-9]{1,9}\s*)?\(;")
_TAG = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)\s*\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_CLOSE = re.compile(r"\s*;\s*\)")
_RESULT = re.compile(r"([^:]*)(?::([A-Za-z]{1,12}))?")

_MOVES = {"B": Side.FIRST, "W": Side.SECOND}
_TEXTS = {"PC": "place", "DT": "date", "PB": "first", "PW": "second", "EV": "event"}
_RATINGS = {"RB": "first_rating", "RW": "second_rating"}
_SINGLE = {"GM", "TY", "RE", "BO", *_TEXTS, *_RATINGS}


def read_ggf(text: str) -> Iterator[GameRecord]:
    """The games of a GGF text, in order."""
    at, number = 0, 1
    while text[at : at + 1].strip() or text[at:].strip():
        with located(f"game {number}"):
            tags, at = _scan(text, at)
            record = _record(tags)
        yield record
        number += 1


def write_ggf(records: Iterable[GameRecord]) -> str:
    """The games as GGF, one a line."""
    lines = []
    for number, record in enumerate(records, 1):
        with located(f"game {number}"):
            lines.append(_line(record))
    return "".join(lines)


# Reading: a game is first a list of tags, then a record.


def _scan(text: str, at: int) -> tuple[list[_Tag], int]:
    """The tags of the game that begins at `at`, and where it ends."""
    match = _OPEN.match(text, at)
    if match is None:
        raise RecordError(f"expected '(;' and found {_found(text, at)}; a game is written (;GM[Othello] ... ;)")
    at = match.end()
    tags: list[_Tag] = []
    while (match := _TAG.match(text, at)) is not None:
        tags.append((match[1].upper(), re.sub(r"\\([\\\]])", r"\1", match[2])))
        at = match.end()
    match = _CLOSE.match(text, at)
    if match is None:
        after = f" after {tags[-1][0]}[{_short(tags[-1][1])}]" if tags else ""
        raise RecordError(
            f"expected a tag such as PB[name], or ';)' to end the game,{after} and found {_found(text, at)}; "
            "every '[' takes a ']'"
        )
    return tags, match.end()


def _record(tags: list[_Tag]) -> GameRecord:
    known = _known(tags)
    name = known.get("GM", "")
    if name.strip().lower() != "othello":
        raise RecordError(f"GM[{_short(name)}] is the game; only GM[Othello] can be read")
    start = _start(known)
    moves, notes = _moves(start, [tag for tag in tags if tag[0] in _MOVES])
    score, ending = _result(known.get("RE", ""))
    first_rating, second_rating = (_rating(known, tag) for tag in _RATINGS)
    plain_type = str(start.size)
    others = [tag for tag in tags if tag[0] not in _MOVES and tag[0] not in _SINGLE - {"TY"}]
    return GameRecord(
        start,
        tuple(moves),
        first_rating=first_rating,
        second_rating=second_rating,
        score=score,
        ending=ending,
        notes=tuple(notes),
        tags=tuple(tag for tag in others if tag != ("TY", plain_type)),
        **{field: known.get(tag, "") for tag, field in _TEXTS.items()},
    )


def _known(tags: list[_Tag]) -> dict[str, str]:
    known: dict[str, str] = {}
    for tag, value in tags:
        if tag in known:
            raise RecordError(f"{tag}[{_short(known[tag])}] and {tag}[{_short(value)}]; a game has one {tag}")
        if tag in _SINGLE:
            known[tag] = value
    return known


def _start(known: dict[str, str]) -> Othello:
    """The start position: that of BO, or the usual one of the size that the type begins with."""
    if "BO" not in known:
        digits = re.search(r"[0-9]+", known.get("TY", "8"))
        return Othello(size=_size(digits[0] if digits else "8", f"TY[{_short(known.get('TY', ''))}]"))
    board = known["BO"]
    size, _, squares = board.strip().partition(" ")
    with located(f"BO[{_short(board)}]"):
        return Othello(squares, size=_size(size, f"BO[{_short(board)}]"))


def _size(text: str, where: str) -> int:
    sizes = {str(size): size for size in SIZES}
    if text not in sizes:
        raise RecordError(f"size {quoted(text, 20)} in {where}; boards are {', '.join(sizes)}")
    return sizes[text]


def _result(text: str) -> tuple[float | None, str]:
    """The first side's margin, and how the game ended: ``+64.00:r``. A game without a result has ``?``."""
    match = _RESULT.fullmatch(text.strip())
    if match is None:
        raise RecordError(f"RE[{_short(text)}]; a result is written RE[+12.000], RE[-64.000:r] or RE[?]")
    score = match[1].strip()
    with located(f"RE[{_short(text)}]"):
        return (None if score in ("", "?") else number_of(score)), match[2] or ""


def _rating(known: dict[str, str], tag: str) -> float | None:
    text = known.get(tag, "").strip()
    with located(f"{tag}[{_short(text)}]"):
        return number_of(text) if text else None


def _moves(start: Othello, tags: list[_Tag]) -> tuple[list[int], list[MoveNote]]:
    moves: list[int] = []
    notes: list[MoveNote] = []
    position = start
    for number, (tag, value) in enumerate(tags, 1):
        with located(f"move {number}, {tag}[{_short(value)}]"):
            name, note = _move(value)
            move = position.parse_move(name)
            if position.is_over and move == position.pass_move:
                continue  # some programs pass once more when nobody can move
            if position.to_move != _MOVES[tag] and position.legal_moves == (position.pass_move,):
                moves.append(position.pass_move)  # the colours alone tell that somebody passed
                notes.append(MoveNote())
                position = position.play(position.pass_move)
            if position.to_move != _MOVES[tag]:
                raise RecordError(f"it is the turn of {position.game.sides[position.to_move]}, whose moves are "
                                  f"{'BW'[position.to_move]}[...]")
            position = position.play(move)
        moves.append(move)
        notes.append(note)
    return moves, notes


def _move(value: str) -> tuple[str, MoveNote]:
    name, *numbers = (part.strip() for part in value.split("/"))
    if len(numbers) > 2 or len(name) > 4 or not name.isascii():
        raise RecordError("a move is written square/evaluation/seconds, such as F5/1.20/3.00, F5//3.00, F5 or PA")
    evaluation, seconds = (number_of(text) if text else None for text in (*numbers, "", "")[:2])
    return name, MoveNote(evaluation, seconds)


def _found(text: str, at: int) -> str:
    rest = text[at : at + 100].strip()
    return quoted(rest, 20) if rest else "the end of the text"


def _short(value: str) -> str:
    return quoted(value, 24)[1:-1]


# Writing.


def _line(record: GameRecord) -> str:
    start = record.start
    if not isinstance(start, Othello):
        raise RecordError(f"GGF holds games of Othello, not of {record.game.title}; write it as plain text")
    tags = [("GM", "Othello"), *((tag, getattr(record, field)) for tag, field in _TEXTS.items())]
    tags += [(tag, _number(rating)) for tag, rating in zip(_RATINGS, (record.first_rating, record.second_rating))]
    tags += _further(record)
    return "(;" + "".join(f"{tag}[{_escaped(value)}]" for tag, value in tags if value) + _played(start, record) + ";)\n"
