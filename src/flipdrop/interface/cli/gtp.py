"""`flipdrop gtp`: an engine that speaks the Go Text Protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, TextIO

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.options import Seed, Threads, seed_or_random, thread_count
from flipdrop.interface.protocols.gtp import serve_gtp
from flipdrop.interface.protocols.streams import stdio_streams
from flipdrop.players import player as player_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
    from flipdrop.players import Player

DEFAULT = "level:9"


def gtp(
    game: Annotated[str, typer.Option(metavar="GAME", help="Game until the client sets another.")] = "othello",
    player: Annotated[str, typer.Option(metavar="SPEC", help="The player; see flipdrop players.")] = DEFAULT,
    threads: Threads = None,
    seed: Seed = None,
) -> None:
    """Run as a GTP engine (version 2) on standard input and output.

    Black is the first side. Squares of Othello are a1 (top left) to h8; a move of Connect Four is a column. boardsize
    takes one number, or columns and rows. The private commands flipdrop-game GAME, flipdrop-position POSITION and
    flipdrop-clock set what GTP has no command for. In a finished game genmove answers pass.

    Example: flipdrop gtp --game connect4 --player mcts:iterations=5000
    """
    played = game_of(game)
    run_engine("gtp", player, played, threads, seed, lambda made, *streams: serve_gtp(made, played, *streams))


def run_engine(
    protocol: str,
    spec: str,
    game: Game,
    threads: int | None,
    seed: int | None,
    serve: Callable[[Player, TextIO, TextIO], None],
) -> None:
    """Makes the player and serves it on standard input and output."""
    used_seed = seed_or_random(seed)
    made = player_of(spec, game=game, seed=used_seed, threads=thread_count(threads))
    typer.echo(f"flipdrop {protocol}: {game.title}, {made.name}, seed {used_seed}", err=True)
    with stdio_streams() as (commands, answers):
        try:
            serve(made, commands, answers)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        finally:
            made.close()
