"""`flipdrop nboard`: an Othello engine for NBoard and programs with its protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from flipdrop.interface.cli.options import Seed, Threads, seed_or_random, thread_count
from flipdrop.players import player as player_of

DEFAULT = "iterative:evaluation=patterns"


def nboard(
    player: Annotated[str, typer.Option(metavar="SPEC", help="The player; see flipdrop players.")] = DEFAULT,
    threads: Threads = None,
    seed: Seed = None,
) -> None:
    """Run as an Othello engine for NBoard (protocol version 2) on standard input and output.

    The depth that NBoard sets limits minimax players whose spec has no depth, such as the default player. A new command
    interrupts the search.

    Example: flipdrop nboard --player level:8
    """
    from flipdrop.interface.protocols.nboard import serve_nboard
    from flipdrop.interface.protocols.stdio import stdio_streams

    used_seed = seed_or_random(seed)
    made = player_of(player, game="othello", seed=used_seed, threads=thread_count(threads))
    typer.echo(f"flipdrop nboard: {made.name}, seed {used_seed}", err=True)
    with stdio_streams() as (commands, answers):
        try:
            serve_nboard(made, commands, answers)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        finally:
            made.close()
