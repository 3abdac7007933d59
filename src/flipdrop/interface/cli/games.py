"""`flipdrop games`: lists and exports the events of the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.arena.store import Store, default_path
from flipdrop.arena.store.export import as_record, as_table
from flipdrop.errors import RecordError, StoreError, quoted
from flipdrop.files import atomic_write
from flipdrop.games.records import write_games
from flipdrop.interface.cli.events import StorePath
from flipdrop.interface.cli.options import Json
from flipdrop.interface.cli.output import print_json

if TYPE_CHECKING:
    from flipdrop.arena.store import StoredEvent

SUFFIXES = (".ggf", ".txt", ".csv")


def games(
    event: Annotated[
        int | None, typer.Argument(metavar="EVENT", help="Number of an event.", show_default="all events")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="Write the games of the event: .ggf, .txt (transcripts) or .csv."),
    ] = None,
    store: StorePath = None,
    json: Json = False,
) -> None:
    """List the events of the store (matches, tournaments, ...), or export the games of one.

    Example: flipdrop games 3 --to games.csv
    """
    if output is not None and output.suffix.lower() not in SUFFIXES:
        raise RecordError(f"--to {quoted(str(output))}: the file has to end in {', '.join(SUFFIXES)}")
    # Listing does not create a store: the user store appears with the first match, any other has to exist.
    is_begun = store is not None or default_path().exists()
    with Store((store or default_path()) if is_begun else None, create=False) as games_store:
        name = str(store or default_path())
        events = list(games_store.events())
        if event is not None:
            stored = next((found for found in events if found.id == event), None)
            if stored is None:
                known = f"it has {events[0].id} to {events[-1].id}" if events else "it is empty"
                raise StoreError(f"{name} has no event {event}; {known}")
            events = [stored]
            if output is not None:
                count = _write(games_store, stored, output)
                typer.echo(f"{count:,} games written to {output}", err=True)
        elif output is not None:
            raise StoreError(f"--to {output} needs the number of an event, as in flipdrop games 3 --to {output}")
    for stored in events:
        if json:
            print_json(
                {"event": stored.id, "begun": stored.begun, "version": stored.version, "played": stored.games}
                | stored.event.to_json()
            )
        else:
            typer.echo(format_event(stored))
    if not events and not json:
        typer.echo(f"{name} is empty; flipdrop match adds games", err=True)


def _write(store: Store, stored: StoredEvent, path: Path) -> int:
    """Writes the games of an event and returns their number."""
    played = list(store.games(stored.id))
    if path.suffix.lower() == ".csv":
        atomic_write(path, as_table(played, stored).encode())
    else:
        write_games(path, (as_record(game, stored) for game in played))
    return len(played)


def format_event(stored: StoredEvent) -> str:
    event = stored.event
    players = " - ".join(event.players[:4]) + (f" and {len(event.players) - 4} more" if len(event.players) > 4 else "")
    return (
        f"{stored.id:>4}  {stored.begun[:16].replace('T', ' ')}  {event.kind}, {event.game}: {players}; "
        f"{stored.games:,} of {event.games:,} games, seed {event.seed}"
    )
