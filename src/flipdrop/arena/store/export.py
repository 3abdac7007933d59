"""Games of a store for other programs: as records (GGF, transcripts), or as a table with a row for each game (CSV)."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from flipdrop.files import csv_text
from flipdrop.games.records import GameRecord
from flipdrop.games.transcripts import write_transcript

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from flipdrop.arena.model import FinishedGame
    from flipdrop.arena.store.store import Store, StoredEvent

COLUMNS = (
    *("event", "number", "game", "first", "second", "result", "margin"),
    *("opening", "moves", "termination", "seed", "first_seconds", "second_seconds"),
)


def as_record(played: FinishedGame, stored: StoredEvent) -> GameRecord:
    """A game as a record; a forfeited one has the score that the arena gave it."""
    task = played.task
    in_discs = task.opening.start.game.score_unit == "discs"
    ending = ("t" if played.termination.startswith("time") else "r") if played.termination else ""
    return GameRecord(
        task.opening.start,
        played.moves,
        first=task.first,
        second=task.second,
        event=f"flipdrop {stored.event.kind} {stored.id}, game {task.number}",
        date=stored.begun,
        score=float(played.margin) if in_discs or played.termination else None,
        ending=ending,
    )


def records_of(store: Store, game: str, *, most: int | None = None) -> Iterator[GameRecord]:
    """The games of a store on one board that were played to the end, those of the newest events first.

    :param most: number of games
    """
    events = [stored for stored in store.events() if stored.event.game == game]
    games = (as_record(played, stored) for stored in reversed(events) for played in store.games(stored.id))
    return islice((record for record in games if not record.ending), most)


def as_table(games: Iterable[FinishedGame], stored: StoredEvent) -> str:
    return csv_text([COLUMNS, *table_rows(games, stored)])


def table_rows(games: Iterable[FinishedGame], stored: StoredEvent) -> Iterator[tuple[object, ...]]:
    """The cells of each game, in the order of `COLUMNS`."""
    for played in games:
        task = played.task
        moves = write_transcript(task.opening.start, played.moves)
        yield (
            *(stored.id, task.number, task.opening.game, task.first, task.second, played.result, played.margin),
            *(len(task.opening.moves), moves, played.termination, task.seed, *(played.seconds or (None, None))),
        )
