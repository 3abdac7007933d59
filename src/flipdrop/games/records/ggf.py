r"""GGF, the Generic Game Format of the GGS server and of NBoard, for Othello::

    (;GM[Othello]PC[GGS/os]DT[2024.05.01_20:15:00.UTC]PB[ada]PW[grace]RB[1850.20]RW[1790.00]TI[05:00//02:00]
    TY[8]RE[+12.000]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]
    B[F5//0.01]W[D6/1.20/3.00]...;)

A move is ``move/evaluation/seconds``; the last two may be left out. A file holds any number of games, each of which a
number may precede, as in the archives of GGS. In a value, ``\]`` stands for ``]`` and ``\\`` for ``\``.

Every other tag (times, komi, or unknown) is kept as text in `GameRecord.tags`, and written again; so is a type ``TY``
that says more than the size. ``EV``, the event, is an extension of flipdrop. A value after the moves and a theoretical
score are not written, because the format has no place for them.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError, RecordError, quoted
from flipdrop.games.othello import SIZES, Othello
from flipdrop.games.records.parsing import error_location, parse_number
from flipdrop.games.records.record import GameRecord, MoveNote
from flipdrop.kernel import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flipdrop.games.position import Position

_Tag = tuple[str, str]

_OPEN = re.compile(r"\s*(?:[0-9]{1,9}\s*)?\(;")
_TAG = re.compile(r"\s*([A-Za-z][A-Za-z0-9]*)\s*\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
_CLOSE = re.compile(r"\s*;\s*\)")
_RESULT = re.compile(r"([^:]*)(?::([A-Za-z]{1,12}))?")

_MOVES = {"B": Side.FIRST, "W": Side.SECOND}
_NO_NOTE = MoveNote()
_SINGLE = {"GM", "PC", "DT", "PB", "PW", "RB", "RW", "EV", "TY", "RE", "BO"}
_FIELDS = _SINGLE - {"TY"} | set(_MOVES)  # what a record has a field for; the rest becomes `tags`


def read_ggf(text: str) -> Iterator[GameRecord]:
    """The games of a GGF text, in order."""
    at, end = 0, len(text.rstrip())
    for number in itertools.count(1):
        if at >= end:
            return
        with error_location(f"game {number}"):
            tags, at = _scan(text, at)
            record = _record(tags)
        yield record


def write_ggf(records: Iterable[GameRecord]) -> str:
    """The games in GGF, one per line."""
    lines = []
    for number, record in enumerate(records, 1):
        with error_location(f"game {number}"):
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
        tags.append((match[1].upper(), _unescaped(match[2])))
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
    if known.get("GM", "").strip().lower() != "othello":
        raise RecordError(f"the game is GM[{_short(known.get('GM', ''))}]; it has to be GM[Othello]")
    start = _start(known)
    moves, notes = _moves(start, [tag for tag in tags if tag[0] in _MOVES])
    score, ending = _result(known.get("RE", ""))
    kept = [(tag, value) for tag, value in tags if tag not in _FIELDS and (tag, value) != ("TY", str(start.size))]
    return GameRecord(
        start,
        moves,
        first=known.get("PB", ""),
        second=known.get("PW", ""),
        first_rating=_rating(known, "RB"),
        second_rating=_rating(known, "RW"),
        event=known.get("EV", ""),
        place=known.get("PC", ""),
        date=known.get("DT", ""),
        score=score,
        ending=ending,
        notes=notes,
        tags=tuple(kept),
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
    """The start position: that of BO, or the standard one of the size in the type, ``8``, ``s8r18`` or ``6``."""
    if "BO" not in known:
        digits = re.search(r"[0-9]+", known.get("TY", ""))
        return Othello(size=_size(digits[0]) if digits else 8)
    board = known["BO"]
    size, squares = (*board.split(None, 1), "", "")[:2]
    with error_location(f"BO[{_short(board)}]"):
        return Othello(squares, size=_size(size))


def _size(text: str) -> int:
    for size in SIZES:
        if text == str(size):
            return size
    raise RecordError(f"the board's size is {quoted(text, 20)}; it can be {', '.join(map(str, SIZES))}")


def _result(text: str) -> tuple[float | None, str]:
    """The first side's margin and the termination: ``+64.00:r``; ``?`` for a game without a result."""
    match = _RESULT.fullmatch(text.strip())
    if match is None:
        raise RecordError(f"RE[{_short(text)}]; a result is written RE[+12.000], RE[-64.000:r] or RE[?]")
    score = match[1].strip()
    with error_location(f"RE[{_short(text)}]"):
        return (None if score in ("", "?") else parse_number(score)), match[2] or ""


def _rating(known: dict[str, str], tag: str) -> float | None:
    text = known.get(tag, "").strip()
    with error_location(f"{tag}[{_short(text)}]"):
        return parse_number(text) if text else None


def _moves(start: Othello, tags: list[_Tag]) -> tuple[tuple[int, ...], tuple[MoveNote, ...]]:
    moves: list[int] = []
    notes: list[MoveNote] = []
    position = start
    for number, (tag, value) in enumerate(tags, 1):
        try:
            name, note = _move(value)
            move = position.parse_move(name)
            if move == position.pass_move and position.is_over:
                continue  # some programs pass again when neither side can move
            if position.to_move != _MOVES[tag]:  # the colour implies a pass
                position = _passed(position)
                moves.append(start.pass_move)
                notes.append(_NO_NOTE)
            position = position.play(move)
        except FlipdropError as error:
            raise type(error)(f"move {number}, {tag}[{_short(value)}]: {error}") from None
        moves.append(move)
        notes.append(note)
    return tuple(moves), tuple(notes)


def _passed(position: Othello) -> Othello:
    if position.legal_moves != (position.pass_move,):
        side = position.to_move
        raise RecordError(f"it is {position.game.sides[side]}'s turn, whose moves are {'BW'[side]}[...]")
    return position.play(position.pass_move)


def _move(value: str) -> tuple[str, MoveNote]:
    name, *numbers = value.split("/")
    name = name.strip()
    if len(numbers) > 2 or len(name) > 4 or not name.isascii():
        raise RecordError("a move is written square/evaluation/seconds, such as F5/1.20/3.00, F5//3.00, F5 or PA")
    if not numbers:
        return name, _NO_NOTE
    return name, MoveNote(*(parse_number(text.strip()) if text.strip() else None for text in numbers))


def _unescaped(value: str) -> str:
    return re.sub(r"\\([\\\]])", r"\1", value) if "\\" in value else value


def _found(text: str, at: int) -> str:
    rest = text[at : at + 100].strip()
    return quoted(rest, 20) if rest else "the end of the text"


def _short(value: str) -> str:
    return quoted(value, 24)[1:-1]


# Writing.


def _line(record: GameRecord) -> str:
    if record.game.family != "othello":
        raise RecordError(f"GGF holds games of Othello, not of {record.game.title}; write them as plain text")
    texts = [("PC", record.place), ("DT", record.date), ("PB", record.first), ("PW", record.second)]
    numbers = [("RB", _number(record.first_rating)), ("RW", _number(record.second_rating))]
    given = [(tag, value) for tag, value in [*texts, *numbers, ("EV", record.event)] if value]
    tags = [
        ("GM", "Othello"),
        *given,
        *_optional_tags(record),
        ("RE", _written_result(record)),
        ("BO", _board(record.start)),
    ]
    return "(;" + "".join(f"{tag}[{_escaped(value)}]" for tag, value in [*tags, *_played(record)]) + ";)\n"


def _optional_tags(record: GameRecord) -> list[_Tag]:
    """The tags that the record keeps unchanged, and the type, which other programs require."""
    names = [tag for tag, _ in record.tags]
    for name in names:
        if not re.fullmatch(r"[A-Z][A-Z0-9]*", name) or name in _FIELDS:
            raise RecordError(
                f"tag {quoted(name, 20)}; a tag is of capitals and digits and none of {' '.join(sorted(_FIELDS))}"
            )
    if names.count("TY") > 1:
        raise RecordError(f"{names.count('TY')} tags TY; a game has one")
    return [*record.tags] if "TY" in names else [*record.tags, ("TY", str(record.game.columns))]


def _written_result(record: GameRecord) -> str:
    if not re.fullmatch(r"[A-Za-z]{0,12}", record.ending):
        raise RecordError(f"ending {quoted(record.ending, 20)}; in GGF it is a word such as r, t or s")
    score = "?" if record.score is None else _number(record.score, places=3, sign="+")
    return f"{score}:{record.ending}" if record.ending else score


def _board(start: Position) -> str:
    cells, n = start.cells.replace("X", "*"), start.game.columns
    rows = " ".join(cells[i : i + n] for i in range(0, len(cells), n))
    return f"{n} {rows} {'*O'[start.to_move]}"


def _played(record: GameRecord) -> Iterator[_Tag]:
    notes = record.notes or (_NO_NOTE,) * len(record.moves)
    for position, move, note in zip(record.positions(), record.moves, notes, strict=False):
        name = "PA" if move == position.pass_move else position.move_name(move).upper()
        parts = (name, _number(note.evaluation), _number(note.seconds))
        yield "BW"[position.to_move], "/".join(parts).rstrip("/")


def _number(number: float | None, *, places: int = 2, sign: str = "-") -> str:
    """A number as the GGS server writes it, with all its digits."""
    if number is None:
        return ""
    usual = f"{number:{sign}.{places}f}"
    return usual if float(usual) == number else f"{float(number):{sign}}"


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace("]", "\\]")
