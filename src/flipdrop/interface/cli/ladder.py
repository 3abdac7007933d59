"""`flipdrop ladder`: rates a player against opponents of known ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.arena.ladder import LadderPlacement, Plan, file_content, measure, read_ladder
from flipdrop.arena.ladder import ladder as published
from flipdrop.arena.openings import default_openings
from flipdrop.errors import ArenaError
from flipdrop.files import atomic_write
from flipdrop.games import game as game_of
from flipdrop.interface.cli.events import ArenaOptions, open_store, print_result, run_competition, stop
from flipdrop.interface.cli.options import Settings, thread_count
from flipdrop.interface.cli.output import progress_bar
from flipdrop.reporting.tables import in_columns

if TYPE_CHECKING:
    from flipdrop.arena.ladder import Ladder, PlacementResult

_MEASURING = "Measuring a ladder"


def ladder(
    options: ArenaOptions,
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
        _measure(measure_to, specs, settings["games"], seconds, options)
        return
    if specs is not None or seconds is not None:
        raise ArenaError("--specs and --seconds need --measure FILE")
    against = published(options.game) if file is None else read_ladder(file)
    if spec is None:
        print_result(against, options, _list)
        return
    plan = LadderPlacement(player=spec, ladder=against, seed=options.event_seed, **settings)
    run_competition(
        options,
        plan,
        title=f"{spec} on a ladder of {len(against.entries)} opponents",
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
    low, high = result.interval
    games, count = result.games, len(result.ladder.entries)
    typer.echo(f"rating {result.rating:.0f} (95%: {low:.0f} to {high:.0f})")
    between = [f"above {entry.spec} ({entry.rating:.0f})" for entry in (result.below,) if entry]
    between += [f"below {entry.spec} ({entry.rating:.0f})" for entry in (result.above,) if entry]
    typer.echo(f"stronger than {result.place - 1} of {count} opponents: {', '.join(between)}")
    typer.echo(f"{games} of {games.total}: score {games.score:.3f}\n")
    rows: list[tuple[str, ...]] = [("place", "rating", "won", "drawn", "lost", "score", "expected", "opponent")]
    for met in reversed(result.met):
        counts = (met.games.wins, met.games.draws, met.games.losses)
        figures = (f"{met.games.score:.2f}", f"{met.expected:.2f}")
        rows.append((str(met.place), f"{met.entry.rating:.0f}", *map(str, counts), *figures, met.entry.spec))
    typer.echo("\n".join(in_columns(rows, left=[7])))
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
    typer.echo(f"\n{result.seconds:.1f} s, {games.total / max(result.seconds, 1e-9):,.1f} games/s")


def _measure(output: Path, specs: Path | None, games: int, seconds: float | None, options: ArenaOptions) -> None:
    kind = game_of(options.game)
    names = tuple(entry.spec for entry in published(kind.name).entries) if specs is None else _read_specs(specs)
    seed = options.event_seed
    if games % 2:
        raise ArenaError(f"--games {games} is odd; games come in pairs, so give an even number")
    plan = Plan(kind.name, names, default_openings(kind), seed, games // 2, seconds)
    command = f"flipdrop ladder --game {kind.name} --measure {output.name} --games {games}"
    command += ("" if seconds is None else f" --seconds {seconds:g}") + f" --seed {seed}"
    command += "" if specs is None else f" --specs {specs.name}"
    made = None
    try:
        with open_store(options.store, none=options.no_store) as store, progress_bar("pairs of games") as progress:
            for made in measure(plan, store, threads=thread_count(options.threads), command=command, progress=progress):
                atomic_write(output, file_content(made))
    except KeyboardInterrupt:
        stop(options, f"the same command with --seed {seed} continues with the stored games")
    assert made is not None
    print_result(made, options, _list)


def _read_specs(path: Path) -> tuple[str, ...]:
    lines = [line.split("#")[0].strip() for line in path.read_text(encoding="utf-8").splitlines()]
    return tuple(line for line in lines if line)
