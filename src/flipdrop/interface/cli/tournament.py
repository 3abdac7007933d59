"""`flipdrop tournament`: ratings of many players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.arena.tournament import Tournament, leader
from flipdrop.interface.cli.events import ArenaOptions, EventOptions, run_competition
from flipdrop.interface.cli.options import Settings
from flipdrop.reporting.figures import check_matplotlib
from flipdrop.reporting.formatting import shortened
from flipdrop.reporting.tournament_report import check_folder, text_report, write_report

if TYPE_CHECKING:
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.tournament import TournamentResult


def tournament(
    players: Annotated[list[str], typer.Argument(metavar="SPEC", help="Players, such as mcts:iterations=800.")],
    options: EventOptions,
    settings: Annotated[Settings, Tournament],
    report: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write tables and plots to this folder: HTML, Markdown, CSV, PNG, SVG."),
    ] = None,
) -> None:
    """Play a tournament: a round robin, or with --gauntlet a few players against all the others.

    Ratings are Bradley-Terry ratings in Elo with mean 0; their 95% intervals are computed from pairs of games, in which
    each opening is played twice with sides swapped. The report also has the cross table, the advantage of moving first,
    and the forfeited games with their reasons.

    Every game is saved in the store when it ends. Ctrl-C stops the tournament; --resume continues it with the same
    result as an uninterrupted one.

    Example: flipdrop tournament random greedy level:3 mcts:iterations=100 --game connect4 --games 20 --seed 1
    """
    plan = Tournament(players=tuple(players), **settings, **options.settings)
    if report is not None:
        check_matplotlib()
        check_folder(report)
    result = run_tournament(options, plan)
    if report is not None:
        write_report(result, report)
        if not options.json:
            typer.echo(f"report in {report / 'report.html'} (also Markdown, CSV, and plots as PNG and SVG)", err=True)


def run_tournament(options: ArenaOptions, plan: Tournament) -> TournamentResult:
    """Plays a tournament and prints its result."""
    result: TournamentResult = run_competition(
        options,
        plan,
        title=f"{len(plan.players)} players, {plan.games_planned} games",
        describe=lambda states: _line(states[-1]),
        print_text=_print,
    )
    return result


def _print(result: TournamentResult) -> None:
    typer.echo(text_report(result))
    typer.echo(f"{result.seconds:.1f} s, {result.games_a_second:,.1f} games/s")


def _line(state: EventProgress) -> str:
    spec, share = leader(state)
    return f"first {shortened(spec, 32)} {share:.3f}, {state.games_a_second:,.1f}/s"
