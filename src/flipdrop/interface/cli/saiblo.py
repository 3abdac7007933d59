"""`flipdrop saiblo`: games by the rules of the Connect Four platform Saiblo."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.arena.model import TimeControl
from flipdrop.arena.platform_batch import HEADS, SECONDS, PlatformBatch, random_board
from flipdrop.errors import ArenaError, counted
from flipdrop.interface.cli.engines import run_engine
from flipdrop.interface.cli.events import ArenaOptions, run_competition
from flipdrop.interface.cli.ladder import read_specs
from flipdrop.interface.cli.options import Settings
from flipdrop.interface.protocols.saiblo import serve_saiblo
from flipdrop.players import Clock, display_name
from flipdrop.players.agent_process import isolated_player
from flipdrop.reporting.tables import in_columns
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from flipdrop.arena.platform_batch import BatchResult

DEFAULT = "engine"


def saiblo(
    options: ArenaOptions,
    settings: Annotated[Settings, PlatformBatch],
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The player; see flipdrop players.")] = DEFAULT,
    seconds: Annotated[float, typer.Option(min=0.01, metavar="S", help="Time for each move in seconds.")] = SECONDS,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SPEC", help="An opponent; repeat it for more.", show_default="the ladder of large boards"
        ),
    ] = None,
    specs: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File of opponents, one per line, in place of the ladder.")
    ] = None,
    serve: Annotated[
        bool, typer.Option("--serve", help="Play one side of a game on standard input and output instead.")
    ] = False,
) -> None:
    """Play a batch of games as the Connect Four platform Saiblo does, and count the points.

    The player meets every opponent once from each side on a random board: 9 to 12 columns and rows, one forbidden cell,
    3 s a move. A win counts 2 points, a draw 1; an error, an illegal or a late move loses.

    With --serve the program plays on standard input and output. A game begins with the line ROWS COLUMNS X Y, where
    X and Y are row and column of the forbidden cell, counted from 0 at the top left (-1 -1 for none). Then every line X
    Y is the opponent's move, or -1 -1 if the program begins, and it answers with its own.

    Example: flipdrop saiblo engine --against mcts:iterations=2000 --seconds 1 --threads 1
    """
    if serve:
        _serve(spec, seconds, options)
        return
    if against and specs is not None:
        raise ArenaError("--against and --specs both name opponents; give one of them")
    opponents = tuple(against or ()) if specs is None else read_specs(specs)
    if specs is not None and not opponents:
        raise ArenaError(f"{specs} names no opponents; write one spec per line")
    plan = PlatformBatch(
        player=spec, opponents=opponents, seed=options.event_seed, time=TimeControl(move=seconds), **settings
    )
    run_competition(
        options,
        plan,
        title=f"{display_name(spec)} against {counted(len(plan.opponents), 'opponent')} on random boards, the first",
        describe=lambda states: plan.result(states).describe()[0],
        print_text=_print,
    )


def _serve(spec: str, seconds: float, options: ArenaOptions) -> None:
    seed = options.event_seed
    board = random_board(Random(seed))  # the platform names another; this one checks the player
    limits = options.agent_limits
    made = isolated_player(spec, game=board, seed=seed, threads=thread_count(options.threads), limits=limits)
    clock = Clock(move_limit=seconds)
    run_engine("saiblo", made, "Connect Four", seed, lambda *streams: serve_saiblo(made, *streams, clock=clock))


def _print(result: BatchResult) -> None:
    typer.echo("\n".join(in_columns([HEADS, *result.rows()], left=[4, 5])))
    typer.echo("\n" + "\n".join(result.describe()))
    typer.echo(f"{result.seconds:.1f} s")
