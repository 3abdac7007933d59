"""What the commands of the learners share: options, budget, progress, checkpoints and Ctrl-C."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flipdrop.errors import LearningError, quoted
from flipdrop.interface.cli.events import NoStore, StorePath, open_store
from flipdrop.interface.cli.options import Cluster, Json, Seed, Threads, seed_or_random, workers_for
from flipdrop.interface.cli.output import exit_stopped, interrupt_check, print_json, progress_display
from flipdrop.learning import Budget, TrainingRun
from flipdrop.learning.training_run import RATING, RATING_HIGH, RATING_LOW, seed_of_checkpoint
from flipdrop.model_file import beside_model
from flipdrop.options import options_of
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.learning import Learner

OutFile = Annotated[
    Path,
    typer.Option(
        "--out", metavar="FILE", help="The model; .csv and .png (curve) and .checkpoint are written beside it."
    ),
]
Setting = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="Any other setting; see docs/learning. May be repeated."),
]


@dataclass(frozen=True)
class LearnerOptions:
    """Options of every command that runs a learner."""

    seconds: Annotated[float | None, typer.Option(metavar="S", help="Time limit in seconds.")] = None
    minutes: Annotated[float | None, typer.Option(metavar="M", help="Time limit in minutes.")] = None
    games: Annotated[int | None, typer.Option(metavar="N", help="Limit on the number of games.")] = None
    seed: Seed = None
    threads: Threads = None
    cluster: Cluster = None
    resume: Annotated[bool, typer.Option("--resume", help="Resume from the checkpoint beside the model.")] = False
    store: StorePath = None
    no_store: NoStore = False
    tensorboard: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the learning curve for TensorBoard below this folder.")
    ] = None
    ladder: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            help="Rate on the ladder every N steps, by some 40 games; 0 for never.",
            show_default="train: with the matches against the champion; else never",
        ),
    ] = None
    json: Json = False

    @property
    def time_limit(self) -> float | None:
        if self.seconds is not None and self.minutes is not None:
            raise LearningError("--seconds and --minutes contradict each other; give one of them")
        return self.seconds if self.minutes is None else 60 * self.minutes

    @property
    def thread_count(self) -> int:
        return thread_count(self.threads)

    def seed_for(self, out: Path) -> int:
        """The seed of the options; without one, that of the checkpoint to resume, or a random one."""
        return seed_of_checkpoint(out) if self.resume and self.seed is None else seed_or_random(self.seed)


def run_learner(
    learner: Learner,
    out: Path,
    options: LearnerOptions,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    model_spec: str,
    more: Callable[[], dict[str, Any]] = dict,
) -> None:
    """Runs a learner until its limits and prints the result.

    :param seconds: time limit if the options set none
    :param model_spec: the player that uses the model, such as ``alphabeta:depth=2,evaluation=x.weights``
    :param more: further fields of the JSON output
    """
    limit = options.time_limit
    budget = Budget(seconds=seconds if limit is None else limit, games=options.games, steps=steps)
    _check_out(out, resume=options.resume)
    if options.cluster is not None:
        learner.work_on(workers_for(options.cluster, options.thread_count))
    stored = not options.no_store or options.store is not None
    with open_store(options.store, none=options.no_store) if stored else nullcontext() as store:
        run = TrainingRun(learner, out)
        if options.resume:
            run.resume()
        if store is not None:
            run.record_in(store)
        if options.tensorboard is not None:
            run.log_to(options.tensorboard)
        rated = run.rate_on_ladder(options.ladder, threads=options.thread_count)
        if not options.json:
            typer.echo(f"{learner.name}, {learner.game.title}, seed {learner.seed}", err=True)
            if learner.plan:
                typer.echo(learner.plan, err=True)
            if rated:
                typer.echo(f"every {run.ladder_every} steps: a rating on the ladder", err=True)
        try:
            with interrupt_check() as check, progress_display(lambda run: _describe(run, budget)) as show:
                phase, timed = learner.phase, set[str]()

                def after_step(run: TrainingRun) -> None:
                    nonlocal phase
                    check()
                    if phase not in timed and learner.plan and not options.json:
                        timed.add(phase)
                        of = f" of {phase}" if phase else ""
                        typer.echo(f"the first step{of} took {run.step_seconds:.1f} s", err=True)
                    phase = learner.phase
                    if rated and not options.json and (text := _rating_text(run)):
                        typer.echo(text, err=True)
                    if show is not None:
                        show(run)

                run.run(budget, progress=after_step)
        except KeyboardInterrupt:
            exit_stopped(None if options.json else f"stopped; --resume continues from {run.checkpoint}, if it exists")
    if run.steps == 0 and not options.json:
        typer.echo("the time was too short for a step: the model has learned nothing", err=True)
    last = run.curve.points[-1].values if run.curve.points else {}
    if options.json:
        print_json(
            {
                "learner": learner.name,
                "game": learner.game.name,
                "model": str(run.model),
                "player": model_spec,
                "games": learner.games,
                "steps": run.steps,
                "seconds": run.seconds,
                "values": last,
                "settings": learner.settings,
                "seed": learner.seed,
            }
            | more()
        )
        return
    for name, value in last.items():
        typer.echo(f"{name}: {value:.4g}")
    typer.echo(f"{learner.games:,} games, {run.seconds:.1f} s, seed {learner.seed}")
    typer.echo(f"model: {run.model}; player: {model_spec}")


def parse_settings(settings: Any, texts: list[str] | None, given: dict[str, Any]) -> dict[str, Any]:
    """The values of ``--set NAME=VALUE`` and of options of their own, for fields of a settings dataclass.

    :param given: values of the other options by name; None is not given
    """
    options = {option.name.rstrip("_"): option for option in options_of(settings)}
    values = {name: value for name, value in given.items() if value is not None}
    for name in values:
        if name.rstrip("_") not in options:
            raise LearningError(f"--{name.rstrip('_')} does not apply; settings are {', '.join(options)}")
    for text in texts or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if name not in options:
            raise LearningError(f"--set {quoted(text)}: unknown setting; settings are {', '.join(options)}")
        option = options[name]
        may_be_empty = option.type is str and not option.choices
        if not equals or not (value or may_be_empty):
            raise LearningError(f"--set {quoted(text)} has no value; write {name}=VALUE")
        if option.name in values:
            raise LearningError(f"--set {quoted(text)}: {name} is given twice")
        values[option.name] = None if option.default is None and value.lower() == "none" else option.parse(value)
    return values


def check_extension(out: Path, extension: str, player: str) -> None:
    if out.suffix != extension:
        raise LearningError(f"--out {out}: the model of a {player} player needs a file name that ends in {extension}")


def _check_out(out: Path, *, resume: bool) -> None:
    checkpoint = beside_model(out, ".checkpoint")
    if out.suffix in ("", ".csv", ".png", ".checkpoint"):
        raise LearningError(f"--out {out}: give the model another file extension, such as .model")
    if not out.parent.is_dir():
        raise LearningError(f"--out {out}: the folder {out.parent} does not exist")
    if not resume and checkpoint.exists():
        raise LearningError(
            f"{checkpoint} exists from an earlier run; --resume continues it, another --out starts anew"
        )


def _rating_text(run: TrainingRun) -> str:
    """The rating of the last step; empty if it has none."""
    point = run.curve.points[-1] if run.curve.points else None
    if point is None or point.step != run.steps or RATING not in point.values:
        return ""
    low, high = (point.values.get(name, infinite) for name, infinite in ((RATING_LOW, -inf), (RATING_HIGH, inf)))
    return (
        f"step {run.steps:,}, {point.games:,} games, {point.seconds:.0f} s: rating {point.values[RATING]:.0f} "
        f"(95%: {low:.0f} to {high:.0f})"
    )


def _describe(run: TrainingRun, budget: Budget) -> tuple[float, float | None, str]:
    learner = run.learner
    share = budget.share(run.steps, learner.games, run.seconds)
    text = [f"{learner.games:,} games", f"{run.games_a_second:,.0f}/s"]
    text += [learner.status] if learner.status else []
    if run.curve.points:
        text += [f"{name} {value:.3g}" for name, value in run.curve.points[-1].values.items()]
    return share or 0.0, None if share is None else 1.0, ", ".join(text)
