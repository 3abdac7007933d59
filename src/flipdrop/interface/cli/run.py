"""`flipdrop run`: plays the match, tournament or ladder placement that a TOML file describes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from flipdrop.arena.competition_file import names_seed, read_competition
from flipdrop.arena.match import Match
from flipdrop.arena.tournament import Tournament
from flipdrop.interface.cli.events import ArenaOptions
from flipdrop.interface.cli.ladder import run_placement
from flipdrop.interface.cli.match import run_match
from flipdrop.interface.cli.tournament import run_tournament


def run(options: ArenaOptions, file: Annotated[Path, typer.Argument(metavar="FILE", help="A TOML file.")]) -> None:
    """Play what a TOML file describes.

    The file has kind = "match", "tournament" or "ladder", players = [...] (ladder: player = "..."), and the settings of
    that command: game, games, openings, clock, seed, sprt, gauntlet, opponents. See docs/how-to/programs.md. The option
    --seed replaces the seed of the file.

    Example: flipdrop run tournament.toml
    """
    plan = read_competition(file, **({} if options.seed is None else {"seed": options.seed}))
    if names_seed(file):  # only that event is resumed; without a seed, the latest one
        options = replace(options, seed=plan.seed)
    if isinstance(plan, Match):
        run_match(options, plan)
    elif isinstance(plan, Tournament):
        run_tournament(options, plan)
    else:
        run_placement(options, plan)
