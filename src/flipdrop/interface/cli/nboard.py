"""`flipdrop nboard`: an Othello engine for NBoard and programs with its protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.agents import DEFAULT_MEGABYTES, AgentLimits, AgentMemory, MoveTimeout
from flipdrop.interface.cli.gtp import run_engine
from flipdrop.interface.cli.options import Seed, Threads, seed_or_random, thread_count
from flipdrop.interface.protocols.nboard import serve_nboard
from flipdrop.players import player as player_of
from flipdrop.players.agent_process import is_agent, isolated_player

DEFAULT = "iterative:evaluation=patterns"


def nboard(
    player: Annotated[str, typer.Option(metavar="SPEC", help="The player; see flipdrop players.")] = DEFAULT,
    threads: Threads = None,
    seed: Seed = None,
    move_timeout: MoveTimeout = None,
    agent_memory: AgentMemory = DEFAULT_MEGABYTES,
) -> None:
    """Run as an Othello engine for NBoard (protocol version 2) on standard input and output.

    The depth that NBoard sets limits minimax players whose spec has no depth, such as the default player. A new command
    interrupts the search.

    Example: flipdrop nboard --player level:8
    """
    game, used_seed, used_threads = game_of("othello"), seed_or_random(seed), thread_count(threads)
    if is_agent(player):
        limits = AgentLimits(move_timeout, agent_memory)
        made = isolated_player(player, game=game, seed=used_seed, limits=limits)
    else:  # a search with an evaluation from a file, too: its reports are the hints
        made = player_of(player, game=game, seed=used_seed, threads=used_threads)
    run_engine("nboard", made, game.title, used_seed, lambda *streams: serve_nboard(made, *streams))
