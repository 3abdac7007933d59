"""A player's place on a ladder, found with games where they tell the most.

The player first meets four opponents far apart, then four around what those say, a pair of games each. Then it meets
the opponents nearest to its rating, in two rounds: between them the rating is estimated again. All games count in the
end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flipdrop.arena.event import Event, gauntlet
from flipdrop.arena.ladder.published import add_pairs
from flipdrop.arena.run_event import run_event
from flipdrop.arena.statistics import CrossTable, Games, Tally, rate
from flipdrop.arena.statistics.elo import finite, score_of_elo
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flipdrop.arena.ladder.published import Ladder, LadderEntry
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store

_ANCHORS = 4  # opponents in each round of the search for the right neighbourhood
_SHARES = (0.2, 0.4, 0.6, 0.8)  # of the ladder, where the first of them stand
_REACH = 250.0  # Elo above and below the first estimate, where the next stand
_SURPRISES = 3
_STEPS = 4
_MOST_TERMINATIONS = 10


@dataclass(frozen=True)
class OpponentResult:
    """An opponent that was met, and what came of it.

    :param place: of the opponent, from 1 for the weakest
    :param expected: the share of the points that the rating lets expect
    """

    place: int
    entry: LadderEntry
    tally: Tally
    expected: float

    @property
    def games(self) -> Games:
        """Wins, draws and losses of the player."""
        return self.tally.games

    @property
    def z_score(self) -> float:
        """How far the score is from what was expected, in standard deviations; negative if it is less."""
        spread = math.sqrt(max(self.expected * (1 - self.expected), 1e-4) / max(self.games.total, 1))
        return (self.games.score - self.expected) / spread

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        return {
            "place": self.place,
            "player": self.entry.spec,
            "rating": self.entry.rating,
            "games": self.games.total,
            "wins": self.games.wins,
            "draws": self.games.draws,
            "losses": self.games.losses,
            "score": self.games.score,
            "expected": self.expected,
            "z_score": self.z_score,
        }


@dataclass(frozen=True)
class PlacementResult:
    """Where a player stands on a ladder.

    :param rating: on the ladder's scale; a mere bound if it won or lost everything
    :param interval: where the rating is in 95 of 100 cases, if the ladder's own ratings are; it may have no end
    :param met: the opponents it met, the weakest first
    :param forfeits: games that it lost by an error, an illegal move or on time
    :param terminations: the reasons, some of them
    """

    player: str
    ladder: Ladder
    rating: float
    interval: tuple[float, float]
    met: tuple[OpponentResult, ...]
    forfeits: int
    terminations: tuple[str, ...]
    seed: int
    seconds: float

    @property
    def place(self) -> int:
        """Where it would stand, from 1 for below the weakest to one more than there are opponents."""
        return self.ladder.place(self.rating) + 1

    @property
    def games(self) -> Games:
        """All of its wins, draws and losses."""
        return sum((met.games for met in self.met), Games())

    @property
    def below(self) -> LadderEntry | None:
        """The strongest opponent that is rated lower."""
        return self.ladder.entries[self.place - 2] if self.place > 1 else None

    @property
    def above(self) -> LadderEntry | None:
        """The weakest opponent that is rated higher."""
        return self.ladder.entries[self.place - 1] if self.place <= len(self.ladder.entries) else None

    def weakest(self, count: int = _SURPRISES) -> list[OpponentResult]:
        """The results that fall short the most of what the rating lets expect."""
        return [met for met in sorted(self.met, key=lambda met: met.z_score) if met.games.score < met.expected][:count]

    def best(self, count: int = _SURPRISES) -> list[OpponentResult]:
        """The results that exceed it the most."""
        return [met for met in sorted(self.met, key=lambda met: -met.z_score) if met.games.score > met.expected][:count]

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        games = self.games
        return {
            "player": self.player,
            "game": self.ladder.game,
            "place": self.place,
            "opponents": len(self.ladder.entries),
            "rating": finite(self.rating),
            "rating_interval": [finite(end) for end in self.interval],
            "below": self.below and self.below.spec,
            "above": self.above and self.above.spec,
            "games": games.total,
            "wins": games.wins,
            "draws": games.draws,
            "losses": games.losses,
            "score": games.score,
            "met": [met.to_json() for met in self.met],
            "weakest": [met.entry.spec for met in self.weakest()],
            "best": [met.entry.spec for met in self.best()],
            "forfeits": self.forfeits,
            "terminations": list(self.terminations),
            "seed": self.seed,
            "seconds": self.seconds,
        }


@dataclass
class LadderPlacement:
    """A climb under way: what has been played so far.

    :param opponents: how many there are in the main rounds, at most
    :param games: against each of them
    """

    player: str
    ladder: Ladder
    games: int
    opponents: int
    seed: int
    tallies: dict[int, Tally] = field(default_factory=dict)
    forfeits: int = 0
    terminations: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.games < 2 or self.games % 2:
            raise ArenaError(f"{self.games} games against each opponent; they come in pairs, so give an even number")
        if self.opponents < 1:
            raise ArenaError(f"{self.opponents} opponents; there has to be one at least")
        itself = self.ladder.index_of(self.player)
        self.available = [i for i in range(len(self.ladder.entries)) if i != itself]
        """The opponents that it can meet: all but itself."""

    def event(self, step: int, opponents: Iterable[int], pairs: int) -> Event:
        """The games of a step: so many pairs against each of these opponents."""
        specs = [self.ladder.entries[i].spec for i in opponents]
        return Event(
            kind="ladder",
            game=self.ladder.game,
            players=(self.player, *specs),
            pairings=gauntlet(1 + len(specs)),
            pairs=pairs,
            openings=self.ladder.openings,
            seed=_STEPS * self.seed + step,  # other games in each step, and the climb's own seed can be told from any
        )

    @property
    def first_event(self) -> Event:
        """The games of the first step, which depend on nothing but the seed."""
        return self.event(0, self.anchors(), 1)

    @staticmethod
    def seed_of(event: Event) -> int:
        """The seed of the climb that an event belongs to."""
        return event.seed // _STEPS

    def anchors(self) -> list[int]:
        """The first opponents: spread over the whole ladder."""
        last = len(self.available) - 1
        return sorted({self.available[round(share * last)] for share in _SHARES})

    def nearest(self, ratings: Iterable[float]) -> list[int]:
        """An opponent near each of these ratings, a different one for each as long as there are any."""
        left = list(self.available)
        found = []
        for rating in ratings:
            if left:
                found.append(min(left, key=lambda i: abs(self.ladder.entries[i].rating - rating)))
                left.remove(found[-1])
        return sorted(found)

    def neighbourhood(self) -> list[int]:
        """The opponents nearest to the estimate."""
        return self.nearest([self.estimate()] * self.opponents)

    def estimate(self) -> float:
        """The likeliest rating so far, with a win and a loss against the ladder's middle added so that there is one."""
        ratings = [entry.rating for entry in self.ladder.entries]
        met = [(ratings[i], tally.games) for i, tally in self.tallies.items()]
        met.append((ratings[len(ratings) // 2], Games(losses=1, wins=1)))
        points = sum(games.score * games.total for _, games in met)
        low, high = ratings[0] - 800, ratings[-1] + 800
        for _ in range(40):
            middle = (low + high) / 2
            expected = sum(games.total * score_of_elo(middle - rating) for rating, games in met)
            low, high = (middle, high) if expected < points else (low, middle)
        return (low + high) / 2

    def add(self, state: EventProgress) -> None:
        """Takes note of a step's results."""
        places = {entry.spec: i for i, entry in enumerate(self.ladder.entries)}
        event = state.event
        scores: dict[int, list[tuple[float, float]]] = {}
        for number in range(0, event.games, 2):
            _, opponent = event.pairings[event.pairing_of(number)]
            one, two = state.results[number], state.results[number + 1]  # the player moves first, then second
            scores.setdefault(opponent, []).append(((1 + one.result) / 2, (1 - two.result) / 2))
            failed = [
                game.termination for game, loss in ((one, -1), (two, 1)) if game.termination and game.result == loss
            ]
            self.forfeits += len(failed)
            self.terminations += failed
        for opponent, of_pairs in scores.items():
            i = places[event.players[opponent]]
            self.tallies[i] = self.tallies.get(i, Tally()) + Tally.from_scores(of_pairs)
        self.seconds += state.seconds

    @property
    def total(self) -> int:
        """How many games there are in all, about."""
        return 2 * 2 * _ANCHORS + self.games * min(self.opponents, len(self.available))

    def finish(self) -> PlacementResult:
        """The place that all games say."""
        entries = self.ladder.entries
        table = CrossTable()
        for i, tally in self.tallies.items():
            add_pairs(table, self.player, entries[i].spec, tally.pairs)
        found = rate(table, anchors={entries[i].spec: entries[i].rating for i in self.tallies})[self.player]
        met = tuple(
            OpponentResult(i + 1, entries[i], self.tallies[i], score_of_elo(found.elo - entries[i].rating))
            for i in sorted(self.tallies)
        )
        return PlacementResult(
            player=self.player,
            ladder=self.ladder,
            rating=found.elo,
            interval=found.interval,
            met=met,
            forfeits=self.forfeits,
            terminations=tuple(dict.fromkeys(self.terminations))[:_MOST_TERMINATIONS],
            seed=self.seed,
            seconds=self.seconds,
        )


def place(
    placement: LadderPlacement, store: Store, runner: Runner, *, progress: Callable[[int, int], object] | None = None
) -> PlacementResult:
    """Plays what is missing, and says where the player stands.

    :param progress: told how many games have ended, of how many
    """
    ended = 0

    def play(step: int, opponents: list[int], pairs: int) -> None:
        nonlocal ended

        def shown(state: EventProgress) -> None:
            if progress:
                progress(ended + len(state.results), max(placement.total, ended + len(state.results)))

        state = run_event(placement.event(step, opponents, pairs), store, runner, progress=shown)
        ended += len(state.results)
        placement.add(state)

    play(0, placement.anchors(), 1)
    middle = placement.estimate()
    play(1, placement.nearest(middle + _REACH * place for place in (-1, -0.33, 0.33, 1)), 1)
    half = placement.games // 4
    if half:
        play(2, placement.neighbourhood(), half)
    play(3, placement.neighbourhood(), placement.games // 2 - half)
    return placement.finish()
