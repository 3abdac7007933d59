"""The results of a class: standings, what an agent has played, exports."""

from __future__ import annotations

import json
import math
import threading
import time
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from flipdrop.arena.statistics import Games
from flipdrop.arena.store import Store
from flipdrop.files import csv_text
from flipdrop.interface.web.classroom.games import is_idle, league_of, placed, placement_of, read_history

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.arena.ladder import PlacementResult
    from flipdrop.interface.web.agents.roster import Roster, RosterFolder, Student, Version
    from flipdrop.interface.web.classroom.games import Snapshot
    from flipdrop.interface.web.schemas import SideName

STANDINGS_SECONDS = 2.0
"""The least time for which computed standings are shown."""
_COMPUTING_SHARE = 5  # they are shown five times as long as computing them took
TREND_MINUTES = 10
"""Time over which the change of a rank is shown."""
TREND_POINTS = 40
MAX_LOST = 30
"""Lost games of an agent that its page lists."""

_COLUMNS = (
    *("rank", "name", "version", "rating", "low", "high", "points", "games", "wins", "draws", "losses", "forfeits"),
    *("ladder", "ladder_low", "ladder_high", "refused"),
)
"""Columns of an exported table."""

ClassState = Literal["waiting", "playing", "paused", "done"]
ExportForm = Literal["csv", "json"]


@dataclass(frozen=True)
class StandingsRow:
    """An agent in the standings.

    :ivar rank: None before its first pair of games has ended, as are rating and interval
    :ivar ladder: its rating on the ladder; None without a ladder, and before the placement is complete
    :ivar refused: why it cannot play this game; empty if it can, None while it is being checked
    :ivar trend: ratings so far, the oldest first
    :ivar climbed: ranks since some minutes ago
    """

    name: str
    version: int
    rank: int | None = None
    rating: float | None = None
    interval: tuple[float, float] | None = None
    points: float = 0.0
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    ladder: float | None = None
    ladder_interval: tuple[float, float] | None = None
    refused: str | None = ""
    trend: tuple[float, ...] = ()
    climbed: int = 0

    def to_json(self) -> dict[str, Any]:
        """None stands for infinity."""
        row = asdict(self)
        for name in ("interval", "ladder_interval"):
            if row[name] is not None:
                row[name] = [end if math.isfinite(end) else None for end in row[name]]
        return row


@dataclass(frozen=True)
class Standings:
    """The standings of a class.

    :ivar games: of the round robin so far
    :ivar planned: all games of the round robin
    """

    title: str
    game: str
    seconds: float
    state: ClassState
    games: int
    planned: int
    rows: tuple[StandingsRow, ...]


@dataclass(frozen=True)
class LostGame:
    """A game that an agent has lost.

    :ivar event: in the store
    :ivar side: that the agent played
    :ivar margin: by which it lost; in discs in Othello
    :ivar termination: why it was forfeited; empty if it was played to its end
    """

    event: int
    number: int
    opponent: str
    side: SideName
    margin: int
    termination: str


@dataclass(frozen=True)
class AgentResults:
    """What an agent has played.

    :ivar opponents: the games with each opponent, by name
    :ivar lost: the latest lost games, forfeited ones first
    :ivar placement_event: in the store; None without a ladder
    """

    row: StandingsRow
    game: str
    versions: tuple[Version, ...]
    opponents: tuple[tuple[str, Games, int], ...]
    lost: tuple[LostGame, ...]
    placement: PlacementResult | None
    placement_event: int | None


@dataclass(frozen=True)
class _Known:
    """Standings that are shown until a time, or until the roster changes."""

    standings: Standings
    revision: int
    until: float


class ClassResults:
    """The results of a class. Methods read the store, which may take long.

    :param is_running: whether games are being played
    """

    def __init__(self, folder: RosterFolder, store: Path, *, is_running: Callable[[], bool]) -> None:
        self._folder, self._store, self._is_running = folder, store, is_running
        self._lock = threading.Lock()
        self._known: _Known | None = None

    def standings(self) -> Standings:
        """The standings now, or a moment ago; while one thread computes them, others get those before."""
        roster, known = self._folder.read(), self._known
        if known is not None and known.revision == roster.revision and time.monotonic() < known.until:
            return known.standings
        if not self._lock.acquire(blocking=known is None) and known is not None:
            return known.standings
        try:
            began = time.monotonic()
            standings = self._compute(roster)
            ended = time.monotonic()
            until = ended + max(STANDINGS_SECONDS, _COMPUTING_SHARE * (ended - began))
            self._known = _Known(standings, roster.revision, until)
            return standings
        finally:
            self._lock.release()

    def agent(self, name: str) -> AgentResults | None:
        """What the agent of this name has played; None if there is none."""
        roster = self._folder.read()
        student = roster.find(name)
        if student is None or student.is_removed:
            return None
        new = StandingsRow(student.name, student.current.number)
        row = next((row for row in self.standings().rows if row.name == student.name), new)
        league = league_of(roster.settings)
        opponents, lost = [], []
        with Store(self._store) as store:
            placement, _ = placed(store, roster.settings, student.spec)
            competition = placement_of(roster.settings, student.spec)
            found = competition and store.find(competition.first_event)
            for other in roster.playing:
                if other.name == student.name:
                    continue
                event = league.event(student.spec, other.spec)
                stored = store.find(event)
                results = {} if stored is None else store.results(stored.id)
                if stored is None or not results:
                    continue
                is_first = event.players[0] == student.spec
                scores = []
                for number, result in results.items():
                    side: SideName = "first" if (number % 2 == 0) == is_first else "second"
                    score = (1 + result.result * (1 if side == "first" else -1)) / 2
                    scores.append(score)
                    if score == 0:
                        margin = abs(result.margin)
                        lost.append(LostGame(stored.id, number, other.name, side, margin, result.termination))
                opponents.append((other.name, Games.from_scores(np.array(scores)), stored.id))
        lost.sort(key=lambda game: (not game.termination, -game.number))
        return AgentResults(
            row=row,
            game=roster.settings.game,
            versions=student.versions,
            opponents=tuple(sorted(opponents, key=lambda one: -one[1].score)),
            lost=tuple(lost[:MAX_LOST]),
            placement=placement,
            placement_event=found.id if found else None,
        )

    def export(self, form: ExportForm) -> bytes:
        """The standings as a file."""
        standings = self.standings()
        rows = [row.to_json() for row in standings.rows]
        if form == "json":
            return (json.dumps(asdict(standings) | {"rows": rows}, indent=1) + "\n").encode()
        table: list[list[object]] = [list(_COLUMNS)]
        for row in standings.rows:
            low, high = row.interval or (None, None)
            ladder_low, ladder_high = row.ladder_interval or (None, None)
            ends = {"low": low, "high": high, "ladder_low": ladder_low, "ladder_high": ladder_high}
            table.append([_cell((asdict(row) | ends)[name]) for name in _COLUMNS])
        return csv_text(table).encode()

    def _compute(self, roster: Roster) -> Standings:
        settings = roster.settings
        specs = [student.spec for student in roster.playing]
        league = league_of(settings)
        state = self._state(roster)  # before the games are read: if all are played, all are read
        with Store(self._store) as store:
            games = len(league.state(store, specs).results) if len(specs) > 1 else 0
            result = league.standings(store, specs)
            ladder = {spec: placed(store, settings, spec) for spec in specs}
        history = read_history(self._folder.folder, settings)
        rows = {student.spec: _row(student, settings.game, history) for student in roster.present}
        for spec, (placement, is_complete) in ladder.items():
            if placement is not None and is_complete:
                rows[spec] = replace(rows[spec], ladder=placement.rating, ladder_interval=placement.interval)
        forfeits = {one.player: one.games for one in result.forfeits} if result else {}
        before = _ranks_before(history)
        for entry in result.entries if result else ():
            row, counts = rows[entry.player], entry.games
            rows[entry.player] = replace(
                row,
                rank=entry.rank,
                rating=entry.rating,
                interval=entry.interval,
                points=counts.wins + counts.draws / 2,
                games=counts.total,
                wins=counts.wins,
                draws=counts.draws,
                losses=counts.losses,
                forfeits=forfeits.get(entry.player, 0),
                climbed=before.get(row.name, entry.rank) - entry.rank,
            )
        ordered = sorted(rows.values(), key=lambda row: (row.rank is None, row.rank or 0, bool(row.refused)))
        pairings = len(specs) * (len(specs) - 1) // 2
        return Standings(
            title=self._folder.folder.absolute().name,
            game=settings.game,
            seconds=settings.seconds,
            state=state,
            games=games,
            planned=pairings * settings.games,
            rows=tuple(ordered),
        )

    def _state(self, roster: Roster) -> ClassState:
        if roster.settings.paused:
            return "paused"
        if not roster.playing:
            return "waiting"
        return "done" if is_idle(self._folder, roster) and not self._is_running() else "playing"


def _row(student: Student, game: str, history: list[Snapshot]) -> StandingsRow:
    ratings = [one.ratings[student.name] for one in history if student.name in one.ratings]
    step = max(1, math.ceil(len(ratings) / TREND_POINTS))
    return StandingsRow(
        name=student.name,
        version=student.current.number,
        refused=student.current.checked.get(game),
        trend=tuple(ratings[::-step][::-1]),
    )


def _ranks_before(history: list[Snapshot]) -> dict[str, int]:
    """The ranks of some minutes ago."""
    then = (datetime.now(UTC) - timedelta(minutes=TREND_MINUTES)).isoformat(timespec="seconds")
    return next((one.ranks for one in history if one.at >= then), {})


def _cell(value: Any) -> object:
    """A cell of a table; a text that a spreadsheet would take for a formula begins with a quote."""
    if isinstance(value, float):
        return round(value, 1) if math.isfinite(value) else ""
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@"):
        return f"'{value}"
    return "" if value is None else value
