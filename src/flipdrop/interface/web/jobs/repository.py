"""Events and learning runs from the store, with the jobs that started them.

Every method opens the store itself and may take long, so pages call them off the event loop. Results are cached until
more games have ended.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from flipdrop.arena.ladder import GAMES as GAMES_WITH_LADDER
from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.match import Match, match_result
from flipdrop.arena.run_event import EventProgress
from flipdrop.arena.statistics import Tally, estimate_elo
from flipdrop.arena.store import Store, points_of, stored_runs
from flipdrop.arena.tournament import Leader, tournament_result
from flipdrop.errors import ArenaError, FlipdropError
from flipdrop.evaluation import read_weights
from flipdrop.games import game as game_of
from flipdrop.games.records import GameRecord
from flipdrop.interface.web.jobs.spec import COMPETITIONS
from flipdrop.learning.genetic import genome
from flipdrop.learning.genetic.methods import METHODS
from flipdrop.model_file import read_model_file

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from flipdrop.arena.competition import Competition
    from flipdrop.arena.ladder import PlacementResult
    from flipdrop.arena.match import MatchResult
    from flipdrop.arena.model import Event
    from flipdrop.arena.store import Point, StoredEvent, StoredRun
    from flipdrop.arena.tournament import TournamentResult
    from flipdrop.evaluation import Weights
    from flipdrop.interface.web.jobs.manager import Job, JobManager

_SHOWN_KINDS = (*COMPETITIONS, "sweep")  # not the links of a ladder that is being measured
_MAX_DIGITS = 16  # of an id, which SQLite can hold
_CURVE_POINTS = 24  # of the curve of a match

T = TypeVar("T")


@dataclass(frozen=True)
class EventSummary:
    """A match, tournament or ladder placement.

    :param key: names it in URLs: the id of its job, or of its first event in the store
    :param planned: the maximum number of games
    :param started: ISO 8601
    :param events: in the store; several for a ladder, none before the first game has ended
    :param competition: None for kinds that are shown as tournaments
    :param job: None if it was started on the command line
    """

    key: str
    kind: str
    game: str
    players: tuple[str, ...]
    seed: int
    openings: str
    clock: str
    planned: int
    started: str
    events: tuple[StoredEvent, ...]
    competition: Competition[Any] | None
    job: Job | None

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(stored.games for stored in self.events)

    @property
    def is_running(self) -> bool:
        """Whether its job runs; False for events of the command line, whose state is unknown."""
        return self.job is not None and self.job.is_running

    @property
    def state(self) -> str:
        if self.job is not None:
            return self.job.state
        return "elsewhere" if self.games < self.planned else "ended"

    @property
    def share(self) -> float:
        """The share of planned games that were played, 0 to 1."""
        return min(1.0, self.games / max(self.planned, 1))


@dataclass(frozen=True)
class MatchPoint:
    """The Elo difference after some pairs of a match, with its interval."""

    pairs: int
    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class GameRow:
    """A game in a list."""

    event: int
    number: int
    first: str
    second: str
    result: int
    margin: int
    termination: str


@dataclass(frozen=True)
class RunSummary:
    """A run of a learner.

    :param ids: of its parts in the store: one for each time that it was resumed
    """

    key: str
    learner: str
    game: str
    seed: int
    settings: dict[str, Any]
    file: str
    started: str
    ended: str | None
    ids: tuple[int, ...]
    job: Job | None

    @property
    def is_running(self) -> bool:
        return self.job is not None and self.job.is_running

    @property
    def state(self) -> str:
        if self.job is not None:
            return self.job.state
        return "ended" if self.ended else "elsewhere"

    @property
    def seconds(self) -> float | None:
        """The time limit of its job."""
        return self.job.spec.settings["seconds"] if self.job else None

    @property
    def share(self) -> float | None:
        """The share of a running job's time limit that has passed, 0 to 1."""
        if self.job is None or not self.job.is_running or not self.seconds:
            return None
        return min(1.0, self.job.seconds / self.seconds)


class ResultsRepository:
    """The results of a store.

    :param path: of the store, which need not exist yet
    """

    def __init__(self, path: str | os.PathLike[str], jobs: JobManager) -> None:
        self.path = Path(path)
        self.jobs = jobs
        self._cache: dict[tuple[str, str], tuple[int, Any]] = {}

    # Events.

    def events(self) -> list[EventSummary]:
        """All events, the newest first."""
        jobs = self.jobs.all()
        with Store(self.path) as store:
            stored = {one.event.identity: one for one in store.events() if one.event.kind in _SHOWN_KINDS}
            found = [
                self._event_of_job(job, store, lambda event: stored.pop(event.identity, None))
                for job in jobs
                if job.spec.kind in COMPETITIONS
            ]
        groups: dict[tuple[Any, ...], list[StoredEvent]] = {}
        for one in stored.values():
            groups.setdefault(_placement_of(one.event) or (one.id,), []).append(one)
        found += map(_event_of_store, groups.values())
        return _newest_first(found)

    def event(self, key: str) -> EventSummary:
        """The event that a URL names."""
        if not key.isdigit():
            job = self.jobs.find(key)
            if job.spec.kind in COMPETITIONS:
                with Store(self.path) as store:
                    return self._event_of_job(job, store, store.find)
        elif len(key) < _MAX_DIGITS:
            with Store(self.path) as store:
                stored = store.event(int(key))
            placement = _placement_of(stored.event)
            if placement is None:
                return _event_of_store([stored])
            return next(one for one in self.events() if any(part.id == stored.id for part in one.events))
        raise ArenaError(f"unknown event {key[:40]!r} in {self.path.name}")

    def _event_of_job(self, job: Job, store: Store, find: Callable[[Event], StoredEvent | None]) -> EventSummary:
        """A job's events are found by their keys, which follow from its settings and from the results before them."""
        competition = job.spec.competition()
        found: list[StoredEvent] = []
        events = competition.events()
        event = next(events, None)
        while event is not None and (stored := find(event)) is not None:
            found.append(stored)
            if stored.games < event.games or sum(one.games for one in found) >= competition.games_planned:
                break
            try:
                event = events.send(_progress(store, stored))
            except StopIteration:
                break
        return EventSummary(
            key=job.id,
            kind=job.spec.kind,
            game=job.spec.game,
            players=competition.players,
            seed=job.spec.seed,
            openings=competition.openings,
            clock=str(competition.time or ""),
            planned=competition.games_planned,
            started=job.started.isoformat(timespec="seconds"),
            events=tuple(found),
            competition=competition,
            job=job,
        )

    def match_result(self, summary: EventSummary) -> MatchResult | None:
        """None before the first game."""

        def compute() -> MatchResult:
            (state,), match = self._states(summary), summary.competition
            return match.result([state]) if isinstance(match, Match) else match_result(state)

        return self._cached("result", summary, compute)

    def tournament_result(self, summary: EventSummary) -> TournamentResult | None:
        """None before the first game."""
        return self._cached("result", summary, lambda: tournament_result(self._states(summary)[0]))

    def placement_result(self, summary: EventSummary) -> PlacementResult | None:
        """None before the first pair of games, and where there is no ladder."""

        def compute() -> PlacementResult | None:
            placement, states = summary.competition, self._states(summary)
            if not isinstance(placement, LadderPlacement) or not placement.tallies(states):
                return None
            return placement.result(states)

        return self._cached("result", summary, compute)

    def leader(self, summary: EventSummary) -> tuple[str, float] | None:
        """The player with the best score, and its share of the points."""
        return self._cached("leader", summary, lambda: Leader(summary.events[0].event).find(self._states(summary)[0]))

    def history(self, summary: EventSummary) -> list[MatchPoint]:
        """Elo and its interval after more and more pairs of a match, in the order of the openings."""
        if not summary.events:
            return []
        (state,) = self._states(summary)
        scores = []
        for number in range(0, state.event.games, 2):
            one, two = state.results.get(number), state.results.get(number + 1)
            if one is None or two is None:
                break  # short games would count first otherwise
            scores.append(((1 + one.result) / 2, (1 - two.result) / 2))
        _, points = self._cache.setdefault(("history", summary.key), (0, {}))
        for pairs in _curve_marks(len(scores)):
            if pairs not in points:
                elo = estimate_elo(Tally.from_scores(scores[:pairs]).pairs)
                points[pairs] = MatchPoint(pairs, elo.elo, *elo.elo_interval)
        return [points[pairs] for pairs in _curve_marks(len(scores))]

    def games(self, summary: EventSummary) -> list[GameRow]:
        """Its games, the newest of each event first."""
        rows = []
        for stored, state in zip(reversed(summary.events), reversed(self._states(summary)), strict=True):
            event = stored.event
            for number in sorted(state.results, reverse=True):
                result = state.results[number]
                one, two = event.pairings[event.pairing_of(number)]
                first, second = (two, one) if number % 2 else (one, two)
                players = event.players[first], event.players[second]
                rows.append(GameRow(stored.id, number, *players, result.result, result.margin, result.termination))
        return rows

    def record(self, event: int, number: int) -> tuple[GameRecord, GameRow, bool]:
        """A game as it was played, and whether the next one has been played, too."""
        with Store(self.path) as store:
            found = store.event(event).event if 0 < event < 10**_MAX_DIGITS else None
            numbers = range(0 if found is None else found.games)
            played = next(store.games(event, number), None) if number in numbers else None
            has_next = number + 1 in numbers and next(store.games(event, number + 1), None) is not None
        if found is None or played is None:
            raise ArenaError(f"game {number} of event {event} is not in {self.path.name}")
        first, second = played.task.first, played.task.second
        record = GameRecord(game_of(found.game).start(), played.moves, first=first, second=second, event=found.kind)
        return record, GameRow(event, number, first, second, played.result, played.margin, played.termination), has_next

    def _states(self, summary: EventSummary) -> list[EventProgress]:
        with Store(self.path) as store:
            return [_progress(store, stored) for stored in summary.events]

    def _cached(self, what: str, summary: EventSummary, compute: Callable[[], T]) -> T | None:
        """The value of `compute`, cached until more games have ended; None before the first game."""
        if not summary.games:
            return None
        games, value = self._cache.get((what, summary.key), (0, None))
        if games != summary.games:
            value = compute()
            self._cache[what, summary.key] = summary.games, value
        return cast("T", value)

    # Runs of learners.

    def runs(self) -> list[RunSummary]:
        """All runs of learners, the newest first."""
        with Store(self.path) as store:
            stored = stored_runs(store)
        groups: dict[tuple[Any, ...], list[StoredRun]] = {}
        for one in stored:
            groups.setdefault((one.file, one.game, one.seed), []).append(one)
        found = []
        for job in self.jobs.all():
            if job.spec.is_learner:
                parts = groups.pop((str(Path(job.spec.model).resolve()), job.spec.game, job.spec.seed), [])
                found.append(_run_of_job(job, parts))
        found += map(_run_of_store, groups.values())
        return _newest_first(found)

    def run(self, key: str) -> RunSummary:
        """The run that a URL names."""
        for one in self.runs():
            if one.key == key:
                return one
        raise ArenaError(f"unknown run {key[:40]!r} in {self.path.name}")

    def curve(self, summary: RunSummary) -> list[Point]:
        """The points of all parts of a run; a resumed part replaces the steps that it measures again."""
        with Store(self.path) as store:
            points = {point.step: point for id_ in summary.ids for point in points_of(store, id_)}
        return [points[step] for step in sorted(points)]


def best_weights(summary: RunSummary) -> Weights | None:
    """The best weights so far of a run that evolves them; None for other runs."""
    if summary.learner not in METHODS:
        return None
    model = Path(summary.file)
    try:
        if model.is_file():
            return read_weights(model)
        _, arrays = read_model_file(model.with_suffix(".checkpoint"), "checkpoint")
        base = re.match(r"Weights\('(\w+)'", summary.settings["evaluation"])
        if base is None or "best" not in arrays:
            return None
        return genome(base[1], game_of(summary.game), genes=summary.settings["genes"]).weights_of(arrays["best"])
    except (OSError, FlipdropError, KeyError, ValueError):  # not written yet, or deleted
        return None


def repeated_openings(event: Event, games: int) -> int | None:
    """The number of distinct openings of the games played; None if none was repeated, or counting would take long."""
    pairs = games // (2 * len(event.pairings))
    if event.openings.startswith("balanced") or pairs < 2:
        return None
    try:
        different = event.distinct_openings(pairs)
    except (FlipdropError, OSError):  # a file of openings that no longer exists
        return None
    return different if different < pairs else None


def _progress(store: Store, stored: StoredEvent) -> EventProgress:
    return EventProgress(stored.event, {result.number: result for result in store.results(stored.id)})


_Started = TypeVar("_Started", EventSummary, RunSummary)


def _newest_first(found: list[_Started]) -> list[_Started]:
    """Sorted by start, the newest first; equal starts in reversed order of the store."""
    return sorted(found, key=lambda one: one.started)[::-1]


def _placement_of(event: Event) -> tuple[Any, ...] | None:
    """A key shared by the events of one ladder placement; None for events of other kinds."""
    if event.kind != "ladder":
        return None
    return event.game, event.players[0], LadderPlacement.seed_of(event)


def _event_of_store(events: list[StoredEvent]) -> EventSummary:
    stored = events[0]
    event = stored.event
    settings: dict[str, Any] = {"game": event.game, "openings": event.openings, "seed": event.seed, "time": event.time}
    competition: Competition[Any] | None = None
    if event.kind == "match":
        competition = Match(first=event.players[0], second=event.players[1], games=event.games, **settings)
    elif event.kind == "ladder" and event.game in GAMES_WITH_LADDER:
        competition = LadderPlacement(player=event.players[0], game=event.game, seed=LadderPlacement.seed_of(event))
    return EventSummary(
        key=str(stored.id),
        kind=event.kind,
        game=event.game,
        players=event.players[:1] if event.kind == "ladder" else event.players,
        seed=competition.seed if competition else event.seed,
        openings=event.openings,
        clock=str(event.time or ""),
        planned=sum(one.event.games for one in events),
        started=stored.begun,
        events=tuple(events),
        competition=competition,
        job=None,
    )


def _run_of_job(job: Job, parts: list[StoredRun]) -> RunSummary:
    settings = job.spec.settings
    learner = parts[0].learner if parts else settings.get("method") or settings.get("rule") or "network"
    return RunSummary(
        key=job.id,
        learner=learner,
        game=job.spec.game,
        seed=job.spec.seed,
        settings=parts[-1].settings if parts else {},
        file=job.spec.model,
        started=job.started.isoformat(timespec="seconds"),
        ended=parts[-1].ended if parts else None,
        ids=tuple(part.id for part in parts),
        job=job,
    )


def _run_of_store(parts: list[StoredRun]) -> RunSummary:
    first, last = parts[0], parts[-1]
    ids = tuple(part.id for part in parts)
    key = f"run-{first.id}"
    return RunSummary(
        key, first.learner, first.game, first.seed, last.settings, first.file, first.begun, last.ended, ids, None
    )


def _curve_marks(pairs: int) -> list[int]:
    """The numbers of pairs that the curve of a match shows; as it grows, most of them are the same."""
    if pairs < 2:
        return []
    step = max(1, 1 << max(0, (pairs // _CURVE_POINTS).bit_length()))
    marks = [*range(max(step, 2), pairs, step), pairs]
    return [mark for mark, _ in groupby(marks)]
