"""`flipdrop gtp`: an engine that speaks the Go Text Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.agents import DEFAULT_MEGABYTES, AgentLimits, AgentMemory, MoveTimeout
from flipdrop.interface.cli.options import Seed, Threads, seed_or_random, thread_count
from flipdrop.interface.protocols.gtp import serve_gtp
from flipdrop.interface.protocols.streams import stdio_streams
from flipdrop.players.agent_process import isolated_player

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.players import SpecPlayer

DEFAULT = "level:9"


def gtp(
    game: Annotated[str, typer.Option(metavar="GAME", help="Game until the client sets another.")] = "othello",
    player: Annotated[str, typer.Option(metavar="SPEC", help="The player; see flipdrop players.")] = DEFAULT,
    threads: Threads = None,
    seed: Seed = None,
    move_timeout: MoveTimeout = None,
    agent_memory: AgentMemory = DEFAULT_MEGABYTES,
) -> None:
    """Run as a GTP engine (version 2) on standard input and output.

    Black is the first side. Squares of Othello are a1 (top left) to h8; a move of Connect Four is a column. boardsize
    takes one number, or columns and rows. The private commands flipdrop-game GAME, flipdrop-position POSITION and
    flipdrop-clock set what GTP has no command for. In a finished game genmove answers pass.

    Example: flipdrop gtp --game connect4 --player mcts:iterations=5000
    """
    played = game_of(game)
    used_seed = seed_or_random(seed)
    made = isolated_player(
        player,
        game=played,
        seed=used_seed,
        threads=thread_count(threads),
        limits=AgentLimits(move_timeout, agent_memory),
    )
    run_engine("gtp", made, played.title, used_seed, lambda *streams: serve_gtp(made, played, *streams))


def run_engine(protocol: str, made: SpecPlayer, title: str, seed: int, serve: Callable[[TextIO, TextIO], None]) -> None:
    """Serves a player on standard input and output.

    :param title: of the game
    """
    try:
        typer.echo(f"flipdrop {protocol}: {title}, {made.name}, seed {seed}", err=True)
        with stdio_streams() as (commands, answers):
            serve(commands, answers)
    finally:
        made.close()
