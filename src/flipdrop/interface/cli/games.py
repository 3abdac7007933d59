"""`flipdrop games`: what the store holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import StoreError
from flipdrop.files import replace_file
from flipdrop.games.records import write_games
from flipdrop.interface.cli.arena import StorePath, open_store
from flipdrop.interface.cli.options import Json
from flipdrop.interface.cli.output import print_json

if TYPE_CHECKING:
    from flipdrop.arena.store import Store, StoredEvent


def games(
    event: Annotated[
        int | None, typer.Argument(metavar="EVENT", help="The number of a match or tournament; all are listed without.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--to", metavar="FILE", help="Write its games: .ggf, .txt (transcripts) or .csv.")
    ] = None,
    store: StorePath = None,
    json: Json = False,
) -> None:
    """List the matches and tournaments in the store, or write the games of one to a file.

    Example: flipdrop games 3 --to games.csv
    """
    with open_store(store, none=False) as games_store:
        events = list(games_store.events())
        if event is not None:
            stored = next((found for found in events if found.id == event), None)
            if stored is None:
                known = f"there are {events[0].id} to {events[-1].id}" if events else "there are none yet"
                raise StoreError(f"{games_store.name} has no event {event}; {known}")
            events = [stored]
            if output is not None:
                _write(games_store, stored, output)
        elif output is not None:
            raise StoreError(f"--to {output}: say which event's games, as in flipdrop games 3 --to {output}")
    for stored in events:
        if json:
            print_json(
                {"event": stored.id, "begun": stored.begun, "version": stored.version, "played": stored.games}
                | stored.event.to_json()
            )
        else:
            typer.echo(_described(stored))
    if not events and not json:
        typer.echo(f"{games_store.name} holds nothing yet; flipdrop match puts something into it", err=True)


def _write(store: Store, stored: StoredEvent, path: Path) -> None:
    from flipdrop.arena.store.export import as_record, as_table

    played = store.games(stored.id)
    if path.suffix.lower() == ".csv":
        replace_file(path, as_table(played, stored).encode())
    else:
        write_games(path, (as_record(game, stored) for game in played))


def _described(stored: StoredEvent) -> str:
    event = stored.event
    players = " - ".join(event.players[:4]) + (f" and {len(event.players) - 4} more" if len(event.players) > 4 else "")
    return (
        f"{stored.id:>4}  {stored.begun[:16].replace('T', ' ')}  {event.kind}, {event.game}: {players}; "
        f"{stored.games:,} of {event.games:,} games, seed {event.seed}"
    )
