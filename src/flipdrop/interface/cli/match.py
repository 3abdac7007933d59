"""`flipdrop match`: which of two players is better."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.arena.match import Match
from flipdrop.arena.statistics import Sprt
from flipdrop.interface.cli.events import ArenaOptions, EventOptions, run_competition
from flipdrop.interface.cli.options import setting_option
from flipdrop.players import display_name

if TYPE_CHECKING:
    from flipdrop.arena.match import MatchResult

DEFAULT_SPRT_GAMES = 20_000


def match(
    first: Annotated[str, typer.Argument(metavar="SPEC", help="A player, such as mcts:iterations=800.")],
    second: Annotated[str, typer.Argument(metavar="SPEC", help="Its opponent, such as level:4 or my_agent.py:Agent.")],
    options: EventOptions,
    games: Annotated[
        int | None,
        setting_option(Match, "games", show_default=f"{Match.games}, or {DEFAULT_SPRT_GAMES:,} with --sprt"),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stop when a sequential test decides between the two Elo differences."),
    ] = None,
) -> None:
    """Play a match and report which player is better, with a confidence interval.

    Games come in pairs: the same opening twice, with sides swapped. The Elo difference and its 95% interval are for the
    first player and are computed from the pairs. With --sprt 0,20 the match stops when a sequential probability ratio
    test decides whether the first player is stronger by 0 or by 20 Elo; each kind of error has a probability of 5%.

    Every game is saved in the store when it ends. Ctrl-C stops the match; --resume continues it.

    Example: flipdrop match mcts:iterations=400 alphabeta:depth=3 --games 200 --seed 1
    """
    test = None if sprt is None else Sprt.parse(sprt)
    plan = Match(
        players=(first, second),
        games=games or (Match.games if test is None else DEFAULT_SPRT_GAMES),
        sprt=test,
        **options.settings,
    )
    run_match(options, plan)


def run_match(options: ArenaOptions, plan: Match) -> None:
    """Plays a match and prints its result."""
    run_competition(
        options,
        plan,
        title=" against ".join(map(display_name, plan.players)),
        describe=lambda states: _line(plan.result(states)),
        print_text=partial(_print, test=plan.sprt),
    )


def _print(result: MatchResult, *, test: Sprt | None) -> None:
    for line in result.describe(test):
        typer.echo(line)
    typer.echo(f"{result.seconds:.1f} s, {result.games_a_second:,.1f} games/s")


def _line(result: MatchResult) -> str:
    games = result.tally.games
    low, high = result.elo.elo_interval
    llr = "" if result.sprt is None else f", LLR {result.sprt.llr:+.2f}"
    return (
        f"{games.wins}-{games.draws}-{games.losses} {games.score:.3f}, Elo {result.elo.elo:+.0f} "
        f"[{low:+.0f} {high:+.0f}]{llr}, {result.games_a_second:,.1f}/s"
    )
