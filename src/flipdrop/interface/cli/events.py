"""What the commands of the arena share: options, the store, resuming, the display of progress, and Ctrl-C."""

from __future__ import annotations

import atexit
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flipdrop.arena.model import TimeControl
from flipdrop.arena.running import runner_for
from flipdrop.arena.store import Store, default_path
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.interface.cli.options import Json, Seed, Threads, seed_or_random, thread_count
from flipdrop.interface.cli.output import print_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from flipdrop.arena.event import Event
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner

MAX_GAMES = 1_000_000  # of a match: enough to tell players apart that differ by one Elo
MAX_GAMES_PER_PAIRING = 100_000

StorePath = Annotated[
    Path | None,
    typer.Option("--store", metavar="FILE", help="Database of games and results.", show_default="your user store"),
]
NoStore = Annotated[bool, typer.Option("--no-store", help="Do not save games and results.")]


@dataclass(frozen=True)
class ArenaOptions:
    """Options of every command that plays games in the arena."""

    game: Annotated[str, typer.Option(metavar="GAME", help="Game to play.")] = "othello"
    seed: Seed = None
    threads: Threads = None
    store: StorePath = None
    no_store: NoStore = False
    resume: Annotated[bool, typer.Option("--resume", help="Resume a stopped event.")] = False
    move_timeout: Annotated[
        float | None,
        typer.Option(min=0.01, metavar="S", help="Time limit in seconds for a move of an agent from a file."),
    ] = None
    json: Json = False

    @property
    def event_seed(self) -> int:
        return seed_or_random(self.seed)


@dataclass(frozen=True)
class EventOptions(ArenaOptions):
    """Options of matches, tournaments, sweeps and tuning."""

    openings: Annotated[
        str | None,
        typer.Option(
            metavar="X",
            help="random:8, balanced:8 (plies), start, or a file of transcripts.",
            show_default="random, as long as suits the board",
        ),
    ] = None
    clock: Annotated[
        str | None, typer.Option(metavar="S", help="Seconds: 60 per game, 60+0.5 with increment, 1/move.")
    ] = None
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS", help="Play on a Ray cluster: ray://HOST:10001, HOST:PORT, or local for a new one."
        ),
    ] = None

    @property
    def time_control(self) -> TimeControl | None:
        control = None if self.clock is None else TimeControl.parse(self.clock)
        if control is not None and 0 in (control.total, control.move):
            raise ArenaError(f"clock {self.clock!r} leaves no time for a move; write seconds: 60, 60+0.5 or 1/move")
        return control


@contextmanager
def open_store(path: Path | None, *, none: bool, resume: bool = False) -> Iterator[Store]:
    """Opens the store of the options. With `resume`, a missing store is an error."""
    if none and path is not None:
        raise ArenaError(f"--store {path} and --no-store contradict each other; give one of them")
    if none and resume:
        raise ArenaError("nothing to resume: --no-store saves no games; leave one of the two out")
    file = None if none else path or default_path()
    if resume and file is not None and not file.exists():
        raise ArenaError(f"nothing to resume: there is no store {file}; start without --resume")
    with Store(file, create=not resume) as store:
        yield store


class EventRun:
    """An event that a command plays.

    :param event: the event, with the seed of the stored one if it is resumed
    :param show: displays progress, or None without a terminal
    """

    def __init__(self, event: Event, store: Store, runner: Runner, show: Callable[..., object] | None) -> None:
        self.event = event
        self.store = store
        self.runner = runner
        self.show = show
        self.state: EventProgress | None = None
        self.partial: Callable[[], Any] = lambda: None
        """The result so far, or None: printed after Ctrl-C."""

    def progress(self, state: EventProgress) -> None:
        self.state = state
        if self.show:
            self.show(state)


@contextmanager
def event_run(
    options: ArenaOptions,
    event: Event,
    *,
    title: str,
    display: AbstractContextManager[Callable[..., object] | None],
    print_text: Callable[[Any], None],
    seed_of: Callable[[Event], int] = lambda event: event.seed,
) -> Iterator[EventRun]:
    """Opens the store, finds the event to resume and makes the runner; Ctrl-C in the block prints the partial result.

    :param title: printed first, with game, openings and seed
    :param display: shows progress while the block runs
    :param print_text: prints a result without ``--json``
    :param seed_of: the seed of the command that an event belongs to
    """
    with open_store(options.store, none=options.no_store, resume=options.resume) as store:
        event = _resumed(event, store, resume=options.resume, seeded=options.seed is not None)
        if not options.json:
            setting = f"{game_of(event.game).title}, openings {event.openings}, seed {seed_of(event)}"
            typer.echo(f"{title}: {setting}", err=True)
        runner = _runner(options, event)
        run = EventRun(event, store, runner, None)
        try:
            with display as run.show:
                yield run
        except KeyboardInterrupt:
            result = run.partial()
            if result is not None:
                print_result(result, options, print_text)
            stop(options)


def stop(options: ArenaOptions, how_to_resume: str = "--resume continues it") -> None:
    """Ends the command after Ctrl-C."""
    if not options.json:
        typer.echo(f"stopped; {'no game was saved (--no-store)' if options.no_store else how_to_resume}", err=True)
    raise typer.Exit(130) from None


def print_result(result: Any, options: ArenaOptions, print_text: Callable[[Any], None]) -> None:
    if options.json:
        print_json(result.to_json())
    else:
        print_text(result)


def _resumed(event: Event, store: Store, *, resume: bool, seeded: bool) -> Event:
    """The event, with the seed of the stored one if it is resumed and the command names no seed."""
    found = store.find(event, any_seed=not seeded)
    if resume:
        if found is None:
            raise ArenaError(f"nothing to resume: {store.name} has no such {event.kind}; start it without --resume")
        if seeded:
            return event
        return type(event).from_json(event.to_json() | {"seed": found.event.seed})
    if found is not None and found.event.seed == event.seed and found.games:
        raise ArenaError(
            f"{store.name} already has {found.games} games of this {event.kind}; --resume continues it, another "
            "--seed starts a new one"
        )
    return event


def _runner(options: ArenaOptions, event: Event) -> Runner:
    threads, move_timeout = thread_count(options.threads), options.move_timeout
    cluster = options.cluster if isinstance(options, EventOptions) else None
    if cluster is None:
        return runner_for(event.players, threads=threads, move_timeout=move_timeout)
    from flipdrop.arena.running.cluster import RayRunner  # Ray is an optional extra

    runner = RayRunner(cluster, specs=event.players, threads=threads, move_timeout=move_timeout)
    atexit.register(runner.close)  # a cluster that this command starts ends with it
    runner.connect()
    return runner


_INTERVAL = 0.1  # s between updates of the progress line
_INTERVAL_FACTOR = 10  # times the duration of an update: counting a million games must not delay the next ones


@contextmanager
def progress_line(describe: Callable[[EventProgress], str]) -> Iterator[Callable[[EventProgress], object] | None]:
    """A progress bar with a line of text on standard error; None without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
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
            text = escape(describe(state))
            bar.update(task, completed=len(state.results), total=state.event.games, description=text)
            due = perf_counter() + max(_INTERVAL, _INTERVAL_FACTOR * (perf_counter() - began))

        yield show
