"""Tournaments: ratings of many players.

Results are counted by the numbers of the games, not by the order in which they ended: so a resumed tournament has the
same result as an uninterrupted one.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from flipdrop import __version__
from flipdrop.arena.competition import Competition, pairs_of
from flipdrop.arena.model import Event, gauntlet, round_robin
from flipdrop.arena.statistics import CrossTable, Difference, Games, rate
from flipdrop.arena.statistics.elo import finite
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from flipdrop.arena.run_event import EventProgress

_MOST_REASONS = 10
Points: TypeAlias = "np.ndarray[Any, np.dtype[np.int8]]"


@dataclass(frozen=True)
class Entry:
    """A row of the standings.

    :param rating: Bradley-Terry, the mean of all players being 0
    :param interval: of the rating, with 95% confidence
    :param games: its own wins, draws and losses
    """

    rank: int
    player: str
    rating: float
    interval: tuple[float, float]
    games: Games

    def to_json(self) -> dict[str, Any]:
        """None stands for infinity."""
        return {
            "rank": self.rank,
            "player": self.player,
            "elo": finite(self.rating),
            "elo_interval": [finite(end) for end in self.interval],
        } | self.games.summary()


@dataclass(frozen=True)
class Forfeits:
    """Games that a player lost by an error, an illegal move or on time, with the most frequent reasons first."""

    player: str
    games: int
    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True, eq=False)
class TournamentResult:
    """The result of a tournament so far.

    :param entries: by rank
    :param points: half points of the first-named player of each pairing: shape (pairs, 2 games of a pair, pairings);
        -1 for a game that is not finished
    :param first_mover: wins, draws and losses of the first side
    :param advantage: of moving first, in Elo, between players of equal strength; None if it is unknown
    """

    event: Event
    entries: tuple[Entry, ...]
    points: Points
    first_mover: Games
    advantage: Difference | None
    forfeits: tuple[Forfeits, ...]
    seconds: float
    games_a_second: float
    version: str = __version__

    @property
    def games(self) -> int:
        return self.first_mover.total

    @property
    def missing(self) -> int:
        """The number of games that are not finished."""
        return self.event.games - self.games

    @cached_property
    def rounds(self) -> int:
        """The number of rounds of pairs that have begun; more may be planned."""
        begun = np.flatnonzero((self.points >= 0).any(axis=(1, 2)))
        return int(begun[-1]) + 1 if len(begun) else 0

    @cached_property
    def different_openings(self) -> int:
        """The number of distinct openings of these rounds."""
        return self.event.distinct_openings(self.rounds)

    @property
    def repeats(self) -> bool:
        """Whether openings were repeated: deterministic players then repeat games."""
        return self.different_openings < self.rounds

    @cached_property
    def _numbers(self) -> list[int]:
        """The event's number of each player, by rank."""
        return [self.event.players.index(entry.player) for entry in self.entries]

    @cached_property
    def _pairing_of(self) -> dict[tuple[int, int], int]:
        return {pairing: i for i, pairing in enumerate(self.event.pairings)}

    def cross(self, row: int, column: int) -> Games:
        """The results of the player with rank `row` + 1 against the one with rank `column` + 1."""
        one, two = self._numbers[row], self._numbers[column]
        if (one, two) in self._pairing_of:
            return _games(self.points[..., self._pairing_of[one, two]])
        if (two, one) in self._pairing_of:
            return _games(self.points[..., self._pairing_of[two, one]]).reversed
        return Games()

    def history(self, row: int) -> list[float]:
        """The score of the player with rank `row` + 1 after each round of pairs."""
        number = self._numbers[row]
        gained, games = np.zeros(self.event.pairs), np.zeros(self.event.pairs)
        for i, (one, two) in enumerate(self.event.pairings):
            if number not in (one, two):
                continue
            points = self.points[..., i]
            played = points >= 0
            own = points if number == one else 2 - points
            gained += np.where(played, own / 2, 0.0).sum(axis=1)
            games += played.sum(axis=1)
        last = int(np.flatnonzero(games)[-1]) + 1 if games.any() else 0
        shares = np.cumsum(gained) / np.maximum(np.cumsum(games), 1)
        return [float(share) for share in shares[:last]]

    def to_json(self) -> dict[str, Any]:
        rows = range(len(self.entries))
        return {
            "game": self.event.game,
            "players": list(self.event.players),
            "games": self.games,
            "games_planned": self.event.games,
            "standings": [entry.to_json() for entry in self.entries],
            "cross": [
                {"player": self.entries[one].player, "opponent": self.entries[two].player} | games.summary()
                for one in rows
                for two in rows
                if one != two and (games := self.cross(one, two)).total
            ],
            "first_mover": self.first_mover.summary() | {"advantage": self.advantage and self.advantage.to_json()},
            "forfeits": [
                {"player": forfeits.player, "games": forfeits.games, "reasons": dict(forfeits.reasons)}
                for forfeits in self.forfeits
            ],
            "openings": self.event.openings,
            "time": None if self.event.time is None else str(self.event.time),
            "seconds": self.seconds,
            "games_a_second": self.games_a_second,
            "seed": self.event.seed,
        }


@dataclass(frozen=True, kw_only=True)
class Tournament(Competition[TournamentResult]):
    """A tournament: a round robin, or a gauntlet.

    :param entrants: the specs of its players
    :param games: of each pairing, an even number
    :param gauntlet: the first `gauntlet` players meet all the others, who do not meet each other; None: a round robin
    """

    kind: ClassVar[str] = "tournament"

    entrants: tuple[str, ...]
    games: int = 20
    gauntlet: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "entrants", tuple(self.entrants))
        pairs_of(self.games, "for each pairing")
        if len(self.entrants) < 2:
            raise ArenaError("a tournament needs at least two players")
        if self.gauntlet is not None and not 0 < self.gauntlet < len(self.entrants):
            raise ArenaError(
                f"a gauntlet of {self.gauntlet} with {len(self.entrants)} players; from 1 to {len(self.entrants) - 1} "
                "of them can challenge the others"
            )
        _ = self.first_event  # validates the players

    @property
    def players(self) -> tuple[str, ...]:
        return self.entrants

    @property
    def games_planned(self) -> int:
        return self.first_event.games

    @property
    def first_event(self) -> Event:
        count = len(self.entrants)
        pairings = round_robin(count) if self.gauntlet is None else gauntlet(count, self.gauntlet)
        return self.make_event(self.entrants, pairings, pairs=self.games // 2)

    def result(self, states: list[EventProgress]) -> TournamentResult:
        (state,) = states
        return tournament_result(state)

    def settings(self) -> dict[str, Any]:
        return {"players": list(self.entrants), "games": self.games, "gauntlet": self.gauntlet}

    @classmethod
    def read_settings(cls, data: dict[str, Any]) -> dict[str, Any]:
        return {"entrants": tuple(data["players"]), "games": data["games"], "gauntlet": data["gauntlet"]}


def tournament_result(state: EventProgress) -> TournamentResult:
    event = state.event
    points = np.full((event.pairs, 2, len(event.pairings)), -1, dtype=np.int8)
    sides = [0, 0, 0]  # losses, draws and wins of the first side
    for number in sorted(state.results):
        if number >= event.games:  # the store has more games than this event
            continue
        result = state.results[number].result
        pair, rest = divmod(number, 2 * len(event.pairings))
        pairing, swapped = divmod(rest, 2)
        points[pair, swapped, pairing] = 1 - result if swapped else 1 + result
        sides[1 + result] += 1
    entries, advantage = _rated(event, points)
    return TournamentResult(
        event=event,
        entries=entries,
        points=points,
        first_mover=Games.from_counts(sides),
        advantage=advantage,
        forfeits=_forfeits(state),
        seconds=state.seconds,
        games_a_second=state.games_a_second,
    )


def _rated(event: Event, points: Points) -> tuple[tuple[Entry, ...], Difference | None]:
    """The players by rank, and the advantage of moving first, from complete pairs."""
    games = [Games() for _ in event.players]
    table = CrossTable()
    for spec in event.players:
        table.add_player(spec)
    for i, (one, two) in enumerate(event.pairings):
        played = _games(points[..., i])
        games[one] += played
        games[two] += played.reversed
        complete = points[(points[..., i] >= 0).all(axis=1), :, i]
        for (as_first, as_second), count in Counter(map(tuple, complete.tolist())).items():
            pair = {"as_first": as_first / 2, "as_second": as_second / 2}
            table.add_pair(event.players[one], event.players[two], **pair, count=count)
    if len(table.groups()) > 1:  # not all players are connected by games yet
        ratings, intervals = [0.0] * len(games), [(-math.inf, math.inf)] * len(games)
        advantage = None
    else:
        found = rate(table, advantage=True)
        ratings = [found[spec].elo for spec in event.players]
        intervals = [found[spec].interval for spec in event.players]
        advantage = found.advantage
    order = sorted(range(len(games)), key=lambda i: (-round(ratings[i], 6), -games[i].score, i))
    entries = (
        Entry(rank, event.players[i], ratings[i], intervals[i], games[i]) for rank, i in enumerate(order, start=1)
    )
    return tuple(entries), advantage


def _games(points: Points) -> Games:
    return Games.from_counts([int((points == value).sum()) for value in range(3)])


def _forfeits(state: EventProgress) -> tuple[Forfeits, ...]:
    reasons: dict[str, Counter[str]] = {}
    for number in sorted(state.results):
        result = state.results[number]
        if result.termination and number < state.event.games:
            task = state.event.task(number)
            reasons.setdefault(task.second if result.result > 0 else task.first, Counter())[result.termination] += 1
    return tuple(
        Forfeits(player, counter.total(), tuple(counter.most_common(_MOST_REASONS)))
        for player, counter in reasons.items()
    )


class Leader:
    """Finds the player with the best score, by counting the games that ended since the last call."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self._points = [0.0] * len(event.players)
        self._games = [0] * len(event.players)
        self._seen = 0

    def find(self, state: EventProgress) -> tuple[str, float]:
        for result in islice(state.results.values(), self._seen, None):
            one, two = self.event.pairings[self.event.pairing_of(result.number)]
            first, second = (two, one) if result.number % 2 else (one, two)
            for number, share in ((first, (1 + result.result) / 2), (second, (1 - result.result) / 2)):
                self._points[number] += share
                self._games[number] += 1
        self._seen = len(state.results)
        shares = [points / max(games, 1) for points, games in zip(self._points, self._games, strict=True)]
        best = max(range(len(shares)), key=shares.__getitem__)
        return self.event.players[best], shares[best]
