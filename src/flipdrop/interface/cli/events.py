"""What the commands of the arena share: options, the store they write to, the line that shows how far they are."""

from __future__ import annotations

import atexit
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flipdrop.arena.competition import Competition
    from flipdrop.arena.model import TimeControl
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store
    from flipdrop.players import SpecPlayer

C = TypeVar("C", bound="Competition[Any]")

MAX_GAMES = 1_000_000  # of a match: they tell players apart that differ by one Elo
MAX_GAMES_PER_PAIRING = 100_000  # of one of many pairings

ArenaGame = Annotated[str, typer.Option("--game", metavar="GAME", help="What they play.")]
OpeningSource = Annotated[
    str | None,
    typer.Option("--openings", metavar="X", help="random:8, balanced:8 (plies), start, or a file of transcripts."),
]
ClockText = Annotated[
    str | None, typer.Option("--clock", metavar="S", help="Seconds: 60 a game, 60+0.5 with increment, 1/move.")
]
StorePath = Annotated[
    Path | None, typer.Option("--store", metavar="FILE", help="Where games are kept; your own store unless said.")
]
NoStore = Annotated[bool, typer.Option("--no-store", help="Keep no games.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the same event where it was stopped.")]
MoveTimeout = Annotated[
    float | None,
    typer.Option(min=0.01, metavar="S", help="Seconds for a move of an agent from a file, without a clock."),
]
Cluster = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Play on a Ray cluster: ray://HOST:10001, HOST:PORT, or local for a new one."),
]


def time_control(text: str | None) -> TimeControl | None:
    """The clock that an option names."""
    from flipdrop.arena.model import TimeControl

    return None if text is None else TimeControl.parse(text)


@contextmanager
def open_store(path: Path | None, *, none: bool, resume: bool = False) -> Iterator[Store]:
    """The store that the options name. One that is to be gone on with is not made if it is not there."""
    from flipdrop.arena.store import Store, default_path

    if none and path is not None:
        raise ArenaError(f"--store {path} and --no-store contradict each other; give one of them")
    if none and resume:
        raise ArenaError("nothing to resume: --no-store keeps no games; leave one of the two out")
    file = None if none else path or default_path()
    if resume and file is not None and not file.exists():
        raise ArenaError(f"nothing to resume: there is no store {file}; begin without --resume")
    with Store(file, create=not resume) as store:
        yield store


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Options of every command that plays a competition.

    :param seeded: whether --seed names the seed
    """

    store: Path | None
    no_store: bool
    resume: bool
    seeded: bool
    threads: int
    move_timeout: float | None
    cluster: str | None
    json: bool


def run_competition(
    plan: C,
    options: RunOptions,
    *,
    heading: Callable[[C], str],
    describe: Callable[[C, list[EventProgress]], str],
    show: Callable[[Any], object] | None,
    play: Callable[[C, Store, Runner, Callable[[EventProgress], object]], list[EventProgress]] | None = None,
) -> tuple[C, list[EventProgress]]:
    """Plays a competition, and returns it with the seed it was played with.

    :param heading: the line that announces it
    :param describe: its standing on one line, for the progress bar
    :param show: prints an incomplete result after Ctrl-C
    :param play: plays its events, in place of `Competition.play`
    """
    players = plan.check()
    with open_store(options.store, none=options.no_store, resume=options.resume) as store:
        if options.resume:
            plan = plan.resume(store, any_seed=not options.seeded)
        else:
            plan.check_new(store)
        if not options.json:
            typer.echo(heading(plan), err=True)
        runner = make_runner(players, options)
        states: list[EventProgress] = []

        def print_partial() -> None:
            if show and states:
                show(plan.result(states))

        def keep(state: EventProgress) -> None:
            if not states or states[-1] is not state:
                states.append(state)
            if update:
                update(state)

        with (
            show_on_interrupt(print_partial, kept=not options.no_store, json=options.json),
            progress_line(lambda _: describe(plan, states)) as update,
        ):
            if play:
                return plan, play(plan, store, runner, keep)
            return plan, plan.play(store, runner, progress=keep)


def make_runner(players: Mapping[str, SpecPlayer], options: RunOptions) -> Runner:
    """What plays the games. A cluster that is begun for it ends with the command, however that ends."""
    if options.cluster is None:
        from flipdrop.arena.running import runner_for

        return runner_for(players, threads=options.threads, move_timeout=options.move_timeout)
    from flipdrop.arena.running.cluster import RayRunner

    runner = RayRunner(options.cluster, specs=players, threads=options.threads, move_timeout=options.move_timeout)
    atexit.register(runner.close)
    runner.connect()
    return runner


@contextmanager
def show_on_interrupt(print_partial: Callable[[], object], *, kept: bool, json: bool) -> Iterator[None]:
    """Ctrl-C in the block shows what there is so far, and ends the command.

    :param kept: whether the games are in a store, so that there is something to go on with
    """
    try:
        yield
    except KeyboardInterrupt:
        print_partial()
        if not json:
            typer.echo(stopped_message(kept=kept), err=True)
        raise typer.Exit(130) from None


def stopped_message(*, kept: bool) -> str:
    """What is said of an event that was stopped."""
    return "stopped; --resume goes on with it" if kept else "stopped; no game was kept (--no-store)"


_INTERVAL = 0.1  # s between two looks at a live line
_INTERVAL_FACTOR = 10  # so many times what describing it takes: counting a million games must not hold up the next ones


@contextmanager
def progress_line(describe: Callable[[EventProgress], str]) -> Iterator[Callable[[EventProgress], object] | None]:
    """A bar on standard error with a line that says how the event stands; nothing where nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        due = 0.0

        def show(state: EventProgress) -> None:
            nonlocal due
            began = perf_counter()
            if began < due:
                return
            bar.update(task, completed=state.done, total=state.total, description=describe(state))
            due = perf_counter() + max(_INTERVAL, _INTERVAL_FACTOR * (perf_counter() - began))

        yield show
