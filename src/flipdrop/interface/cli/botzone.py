"""`flipdrop botzone`: a bot for the platform Botzone."""

from __future__ import annotations

from typing import Annotated, TextIO

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.agents import DEFAULT_MEGABYTES, AgentLimits, AgentMemory, MoveTimeout
from flipdrop.interface.cli.gtp import run_engine
from flipdrop.interface.cli.options import Seed, Threads, seed_or_random, thread_count
from flipdrop.interface.protocols.botzone import serve_botzone
from flipdrop.players import Clock
from flipdrop.players.agent_process import isolated_player

DEFAULT = "level:10"


def botzone(
    game: Annotated[str, typer.Option(metavar="GAME", help="Game to play.")] = "othello",
    player: Annotated[str, typer.Option(metavar="SPEC", help="The player; see flipdrop players.")] = DEFAULT,
    seconds: Annotated[float, typer.Option(min=0.01, metavar="S", help="Time for each move in seconds.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Answer one turn and end; do not ask to keep running.")] = False,
    threads: Threads = 1,
    seed: Seed = None,
    move_timeout: MoveTimeout = None,
    agent_memory: AgentMemory = DEFAULT_MEGABYTES,
) -> None:
    """Run as a bot of Botzone on standard input and output.

    A turn is a line of JSON: at first the whole history, {"requests": [...], "responses": [...]}, then one request a
    line. A move is {"x": COLUMN, "y": ROW}, counted from 0 at the top left; -1 and -1 is a pass, and what the side that
    begins is asked first.

    Example: flipdrop botzone --player level:10 --seconds 1
    """
    played, clock, used_seed = game_of(game), Clock(move_limit=seconds), seed_or_random(seed)
    made = isolated_player(
        player,
        game=played,
        seed=used_seed,
        threads=thread_count(threads),
        limits=AgentLimits(move_timeout, agent_memory),
    )

    def serve(commands: TextIO, answers: TextIO) -> None:
        serve_botzone(made, played, commands, answers, clock=clock, once=once)

    run_engine("botzone", made, played.title, used_seed, serve)
