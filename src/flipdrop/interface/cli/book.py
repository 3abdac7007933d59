"""`flipdrop book`: computes an opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flipdrop.errors import UnknownGame
from flipdrop.games import ConnectFourGame
from flipdrop.games import game as game_of
from flipdrop.interface.cli.options import GameName, Json, Threads, setting_option, thread_count
from flipdrop.interface.cli.output import print_json, progress_bar
from flipdrop.search import Solver
from flipdrop.search.book_builder import build_book


def book(
    game: GameName,
    output: Annotated[Path, typer.Argument(metavar="FILE", help="The book to write.")],
    plies: Annotated[int, typer.Option(min=0, max=12, metavar="N", help="Solve all positions with up to N discs.")] = 6,
    table: Annotated[int, setting_option(Solver, "table", metavar="MB")] = 1024,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Compute an opening book: the exact score of every position of the first plies.

    This takes hours. Every solved position is saved in FILE.notes at once; the same command resumes a stopped run.

    Example: flipdrop book connect4 my.book --plies 5
    """
    made_for = game_of(game)
    if made_for != ConnectFourGame():
        raise UnknownGame(f"{made_for.name} has no opening book; books are for connect4 (7x6)")
    used = thread_count(threads)
    notes = output.with_name(output.name + ".notes")
    command = f"flipdrop book connect4 {output.name} --plies {plies} --table {table} --threads {used}"
    try:
        with progress_bar("positions") as progress:
            made = build_book(plies, notes, threads=used, table=table, command=command, progress=progress)
    except KeyboardInterrupt:
        typer.echo(f"stopped; solved positions are in {notes}, and the same command resumes", err=True)
        raise typer.Exit(130) from None
    made.write(output)
    info = {"plies": plies, "positions": len(made.scores), "bytes": output.stat().st_size} | made.made
    if json:
        print_json(info)
        return
    typer.echo(f"{output}: {len(made.scores):,} positions to {plies} plies, {info['bytes']:,} bytes")
