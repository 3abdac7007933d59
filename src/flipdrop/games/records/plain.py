"""Plain transcripts: one game per line::

    # game: connect4:9x10
    # blank lines and what follows a '#' are skipped
    4453
    2252576253462244111563365343671351441 -1
    -

The header names the game of the lines below it. A number after the moves is kept as `GameRecord.value`; a lone ``-`` is
a game without moves. Names, notes and everything else about a game are not written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from flipdrop.errors import NotationError, RecordError, quoted
from flipdrop.games import catalogue
from flipdrop.games.othello import OthelloGame
from flipdrop.games.records.parsing import error_location
from flipdrop.games.records.record import GameRecord
from flipdrop.games.transcripts import read_transcript

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flipdrop.games.base import Game

_GAME_HEADER = re.compile(r"#\s*game\s*:(.*)", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?[0-9]+")
_LONGEST_INTEGER = 16  # characters: a sign and 15 digits
_LONGEST_GAME = 2000  # characters: far more than the longest game with every pass and space written
_NO_MOVES = "-"


def read_plain(text: str, game: Game | None = None) -> Iterator[GameRecord]:
    """The games of a text, in order.

    :param game: the game of lines without a header; Othello on 8x8 by default
    """
    played: Game = game or OthelloGame()
    for number, line in enumerate(text.splitlines(), 1):
        with error_location(f"line {number}"):
            header = _GAME_HEADER.fullmatch(line.strip())
            if header is not None:
                played = catalogue.game(header[1])
            moves = line.partition("#")[0].strip()
            record = _record(played, moves) if moves else None
        if record is not None:
            yield record


def write_plain(records: Iterable[GameRecord]) -> str:
    """The games, one per line, under headers that name the game."""
    lines: list[str] = []
    played: Game | None = None
    for number, record in enumerate(records, 1):
        with error_location(f"game {number}"):
            if record.game != played:
                played = record.game
                lines.append(f"# game: {played.name}\n")
            lines.append(_line(record))
    return "".join(lines)


def _record(game: Game, line: str) -> GameRecord:
    if len(line) > _LONGEST_GAME or not line.isascii():
        raise NotationError(
            f"{quoted(line)} is not a game; a line holds its moves and, if you like, a number after them"
        )
    moves, value = _split(line, game)
    start = game.start()
    return GameRecord(start, tuple(read_transcript(start, moves)[0]), value=value)


def _split(line: str, game: Game) -> tuple[str, int | None]:
    """The moves and the number after them."""
    *before, last = line.split()
    if not before or not _INTEGER.fullmatch(last):
        moves, value = line, None
    elif len(before) > 1 and game.moves_name_columns:
        # The moves of Connect Four are digits as well: '4 4 5 3' could be three moves or four.
        raise NotationError(f"{quoted(line)}: write the moves without spaces, and a number, if any, after one space")
    elif len(last) > _LONGEST_INTEGER:
        raise NotationError(f"the number {quoted(last, 20)} after the moves; it has at most 15 digits")
    else:
        moves, value = " ".join(before), int(last)
    return "" if moves == _NO_MOVES else moves, value


def _line(record: GameRecord) -> str:
    if record.start != record.game.start():
        raise RecordError(
            f"the game starts from {quoted(record.start.board, 90)}; "
            "plain text holds games from the usual start (GGF holds others, for Othello)"
        )
    value = "" if record.value is None else f" {record.value}"
    return f"{record.transcript or _NO_MOVES}{value}\n"
