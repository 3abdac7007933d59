"""Games of a store for other programs: as records (GGF, transcripts), or as a table with a row for each game (CSV)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.files import csv_text
from flipdrop.games.records import GameRecord
from flipdrop.games.transcripts import write_transcript

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flipdrop.arena.model import FinishedGame
    from flipdrop.arena.store.store import StoredEvent

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


def as_table(games: Iterable[FinishedGame], stored: StoredEvent) -> str:
    rows: list[tuple[object, ...]] = [COLUMNS]
    for played in games:
        task = played.task
        moves = write_transcript(task.opening.start, played.moves)
        rows.append(
            (
                *(stored.id, task.number, task.opening.game, task.first, task.second, played.result, played.margin),
                *(len(task.opening.moves), moves, played.termination, task.seed, *(played.seconds or ("", ""))),
            )
        )
    return csv_text(rows)
