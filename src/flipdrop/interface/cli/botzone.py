"""`flipdrop botzone`: a bot for the platform Botzone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TextIO

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.engines import PlayerOptions, run_engine
from flipdrop.interface.cli.options import Threads, seed_or_random
from flipdrop.interface.protocols.botzone import serve_botzone
from flipdrop.players import Clock

DEFAULT = "level:10"


@dataclass(frozen=True)
class BotOptions(PlayerOptions):
    """The options with one thread by default, as on the platform."""

    threads: Threads = 1


def botzone(
    options: BotOptions,
    game: Annotated[str, typer.Option(metavar="GAME", help="Game to play.")] = "othello",
    player: Annotated[str, typer.Option(metavar="SPEC", help="The player; see flipdrop players.")] = DEFAULT,
    seconds: Annotated[float, typer.Option(min=0.01, metavar="S", help="Time for each move in seconds.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Answer one turn and end; do not ask to keep running.")] = False,
) -> None:
    """Run as a bot of Botzone on standard input and output.

    A turn is a line of JSON: at first the whole history, {"requests": [...], "responses": [...]}, then one request a
    line. A move is {"x": COLUMN, "y": ROW}, counted from 0 at the top left; -1 and -1 is a pass, and the
    first request to the side that begins.

    Example: flipdrop botzone --player level:10 --seconds 1
    """
    played, clock, seed = game_of(game), Clock(move_limit=seconds), seed_or_random(options.seed)
    made = options.make_player(player, played, seed)

    def serve(commands: TextIO, answers: TextIO) -> None:
        serve_botzone(made, played, commands, answers, clock=clock, once=once)

    run_engine("botzone", made, played.title, seed, serve)
