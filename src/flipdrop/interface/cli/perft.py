"""`flipdrop perft`: counts move sequences."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.options import GameName, Json, Threads
from flipdrop.interface.cli.output import print_json, progress_bar
from flipdrop.workers import thread_count


def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(min=0, max=1000, metavar="DEPTH", help="Length of the sequences in plies.")],
    position: Annotated[
        str, typer.Option(metavar="POSITION", help="Start position.", show_default="the start of the game")
    ] = "",
    divide: Annotated[bool, typer.Option("--divide", help="Also print the count for each first move.")] = False,
    threads: Threads = None,
    json: Json = False,
) -> None:
    """Count the legal sequences of DEPTH moves: the standard test of a move generator and of its speed.

    In Othello a pass is a move, and a game that ends earlier counts once; in Connect Four such a game does not count.
    These are the conventions of the published tables.

    Example: flipdrop perft othello 9 --divide
    """
    start = game_of(game).position(position)
    used = thread_count(threads)
    split = divide and depth > 0 and not start.is_over
    moves = {start.move_name(m): start.play(m) for m in start.legal_moves} if split else {"": start}
    began = perf_counter()
    counts = {}
    with progress_bar("subtrees") as progress:
        for name, after in moves.items():
            counts[name] = after.perft(depth - bool(name), threads=used, progress=progress)
    seconds = perf_counter() - began
    count = sum(counts.values())
    if json:
        parts = {"divide": counts} if divide else {}
        print_json(
            {"game": game_of(game).name, "depth": depth, "count": count, "seconds": seconds, "threads": used} | parts
        )
        return
    if divide:
        for name, part in counts.items():
            typer.echo(f"{name:>5} {part:>18,}")
    rate = f", {count / seconds / 1e6:,.0f} million/s" if seconds > 0.001 else ""
    typer.echo(f"depth {depth}: {count:,} ({seconds:.3f} s{rate}, {used} thread{'s' if used > 1 else ''})")
