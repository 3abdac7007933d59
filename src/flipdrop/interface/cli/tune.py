"""`flipdrop tune`: optimises the options of a player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.arena.competition import MAX_GAMES
from flipdrop.arena.option_values import Range
from flipdrop.arena.parameter_tuning import Tuning, TuningResult
from flipdrop.interface.cli.events import EventOptions, run_competition
from flipdrop.interface.cli.options import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.arena.match import MatchResult
    from flipdrop.arena.parameter_sweep import Measure
    from flipdrop.arena.parameter_tuning import Trial
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store


def tune(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="The player; the search starts from its values of the options.")
    ],
    option: Annotated[
        list[str],
        typer.Option(
            metavar="NAME=RANGE",
            help="c=0.2:3 (LOW:HIGH), with :log or :int; playout=end|depth; evaluation.corners=5:25 (a weight); may be "
            "repeated.",
        ),
    ],
    options: EventOptions,
    settings: Annotated[Settings, Tuning],
    final_games: Annotated[
        int | None,
        typer.Option(min=2, max=MAX_GAMES, metavar="N", help="Games per finalist.", show_default="4 times --games"),
    ] = None,
) -> None:
    """Search for good values of a player's options, and measure the result with fresh games.

    Every trial plays the opponent. The results of the best trials are overestimates, so these play the opponent again
    in a final; then a match between the winner and the start values measures the improvement. Final and match use
    openings that were not played before.

    Every game is saved in the store when it ends. Ctrl-C stops the search and prints the best so far; --resume
    continues it. Needs the extra "tune".

    Example: flipdrop tune mcts:iterations=100 --option c=0.1:3:log --against greedy --trials 20 --seed 1
    """
    ranges = tuple(map(Range.parse, option))
    in_final = 4 * settings["games"] if final_games is None else final_games
    plan = Tuning(spec=spec, ranges=ranges, final_games=in_final, **settings, **options.settings)

    def play(
        plan: Tuning, store: Store, runner: Runner, progress: Callable[[EventProgress], object]
    ) -> list[EventProgress]:
        found = TuningResult(plan, on_trial=None if options.json else _BestTrial(plan.by).add)
        return plan.play(store, runner, progress=progress, events=plan.search(found))

    run_competition(
        options,
        plan,
        title=f"{plan}: {plan.trials} trials of {plan.games} games",
        describe=lambda states: f"{states[-1].games_a_second:,.1f}/s",
        print_text=_print,
        play=play,
    )


class _BestTrial:
    """Prints every trial that is better than all before it."""

    def __init__(self, by: Measure) -> None:
        self._by = by
        self._best: float | None = None

    def add(self, trial: Trial) -> None:
        value = trial.point.measured(self._by)
        if self._best is None or value > self._best:
            self._best = value
            typer.echo(f"{_title(trial)}: {_named(trial)}: {_figures(trial)}", err=True)


def _title(trial: Trial) -> str:
    return "start" if trial.number == 0 else f"trial {trial.number}"


def _print(result: TuningResult) -> None:
    best, tuning = result.best, result.tuning
    typer.echo(f"best of {len(result.trials)} trials: {_named(best)}")
    typer.echo(f"  {best.point.spec}")
    if result.final:
        typer.echo(f"final, {best.point.tally.games.total} games each against {tuning.against}:")
        for trial in result.final:
            name = "mean of the distribution" if trial.number >= len(result.trials) else _title(trial)
            typer.echo(f"  {_named(trial)} ({name}): {_figures(trial)}")
    else:
        typer.echo(f"  in the search (an overestimate): {_figures(best)} in {best.point.tally.games.total} games")
    if result.validation is not None:
        _print_validation(result.validation)
    elif best.point.spec == tuning.spec:
        typer.echo("no values better than the start values were found")
    else:
        typer.echo("not yet measured against the start values")
    typer.echo(f"{result.games} games, {result.seconds:.1f} s, seed {tuning.seed}")


def _print_validation(match: MatchResult) -> None:
    games = match.tally.games
    typer.echo(
        f"against the start, {games.total} fresh games: {games}: score {games.score:.3f}, "
        f"mean margin {match.margin:+.1f}"
    )
    low, high = match.elo.elo_interval
    conclusion = "better" if low > 0 else "worse" if high < 0 else "neither better nor worse with 95% confidence"
    typer.echo(f"  {match.elo}: {conclusion}")


def _named(trial: Trial) -> str:
    return " ".join(f"{name}={value}" for name, value in trial.values.items())


def _figures(trial: Trial) -> str:
    point = trial.point
    low, high = point.elo.score_interval
    return f"score {point.tally.pairs.score:.3f} ({low:.3f} to {high:.3f}), margin {point.margin.value:+.1f}"
