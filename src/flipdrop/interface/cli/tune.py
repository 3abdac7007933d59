"""`flipdrop tune`: good values for the options of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.interface.cli.events import (
    MAX_GAMES,
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
    resume_event,
    show_on_interrupt,
    time_control,
)
from flipdrop.interface.cli.options import Json, Seed, Threads, seed_or_random, thread_count
from flipdrop.interface.cli.output import print_json, progress_bar

if TYPE_CHECKING:
    from flipdrop.arena.tuning import Trial, TuningResult


def tune(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="The player; its own values are where the search starts.")
    ],
    option: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=RANGE",
            help="c=0.2:3 (LOW:HIGH), with :log or :int; playout=end|depth; evaluation.corners=5:25 (a weight).",
        ),
    ],
    against: Annotated[str, typer.Option(metavar="SPEC", help="The opponent, such as level:4.")],
    method: Annotated[
        Literal["optuna", "cma"], typer.Option(help="Optuna's TPE, or CMA-ES for two numbers or more.")
    ] = "optuna",
    game: ArenaGame = "othello",
    trials: Annotated[int, typer.Option(min=1, max=100_000, metavar="N", help="Proposals to try.")] = 50,
    games: Annotated[
        int,
        typer.Option(
            min=2, max=MAX_GAMES_PER_PAIRING, metavar="N", help="Games for each trial; openings are played twice."
        ),
    ] = 40,
    finalists: Annotated[
        int, typer.Option(min=1, max=100, metavar="N", help="So many of the best meet in a final; 1 for none.")
    ] = 4,
    final_games: Annotated[
        int | None,
        typer.Option(min=2, max=MAX_GAMES, metavar="N", help="Games of each of them; 4 times --games unless said."),
    ] = None,
    validation: Annotated[
        int,
        typer.Option(min=2, max=MAX_GAMES, metavar="N", help="Games of the winner against the start values, at last."),
    ] = 400,
    by: Annotated[Literal["score", "margin"], typer.Option(help="What trials are judged by.")] = "score",
    openings: OpeningSource = None,
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
    """Search for good values of a player's options, and measure what was found.

    Each trial plays the opponent. The best trials were lucky too, so they play it again in a final, and what counts in
    the end is a match of the winner against the start values: both from openings that were not used before.

    Every game goes into the store as it ends. Ctrl-C stops the search and shows the best so far; --resume goes on with
    it. Needs: pip install "flipdrop\\[tune]".

    Example: flipdrop tune mcts:iterations=100 --option c=0.1:3:log --against greedy --trials 20 --seed 1
    """
    from flipdrop.arena.openings import default_openings
    from flipdrop.arena.tuning import Range, Tuning, TuningRun

    kind = game_of(game)
    plan = Tuning(
        spec=spec,
        ranges=tuple(map(Range.parse, option)),
        against=against,
        method=method,
        game=kind.name,
        trials=trials,
        pairs=_pairs(games, "--games"),
        finalists=finalists,
        final_pairs=_pairs(4 * games if final_games is None else final_games, "--final-games"),
        validation_pairs=_pairs(validation, "--validation"),
        by=by,
        openings=openings or default_openings(kind),
        seed=seed_or_random(seed),
        time=time_control(clock),
    )
    plan.check()
    with open_store(store, none=no_store, resume=resume) as games_store:
        event = resume_event(plan.first_event, games_store, resume=resume, seeded=seed is not None)
        run = TuningRun(plan.with_seed(event.seed))
        if not json:
            setting = f"{kind.title}, openings {event.openings}, seed {event.seed}"
            typer.echo(f"{plan}: {trials} trials of {games} games: {setting}", err=True)
        runner = make_runner(event, threads=thread_count(threads), move_timeout=move_timeout, cluster=cluster)

        def print_partial() -> None:
            if run.found.trials:
                _print(run.found, json=json)

        with show_on_interrupt(print_partial, kept=not no_store, json=json), progress_bar("tuning") as show:
            result = run.play(games_store, runner, told=None if json else _Leader(run.found).hear, progress=show)
    _print(result, json=json)


def _pairs(games: int, option: str) -> int:
    if games % 2:
        raise ArenaError(f"{option} {games}; games come in pairs, so give an even number")
    return games // 2


class _Leader:
    """Says when a trial is better than all before it."""

    def __init__(self, found: TuningResult) -> None:
        self._found = found
        self._best: float | None = None

    def hear(self, trial: Trial) -> None:
        """Hears of a trial that has ended."""
        by = self._found.tuning.by
        worth = trial.point.measured(by)
        if self._best is None or worth > self._best:
            self._best = worth
            what = "start" if trial.number == 0 else f"trial {trial.number}"
            typer.echo(f"{what}: {_named(trial)}: {_figures(trial)}", err=True)


def _print(result: TuningResult, *, json: bool) -> None:
    if json:
        print_json(result.to_json())
        return
    best, tuning = result.best, result.tuning
    typer.echo(f"best of {len(result.trials)} trials: {_named(best)}")
    typer.echo(f"  {best.point.spec}")
    if result.final:
        typer.echo(f"final, {best.point.tally.games.total} games each against {tuning.against}:")
        for trial in result.final:
            name = "start" if trial.number == 0 else f"trial {trial.number}"
            if trial.number >= len(result.trials):
                name = "middle of the cloud"
            typer.echo(f"  {_named(trial)} ({name}): {_figures(trial)}")
    else:
        typer.echo(f"  in the search, which flatters it: {_figures(best)} in {best.point.tally.games.total} games")
    if result.validation is not None:
        _print_validation(result)
    elif best.point.spec == tuning.spec:
        typer.echo("nothing better than the start values was found")
    else:
        typer.echo("it has not been measured against the start values yet")
    typer.echo(f"{result.games} games, {result.seconds:.1f} s, seed {tuning.seed}")


def _print_validation(result: TuningResult) -> None:
    """The figure that counts."""
    match = result.validation
    assert match is not None
    games = match.tally.games
    typer.echo(
        f"against the start, {games.total} fresh games: {games.wins} won, {games.draws} drawn, {games.losses} lost: "
        f"score {games.score:.3f}, mean margin {match.margin:+.1f}"
    )
    low, high = match.elo.elo_interval
    verdict = "it is better" if low > 0 else "it is worse" if high < 0 else "not shown to be better or worse"
    typer.echo(f"  {match.elo}: {verdict}")


def _named(trial: Trial) -> str:
    return " ".join(f"{name}={value}" for name, value in trial.values.items())


def _figures(trial: Trial) -> str:
    point = trial.point
    low, high = point.elo.score_interval
    return f"score {point.tally.pairs.score:.3f} ({low:.3f} to {high:.3f}), margin {point.margin.value:+.1f}"
