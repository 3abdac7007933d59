"""What the commands of the arena share: options, the store they write to, the line that shows how far they are."""

from __future__ import annotations

import atexit
import sys
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from flipdrop.arena.event import Event
    from flipdrop.arena.model import TimeControl
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store

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

    control = None if text is None else TimeControl.parse(text)
    if control is not None and 0 in (control.total, control.move):
        raise ArenaError(f"clock {text!r} leaves no time for a first move; write seconds: 60, 60+0.5 or 1/move")
    return control


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


def resume_event(event: Event, store: Store, *, resume: bool, seeded: bool) -> Event:
    """The event to play: the one that was begun before, if it is to be resumed.

    :param seeded: whether the caller has named the seed, so that it is part of what is looked for
    """
    found = store.find(event, any_seed=not seeded)
    if resume:
        if found is None:
            raise ArenaError(f"nothing to resume: {store.name} has no such {event.kind}; begin it without --resume")
        if seeded:
            return event
        return type(event).from_json(event.to_json() | {"seed": found.event.seed})
    if found is not None and found.event.seed == event.seed and found.games:
        raise ArenaError(
            f"{store.name} already has {found.games} games of this very {event.kind}; --resume goes on with it, "
            "another --seed plays another one"
        )
    return event


def make_runner(event: Event, *, threads: int, move_timeout: float | None, cluster: str | None = None) -> Runner:
    """What plays the games. A cluster that is begun for it ends with the command, however that ends."""
    if cluster is None:
        from flipdrop.arena.running import runner_for

        return runner_for(event.players, threads=threads, move_timeout=move_timeout)
    from flipdrop.arena.running.cluster import RayRunner

    runner = RayRunner(cluster, specs=event.players, threads=threads, move_timeout=move_timeout)
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
            bar.update(task, completed=len(state.results), total=state.event.games, description=describe(state))
            due = perf_counter() + max(_INTERVAL, _INTERVAL_FACTOR * (perf_counter() - began))

        yield show
