"""What the store says, for pages: events and runs with the jobs that belong to them, standings, curves, single games.

Every function opens the store for itself and takes its time, so pages call them off the event loop. What takes long and
cannot change any more is remembered.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast

from flipdrop.arena.ladder import GAMES as GAMES_WITH_LADDER
from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.match import SprtMonitor, match_result
from flipdrop.arena.run_event import EventProgress
from flipdrop.arena.statistics import Games, Sprt, Tally, estimate_elo
from flipdrop.arena.store import Store, points_of, stored_runs
from flipdrop.arena.tournament import Leader, tournament_result
from flipdrop.errors import ArenaError, FlipdropError
from flipdrop.evaluation import read_weights
from flipdrop.games import game as game_of
from flipdrop.games.records import GameRecord
from flipdrop.learning.genetic import genome
from flipdrop.model_file import read_model_file

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Sequence

    from flipdrop.arena.ladder import PlacementResult
    from flipdrop.arena.match import MatchResult
    from flipdrop.arena.model import Event
    from flipdrop.arena.store import Point, StoredEvent, StoredRun
    from flipdrop.arena.tournament import TournamentResult
    from flipdrop.evaluation import Weights
    from flipdrop.interface.web.jobs.manager import Job

ARENA = ("match", "tournament", "ladder")
LEARNERS = ("evolve", "learn", "train")
_SHOWN_KINDS = (*ARENA, "sweep")  # links of a ladder that is being measured are its own affair
_POINTS = 24  # of the curve that shows how a match went
_REMEMBERED = 1000


@dataclass(frozen=True)
class EventSummary:
    """A match, tournament or ladder: its job, if the page began it, and what the store has of it.

    :param key: names it in addresses: the job's id, or the number of its first event in the store
    :param events: in the store; several for a ladder, none if no game has ended yet
    :param planned: how many games it is going to have, at most
    """

    key: str
    kind: str
    game: str
    players: tuple[str, ...]
    seed: int
    openings: str
    planned: int
    begun: str
    events: tuple[StoredEvent, ...]
    job: Job | None

    @property
    def games(self) -> int:
        """How many have been played."""
        return sum(stored.games for stored in self.events)

    @property
    def is_running(self) -> bool:
        """Whether it goes on, as far as the page knows: what others have begun may."""
        return self.job is not None and self.job.is_running


@dataclass(frozen=True)
class MatchPoint:
    """How a match stood after so many pairs of games."""

    pairs: int
    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class GameRow:
    """A game in a list: who played, and what came of it."""

    event: int
    number: int
    first: str
    second: str
    result: int
    margin: int
    ending: str


@dataclass(frozen=True)
class Run:
    """A run of a learner, resumed or not: its job, if the page began it, and what the store has of it.

    :param ids: of its parts in the store
    """

    key: str
    learner: str
    game: str
    seed: int
    settings: dict[str, Any]
    file: str
    begun: str
    ended: str | None
    ids: tuple[int, ...]
    job: Job | None

    @property
    def is_running(self) -> bool:
        """Whether it goes on, as far as the page knows."""
        return self.job is not None and self.job.is_running


@dataclass
class _Memory:
    """The latest few answers."""

    kept: OrderedDict[Any, Any] = field(default_factory=OrderedDict)
    guard: Lock = field(default_factory=Lock)

    def get(self, key: Any) -> Any:
        with self.guard:
            return self.kept.get(key)

    def put(self, key: Any, value: Any) -> None:
        with self.guard:
            self.kept[key] = value
            self.kept.move_to_end(key)
            while len(self.kept) > _REMEMBERED:
                self.kept.popitem(last=False)


class ResultsRepository:
    """What a store has.

    :param path: of the store, which need not be there yet
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._memory = _Memory()

    # Events.

    def events(self, jobs: Sequence[Job]) -> list[EventSummary]:
        """Everything that was or is being played, the newest first."""
        with Store(self.path) as store:
            stored = [one for one in store.events() if one.event.kind in _SHOWN_KINDS]
        groups: dict[tuple[Any, ...], list[StoredEvent]] = {}
        for one in stored:
            groups.setdefault(_identity(one.event), []).append(one)
        found = []
        for job in jobs:
            if job.spec.kind in ARENA:
                metadata = job.spec.metadata
                key = (job.spec.kind, job.spec.game, *_of_kind(job.spec.kind, metadata["players"]), metadata["seed"])
                found.append(_of_job(job, tuple(groups.pop(key, ()))))
        found += [_of_store(tuple(events)) for events in groups.values()]
        return _newest_first(found)

    def event(self, key: str, jobs: Sequence[Job]) -> EventSummary:
        """The one that an address names."""
        for one in self.events(jobs):
            if one.key == key:
                return one
        raise ArenaError(f"nothing is known of {key[:40]!r} in {self.path.name}")

    def course(self, stored: StoredEvent) -> EventProgress:
        """The results so far of an event."""
        with Store(self.path) as store:
            return EventProgress(stored.event, {result.number: result for result in store.results(stored.id)})

    def match_result(self, of: EventSummary) -> MatchResult | None:
        """How a match stands; None before its first game."""
        if not of.events or not of.games:
            return None
        test = sprt_of(of)
        course = self.course(of.events[0])
        if test is None:
            return match_result(course)
        monitor = SprtMonitor(test)
        monitor.decided(course)
        return match_result(course, sprt=test, pairs=monitor.decided_at_pair)

    def score(self, of: EventSummary) -> Games:
        """Wins, draws and losses of the first-named player of a match."""
        key = ("score", of.key, of.games)
        if (known := self._memory.get(key)) is None:
            known = score_of(self.games(of), of.players[0])
            self._memory.put(key, known)
        return cast("Games", known)

    def leader(self, of: EventSummary) -> tuple[str, float]:
        """Who has the best score of an event that has begun, and which share of the points."""
        key = ("leader", of.key, of.games)
        if (known := self._memory.get(key)) is None:
            stored = of.events[0]
            known = Leader(stored.event).find(self.course(stored))
            self._memory.put(key, known)
        return cast("tuple[str, float]", known)

    def history(self, of: EventSummary) -> list[MatchPoint]:
        """How a match went: Elo and its interval after ever more pairs, in the order of the openings."""
        if not of.events:
            return []
        course = self.course(of.events[0])
        scores = []
        for number in range(0, of.events[0].event.games, 2):
            one, two = course.results.get(number), course.results.get(number + 1)
            if one is None or two is None:
                break  # what comes after a game that still goes on has to wait, or short games would count first
            scores.append(((1 + one.result) / 2, (1 - two.result) / 2))
        points = []
        for pairs in _spread(len(scores)):
            key = ("point", of.events[0].id, pairs)
            point = self._memory.get(key)
            if point is None:
                elo = estimate_elo(Tally.from_scores(scores[:pairs]).pairs)
                point = MatchPoint(pairs, elo.elo, *elo.elo_interval)
                self._memory.put(key, point)
            points.append(point)
        return points

    def table(self, of: EventSummary) -> TournamentResult | None:
        """How a tournament stands; None before its first game."""
        if not of.events or not of.games:
            return None
        key = ("table", of.events[0].id)
        known: tuple[int, TournamentResult] | None = self._memory.get(key)
        if known is None or known[0] != of.games:
            known = (of.games, tournament_result(self.course(of.events[0])))
            self._memory.put(key, known)
        return known[1]

    def climb(self, of: EventSummary) -> PlacementResult | None:
        """Where a player stands on the ladder by the pairs of games that have ended; None before the first has."""
        if of.game not in GAMES_WITH_LADDER or not of.games:
            return None
        key = ("climb", of.key, of.games)
        if (known := self._memory.get(key)) is None:
            known = self._climb(of)
            self._memory.put(key, known)
        return cast("PlacementResult | None", known)

    def _climb(self, of: EventSummary) -> PlacementResult | None:
        placement = LadderPlacement(player=of.players[0], game=of.game, seed=of.seed)
        states = [self.course(stored) for stored in of.events]
        return placement.partial_result(states)

    def games(self, of: EventSummary) -> list[GameRow]:
        """Its games, the newest of each event first."""
        lines = []
        for stored in reversed(of.events):
            course = self.course(stored)
            event = stored.event
            for number in sorted(course.results, reverse=True):
                result = course.results[number]
                one, two = event.pairings[event.pairing_of(number)]
                first, second = (two, one) if number % 2 else (one, two)
                lines.append(
                    GameRow(
                        stored.id,
                        number,
                        event.players[first],
                        event.players[second],
                        result.result,
                        result.margin,
                        result.termination,
                    )
                )
        return lines

    def record(self, event: int, number: int) -> tuple[GameRecord, GameRow, bool]:
        """A game as it was played, and whether the one after it is there as well."""
        with Store(self.path) as store:
            found = next((stored.event for stored in store.events() if stored.id == event), None)
            numbers = range(0 if found is None else found.games)
            played = next(store.games(event, number), None) if number in numbers else None
            goes_on = number + 1 in numbers and next(store.games(event, number + 1), None) is not None
        if found is None or played is None:
            raise ArenaError(f"game {number} of event {event}: it is not in {self.path.name}")
        first, second = played.task.first, played.task.second
        record = GameRecord(game_of(found.game).start(), played.moves, first=first, second=second, event=found.kind)
        line = GameRow(event, number, first, second, played.result, played.margin, played.termination)
        return record, line, goes_on

    # Runs of learners.

    def runs(self, jobs: Sequence[Job]) -> list[Run]:
        """Every run of a learner, the newest first."""
        with Store(self.path) as store:
            stored = stored_runs(store)
        groups: dict[tuple[Any, ...], list[StoredRun]] = {}
        for one in stored:
            groups.setdefault((one.file, one.game, one.seed), []).append(one)
        found = []
        for job in jobs:
            if job.spec.kind in LEARNERS:
                metadata = job.spec.metadata
                parts = groups.pop((str(Path(metadata["model"]).resolve()), job.spec.game, metadata["seed"]), [])
                found.append(_run(job.id, parts, job))
        found += [_run(f"run-{parts[0].id}", parts, None) for parts in groups.values()]
        return _newest_first(found)

    def run(self, key: str, jobs: Sequence[Job]) -> Run:
        """The one that an address names."""
        for one in self.runs(jobs):
            if one.key == key:
                return one
        raise ArenaError(f"nothing is known of {key[:40]!r} in {self.path.name}")

    def latest(self, of: Run) -> Point | None:
        """What was measured last."""
        points = self.curve(of)
        return points[-1] if points else None

    def curve(self, of: Run) -> list[Point]:
        """What was measured. What a resumed run measures again replaces what it had measured before."""
        with Store(self.path) as store:
            points = {point.step: point for id_ in of.ids for point in points_of(store, id_)}
        return [points[step] for step in sorted(points)]


def best_weights(of: Run) -> Weights | None:
    """The best weights of a run that evolves some, as of its model or its last checkpoint; None for other runs."""
    if not of.learner.endswith(("-ga", "cma")):
        return None
    model = Path(of.file)
    try:
        if model.is_file():
            return read_weights(model)
        _, arrays = read_model_file(model.with_suffix(".checkpoint"), "checkpoint")
        base = re.match(r"Weights\('(\w+)'", of.settings["evaluation"])
        if base is None or "best" not in arrays:
            return None
        return genome(base[1], game_of(of.game), genes=of.settings["genes"]).weights_of(arrays["best"])
    except (OSError, FlipdropError, KeyError, ValueError):  # not there yet, or no longer
        return None


def pairing_tally(course: EventProgress, pairing: int) -> Tally:
    """What the first-named player of a pairing has made of it so far."""
    return match_result(course, pairing=pairing).tally


def sprt_of(of: EventSummary) -> Sprt | None:
    """The test that ends a match, if its job has one."""
    text = of.job and of.job.spec.metadata.get("sprt")
    return Sprt.parse(text) if text else None


def repeated_openings(event: Event, games: int) -> int | None:
    """How many different openings so many games had, if some came twice; None if not, or if it takes long to tell."""
    pairs = games // (2 * len(event.pairings))
    if event.openings.startswith("balanced") or pairs < 2:
        return None
    try:
        different = event.distinct_openings(pairs)
    except (FlipdropError, OSError):  # a file of openings that is no longer there
        return None
    return different if different < pairs else None


def score_of(lines: Iterable[GameRow], player: str) -> Games:
    """Wins, draws and losses of a player."""
    counts = [0, 0, 0]
    for line in lines:
        if player in (line.first, line.second):
            counts[1 + (line.result if line.first == player else -line.result)] += 1
    return Games.from_counts(counts)


_Begun = TypeVar("_Begun", EventSummary, Run)


def _newest_first(found: list[_Begun]) -> list[_Begun]:
    """What was begun within one second in the order of the list, which is the store's, turned round as well."""
    return sorted(found, key=lambda one: one.begun)[::-1]


def _identity(event: Event) -> tuple[Any, ...]:
    """What the events of one happening have in common."""
    seed = LadderPlacement.seed_of(event) if event.kind == "ladder" else event.seed
    more = () if event.kind in ARENA else (event.openings,)
    return (event.kind, event.game, *_of_kind(event.kind, event.players), seed, *more)


def _of_kind(kind: str, players: Sequence[str]) -> tuple[str, ...]:
    """The opponents on a ladder are chosen as it goes on."""
    return tuple(players[:1]) if kind == "ladder" else tuple(players)


def _of_job(job: Job, events: tuple[StoredEvent, ...]) -> EventSummary:
    metadata = job.spec.metadata
    return EventSummary(
        key=job.id,
        kind=job.spec.kind,
        game=job.spec.game,
        players=tuple(metadata["players"]),
        seed=metadata["seed"],
        openings=metadata["openings"],
        planned=metadata["games"],
        begun=job.begun.isoformat(timespec="seconds"),
        events=events,
        job=job,
    )


def _of_store(events: tuple[StoredEvent, ...]) -> EventSummary:
    stored = events[0]
    event = stored.event
    is_ladder = event.kind == "ladder"
    return EventSummary(
        key=str(stored.id),
        kind=event.kind,
        game=event.game,
        players=event.players[:1] if is_ladder else event.players,
        seed=LadderPlacement.seed_of(event) if is_ladder else event.seed,
        openings=event.openings,
        planned=sum(one.event.games for one in events),
        begun=stored.begun,
        events=events,
        job=None,
    )


def _run(key: str, parts: list[StoredRun], job: Job | None) -> Run:
    if job is not None:
        metadata = job.spec.metadata
        learner = parts[0].learner if parts else _learner(metadata)
        settings = parts[-1].settings if parts else {}
        begun, file = job.begun.isoformat(timespec="seconds"), str(metadata["model"])
        game, seed = job.spec.game, metadata["seed"]
    else:
        learner, settings, begun, file = parts[0].learner, parts[-1].settings, parts[0].begun, parts[0].file
        game, seed = parts[0].game, parts[0].seed
    ended = parts[-1].ended if parts else None
    return Run(key, learner, game, seed, settings, file, begun, ended, tuple(part.id for part in parts), job)


def _learner(metadata: dict[str, Any]) -> str:
    """What the learner of a job is going to be called in the store."""
    method = metadata.get("method")
    if method is not None:
        return str(method)
    return str(metadata.get("rule", "network"))


def _spread(pairs: int) -> list[int]:
    """So many numbers of pairs, up to all of them, that a curve needs: the same ones again as it grows."""
    if pairs < 2:
        return []
    step = max(1, 1 << max(0, (pairs // _POINTS).bit_length()))
    marks = [*range(max(step, 2), pairs, step), pairs]
    return [mark for mark, _ in groupby(marks)]
