"""Tournaments: ratings of many players."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from flipdrop import __version__
from flipdrop.arena.competition import MAX_PAIRING_GAMES, Competition, pairs_of
from flipdrop.arena.model import Event, TimeControl, gauntlet, round_robin
from flipdrop.arena.participants import Participants
from flipdrop.arena.statistics import CrossTable, Difference, Games, rate
from flipdrop.arena.statistics.elo import finite
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of
from flipdrop.notebook import html_table
from flipdrop.options import option
from flipdrop.players import display_name
from flipdrop.players.validation import short_repr

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.statistics.likelihood import Array
    from flipdrop.arena.store import Store
    from flipdrop.games import Game
    from flipdrop.players import PlayerLike

_MAX_REASONS = 10


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

    @property
    def name(self) -> str:
        """What tables and plots call the player."""
        return display_name(self.player)

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

    @property
    def name(self) -> str:
        return display_name(self.player)


@dataclass(frozen=True, eq=False, repr=False)
class TournamentResult:
    """The result of a tournament so far.

    >>> standings = tournament(["random", "greedy", "alphabeta:depth=2"], game="othello6", games=10, seed=1)
    >>> [entry.name for entry in standings.entries]
    ['alphabeta:depth=2', 'greedy', 'random']
    >>> standings.cross(0, 2).total  # games of the first against the last
    10

    :param entries: by rank
    :param scores: of the first-named player of each pairing, for the rounds that have begun (`EventProgress.outcomes`)
    :param first_mover: wins, draws and losses of the first side
    :param advantage: of moving first, in Elo, between players of equal strength; None if it is unknown
    """

    event: Event
    entries: tuple[Entry, ...]
    scores: Array
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

    @property
    def rounds(self) -> int:
        """The number of rounds of pairs that have begun; more may be planned."""
        return len(self.scores[0])

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

    def _scores_of(self, number: int, other: int | None = None) -> list[Array]:
        """The scores of a player in each of its pairings, or against one opponent."""
        return [
            scores if number == one else 1 - scores
            for (one, two), scores in zip(self.event.pairings, self.scores, strict=True)
            if number in (one, two) and (other is None or {one, two} == {number, other})
        ]

    def cross(self, row: int, column: int) -> Games:
        """The results of the player with rank `row` + 1 against the one with rank `column` + 1."""
        found = self._scores_of(self._numbers[row], self._numbers[column])
        return Games.from_scores(np.array(found).ravel())

    def history(self, row: int) -> list[float]:
        """The score of the player with rank `row` + 1 after each round of pairs."""
        scores = np.array(self._scores_of(self._numbers[row]))
        gained, games = np.nansum(scores, axis=(0, 2)), (~np.isnan(scores)).sum(axis=(0, 2))
        last = int(np.flatnonzero(games)[-1]) + 1 if games.any() else 0
        shares: list[float] = (np.cumsum(gained) / np.maximum(np.cumsum(games), 1)).tolist()
        return shares[:last]

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

    @property
    def title(self) -> str:
        return f"{len(self.entries)} players, {self.games} games, {game_of(self.event.game).title}"

    def __repr__(self) -> str:
        ranks = ", ".join(f"{entry.rank}. {entry.name} {entry.rating:+z.0f}" for entry in self.entries)
        return f"<TournamentResult {self.title}: {ranks}>"

    def __str__(self) -> str:
        return "\n".join([self.title, *("  ".join(row) for row in self._rows())])

    def _repr_html_(self) -> str:
        heads = ("player", "#", "Elo", "95%", "score", "games", *(str(entry.rank) for entry in self.entries))
        rows = []
        for number, (rank, player, *figures) in enumerate(self._rows()):
            others = (self.cross(number, other) if other != number else None for other in range(len(self.entries)))
            cross = ("" if games is None or not games.total else f"{games.score:.3f}" for games in others)
            rows.append((player, rank, *figures, *cross))
        notes = (f"{one.name} forfeited {one.games}: {one.reasons[0][0]}" for one in self.forfeits)
        return html_table(heads, rows, caption=self.title, notes=notes)

    def _rows(self) -> list[tuple[str, ...]]:
        """Rank, player, rating, interval, score and games of each player."""
        return [
            (
                str(entry.rank),
                entry.name,
                f"{entry.rating:+z.0f}",
                "{:+z.0f} to {:+z.0f}".format(*entry.interval),
                f"{entry.games.score:.3f}",
                str(entry.games.total),
            )
            for entry in self.entries
        ]


@dataclass(frozen=True, kw_only=True)
class Tournament(Competition[TournamentResult]):
    """A tournament: a round robin, or a gauntlet.

    :param players: their specs
    :param gauntlet: the first `gauntlet` players meet all the others, who do not meet each other; None: a round robin
    """

    kind: ClassVar[str] = "tournament"
    readers: ClassVar = {"players": tuple}

    players: tuple[str, ...]
    games: int = option(20, "games per pairing; each opening is played twice", minimum=2, maximum=MAX_PAIRING_GAMES)
    gauntlet: int | None = option(None, "only the first N players meet all the others", minimum=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        pairs_of(self.games, "for each pairing")
        if len(self.players) < 2:
            raise ArenaError("a tournament needs at least two players")
        if self.gauntlet is not None and not 0 < self.gauntlet < len(self.players):
            raise ArenaError(
                f"a gauntlet of {self.gauntlet} with {len(self.players)} players; from 1 to {len(self.players) - 1} "
                "of them can challenge the others"
            )
        _ = self.first_event  # validates the players

    @property
    def specs(self) -> tuple[str, ...]:
        return self.players

    @property
    def games_planned(self) -> int:
        return self.first_event.games

    @property
    def first_event(self) -> Event:
        count = len(self.players)
        pairings = round_robin(count) if self.gauntlet is None else gauntlet(count, self.gauntlet)
        return self.make_event(self.players, pairings, pairs=self.games // 2)

    def result(self, states: list[EventProgress]) -> TournamentResult:
        (state,) = states
        return tournament_result(state)


def tournament(
    players: Iterable[PlayerLike],
    *,
    game: Game | str = "othello",
    games: int = 20,
    gauntlet: int | None = None,
    openings: str = "",
    seed: int = 0,
    time: TimeControl | str | None = None,
    store: Store | None = None,
    threads: int | None = None,
    progress: Callable[[EventProgress], object] | None = None,
) -> TournamentResult:
    """Plays a tournament, and returns its standings.

    >>> standings = tournament(["random", "greedy", "mcts:iterations=20"], game="connect4", games=4, seed=1)
    >>> len(standings.entries), standings.games
    (3, 12)

    :param players: as `match` takes them
    :param games: for each pairing, an even number; each opening is played twice
    :param gauntlet: only the first `gauntlet` players meet all the others

    The other parameters are those of `match`.
    """
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise ArenaError(
            f"a tournament takes a list of players, such as ['random', 'greedy', 'level:3'], not {short_repr(players)}"
        )
    participants = Participants(players, game=game)
    made = Tournament(
        players=participants.specs,
        game=participants.game,
        games=games,
        gauntlet=gauntlet,
        openings=openings,
        seed=seed,
        time=TimeControl.parse(time) if isinstance(time, str) else time,
    )
    return made.run(store, participants.runner(), threads=threads, progress=progress)


def tournament_result(state: EventProgress) -> TournamentResult:
    event, (scores, _) = state.event, state.outcomes()
    sides = np.concatenate([scores[..., 0].ravel(), 1 - scores[..., 1].ravel()])
    entries, advantage = _rated(event, scores)
    reasons: dict[str, Counter[str]] = {}
    for _, player, reason in state.forfeits():
        reasons.setdefault(event.players[player], Counter())[reason] += 1
    return TournamentResult(
        event=event,
        entries=entries,
        scores=scores,
        first_mover=Games.from_scores(sides),
        advantage=advantage,
        forfeits=tuple(
            Forfeits(player, counter.total(), tuple(counter.most_common(_MAX_REASONS)))
            for player, counter in reasons.items()
        ),
        seconds=state.seconds,
        games_a_second=state.games_a_second,
    )


def _rated(event: Event, scores: Array) -> tuple[tuple[Entry, ...], Difference | None]:
    """The players by rank, and the advantage of moving first, from complete pairs."""
    games = [Games() for _ in event.players]
    table = CrossTable()
    for spec in event.players:
        table.add_player(spec)
    for (one, two), of_pairing in zip(event.pairings, scores, strict=True):
        played = Games.from_scores(of_pairing.ravel())
        games[one] += played
        games[two] += played.reversed
        complete = of_pairing[~np.isnan(of_pairing).any(axis=1)]
        for (as_first, as_second), count in Counter(map(tuple, complete.tolist())).items():
            table.add_pair(event.players[one], event.players[two], as_first=as_first, as_second=as_second, count=count)
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


def leader(state: EventProgress) -> tuple[str, float]:
    """The player with the best score so far, and the score."""
    scores, _ = state.outcomes()
    points, games = np.zeros((2, len(state.event.players)))
    for (one, two), of_pairing in zip(state.event.pairings, scores, strict=True):
        played = of_pairing[~np.isnan(of_pairing)]
        points[[one, two]] += played.sum(), (1 - played).sum()
        games[[one, two]] += len(played)
    shares = points / np.maximum(games, 1)
    best = int(shares.argmax())
    return state.event.players[best], float(shares[best])
