"""Games of a store for other programs: as records (GGF, transcripts), or as a table with a row for each game (CSV)."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from flipdrop.games import Othello
from flipdrop.games.records import GameRecord
from flipdrop.games.transcripts import write_transcript

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flipdrop.arena.game import Played
    from flipdrop.arena.store.store import StoredEvent

COLUMNS = (
    "event",
    "number",
    "game",
    "first",
    "second",
    "result",
    "margin",
    "opening",
    "moves",
    "ending",
    "seed",
    "first_seconds",
    "second_seconds",
)


def as_record(played: Played, stored: StoredEvent) -> GameRecord:
    """A game as files of records keep it. One that was broken off has the score that the arena gave it."""
    job = played.job
    in_discs = isinstance(job.opening.position, Othello)
    ending = ("t" if played.ending.startswith("time") else "r") if played.ending else ""
    return GameRecord(
        job.opening.start,
        played.moves,
        first=job.first,
        second=job.second,
        event=f"flipdrop {stored.event.kind} {stored.id}, game {job.number}",
        date=stored.begun,
        score=float(played.margin) if in_discs or played.ending else None,
        ending=ending,
    )


def as_table(games: Iterable[Played], stored: StoredEvent) -> str:
    """CSV with a row for each game."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for played in games:
        job = played.job
        writer.writerow(
            (
                stored.id,
                job.number,
                job.opening.game,
                job.first,
                job.second,
                played.result,
                played.margin,
                len(job.opening.moves),
                write_transcript(job.opening.start, played.moves),
                played.ending,
                job.seed,
                *(played.seconds or ("", "")),
            )
        )
    return text.getvalue()
