"""`flipdrop dataset`: labelled positions for machine learning, as Parquet or NumPy files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import LearningError, counted
from flipdrop.games import game as game_of
from flipdrop.games.records import read_games
from flipdrop.interface.cli.options import Cluster, Json, Seed, Threads, ray_runner, seed_or_random, workers_for
from flipdrop.interface.cli.output import print_json, progress_bar
from flipdrop.learning.dataset import check_suffix, make_dataset, self_play_records
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from flipdrop.games.records import GameRecord

DEFAULT_GAMES = 100


def dataset(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[RECORDS]...", help="Files of games.")] = None,
    out: Annotated[Path, typer.Option(metavar="FILE", help="The dataset, .parquet or .npz.")] = Path("dataset.npz"),
    self_play: Annotated[
        str | None,
        typer.Option(metavar="SPEC", help="Play games of this player against itself instead of reading them."),
    ] = None,
    games: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Number of games.", show_default="100, or all of the files")
    ] = None,
    game: Annotated[
        str, typer.Option(metavar="GAME", help="The game of --self-play and of plain transcripts.")
    ] = "othello",
    label: Annotated[
        str,
        typer.Option(metavar="LABEL", help="result, exact (by the solver), or a player that analyses: engine:depth=8."),
    ] = "result",
    policy: Annotated[
        float | None,
        typer.Option(
            metavar="T",
            help="Add a policy for training networks: softmax of the moves' values by the label at temperature T.",
        ),
    ] = None,
    openings: Annotated[
        str,
        typer.Option(
            metavar="SOURCE",
            help="Openings of --self-play, as in a match.",
            show_default="random, as long as suits the board",
        ),
    ] = "",
    empties: Annotated[
        str | None,
        typer.Option(
            metavar="LOW-HIGH",
            help="Only positions with LOW to HIGH empty cells, such as 1-16.",
            show_default="all; with exact, up to 12 in Othello and 18 in Connect Four",
        ),
    ] = None,
    unique: Annotated[bool, typer.Option("--unique", help="Leave out repeated positions.")] = False,
    threads: Threads = None,
    cluster: Cluster = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Make a dataset: the positions of games with their results and a label, a row for each.

    The columns are described in docs/how-to/datasets.md. Values are for the side to move. The same seed gives the same
    dataset for any number of threads.

    Example: flipdrop dataset --self-play greedy:epsilon=0.2 --games 200 --label exact --out endgames.parquet
    """
    if bool(files) == (self_play is not None):
        raise LearningError("name files of games, or --self-play SPEC: one of them")
    check_suffix(out)
    used_seed, used_threads = seed_or_random(seed), thread_count(threads)
    kind = game_of(game)
    records: list[GameRecord]
    if self_play is not None:
        count = games or DEFAULT_GAMES
        runner = None if cluster is None else ray_runner(cluster, [self_play], threads=used_threads)
        games_played = self_play_records(
            self_play, kind, count, seed=used_seed, openings=openings, threads=used_threads, runner=runner
        )
        records = list(games_played)
    else:
        records = [record for file in files or () for record in read_games(file, game=kind)][:games]
    with progress_bar("positions") as progress:
        made = make_dataset(
            records,
            label=label,
            policy=policy,
            empties=None if empties is None else _range(empties),
            unique=unique,
            workers=workers_for(cluster, used_threads),
            progress=progress,
        )
    made.write(out)
    if json:
        print_json({"positions": len(made), "games": len(records), "label": label, "file": str(out), "seed": used_seed})
        return
    typer.echo(f"{counted(len(made), 'position')} of {counted(len(records), 'game')} written to {out}")
    if self_play is not None:
        typer.echo(f"seed {used_seed}", err=True)


def _range(text: str) -> tuple[int, int]:
    low, _, high = text.partition("-")
    try:
        least, most = int(low), int(high or low)
    except ValueError:
        raise LearningError(f"--empties {text}: write two numbers, such as 1-16") from None
    if least > most:
        raise LearningError(f"--empties {text}: the first number is the smaller one, as in {most}-{least}")
    return least, most
