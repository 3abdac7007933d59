"""Competitions: matches, tournaments, ladder placements, sweeps and tuning runs, each described by its settings.

A competition is an immutable value. Its constructor fills in defaults and validates, `to_json` and `from_json` carry it
to another process, and `run` plays its events: one for a match or a tournament, several where the results of one decide
the next. The store keeps the games, so running the same competition again plays only the missing ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, fields, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from flipdrop.arena.model import Event, TimeControl
from flipdrop.arena.openings import Openings, default_openings
from flipdrop.arena.run_event import EventProgress, run_event
from flipdrop.arena.running.runner import make_players, runner_for
from flipdrop.arena.seeds import random_seed
from flipdrop.arena.store import Store
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from collections.abc import Generator

    from flipdrop.arena.player_pool import Makers
    from flipdrop.arena.running import Runner
    from flipdrop.players import SpecPlayer
    from flipdrop.players.agent_process import AgentLimits

MAX_GAMES = 1_000_000  # of a match: enough to tell players apart that differ by one Elo
MAX_PAIRING_GAMES = 100_000

Readers = Mapping[str, Callable[[Any], Any]]
Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True, kw_only=True)
class Competition(ABC, Generic[Result_co]):
    """Settings that all competitions share.

    :param game: the game's name
    :param openings: as `flipdrop.arena.openings` reads it; empty for the default of the board
    :param seed: of every random choice; a random one by default
    :param time: the clock; without one, time is unlimited
    """

    kind: ClassVar[str]
    readers: ClassVar[Readers] = {}
    """Functions that read fields from JSON, by name; texts and numbers need none."""

    game: str = "othello"
    openings: str = ""
    seed: int = field(default_factory=random_seed)
    time: TimeControl | None = None

    def __post_init__(self) -> None:
        if not _is_whole(self.seed) or self.seed < 0:
            raise ArenaError(f"seed {self.seed!r}; it has to be a whole number of at least 0")
        game = game_of(self.game)
        object.__setattr__(self, "game", game.name)
        object.__setattr__(self, "openings", self.openings or default_openings(game))
        if self.time is not None and 0 in (self.time.total, self.time.move):
            raise ArenaError(f"clock {self.time} leaves no time for a move; write seconds: 60, 60+0.5 or 1/move")

    @property
    @abstractmethod
    def specs(self) -> tuple[str, ...]:
        """The specs of all players that may take part."""

    @property
    @abstractmethod
    def games_planned(self) -> int:
        """The maximum number of games."""

    @property
    @abstractmethod
    def first_event(self) -> Event:
        """The first event, which depends on nothing but the settings. A store finds the competition by it."""

    @abstractmethod
    def result(self, states: list[EventProgress]) -> Result_co:
        """The result of its events, the last of which may be incomplete."""

    def partial_result(self, states: list[EventProgress]) -> Result_co | None:
        """The result so far; None if too few games have ended."""
        return self.result(states) if states and states[0].results else None

    def make_event(
        self,
        players: tuple[str, ...],
        pairings: tuple[tuple[int, int], ...],
        *,
        pairs: int,
        seed: int | None = None,
        kind: str = "",
        common_seeds: bool = False,
    ) -> Event:
        """An event with the settings of the competition.

        :param seed: that of the competition by default, as is `kind`
        """
        return Event(
            kind=kind or self.kind,
            game=self.game,
            players=players,
            pairings=pairings,
            pairs=pairs,
            openings=self.openings,
            seed=self.seed if seed is None else seed,
            time=self.time,
            common_seeds=common_seeds,
        )

    def events(self) -> Generator[Event, EventProgress, None]:
        """Yields one event after the other; the caller sends back the results of each."""
        yield self.first_event

    def stop_when(self) -> Callable[[EventProgress], bool] | None:
        """A condition that ends an event before its last game."""
        return None

    def check(
        self, agents: AgentLimits | None = None, *, makers: Makers | None = None, load_code: bool = True
    ) -> dict[str, SpecPlayer]:
        """Makes every player once. Raises if a spec or the openings are wrong.

        Hand the players on to `flipdrop.arena.running.runner_for`.

        :param agents: limits of agents from files
        :param makers: of players that no spec describes; these are left out
        :param load_code: whether agents from files are loaded, in processes of their own, which may take long
        """
        players = make_players(self.specs, game_of(self.game), makers=makers, agents=agents, load_code=load_code)
        Openings(game_of(self.game), self.openings, self.seed).take(1)
        return players

    def run(
        self,
        store: Store | None = None,
        runner: Runner | None = None,
        *,
        threads: int | None = None,
        progress: Callable[[EventProgress], object] | None = None,
    ) -> Result_co:
        """Plays the games that the store does not have.

        :param store: in memory by default
        :param runner: one for these players by default
        :param threads: of that runner; as many as there are cores by default
        :param progress: called as games end
        """
        runner = runner or runner_for(self.check(), threads=threads)
        with Store(None) if store is None else nullcontext(store) as opened:
            return self.result(self.play(opened, runner, progress=progress))

    def play(
        self,
        store: Store,
        runner: Runner,
        *,
        progress: Callable[[EventProgress], object] | None = None,
        events: Generator[Event, EventProgress, None] | None = None,
    ) -> list[EventProgress]:
        """Plays the games that the store does not have, and returns all events."""

        def run(event: Event, earlier_games: int) -> EventProgress:
            state = EventProgress(event, earlier_games=earlier_games, planned=self.games_planned)
            return run_event(event, store, runner, state=state, stop_when=self.stop_when(), progress=progress)

        return _walk(events or self.events(), run)

    def stored(self, store: Store) -> list[EventProgress]:
        """The events that a store has, in their order; the last may be incomplete."""

        def load(event: Event, _: int) -> EventProgress | None:
            if (found := store.find(event)) is None:
                return None
            results = store.results(found.id)
            return EventProgress(event, results, stored=len(results))

        return _walk(self.events(), load)

    def resume(self, store: Store, *, any_seed: bool = False) -> Self:
        """The same competition with the seed of the one that a store has.

        :param any_seed: take the latest one, with any seed
        """
        found = store.find(self.first_event, any_seed=any_seed)
        if found is None:
            raise ArenaError(f"nothing to resume: {store.name} has no such {self.kind}; start it without --resume")
        return replace(self, seed=self.seed_of(found.event))

    def check_new(self, store: Store) -> None:
        """Raises if a store has games of it already."""
        found = store.find(self.first_event)
        if found is not None and found.games:
            raise ArenaError(
                f"{store.name} already has {found.games} games of this {self.kind}; --resume continues it, another "
                "--seed starts a new one"
            )

    @staticmethod
    def seed_of(event: Event) -> int:
        """The seed of the competition that an event belongs to."""
        return event.seed

    def to_json(self) -> dict[str, Any]:
        shared = [one.name for one in fields(Competition)]
        own = [one.name for one in fields(self) if one.name not in shared]
        return {"kind": self.kind} | {name: _json(getattr(self, name)) for name in ("game", *own, *shared)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        readers = {"time": TimeControl.parse} | dict(cls.readers)
        values: dict[str, Any] = {one.name: data[one.name] for one in fields(cls)}
        for name, read in readers.items():
            if values[name] is not None:
                values[name] = read(values[name])
        return cls(**values)


def _json(value: Any) -> Any:
    """A field as JSON holds it."""
    match value:
        case None | str() | int() | float():
            return value
        case tuple():
            return [_json(one) for one in value]
        case Mapping():
            return {name: _json(one) for name, one in value.items()}
    return value.to_json() if hasattr(value, "to_json") else str(value)


def _walk(
    events: Generator[Event, EventProgress, None], results_of: Callable[[Event, int], EventProgress | None]
) -> list[EventProgress]:
    """The results of one event after the other, up to one that has none or is incomplete.

    :param results_of: takes an event, and the number of games of the events before it
    """
    states: list[EventProgress] = []
    event = next(events, None)
    while event is not None and (state := results_of(event, sum(len(one.results) for one in states))) is not None:
        states.append(state)
        if len(state.results) < event.games:
            break
        try:
            event = events.send(state)
        except StopIteration:
            break
    return states


def pairs_of(games: int, what: str = "") -> int:
    """The number of pairs that a number of games makes."""
    if not _is_whole(games) or games < 2 or games % 2:
        raise ArenaError(f"{games} games{what and f' {what}'}; they come in pairs, so give an even number")
    return games // 2


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def from_json(data: Mapping[str, Any]) -> Competition[Any]:
    """The competition that `Competition.to_json` wrote."""
    from flipdrop.arena.ladder.placement import LadderPlacement
    from flipdrop.arena.match import Match
    from flipdrop.arena.parameter_sweep import Sweep
    from flipdrop.arena.parameter_tuning import Tuning
    from flipdrop.arena.platform_batch import PlatformBatch
    from flipdrop.arena.tournament import Tournament

    kinds: dict[str, type[Competition[Any]]] = {
        kind.kind: kind for kind in (Match, Tournament, LadderPlacement, Sweep, Tuning, PlatformBatch)
    }
    try:
        return kinds[data["kind"]].from_json(dict(data))
    except KeyError as error:
        raise ArenaError(f"no settings of a competition: {error} is missing or unknown") from None
