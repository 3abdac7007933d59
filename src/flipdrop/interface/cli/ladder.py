"""`flipdrop ladder`: rates a player against opponents of known ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.arena.ladder import LadderPlacement, LadderPlan, file_content, measure, published_ladder, read_ladder
from flipdrop.arena.ladder.placement import MET_HEADS
from flipdrop.arena.openings import default_openings
from flipdrop.errors import ArenaError
from flipdrop.files import atomic_write
from flipdrop.games import game as game_of
from flipdrop.interface.cli.events import (
    ArenaOptions,
    GameOptions,
    make_runner,
    open_store,
    print_result,
    run_competition,
    stop,
)
from flipdrop.interface.cli.options import Settings
from flipdrop.interface.cli.output import progress_bar
from flipdrop.reporting.tables import in_columns
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from flipdrop.arena.ladder import Ladder, PlacementResult

_MEASURING = "Measuring a ladder"


def ladder(
    options: GameOptions,
    settings: Annotated[Settings, LadderPlacement],
    spec: Annotated[
        str | None,
        typer.Argument(metavar="SPEC", help="A player, such as my_agent.py:MyAgent; without one, list the ladder."),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option("--ladder", metavar="FILE", help="The ladder.", show_default="the one shipped with flipdrop"),
    ] = None,
    measure_to: Annotated[
        Path | None,
        typer.Option(
            "--measure", metavar="FILE", rich_help_panel=_MEASURING, help="Rate the opponents and write a ladder file."
        ),
    ] = None,
    specs: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            rich_help_panel=_MEASURING,
            help="File of opponents, one per line, roughly in order of strength.",
            show_default="those of the shipped ladder",
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0,
            metavar="S",
            rich_help_panel=_MEASURING,
            help="Time limit per pairing in seconds; 0: use only stored games.",
        ),
    ] = None,
    extend: Annotated[
        bool,
        typer.Option(
            "--extend",
            rich_help_panel=_MEASURING,
            help="Keep the results of the shipped ladder, or of --ladder, and play only pairings that it lacks.",
        ),
    ] = False,
) -> None:
    """Rate a player against built-in opponents, from random moves to the strongest.

    The player first meets a few opponents far apart, then those near its rating, from both sides. Its rating is on the
    scale of the ladder, where random moves have rating 0, with a 95% interval. The results that fit the rating least
    are listed separately.

    Without SPEC, the ladder is listed. With --measure, its opponents play each other and get new ratings; --specs names
    other opponents, in any game.

    Example: flipdrop ladder my_agent.py:MyAgent --game connect4
    """
    if measure_to is not None:
        if spec is not None:
            raise ArenaError(f"--measure rates the ladder itself; remove {spec}, or add it to the file of --specs")
        known = (published_ladder(options.game) if file is None else read_ladder(file)) if extend else None
        _measure(measure_to, specs, settings["games"], seconds, known, options)
        return
    if specs is not None or seconds is not None or extend:
        raise ArenaError("--specs, --seconds and --extend need --measure FILE")
    against = published_ladder(options.game) if file is None else read_ladder(file)
    if spec is None:
        print_result(against, options, _list)
        return
    plan = LadderPlacement(player=spec, ladder=against, seed=options.event_seed, **settings)
    run_placement(options, plan)


def run_placement(options: ArenaOptions, plan: LadderPlacement) -> None:
    """Rates a player and prints its place."""
    run_competition(
        options,
        plan,
        title=f"{plan.player} on a ladder of {len(plan.ladder.entries)} opponents",
        describe=lambda states: f"{states[-1].games_a_second:,.1f}/s",
        print_text=_print,
    )


def _list(of: Ladder) -> None:
    """Prints the opponents, the strongest first."""
    rows = [("place", "rating", "95%", "games", "opponent")]
    for rank, entry in reversed(list(enumerate(of.entries, start=1))):
        low, high = entry.interval
        rows.append((str(rank), f"{entry.rating:.0f}", f"{low:.0f} to {high:.0f}", str(entry.games), entry.spec))
    anchor = min(of.entries, key=lambda entry: abs(entry.rating)).spec
    for line in in_columns(rows, left=[4]):
        typer.echo(line)
    typer.echo(
        f"{game_of(of.game).title}: {of.games:,} games from {of.openings}, seed {of.seed}, flipdrop {of.version}; "
        f"{anchor} has rating 0"
    )


def _print(result: PlacementResult) -> None:
    typer.echo("\n".join(result.describe()) + "\n")
    typer.echo("\n".join(in_columns([MET_HEADS, *result.met_rows()], left=[7])))
    for title, found in (("below", result.surprises(-1)), ("above", result.surprises(1))):
        if found:
            typer.echo(f"\nmost {title} expectation:")
            lines = in_columns(
                [(f"{met.z_score:+.1f} sd", f"{met.games.score:.2f}", met.entry.spec) for met in found], left=[2]
            )
            typer.echo("\n".join(f"  {line}" for line in lines))
    if result.forfeits:
        typer.echo(f"\n{result.forfeits} games forfeited by errors, illegal moves or on time:")
        for termination in result.terminations:
            typer.echo(f"  {termination}")
    typer.echo(f"\n{result.seconds:.1f} s, {result.games.total / max(result.seconds, 1e-9):,.1f} games/s")


def _measure(
    output: Path,
    specs: Path | None,
    games: int,
    seconds: float | None,
    known: Ladder | None,
    options: GameOptions,
) -> None:
    kind = game_of(options.game)
    names = tuple(entry.spec for entry in published_ladder(kind.name).entries) if specs is None else read_specs(specs)
    seed = options.event_seed
    if games % 2:
        raise ArenaError(f"--games {games} is odd; games come in pairs, so give an even number")
    plan = LadderPlan(kind.name, names, default_openings(kind), seed, games // 2, seconds)
    command = f"flipdrop ladder --game {kind.name} --measure {output.name} --games {games}"
    command += ("" if seconds is None else f" --seconds {seconds:g}") + f" --seed {seed}"
    command += ("" if specs is None else f" --specs {specs.name}") + ("" if known is None else " --extend")
    made = None
    try:
        with open_store(options.store, none=options.no_store) as store, progress_bar("pairs of games") as progress:
            runner = None if options.cluster is None else make_runner(options, {})
            threads = thread_count(options.threads)
            for made in measure(
                plan, store, threads=threads, runner=runner, command=command, known=known, progress=progress
            ):
                atomic_write(output, file_content(made))
    except KeyboardInterrupt:
        stop(options, f"the same command with --seed {seed} continues with the stored games")
    assert made is not None
    print_result(made, options, _list)


def read_specs(path: Path) -> tuple[str, ...]:
    """The players of a file, one a line; `#` begins a comment."""
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(line for line in lines if line)
