"""`flipdrop nboard`: a player for NBoard, and for programs that speak to engines as it does."""

from __future__ import annotations

from typing import Annotated

import typer

from flipdrop.interface.cli.options import Seed, Threads, seed_or_random, thread_count
from flipdrop.players import player as player_of

DEFAULT = "iterative:evaluation=patterns"


def nboard(
    player: Annotated[str, typer.Option(metavar="SPEC", help="Who plays: see flipdrop players.")] = DEFAULT,
    threads: Threads = None,
    seed: Seed = None,
) -> None:
    """Be an Othello engine that speaks NBoard's protocol, version 2, on standard input and output.

    The depth that NBoard sets is for minimax players whose spec does not say it, such as the default one. A new command
    interrupts what is under way.

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
