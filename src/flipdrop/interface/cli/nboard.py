"""`flipdrop nboard`: an Othello engine for NBoard and programs with its protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.engines import PlayerOptions, run_engine
from flipdrop.interface.cli.options import seed_or_random
from flipdrop.interface.protocols.nboard import serve_nboard
from flipdrop.players import player as player_of
from flipdrop.players.spec import is_agent
from flipdrop.workers import thread_count

DEFAULT = "iterative:evaluation=patterns"


def nboard(
    options: PlayerOptions,
    player: Annotated[str, typer.Option(metavar="SPEC", help="The player; see flipdrop players.")] = DEFAULT,
) -> None:
    """Run as an Othello engine for NBoard (protocol version 2) on standard input and output.

    The depth that NBoard sets limits minimax players whose spec has no depth, such as the default player. A new command
    interrupts the search.

    Example: flipdrop nboard --player level:8
    """
    game, seed = game_of("othello"), seed_or_random(options.seed)
    if is_agent(player):
        made = options.make_player(player, game, seed)
    else:  # a search with an evaluation from a file is not isolated: its reports are the hints
        made = player_of(player, game=game, seed=seed, threads=thread_count(options.threads))
    run_engine("nboard", made, game.title, seed, lambda *streams: serve_nboard(made, *streams))
