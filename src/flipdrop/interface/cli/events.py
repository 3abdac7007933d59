"""What the commands of the arena share: options, the store, resuming, the display of progress, and Ctrl-C."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

from flipdrop.arena.model import TimeControl
from flipdrop.arena.running import runner_for
from flipdrop.arena.store import Store, default_path
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.interface.cli.agents import AgentMemory, MoveTimeout
from flipdrop.interface.cli.options import Cluster, Json, Seed, Threads, ray_runner, seed_or_random
from flipdrop.interface.cli.output import exit_stopped, print_json, progress_display
from flipdrop.players.agent_process import DEFAULT_MEGABYTES, AgentLimits
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from flipdrop.arena.competition import Competition
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner
    from flipdrop.players import SpecPlayer

C = TypeVar("C", bound="Competition[Any]")

StorePath = Annotated[
    Path | None,
    typer.Option("--store", metavar="FILE", help="Database of games and results.", show_default="your user store"),
]
NoStore = Annotated[bool, typer.Option("--no-store", help="Do not save games and results.")]


@dataclass(frozen=True)
class ArenaOptions:
    """Options of every command that plays games in the arena."""

    seed: Seed = None
    threads: Threads = None
    store: StorePath = None
    no_store: NoStore = False
    resume: Annotated[bool, typer.Option("--resume", help="Resume a stopped event.")] = False
    move_timeout: MoveTimeout = None
    agent_memory: AgentMemory = DEFAULT_MEGABYTES
    cluster: Cluster = None
    json: Json = False

    @property
    def agent_limits(self) -> AgentLimits:
        return AgentLimits(self.move_timeout, self.agent_memory)

    @property
    def event_seed(self) -> int:
        return seed_or_random(self.seed)


@dataclass(frozen=True)
class GameOptions(ArenaOptions):
    """Options of the commands whose events are of one game."""

    game: Annotated[str, typer.Option(metavar="GAME", help="Game to play.")] = "othello"


@dataclass(frozen=True)
class EventOptions(GameOptions):
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

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that all competitions share."""
        time = None if self.clock is None else TimeControl.parse(self.clock)
        return {"game": self.game, "openings": self.openings or "", "seed": self.event_seed, "time": time}


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


def run_competition(
    options: ArenaOptions,
    plan: C,
    *,
    title: str,
    describe: Callable[[list[EventProgress]], str],
    print_text: Callable[[Any], None],
    play: Callable[[C, Store, Runner, Callable[[EventProgress], object]], list[EventProgress]] | None = None,
) -> Any:
    """Plays a competition, or resumes it, and prints its result; after Ctrl-C the result so far.

    :param title: printed first, with game, openings and seed
    :param describe: the events so far on one line, for the display of progress
    :param print_text: prints a result without ``--json``
    :param play: plays the events, in place of `Competition.play`
    """
    players = plan.check(options.agent_limits)
    states: list[EventProgress] = []

    def progress(state: EventProgress) -> None:
        if not states or states[-1] is not state:
            states.append(state)
        if show:
            show(state)

    with open_store(options.store, none=options.no_store, resume=options.resume) as store:
        if options.resume:
            plan = plan.resume(store, any_seed=options.seed is None)
        else:
            plan.check_new(store)
        if not options.json:
            setting = f"{game_of(plan.game).title}, openings {plan.openings}, seed {plan.seed}"
            typer.echo(f"{title}: {setting}", err=True)
        runner = make_runner(options, players)
        try:
            with progress_display(lambda state: (state.done, state.total, _line(state, describe(states)))) as show:
                played = play(plan, store, runner, progress) if play else plan.play(store, runner, progress=progress)
        except KeyboardInterrupt:
            if (so_far := plan.partial_result(states)) is not None:
                print_result(so_far, options, print_text)
            stop(options)
    result = plan.result(played)
    print_result(result, options, print_text)
    return result


def stop(options: ArenaOptions, how_to_resume: str = "--resume continues it") -> NoReturn:
    """Ends the command after Ctrl-C."""
    sentence = f"stopped; {'no game was saved (--no-store)' if options.no_store else how_to_resume}"
    exit_stopped(None if options.json else sentence)


def print_result(result: Any, options: ArenaOptions, print_text: Callable[[Any], None]) -> None:
    if options.json:
        print_json(result.to_json())
    else:
        print_text(result)


def make_runner(options: ArenaOptions, players: Mapping[str, SpecPlayer]) -> Runner:
    """A runner for these players, on the cluster of the options if they name one."""
    threads, agents = thread_count(options.threads), options.agent_limits
    if options.cluster is None:
        return runner_for(players, threads=threads, agents=agents)
    return ray_runner(options.cluster, players, threads=threads, agents=agents)


def _line(state: EventProgress, text: str) -> str:
    return f"{state.done:,}/{state.total:,} games, {text}"
