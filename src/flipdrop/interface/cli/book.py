"""`flipdrop book`: computes an opening book."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from flipdrop.errors import BookError
from flipdrop.interface.cli.options import Cluster, Json, Threads, setting_option, workers_for
from flipdrop.interface.cli.output import exit_stopped, print_json, progress_bar
from flipdrop.search.book import read_book
from flipdrop.search.book_builder import OthelloBookSettings, build_connect_four_book, build_othello_book
from flipdrop.search.connect_four_book import MAX_PLIES, MAX_REPLIES
from flipdrop.search.othello_book import OthelloBook
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from flipdrop.search.book_builder import Progress
    from flipdrop.search.connect_four_book import ConnectFourBook

_ONLY_OTHELLO = "Othello only"
_DEFAULTS = OthelloBookSettings()
_CONNECT_FOUR_PLIES, _CONNECT_FOUR_TABLE = 6, 1024


def _othello(name: str, metavar: str = "N") -> Any:
    return setting_option(
        OthelloBookSettings,
        name,
        metavar=metavar,
        show_default=str(getattr(_DEFAULTS, name)),
        panel=_ONLY_OTHELLO,
    )


def book(
    game: Annotated[
        Literal["othello", "connect4"], typer.Argument(metavar="GAME", help="othello (8x8) or connect4 (7x6).")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The book to write.", show_default="such as othello.book")
    ] = None,
    plies: Annotated[
        int | None,
        setting_option(
            OthelloBookSettings,
            "plies",
            note=f"; in Connect Four all positions with up to N discs, at most {MAX_PLIES}",
            show_default=f"{_DEFAULTS.plies} in Othello, {_CONNECT_FOUR_PLIES} in Connect Four",
        ),
    ] = None,
    table: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="MB",
            help="Size of the transposition table of a search in MB.",
            show_default=f"{_DEFAULTS.table} in Othello, {_CONNECT_FOUR_TABLE} in Connect Four",
        ),
    ] = None,
    replies: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MAX_REPLIES,
            metavar="N",
            help="Connect Four: also a best reply to every move of the opponent up to ply N, for a side that plays the "
            "book's moves. [default: none]",
            show_default=False,
        ),
    ] = None,
    known: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Connect Four: a book whose scores of the last ply are taken.")
    ] = None,
    positions: Annotated[int | None, _othello("positions")] = None,
    depth: Annotated[int | None, _othello("depth")] = None,
    selectivity: Annotated[int | None, _othello("selectivity", "PERCENT")] = None,
    error: Annotated[int | None, _othello("error", "DISCS")] = None,
    threads: Threads = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Compute an opening book.

    Othello's book holds positions of good play. It begins with the start position and grows by the moves with which
    both sides together lose least; a search to a fixed depth values the moves of each position, and values are backed
    up from longer lines. The same settings give the same book, with any number of threads. Connect Four's book holds
    the exact score of every position of the first plies, and with --replies enough to follow it further.

    This takes minutes to hours. Every result is saved in FILE.notes at once; the same command resumes a stopped run,
    and more --positions enlarge a book.

    Examples:

    flipdrop book othello --positions 2000 --depth 10 --out my.book

    flipdrop book connect4 --plies 5 --out my.book
    """
    only_othello = {"positions": positions, "depth": depth, "selectivity": selectivity, "error": error}
    options = {**only_othello, "plies": plies, "table": table, "replies": replies}
    given = {name: value for name, value in options.items() if value is not None}
    path = out or Path(f"{game}.book")
    notes = path.with_name(path.name + ".notes")
    used = thread_count(threads)
    try:
        with progress_bar("positions") as progress:
            if game == "connect4":
                made: OthelloBook | ConnectFourBook = _build_connect_four(
                    given, known, path.name, notes, used, cluster, progress
                )
            elif replies is not None or known is not None:
                raise BookError("--replies and --known are for Connect Four, whose book holds exact scores")
            else:
                made = _build_othello(given, path.name, notes, used, cluster, progress)
    except KeyboardInterrupt:
        exit_stopped(f"stopped; results are in {notes}, and the same command resumes")
    made.write(path)
    info = {"game": game, "file": str(path), "positions": len(made), "bytes": path.stat().st_size} | made.made
    if json:
        print_json(info)
        return
    typer.echo(f"{path}: {len(made):,} positions, {info['bytes']:,} bytes")


def _build_othello(
    given: dict[str, int], name: str, notes: Path, threads: int, cluster: str | None, progress: Progress | None
) -> OthelloBook:
    settings = OthelloBookSettings(**given)
    command = f"flipdrop book othello {_flags(dataclasses.asdict(settings))} --out {name}"
    return build_othello_book(
        settings, notes, workers=workers_for(cluster, threads), command=command, progress=progress
    )


def _build_connect_four(
    given: dict[str, int],
    known: Path | None,
    name: str,
    notes: Path,
    threads: int,
    cluster: str | None,
    progress: Progress | None,
) -> ConnectFourBook:
    used = {"plies": _CONNECT_FOUR_PLIES, "table": _CONNECT_FOUR_TABLE, "replies": 0}
    if wrong := [option for option in given if option not in used]:
        raise BookError(f"--{wrong[0]} is for Othello; the book of Connect Four holds exact scores")
    used |= given
    if used["plies"] > MAX_PLIES:
        raise BookError(f"--plies {used['plies']}: books of Connect Four have at most {MAX_PLIES}")
    start = None if known is None else read_book(known)
    if isinstance(start, OthelloBook):
        raise BookError(f"--known {known}: a book of Othello; one of Connect Four is needed")
    from_known = "" if known is None else f" --known {known.name}"
    command = f"flipdrop book connect4 {_flags(used)}{from_known} --threads {threads} --out {name}"
    return build_connect_four_book(
        **used,
        known=start,
        notes=notes,
        threads=threads,
        workers=None if cluster is None else workers_for(cluster, threads),
        command=command,
        progress=progress,
    )


def _flags(options: dict[str, int]) -> str:
    return " ".join(f"--{name} {value}" for name, value in options.items())
