"""`flipdrop nboard`: an Othello engine for NBoard and programs with its protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.gtp import run_engine
from flipdrop.interface.cli.options import Seed, Threads
from flipdrop.interface.protocols.nboard import serve_nboard

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
    run_engine("nboard", player, game_of("othello"), threads, seed, serve_nboard)
