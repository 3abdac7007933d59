"""Events and learning runs from the store, with the jobs that started them.

Every method opens the store itself and may take long, so pages call them off the event loop. Results are cached until
more games have ended.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

import numpy as np

from flipdrop.arena.ladder import GAMES as GAMES_WITH_LADDER
from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.match import match_result
from flipdrop.arena.run_event import EventProgress
from flipdrop.arena.statistics import Pairs, estimate_elo
from flipdrop.arena.store import Store, points_of, stored_runs
from flipdrop.arena.store.export import as_record, as_table, records_of
from flipdrop.arena.tournament import leader, tournament_result
from flipdrop.errors import ArenaError, FlipdropError
from flipdrop.evaluation import read_weights
from flipdrop.games import game as game_of
from flipdrop.games.records import GameRecord, encode_games
from flipdrop.interface.web.jobs.spec import COMPETITIONS
from flipdrop.interface.web.schemas import EventGames, EventView, RunView
from flipdrop.learning.genetic import genome
from flipdrop.learning.genetic.methods import METHODS
from flipdrop.model_file import checkpoint_of, read_model_file

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from flipdrop.arena.competition import Competition
    from flipdrop.arena.model import Event
    from flipdrop.arena.store import Point, StoredEvent, StoredRun
    from flipdrop.evaluation import Weights
    from flipdrop.interface.web.jobs.manager import Job, JobManager

_SHOWN_KINDS = (*COMPETITIONS, "sweep")  # not the links of a ladder that is being measured
_MAX_DIGITS = 16  # of an id, which SQLite can hold
_CURVE_POINTS = 24  # of the curve of a match

T = TypeVar("T")
ExportForm = Literal["csv", "ggf", "plain"]
"""The formats of the games of an event."""


@dataclass(frozen=True)
class MatchPoint:
    """The Elo difference after some pairs of a match, with its interval."""

    pairs: int
    elo: float
    low: float
    high: float


@dataclass(frozen=True)
class GameRow:
    """A game in a list.

    :ivar opening_plies: the first moves, which the arena chose
    """

    event: int
    number: int
    first: str
    second: str
    result: int
    margin: int
    termination: str
    opening_plies: int


class ResultsRepository:
    """The results of a store.

    :param path: of the store, which need not exist yet
    """

    def __init__(self, path: str | os.PathLike[str], jobs: JobManager) -> None:
        self.path = Path(path)
        self.jobs = jobs
        self._cache: dict[tuple[str, str], tuple[int, Any]] = {}

    # Events.

    def events(self) -> list[EventView]:
        """All events, the newest first."""
        with Store(self.path) as store:
            found = [_event_of_job(job, store) for job in self.jobs.all() if not job.spec.is_learner]
            of_jobs = {part.id for event in found for part in event.parts}
            groups: dict[object, list[StoredEvent]] = {}
            for one in store.events():
                if one.event.kind in _SHOWN_KINDS and one.id not in of_jobs:
                    groups.setdefault(_placement_of(one.event) or one.id, []).append(one)
        return _newest_first(found + [_event_of_store(group) for group in groups.values()])

    def event(self, key: str) -> EventView:
        """The event that a URL names."""
        if not key.isdigit():
            job = self.jobs.find(key)
            if not job.spec.is_learner:
                with Store(self.path) as store:
                    return _event_of_job(job, store)
        elif len(key) < _MAX_DIGITS:
            with Store(self.path) as store:
                stored = store.event(int(key))
            if _placement_of(stored.event) is None:
                return _event_of_store([stored])
            return next(one for one in self.events() if any(part.id == stored.id for part in one.parts))
        raise ArenaError(f"unknown event {key[:40]!r} in {self.path.name}")

    def result(self, event: EventView) -> Any:
        """The `MatchResult`, `TournamentResult` or `PlacementResult` of an event; None if too few games have ended."""

        def compute() -> Any:
            states = self._states(event)
            if event.job is not None:
                return self.jobs.find(event.job.id).spec.competition().partial_result(states)
            if event.kind == "match":
                return match_result(states[0])
            if event.kind != "ladder":
                return tournament_result(states[0])
            if event.game not in GAMES_WITH_LADDER:
                return None
            placement = LadderPlacement(player=event.players[0], game=event.game, seed=event.seed)
            return placement.partial_result(states)

        return self._cached("result", event, compute)

    def leader(self, event: EventView) -> tuple[str, float] | None:
        """The player with the best score, and its share of the points."""

        def compute() -> tuple[str, float]:
            (state,) = self._states(event)
            return leader(state)

        return self._cached("leader", event, compute)

    def repeated_openings(self, event: EventView) -> int | None:
        """The number of distinct openings of the games played; None if none was repeated, or counting takes long."""
        if not event.parts or event.kind == "ladder":
            return None
        with Store(self.path) as store:
            return repeated_openings(store.event(event.parts[0].id).event, event.games)

    def history(self, event: EventView) -> list[MatchPoint]:
        """Elo and its interval after more and more pairs of a match, in the order of the openings."""
        if not event.parts:
            return []
        (state,) = self._states(event)
        scores = np.array(state.pairs_in_order()) / 4
        _, points = self._cache.setdefault(("history", event.key), (0, {}))
        for pairs in _curve_marks(len(scores)):
            if pairs not in points:
                elo = estimate_elo(Pairs.from_scores(scores[:pairs]))
                points[pairs] = MatchPoint(pairs, elo.elo, *elo.elo_interval)
        return [points[pairs] for pairs in _curve_marks(len(scores))]

    def games(self, event: EventView) -> list[GameRow]:
        """Its games, the newest of each part first."""
        rows = []
        for part, state in zip(reversed(event.parts), reversed(self._states(event)), strict=True):
            pairings, specs = state.event.pairings, state.event.players
            plies = opening_plies(state.event.openings)
            for number in sorted(state.results, reverse=True):
                result = state.results[number]
                one, two = pairings[state.event.pairing_of(number)]
                first, second = (two, one) if number % 2 else (one, two)
                players = specs[first], specs[second]
                termination = result.termination
                rows.append(GameRow(part.id, number, *players, result.result, result.margin, termination, plies))
        return rows

    def played_games(self, game: str, most: int) -> list[GameRecord]:
        """Games on one board, those of the newest events first."""
        with Store(self.path) as store:
            return list(records_of(store, game, most=most))

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
        plies = opening_plies(found.openings)
        row = GameRow(event, number, first, second, played.result, played.margin, played.termination, plies)
        return record, row, has_next

    def export(self, event: EventView, form: ExportForm) -> bytes:
        """The games of an event as a file."""
        with Store(self.path) as store:
            parts = [(store.event(part.id), list(store.games(part.id))) for part in event.parts]
        if form == "csv":
            tables = [as_table(games, stored).splitlines(keepends=True) for stored, games in parts]
            return "".join(line for i, table in enumerate(tables) for line in table[bool(i) :]).encode()
        return encode_games([as_record(game, stored) for stored, games in parts for game in games], form)

    def _states(self, event: EventView) -> list[EventProgress]:
        with Store(self.path) as store:
            return [_progress(store, store.event(part.id)) for part in event.parts]

    def _cached(self, what: str, event: EventView, compute: Callable[[], T]) -> T | None:
        """The value of `compute`, cached until more games have ended; None before the first game."""
        if not event.games:
            return None
        games, value = self._cache.get((what, event.key), (0, None))
        if games != event.games:
            value = compute()
            self._cache[what, event.key] = event.games, value
        return cast("T", value)

    # Runs of learners.

    def runs(self) -> list[RunView]:
        """All runs of learners, the newest first.

        A job's model is in the job's folder, so the folder in the store names the job of a run. Other runs with the
        same file, game and seed are parts of one run, which was resumed.
        """
        jobs = {job.id: job for job in self.jobs.all() if job.spec.is_learner}
        parts: dict[object, list[StoredRun]] = {id_: [] for id_ in jobs}
        with Store(self.path) as store:
            for one in stored_runs(store):
                folder = Path(one.file).parent.name
                parts.setdefault(folder if folder in jobs else (one.file, one.game, one.seed), []).append(one)
        return _newest_first([_run_view(found, jobs.get(str(key))) for key, found in parts.items()])

    def run(self, key: str) -> RunView:
        """The run that a URL names."""
        for one in self.runs():
            if one.key == key:
                return one
        raise ArenaError(f"unknown run {key[:40]!r} in {self.path.name}")

    def curve(self, run: RunView) -> list[Point]:
        """The points of all parts of a run; a resumed part replaces the steps that it measures again."""
        with Store(self.path) as store:
            points = {point.step: point for id_ in run.ids for point in points_of(store, id_)}
        return [points[step] for step in sorted(points)]


def best_weights(run: RunView) -> Weights | None:
    """The best weights so far of a run that evolves them; None for other runs."""
    if run.learner not in METHODS:
        return None
    model = Path(run.file)
    try:
        if model.is_file():
            return read_weights(model)
        _, arrays = read_model_file(checkpoint_of(model), "checkpoint")
        base = re.match(r"Weights\('(\w+)'", run.settings["evaluation"])
        if base is None or "best" not in arrays:
            return None
        return genome(base[1], game_of(run.game), genes=run.settings["genes"]).weights_of(arrays["best"])
    except (OSError, FlipdropError, KeyError, ValueError):  # not written yet, or deleted
        return None


def opening_plies(openings: str) -> int:
    """The plies of random or balanced openings; 0 for others.

    >>> opening_plies("random:8"), opening_plies("start")
    (8, 0)
    """
    found = re.fullmatch(r"(?:random|balanced):(\d{1,3})", openings)
    return 0 if found is None else int(found[1])


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
    return EventProgress(stored.event, store.results(stored.id))


_Result = TypeVar("_Result", EventView, RunView)


def _newest_first(found: list[_Result]) -> list[_Result]:
    """Sorted by start, the newest first; equal starts in reversed order of the store."""
    return sorted(found, key=lambda one: one.started)[::-1]


def _placement_of(event: Event) -> tuple[Any, ...] | None:
    """A key shared by the events of one ladder placement; None for events of other kinds."""
    if event.kind != "ladder":
        return None
    return event.game, event.players[0], LadderPlacement.seed_of(event)


def _event_of_job(job: Job, store: Store) -> EventView:
    """The events of a job are found by their keys, which follow from its settings and from the results before them."""
    competition = job.spec.competition()
    found: list[StoredEvent] = []
    events = competition.events()
    event = next(events, None)
    while event is not None and (stored := store.find(event)) is not None:
        found.append(stored)
        if stored.games < event.games or sum(one.games for one in found) >= competition.games_planned:
            break
        try:
            event = events.send(_progress(store, stored))
        except StopIteration:
            break
    return _event_view(competition, competition.specs, job.spec.seed, competition.games_planned, found, job)


def _event_of_store(events: list[StoredEvent]) -> EventView:
    event, planned = events[0].event, sum(stored.event.games for stored in events)
    if event.kind == "ladder":
        return _event_view(event, event.players[:1], LadderPlacement.seed_of(event), planned, events)
    return _event_view(event, event.players, event.seed, planned, events)


def _event_view(
    settings: Competition[Any] | Event,
    players: tuple[str, ...],
    seed: int,
    planned: int,
    events: list[StoredEvent],
    job: Job | None = None,
) -> EventView:
    parts = tuple(EventGames(id=stored.id, games=stored.games) for stored in events)
    is_complete = sum(part.games for part in parts) >= planned
    return EventView(
        kind=settings.kind,
        game=settings.game,
        players=players,
        seed=seed,
        openings=settings.openings,
        clock=str(settings.time or ""),
        planned=planned,
        parts=parts,
        **(_origin(job) if job else _origin_in_store(str(events[0].id), events[0].begun, is_complete)),
    )


def _run_view(parts: list[StoredRun], job: Job | None) -> RunView:
    """The run of a job, which may have no parts in the store yet, or of the command line."""
    if job is not None:
        settings = job.spec.settings
        learner = settings.get("method") or settings.get("rule") or "network"
        game, seed, file, origin = job.spec.game, job.spec.seed, job.spec.model, _origin(job)
    else:
        first = parts[0]
        game, seed, file = first.game, first.seed, first.file
        origin = _origin_in_store(f"run-{first.id}", first.begun, parts[-1].ended is not None)
    return RunView(
        learner=parts[0].learner if parts else learner,
        game=game,
        seed=seed,
        settings=parts[-1].settings if parts else {},
        file=file,
        ended=parts[-1].ended if parts else None,
        ids=tuple(part.id for part in parts),
        **origin,
    )


def _origin(job: Job) -> dict[str, Any]:
    started = job.started.isoformat(timespec="seconds")
    return {"key": job.id, "started": started, "state": job.state, "job": job.view}


def _origin_in_store(key: str, started: str, is_complete: bool) -> dict[str, Any]:
    return {"key": key, "started": started, "state": "ended" if is_complete else "elsewhere", "job": None}


def _curve_marks(pairs: int) -> list[int]:
    """The numbers of pairs that the curve of a match shows; as it grows, most of them are the same."""
    if pairs < 2:
        return []
    step = 1 << (pairs // _CURVE_POINTS).bit_length()
    return [*range(max(step, 2), pairs, step), pairs]
