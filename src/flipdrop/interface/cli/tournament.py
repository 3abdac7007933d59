"""`flipdrop tournament`: who stands where among many players."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.tournament import Leader, Table


def tournament(
    players: Annotated[list[str], typer.Argument(metavar="SPEC", help="Players, such as mcts:iterations=800.")],
    game: ArenaGame = "othello",
    games: Annotated[
        int,
        typer.Option(min=2, max=MAX_GAMES_PER_PAIRING, metavar="N", help="Games of each pairing; each opening twice."),
    ] = 20,
    gauntlet: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="The first K players meet the others; nobody else meets.")
    ] = None,
    openings: OpeningSource = None,
    clock: ClockText = None,
    seed: Seed = None,
    threads: Threads = None,
    store: StorePath = None,
    no_store: NoStore = False,
    resume: Resume = False,
    move_timeout: MoveTimeout = None,
    cluster: Cluster = None,
    report: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write tables and plots there: Markdown, CSV, HTML, PNG, SVG.")
    ] = None,
    json: Json = False,
) -> None:
    """Play a tournament: everybody meets everybody, or with --gauntlet a few meet all the others.

    Ratings are Bradley-Terry's, in Elo, with mean 0 and 95% intervals from pairs of games: each opening is played twice
    with sides swapped. The table also says what each player scored against each, what moving first is worth, and which
    games were broken off and why.

    Every game goes into the store as it ends. Ctrl-C stops the tournament, --resume goes on with it, and the result is
    the same as if it had never been stopped.

    Example: flipdrop tournament random greedy level:3 mcts:iterations=100 --game connect4 --games 20 --seed 1
    """
    from flipdrop.arena.openings import default_openings
    from flipdrop.arena.reports import check_folder
    from flipdrop.arena.tournament import Leader, play_tournament, table_of
    from flipdrop.arena.tournament import tournament as new_tournament

    kind = game_of(game)
    event = new_tournament(
        players,
        game=kind.name,
        games=games,
        challengers=gauntlet,
        openings=openings or default_openings(kind),
        seed=seed_or_random(seed),
        time=time_control(clock),
    )
    event.check()
    with open_store(store, none=no_store, resume=resume) as games_store:
        event = resume_event(event, games_store, resume=resume, seeded=seed is not None)
        if report is not None:
            check_folder(report)
        if not json:
            typer.echo(
                f"{len(players)} players, {event.games} games: {kind.title}, openings {event.openings}, "
                f"seed {event.seed}",
                err=True,
            )
        runner = make_runner(event, threads=thread_count(threads), move_timeout=move_timeout, cluster=cluster)
        leader = Leader(event)
        latest: list[EventProgress] = []

        def print_partial() -> None:
            if latest:
                _print(table_of(latest[0]), json=json)

        with (
            show_on_interrupt(print_partial, kept=not no_store, json=json),
            progress_line(lambda state: _line(state, leader)) as show,
        ):

            def progress(state: EventProgress) -> None:
                latest[:] = [state]
                if show:
                    show(state)

            result = play_tournament(event, games_store, runner, progress=progress)
    _print(result, json=json)
    if report is not None:
        _write(result, report, json=json)


def _print(result: Table, *, json: bool) -> None:
    from flipdrop.arena.reports import text_report

    if json:
        print_json(result.to_json())
        return
    typer.echo(text_report(result))
    typer.echo(f"{result.seconds:.1f} s, {result.games_a_second:,.1f} games/s")


def _write(result: Table, directory: Path, *, json: bool) -> None:
    from flipdrop.arena.reports import write_report

    write_report(result, directory)
    if not json:
        typer.echo(f"report in {directory / 'report.html'} (also Markdown, CSV, and plots as PNG and SVG)", err=True)


def _line(state: EventProgress, leader: Leader) -> str:
    """How the tournament stands, on one line."""
    from rich.markup import escape

    from flipdrop.arena.reports.tables import shortened

    spec, share = leader.find(state)
    return escape(f"first {shortened(spec, 32)} {share:.3f}, {state.games_a_second:,.1f}/s")
