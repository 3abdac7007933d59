"""The games of a class: a ladder placement of every agent, and a round robin of all."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from flipdrop.arena.ladder import GAMES as GAMES_WITH_LADDER
from flipdrop.arena.ladder import LadderPlacement
from flipdrop.arena.league import League
from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.files import atomic_write
from flipdrop.interface.web.agents.code import makers_of
from flipdrop.workers import core_count

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from flipdrop.arena.ladder import PlacementResult
    from flipdrop.arena.model import Event
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.store import Store
    from flipdrop.interface.web.agents.roster import ClassSettings, Roster, RosterFolder

PLACEMENT_GAMES, PLACEMENT_OPPONENTS = 4, 4
"""Games against each opponent near the rating, and these opponents, after 16 games that find the region."""
SNAPSHOT_SECONDS = 20.0
"""Time between two entries of the history of ratings."""
_MAX_SNAPSHOTS = 1000


@dataclass(frozen=True)
class Snapshot:
    """Ranks and ratings at some time, by name."""

    at: str
    ranks: dict[str, int]
    ratings: dict[str, float]


def league_of(settings: ClassSettings) -> League:
    return League(game=settings.game, games=settings.games, seed=settings.seed, time=settings.time)


def placement_of(settings: ClassSettings, player: str) -> LadderPlacement | None:
    """The placement of a player; None if the game has no ladder. The ladder's games have no clock."""
    if settings.game not in GAMES_WITH_LADDER:
        return None
    return LadderPlacement(
        player=player,
        game=settings.game,
        games=PLACEMENT_GAMES,
        opponents=PLACEMENT_OPPONENTS,
        seed=settings.seed,
    )


def placed(store: Store, settings: ClassSettings, player: str) -> tuple[PlacementResult | None, bool]:
    """The placement of a player so far, and whether it is complete."""
    placement = placement_of(settings, player)
    if placement is None:
        return None, True
    states = placement.stored(store)
    return placement.partial_result(states), _games(states) >= placement.games_planned


def play(folder: RosterFolder, store: Store) -> None:
    """Plays until the class is paused or all games are played.

    Students take turns: an agent that has no place yet plays one step of its placement, then all agents play a round.
    A change of the roster takes effect before the next pair of games.
    """
    while True:
        roster = folder.read()
        if roster.settings.paused or not _play_round(folder, store, roster):
            break
    atomic_write(folder.folder / "idle", str(roster.revision).encode())


def is_idle(folder: RosterFolder, roster: Roster) -> bool:
    """Whether `play` has found nothing to do for this roster."""
    try:
        return int((folder.folder / "idle").read_text()) == roster.revision
    except (OSError, ValueError):
        return False


def _play_round(folder: RosterFolder, store: Store, roster: Roster) -> bool:
    """A step of a placement and a round of the league; whether there was anything to play."""
    settings, students = roster.settings, roster.playing
    specs = [student.spec for student in students]
    agents = {student.spec: folder.code_of(student, settings.seconds) for student in students}
    runner = ThreadRunner(max(1, core_count() - 1), makers=makers_of(agents))  # a core is left for the page
    snapshots = _Snapshots(folder.folder, store, roster)
    waiting: list[tuple[int, int, LadderPlacement]] = []
    for spec in specs:
        placement = placement_of(settings, spec)
        states = placement.stored(store) if placement else []
        if placement and _games(states) < placement.games_planned:
            waiting.append((_games(states), len(waiting), placement))
    if waiting:
        _, _, placement = min(waiting, key=lambda one: one[:2])
        placement.play(store, runner, events=_one_step(placement, store))
    round_games = 2 * len(specs) if waiting else None

    def proceed(begun: int) -> bool:
        is_same = folder.read().revision == roster.revision
        return is_same and (round_games is None or begun < round_games)

    played = league_of(settings).play(store, runner, specs, proceed=proceed, progress=snapshots.update)
    snapshots.update()
    return bool(waiting or played or folder.read().revision != roster.revision)


def _one_step(placement: LadderPlacement, store: Store) -> Generator[Event, EventProgress, None]:
    """The events of a placement up to the first that is not complete."""
    events = placement.events()
    event = next(events)
    while True:
        found = store.find(event)
        is_new = found is None or found.games < event.games
        state = yield event
        if is_new:
            return
        try:
            event = events.send(state)
        except StopIteration:
            return


def _games(states: list[EventProgress]) -> int:
    return sum(len(state.results) for state in states)


class _Snapshots:
    """Appends to the history of ratings while games are played."""

    def __init__(self, folder: Path, store: Store, roster: Roster) -> None:
        self._file = history_file(folder, roster.settings)
        self._names = {student.spec: student.name for student in roster.playing}
        self._standings = partial(league_of(roster.settings).standings, store, tuple(self._names))
        last = read_history(folder, roster.settings)[-1:]
        self._due = time.time() + SNAPSHOT_SECONDS
        if not last or time.time() - datetime.fromisoformat(last[0].at).timestamp() > SNAPSHOT_SECONDS:
            self._due = 0.0

    def update(self) -> None:
        if time.time() < self._due or (found := self._standings()) is None:
            return
        self._due = time.time() + SNAPSHOT_SECONDS
        line = {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "ranks": {self._names[entry.player]: entry.rank for entry in found.entries},
            "ratings": {self._names[entry.player]: round(entry.rating, 1) for entry in found.entries},
        }
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        lines = self._file.read_text(encoding="utf-8").splitlines(keepends=True)
        if len(lines) > _MAX_SNAPSHOTS:  # the older half keeps every second one
            half = len(lines) // 2
            atomic_write(self._file, "".join([*lines[:half:2], *lines[half:]]).encode())


def history_file(folder: Path, settings: ClassSettings) -> Path:
    name = f"{settings.game}-{settings.seconds:g}s".replace(":", "-").replace(",", "-").replace("=", "")
    return folder / f"history-{name}.jsonl"


def read_history(folder: Path, settings: ClassSettings) -> list[Snapshot]:
    """Ranks and ratings so far, the oldest first."""
    try:
        lines = history_file(folder, settings).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return list(_snapshots(lines))


def _snapshots(lines: list[str]) -> Iterator[Snapshot]:
    for line in lines:
        try:
            data: Any = json.loads(line)
            yield Snapshot(str(data["at"]), dict(data["ranks"]), dict(data["ratings"]))
        except (ValueError, TypeError, KeyError):  # the last line of a process that was killed
            continue
