"""What the commands that learn share: options, the budget, the line that shows how far they are, and the end."""

from __future__ import annotations

import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flipdrop.errors import LearningError
from flipdrop.interface.cli.events import open_store
from flipdrop.interface.cli.options import seed_or_random
from flipdrop.interface.cli.output import print_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flipdrop.learning import Learner, TrainingRun

OutFile = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="The model. Beside it: .csv and .png (curve), .checkpoint.")
]
Seconds = Annotated[float | None, typer.Option("--seconds", metavar="S", help="Learn for so long.")]
Minutes = Annotated[float | None, typer.Option("--minutes", metavar="M", help="Learn for so long.")]
MaxGames = Annotated[int | None, typer.Option("--games", metavar="N", help="Stop after so many games.")]
ResumeRun = Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint beside the model.")]
RunStore = Annotated[
    Path | None, typer.Option("--store", metavar="FILE", help="Where the run is noted; your own store unless said.")
]
NoRunStore = Annotated[bool, typer.Option("--no-store", help="Note the run nowhere.")]


def seconds_of(seconds: float | None, minutes: float | None) -> float | None:
    """The time that the options give."""
    if seconds is not None and minutes is not None:
        raise LearningError("--seconds and --minutes contradict each other; give one of them")
    return seconds if minutes is None else 60 * minutes


def seed_for(out: Path, seed: int | None, *, resume: bool) -> int:
    """The seed asked for; that of the checkpoint if a run is resumed; or a fresh one."""
    if resume and seed is None:
        from flipdrop.learning.training_run import seed_of_checkpoint

        return seed_of_checkpoint(out)
    return seed_or_random(seed)


def run_learner(
    learner: Learner,
    out: Path,
    *,
    seconds: float | None = None,
    games: int | None = None,
    steps: int | None = None,
    resume: bool,
    store: Path | None,
    no_store: bool,
    json: bool,
    model_plays_as: str,
    more: Callable[[], dict[str, Any]] = dict,
) -> None:
    """Runs a learner as a command does, from the first line to the last.

    :param model_plays_as: the spec of the player that the model is, such as ``alphabeta:depth=2,evaluation=x.weights``
    :param more: facts for the JSON in the end
    """
    from flipdrop.arena.store import RunWriter
    from flipdrop.learning import Budget, TrainingRun

    budget = Budget(seconds=seconds, games=games, steps=steps)
    _check_out(out, resume=resume)
    with open_store(store, none=no_store) if not no_store or store else nullcontext() as kept:
        training_run = TrainingRun(learner, out)
        if resume:
            training_run.resume()
        if kept is not None:
            training_run.record = RunWriter.begin(
                kept,
                learner=learner.name,
                game=learner.game.name,
                seed=learner.seed,
                settings=learner.settings,
                file=str(out.resolve()),
            )
        if not json:
            typer.echo(f"{learner.name}, {learner.game.title}, seed {learner.seed}", err=True)
        try:
            with _progress_line(budget) as show:
                training_run.run(budget, progress=show)
        except KeyboardInterrupt:
            if not json:
                typer.echo(f"stopped; --resume goes on from {training_run.checkpoint}, if it is there", err=True)
            raise typer.Exit(130) from None
    _print_end(training_run, model_plays_as, more, json=json)


def _check_out(out: Path, *, resume: bool) -> None:
    if out.suffix in ("", ".csv", ".png", ".checkpoint"):
        raise LearningError(f"--out {out}: give the model's file another ending, such as .model")
    if not out.parent.is_dir():
        raise LearningError(f"--out {out}: there is no folder {out.parent}")
    if not resume and out.with_suffix(".checkpoint").exists():
        raise LearningError(
            f"{out.with_suffix('.checkpoint')} is there from an earlier run; --resume goes on with it, "
            "another --out begins anew"
        )


@contextmanager
def _progress_line(budget: Any) -> Iterator[Callable[[TrainingRun], object] | None]:
    """A bar on standard error with the newest values; nothing where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(training_run: TrainingRun) -> None:
            learner = training_run.learner
            share = budget.share(training_run.steps, learner.games, training_run.seconds)
            text = [f"{learner.games:,} games", f"{training_run.games_a_second:,.0f}/s"]
            if learner.status:
                text.append(learner.status)
            if training_run.curve.points:
                text += [f"{name} {value:.3g}" for name, value in training_run.curve.points[-1].values.items()]
            bar.update(task, completed=share or 0.0, total=None if share is None else 1.0, description=", ".join(text))

        yield show


def _print_end(
    training_run: TrainingRun, model_plays_as: str, more: Callable[[], dict[str, Any]], *, json: bool
) -> None:
    learner, last = training_run.learner, training_run.curve.points[-1].values if training_run.curve.points else {}
    if json:
        print_json(
            {
                "learner": learner.name,
                "game": learner.game.name,
                "model": str(training_run.model),
                "player": model_plays_as,
                "games": learner.games,
                "steps": training_run.steps,
                "seconds": training_run.seconds,
                "values": last,
                "settings": learner.settings,
                "seed": learner.seed,
            }
            | more()
        )
        return
    for name, value in last.items():
        typer.echo(f"{name}: {value:.4g}")
    typer.echo(f"{learner.games:,} games, {training_run.seconds:.1f} s, seed {learner.seed}")
    typer.echo(f"model: {training_run.model}; it plays as {model_plays_as}")
