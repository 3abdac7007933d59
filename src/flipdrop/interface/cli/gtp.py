"""`flipdrop gtp`: an engine that speaks the Go Text Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.engines import PlayerOptions, run_engine
from flipdrop.interface.cli.options import seed_or_random
from flipdrop.interface.protocols.gtp import serve_gtp

DEFAULT = "level:9"


def gtp(
    options: PlayerOptions,
    game: Annotated[str, typer.Option(metavar="GAME", help="Game until the client sets another.")] = "othello",
    player: Annotated[str, typer.Option(metavar="SPEC", help="The player; see flipdrop players.")] = DEFAULT,
) -> None:
    """Run as a GTP engine (version 2) on standard input and output.

    Black is the first side. Squares of Othello are a1 (top left) to h8; a move of Connect Four is a column. boardsize
    takes one number, or columns and rows. The private commands flipdrop-game GAME, flipdrop-position POSITION and
    flipdrop-clock set what GTP has no command for. In a finished game genmove answers pass.

    Example: flipdrop gtp --game connect4 --player mcts:iterations=5000
    """
    played, seed = game_of(game), seed_or_random(options.seed)
    made = options.make_player(player, played, seed)
    run_engine("gtp", made, played.title, seed, lambda *streams: serve_gtp(made, played, *streams))
