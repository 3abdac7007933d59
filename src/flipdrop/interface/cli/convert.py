"""`flipdrop convert`: converts game records between file formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import RecordError, counted
from flipdrop.games import game as game_of
from flipdrop.games.records import decode_games, encode_games, read_games, write_games
from flipdrop.interface.cli.options import Json
from flipdrop.interface.cli.output import print_json, progress_bar

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.games.records import GameRecord


def convert(
    files: Annotated[
        list[str], typer.Argument(metavar="INPUT... OUTPUT", help="Files; - for standard input or output.")
    ],
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="ggf, wthor or plain.", show_default="by file extension"),
    ] = None,
    target: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="ggf or plain.", show_default="by file extension"),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", help="Game of plain transcripts that do not name it.", show_default="othello"),
    ] = None,
    json: Json = False,
) -> None:
    """Convert game records between GGF, plain transcripts and WTHOR (read only).

    WTHOR's .jou and .trn files are read from the same folder. Every game is replayed and checked; if one is illegal,
    nothing is written.

    Example: flipdrop convert WTH_2022.wtb games.ggf
    """
    *inputs, output = files
    if not inputs:
        raise RecordError(f"only one file, {output!r}, is given; name the files to read and, last, the one to write")
    if json and output == "-":
        raise RecordError("--json and the games cannot both go to standard output; name a file to write")
    played = None if game is None else game_of(game)
    records: list[GameRecord] = []
    with progress_bar("files") as progress:
        for number, name in enumerate(inputs):
            if progress is not None:
                progress(number, len(inputs))
            records += _read(name, source, played)
    _write(output, target, records)
    if json:
        print_json({"games": len(records), "inputs": inputs, "output": output})
    elif output != "-":
        typer.echo(f"{counted(len(records), 'game')} written to {output}")


def _read(name: str, source: str | None, game: Game | None) -> list[GameRecord]:
    if name != "-":
        return list(read_games(Path(name), format=source, game=game))
    if source is None:
        raise RecordError("standard input has no file extension; give its format by --from")
    if sys.stdin is None:
        raise RecordError("standard input is closed")
    return decode_games(sys.stdin.buffer.read(), source, game=game)


def _write(name: str, target: str | None, records: list[GameRecord]) -> None:
    if name != "-":
        write_games(Path(name), records, format=target)
        return
    if target is None:
        raise RecordError("standard output has no file extension; give its format by --to")
    sys.stdout.buffer.write(encode_games(records, target))
