"""`flipdrop run`: plays the match, tournament or ladder placement that a TOML file describes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flipdrop.arena.competition_file import read_competition
from flipdrop.arena.match import Match
from flipdrop.arena.tournament import Tournament
from flipdrop.interface.cli.events import EventOptions, NoStore, StorePath
from flipdrop.interface.cli.ladder import run_placement
from flipdrop.interface.cli.match import run_match
from flipdrop.interface.cli.options import Json, Seed, Threads
from flipdrop.interface.cli.tournament import run_tournament


def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file.")],
    seed: Seed = None,
    threads: Threads = None,
    store: StorePath = None,
    no_store: NoStore = False,
    resume: Annotated[bool, typer.Option("--resume", help="Resume a stopped event.")] = False,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster, as in flipdrop match.")
    ] = None,
    json: Json = False,
) -> None:
    """Play what a TOML file describes.

    The file has kind = "match", "tournament" or "ladder", players = [...] (ladder: player = "..."), and the settings of
    that command: game, games, openings, clock, seed, sprt, gauntlet, opponents. See docs/how-to/programs.md.

    Example: flipdrop run tournament.toml
    """
    plan = read_competition(file, **({} if seed is None else {"seed": seed}))
    options = EventOptions(
        game=plan.game,
        seed=plan.seed,
        threads=threads,
        store=store,
        no_store=no_store,
        resume=resume,
        json=json,
        cluster=cluster,
    )
    if isinstance(plan, Match):
        run_match(options, plan)
    elif isinstance(plan, Tournament):
        run_tournament(options, plan)
    else:
        run_placement(options, plan)
