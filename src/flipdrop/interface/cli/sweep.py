"""`flipdrop sweep`: the strength of a player for every value of an option."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.arena.option_values import Axis
from flipdrop.arena.parameter_sweep import Sweep
from flipdrop.errors import ArenaError, quoted
from flipdrop.files import atomic_write
from flipdrop.interface.cli.events import EventOptions, run_competition
from flipdrop.interface.cli.options import Settings
from flipdrop.reporting.figures import check_plot_file, check_writable
from flipdrop.reporting.sweep_plots import sweep_plot
from flipdrop.reporting.tables import in_columns

if TYPE_CHECKING:
    from flipdrop.arena.parameter_sweep import GridPoint, SweepResult


def sweep(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The player, such as mcts:iterations=800.")],
    option: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=VALUES",
            help="c=0.2:3:0.4 (FROM:TO:STEP), playout=end|depth, evaluation.corners=5:25:5 (a weight); may be given "
            "twice.",
        ),
    ],
    options: EventOptions,
    settings: Annotated[Settings, Sweep],
    refine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STEP", help="Then refine around the best point with this step: 0.1, or c=0.1 for one of two."
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a plot: .png or .svg.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the table as CSV.")] = None,
) -> None:
    """Play a player with every value of one or two options against the same opponent.

    All grid points play the same openings with the same seeds, so that they can be compared opening by opening. The
    table marks the best point and every point that may be just as good: with 95% confidence the best of all is among
    the marked ones, however many points there are.

    Every game is saved in the store when it ends. Ctrl-C stops the sweep; --resume continues it.

    Example: flipdrop sweep mcts:iterations=100 --option c=0.2:1.8:0.4 --against greedy --refine 0.1 --seed 1
    """
    axes = tuple(map(Axis.parse, option))
    steps = _fine_steps(refine or [], axes)
    plan = Sweep(spec=spec, axes=axes, refine=steps, **settings, **options.settings)
    if plot is not None:
        check_plot_file(plot)
    if csv is not None:
        check_writable(csv)
    result = run_competition(
        options,
        plan,
        title=f"{plan}: {len(plan.grid)} points, {plan.games_planned} games",
        describe=lambda states: f"{len(states[-1].event.pairings)} points, {states[-1].games_a_second:,.1f}/s",
        print_text=_print,
    )
    if csv is not None:
        atomic_write(csv, result.to_csv().encode())
    if plot is not None:
        atomic_write(plot, sweep_plot(result, plot.suffix))


def _fine_steps(texts: list[str], axes: tuple[Axis, ...]) -> dict[str, Decimal]:
    """Reads ``0.1`` for the only numeric option, ``c=0.1`` for one of two."""
    steps: dict[str, Decimal] = {}
    ranges = [axis.name for axis in axes if axis.step is not None]
    for text in texts:
        name, equals, number = (part.strip() for part in text.rpartition("="))
        if not equals:
            if len(ranges) != 1:
                raise ArenaError(f"--refine {text} names no option; write NAME={text}, for a NAME with FROM:TO:STEP")
            (name,) = ranges
        try:
            step = Decimal(number)
        except InvalidOperation:
            step = Decimal("NaN")
        if not step.is_finite():
            raise ArenaError(f"--refine {quoted(text)} is not a number; write NUMBER or NAME=NUMBER")
        if name in steps:
            raise ArenaError(f"--refine is given twice for {name}")
        steps[name] = step
    return steps


def _print(result: SweepResult) -> None:
    rows: list[list[str]] = [
        [" ", *(axis.name for axis in result.sweep.axes), "games", "score", "Elo", "95%", "margin", "95%"]
    ]
    for point, may_be_best in result.in_order:
        low, high = point.elo.elo_interval
        margin = point.margin
        rows.append(
            [
                "*" if point is result.best else "~" if may_be_best else " ",
                *point.values,
                str(point.tally.games.total),
                f"{point.tally.pairs.score:.3f}",
                f"{point.elo.elo:+.0f}",
                f"{low:+.0f} to {high:+.0f}",
                f"{margin.value:+.1f}",
                f"{margin.low:+.1f} to {margin.high:+.1f}",
            ]
        )
    for line in (*in_columns(rows), *_conclusions(result)):
        typer.echo(line)


def _conclusions(result: SweepResult) -> list[str]:
    sweep, best = result.sweep, result.best
    equals = [point for point, may in result.in_order if may and point is not best]
    lines = [f"* best by {sweep.by}: {_named(result, best)}"]
    if len(result.points) > 1:
        if equals:
            lines.append(
                f"~ may be just as good: {len(equals)} of the other {len(result.points) - 1}. With 95% confidence the "
                f"best is among the {len(equals) + 1} marked ones; more games would separate them further"
            )
        else:
            lines.append(f"all other {len(result.points) - 1} are worse, with 95% confidence")
        lines.append(
            "each interval is for one point alone, and the best of many points is overestimated; measure it with "
            f"fresh games: flipdrop match '{best.spec}' '{sweep.against}' --game {sweep.game}"
        )
    forfeits = sum(point.forfeits for point in result.points)
    if forfeits:
        lines.append(f"{forfeits} games were forfeited by an error, an illegal move or on time")
    lines.append(f"{result.games} games, {result.seconds:.1f} s, seed {sweep.seed}")
    return lines


def _named(result: SweepResult, point: GridPoint) -> str:
    return " ".join(f"{axis.name}={value}" for axis, value in zip(result.sweep.axes, point.values, strict=True))
