"""`flipdrop sweep`: what the options of a player are worth."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from flipdrop.errors import ArenaError, quoted
from flipdrop.games import game as game_of
from flipdrop.interface.cli.events import (
    MAX_GAMES_PER_PAIRING,
    ArenaGame,
    ClockText,
    Cluster,
    MoveTimeout,
    NoStore,
    OpeningSource,
    Resume,
    StorePath,
    make_runner,
    open_store,
    progress_line,
    resume_event,
    show_on_interrupt,
    time_control,
)
from flipdrop.interface.cli.options import Json, Seed, Threads, seed_or_random, thread_count
from flipdrop.interface.cli.output import print_json

if TYPE_CHECKING:
    from flipdrop.arena.sweep import Axis, GridPoint, SweepResult


def sweep(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="The player, such as mcts:iterations=800.")],
    option: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=VALUES",
            help="c=0.2:3:0.4 (FROM:TO:STEP), playout=end|depth, evaluation.corners=5:25:5 (a weight). Twice for two.",
        ),
    ],
    against: Annotated[str, typer.Option(metavar="SPEC", help="The opponent, such as level:4.")],
    game: ArenaGame = "othello",
    games: Annotated[
        int,
        typer.Option(
            min=2, max=MAX_GAMES_PER_PAIRING, metavar="N", help="Games for each point; openings are played twice."
        ),
    ] = 100,
    repeats: Annotated[
        int, typer.Option(min=1, max=100, metavar="R", help="Play each point R times, from other openings and seeds.")
    ] = 1,
    fine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STEP", help="Then look closer around the best point: 0.1, or c=0.1 to say of which option."
        ),
    ] = None,
    reach: Annotated[
        int, typer.Option(min=1, max=100, metavar="N", help="How many coarse steps around it --fine looks at.")
    ] = 1,
    by: Annotated[Literal["score", "margin"], typer.Option(help="What the best point is best by.")] = "score",
    openings: OpeningSource = None,
    clock: ClockText = None,
    seed: Seed = None,
    threads: Threads = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it to a .png or .svg.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the table there.")] = None,
    store: StorePath = None,
    no_store: NoStore = False,
    resume: Resume = False,
    move_timeout: MoveTimeout = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Play a player with every value of an option, or of two, against one opponent.

    All points play the same openings with the same seeds, so they can be compared opening by opening. The sweep marks
    the point that did best, and every other that may be just as good: with 95% the best of all is among them, however
    many points there are.

    Every game goes into the store as it ends. Ctrl-C stops the sweep, and --resume goes on with it.

    Example: flipdrop sweep mcts:iterations=100 --option c=0.2:1.8:0.4 --against greedy --games 100 --fine 0.1 --seed 1
    """
    from flipdrop.arena.event import pairs_of
    from flipdrop.arena.openings import default_openings
    from flipdrop.arena.sweep import Axis, Sweep, SweepRun
    from flipdrop.arena.sweep.plots import check_picture, check_writable

    kind = game_of(game)
    axes = tuple(map(Axis.parse, option))
    plan = Sweep(
        spec=spec,
        axes=axes,
        against=against,
        game=kind.name,
        pairs=pairs_of(games),
        repeats=repeats,
        fine=_fine_steps(fine or [], axes),
        reach=reach,
        by=by,
        openings=openings or default_openings(kind),
        seed=seed_or_random(seed),
        time=time_control(clock),
    )
    event = plan.event(plan.grid)
    event.check()
    if plot is not None:
        check_picture(plot)
    if csv is not None:
        check_writable(csv)
    with open_store(store, none=no_store, resume=resume) as games_store:
        event = resume_event(event, games_store, resume=resume, seeded=seed is not None)
        run = SweepRun(plan.with_seed(event.seed))
        if not json:
            setting = f"{kind.title}, openings {event.openings}, seed {event.seed}"
            typer.echo(f"{plan}: {len(plan.grid)} points, {event.games} games: {setting}", err=True)
        runner = make_runner(event, threads=thread_count(threads), move_timeout=move_timeout, cluster=cluster)

        def print_partial() -> None:
            if run.has_games:
                _print(run.result(), json=json)

        with (
            show_on_interrupt(print_partial, kept=not no_store, json=json),
            progress_line(lambda state: f"{len(state.event.pairings)} points, {state.games_a_second:,.1f}/s") as show,
        ):
            result = run.play(games_store, runner, progress=show)
    _print(result, json=json)
    _write(result, plot, csv)


def _fine_steps(texts: list[str], axes: tuple[Axis, ...]) -> dict[str, Decimal]:
    """``0.1`` for the only option of numbers, ``c=0.1`` for one of two."""
    steps: dict[str, Decimal] = {}
    ranges = [axis.name for axis in axes if axis.step is not None]
    for text in texts:
        name, equals, number = (part.strip() for part in text.rpartition("="))
        if not equals:
            if len(ranges) != 1:
                raise ArenaError(f"--fine {text} of which option? Write NAME={text}, for a NAME with FROM:TO:STEP")
            (name,) = ranges
        try:
            step = Decimal(number)
        except InvalidOperation:
            step = Decimal("NaN")
        if not step.is_finite():
            raise ArenaError(f"--fine {quoted(text)}; write a number, or NAME=NUMBER")
        if name in steps:
            raise ArenaError(f"--fine is given twice for {name}")
        steps[name] = step
    return steps


def _print(result: SweepResult, *, json: bool) -> None:
    if json:
        print_json(result.to_json())
        return
    sweep = result.sweep
    heads = [" ", *(axis.name for axis in sweep.axes), "games", "score", "Elo", "95%", "margin", "95%"]
    rows = [heads]
    for point, may in result.in_order:
        mark = "*" if point is result.best else "~" if may else " "
        low, high = point.elo.elo_interval
        margin = point.margin
        rows.append(
            [
                mark,
                *point.values,
                str(point.tally.games.total),
                f"{point.tally.pairs.score:.3f}",
                f"{point.elo.elo:+.0f}",
                f"{low:+.0f} to {high:+.0f}",
                f"{margin.value:+.1f}",
                f"{margin.low:+.1f} to {margin.high:+.1f}",
            ]
        )
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    for row in rows:
        typer.echo("  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    for line in _conclusions(result):
        typer.echo(line)


def _conclusions(result: SweepResult) -> list[str]:
    """What may be concluded, and what may not."""
    sweep, best = result.sweep, result.best
    equals = [point for point, may in result.in_order if may and point is not best]
    lines = [f"* did best by {sweep.by}: {_named(result, best)}"]
    if len(result.points) > 1:
        if equals:
            lines.append(
                f"~ may be just as good: {len(equals)} of the other {len(result.points) - 1}. With 95% the best is "
                f"among the {len(equals) + 1} marked ones; more games would tell more of them apart"
            )
        else:
            lines.append(f"all other {len(result.points) - 1} are worse: with 95% there is no better one among them")
        lines.append(
            "each interval is for its point alone, and the best of many points was lucky too: to know how good it is, "
            f"measure it with fresh games: flipdrop match '{best.spec}' '{sweep.against}' --game {sweep.game}"
        )
    forfeits = sum(point.forfeits for point in result.points)
    if forfeits:
        lines.append(f"{forfeits} games were broken off: a player failed, moved illegally or overran its time")
    lines.append(f"{result.games} games, {result.seconds:.1f} s, seed {sweep.seed}")
    return lines


def _named(result: SweepResult, point: GridPoint) -> str:
    return " ".join(f"{axis.name}={value}" for axis, value in zip(result.sweep.axes, point.values, strict=True))


def _write(result: SweepResult, plot: Path | None, csv: Path | None) -> None:
    from flipdrop.arena.sweep.plots import picture
    from flipdrop.files import atomic_write

    if csv is not None:
        atomic_write(csv, result.to_csv().encode())
    if plot is not None:
        atomic_write(plot, picture(result, plot.suffix))
