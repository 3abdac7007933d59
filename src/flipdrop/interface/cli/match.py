"""`flipdrop match`: which of two players is better."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.games import game as game_of
from flipdrop.interface.cli.events import (
    MAX_GAMES,
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
    from flipdrop.arena.match import MatchResult
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.statistics import Sprt


DEFAULT_GAMES = 100
DEFAULT_SPRT_GAMES = 20_000


def match(
    first: Annotated[str, typer.Argument(metavar="SPEC", help="A player, such as mcts:iterations=800.")],
    second: Annotated[str, typer.Argument(metavar="SPEC", help="Its opponent, such as level:4 or my_agent.py:Agent.")],
    game: ArenaGame = "othello",
    games: Annotated[
        int | None,
        typer.Option(
            min=2, max=MAX_GAMES, metavar="N", help="Games at most, each opening twice; 100, with --sprt 20,000."
        ),
    ] = None,
    openings: OpeningSource = None,
    sprt: Annotated[
        str | None,
        typer.Option(metavar="ELO0,ELO1", help="Stop as soon as it is clear which of two differences is the case."),
    ] = None,
    clock: ClockText = None,
    seed: Seed = None,
    threads: Threads = None,
    store: StorePath = None,
    no_store: NoStore = False,
    resume: Resume = False,
    move_timeout: MoveTimeout = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Play a match, and say which player is better and how sure that is.

    Games come in pairs: the same opening twice, with sides swapped. The Elo difference and its 95% interval are those
    of the first player, from the pairs. With --sprt 0,20 the match ends by itself when the first player is shown to be
    stronger by 20 Elo rather than by 0, or the other way round, with an error of 5% either way.

    Every game goes into the store as it ends. Ctrl-C stops the match; --resume goes on with it.

    Example: flipdrop match mcts:iterations=400 alphabeta:depth=3 --games 200 --seed 1
    """
    from flipdrop.arena.event import Event, pairs_of
    from flipdrop.arena.match import match_result, play_match
    from flipdrop.arena.openings import default_openings
    from flipdrop.arena.statistics import Sprt

    games = games or (DEFAULT_GAMES if sprt is None else DEFAULT_SPRT_GAMES)
    kind = game_of(game)
    test = None if sprt is None else Sprt.parse(sprt)
    event = Event(
        kind="match",
        game=kind.name,
        players=(first, second),
        pairings=((0, 1),),
        pairs=pairs_of(games),
        openings=openings or default_openings(kind),
        seed=seed_or_random(seed),
        time=time_control(clock),
    )
    event.check()
    with open_store(store, none=no_store, resume=resume) as games_store:
        event = resume_event(event, games_store, resume=resume, seeded=seed is not None)
        if not json:
            setting = f"{kind.title}, openings {event.openings}, seed {event.seed}"
            typer.echo(f"{first} against {second}: {setting}", err=True)
        runner = make_runner(event, threads=thread_count(threads), move_timeout=move_timeout, cluster=cluster)
        latest: list[EventProgress] = []

        def print_partial() -> None:
            if latest:
                _print(match_result(latest[0], sprt=test), test, json=json)

        def describe(state: EventProgress) -> str:
            return _line(match_result(state, sprt=test))

        with show_on_interrupt(print_partial, kept=not no_store, json=json), progress_line(describe) as show:

            def progress(state: EventProgress) -> None:
                latest[:] = [state]
                if show:
                    show(state)

            result = play_match(event, games_store, runner, sprt=test, progress=progress)
    _print(result, test, json=json)


def _print(result: MatchResult, test: Sprt | None, *, json: bool) -> None:
    if json:
        print_json(result.to_json())
        return
    games = result.tally.games
    typer.echo(
        f"{games.wins} won, {games.draws} drawn, {games.losses} lost of {games.total}: score {games.score:.3f}, "
        f"mean margin {result.margin:+.1f}"
    )
    for name, side in zip(game_of(result.event.game).sides, result.by_side, strict=True):
        typer.echo(f"  as {name}: {side.wins} won, {side.draws} drawn, {side.losses} lost")
    typer.echo(str(result.elo))
    if result.sprt is not None:
        typer.echo(f"SPRT {test}: {result.sprt}")
    if any(result.forfeits):
        by_first, by_second = result.forfeits
        typer.echo(f"broken off: {by_first} by {result.event.players[0]}, {by_second} by {result.event.players[1]}")
        for ending in result.terminations:
            typer.echo(f"  {ending}")
    different = result.event.distinct_openings(games.total // 2)
    if different < games.total // 2:
        typer.echo(
            f"only {different} different openings: players without chance repeat their games, and the interval is too "
            "narrow; try longer openings"
        )
    typer.echo(f"{result.seconds:.1f} s, {result.games_a_second:,.1f} games/s")


def _line(result: MatchResult) -> str:
    """How the match stands, on one line."""
    games = result.tally.games
    low, high = result.elo.elo_interval
    llr = "" if result.sprt is None else f", LLR {result.sprt.llr:+.2f}"
    return (
        f"{games.wins}-{games.draws}-{games.losses} {games.score:.3f}, Elo {result.elo.elo:+.0f} "
        f"[{low:+.0f} {high:+.0f}]{llr}, {result.games_a_second:,.1f}/s"
    ).replace("[", r"\[")
