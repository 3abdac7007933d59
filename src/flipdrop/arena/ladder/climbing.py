"""A player's place on a ladder, found with games where they tell the most.

The player first meets four opponents far apart, then four around what those say, a pair of games each. Then it meets
the opponents nearest to its rating, in two rounds: between them the rating is estimated again. All games count in the
end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from flipdrop.arena.conduct import conduct
from flipdrop.arena.event import Event, gauntlet
from flipdrop.arena.ladder.published import add_pairs
from flipdrop.arena.statistics import CrossTable, Games, Tally, rate
from flipdrop.arena.statistics.elo import finite, score_of_elo
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flipdrop.arena.conduct import Course
    from flipdrop.arena.ladder.published import Ladder, Rung
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store

_SCOUTS = 4  # opponents in each round of the search for the right neighbourhood
_SHARES = (0.2, 0.4, 0.6, 0.8)  # of the ladder, where the first of them stand
_REACH = 250.0  # Elo above and below the first estimate, where the next stand
_SURPRISES = 3
_STEPS = 4
_MOST_ENDINGS = 10


@dataclass(frozen=True)
class Met:
    """An opponent that was met, and what came of it.

    :param place: of the opponent, from 1 for the weakest
    :param expected: the share of the points that the rating lets expect
    """

    place: int
    rung: Rung
    tally: Tally
    expected: float

    @property
    def games(self) -> Games:
        """Wins, draws and losses of the player."""
        return self.tally.games

    @property
    def surprise(self) -> float:
        """How far the score is from what was expected, in standard deviations; negative if it is less."""
        spread = math.sqrt(max(self.expected * (1 - self.expected), 1e-4) / max(self.games.total, 1))
        return (self.games.score - self.expected) / spread

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        return {
            "place": self.place,
            "player": self.rung.spec,
            "rating": self.rung.rating,
            "games": self.games.total,
            "wins": self.games.wins,
            "draws": self.games.draws,
            "losses": self.games.losses,
            "score": self.games.score,
            "expected": self.expected,
            "surprise": self.surprise,
        }


@dataclass(frozen=True)
class Climb:
    """Where a player stands on a ladder.

    :param rating: on the ladder's scale; a mere bound if it won or lost everything
    :param interval: where the rating is in 95 of 100 cases, if the ladder's own ratings are; it may have no end
    :param met: the opponents it met, the weakest first
    :param broken_off: games that it lost by an error, an illegal move or on time
    :param endings: the reasons, some of them
    """

    player: str
    ladder: Ladder
    rating: float
    interval: tuple[float, float]
    met: tuple[Met, ...]
    broken_off: int
    endings: tuple[str, ...]
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
    def below(self) -> Rung | None:
        """The strongest opponent that is rated lower."""
        return self.ladder.rungs[self.place - 2] if self.place > 1 else None

    @property
    def above(self) -> Rung | None:
        """The weakest opponent that is rated higher."""
        return self.ladder.rungs[self.place - 1] if self.place <= len(self.ladder.rungs) else None

    def weakest(self, count: int = _SURPRISES) -> list[Met]:
        """The results that fall short the most of what the rating lets expect."""
        return [met for met in sorted(self.met, key=lambda met: met.surprise) if met.games.score < met.expected][:count]

    def best(self, count: int = _SURPRISES) -> list[Met]:
        """The results that exceed it the most."""
        return [met for met in sorted(self.met, key=lambda met: -met.surprise) if met.games.score > met.expected][
            :count
        ]

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        games = self.games
        return {
            "player": self.player,
            "game": self.ladder.game,
            "place": self.place,
            "opponents": len(self.ladder.rungs),
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
            "weakest": [met.rung.spec for met in self.weakest()],
            "best": [met.rung.spec for met in self.best()],
            "broken_off": self.broken_off,
            "endings": list(self.endings),
            "seed": self.seed,
            "seconds": self.seconds,
        }


@dataclass
class Climber:
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
    broken_off: int = 0
    endings: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        if self.games < 2 or self.games % 2:
            raise ArenaError(f"{self.games} games against each opponent; they come in pairs, so give an even number")
        if self.opponents < 1:
            raise ArenaError(f"{self.opponents} opponents; there has to be one at least")
        itself = self.ladder.rung_of(self.player)
        self.available = [i for i in range(len(self.ladder.rungs)) if i != itself]
        """The opponents that it can meet: all but itself."""

    def event(self, step: int, rungs: Iterable[int], pairs: int) -> Event:
        """The games of a step: so many pairs against each of these opponents."""
        specs = [self.ladder.rungs[i].spec for i in rungs]
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
        return self.event(0, self.scouts(), 1)

    @staticmethod
    def seed_of(event: Event) -> int:
        """The seed of the climb that an event belongs to."""
        return event.seed // _STEPS

    def scouts(self) -> list[int]:
        """The first opponents: spread over the whole ladder."""
        last = len(self.available) - 1
        return sorted({self.available[round(share * last)] for share in _SHARES})

    def nearest(self, ratings: Iterable[float]) -> list[int]:
        """An opponent near each of these ratings, a different one for each as long as there are any."""
        left = list(self.available)
        found = []
        for rating in ratings:
            if left:
                found.append(min(left, key=lambda i: abs(self.ladder.rungs[i].rating - rating)))
                left.remove(found[-1])
        return sorted(found)

    def neighbourhood(self) -> list[int]:
        """The opponents nearest to the estimate."""
        return self.nearest([self.estimate()] * self.opponents)

    def estimate(self) -> float:
        """The likeliest rating so far, with a win and a loss against the ladder's middle added so that there is one."""
        ratings = [rung.rating for rung in self.ladder.rungs]
        met = [(ratings[i], tally.games) for i, tally in self.tallies.items()]
        met.append((ratings[len(ratings) // 2], Games(losses=1, wins=1)))
        points = sum(games.score * games.total for _, games in met)
        low, high = ratings[0] - 800, ratings[-1] + 800
        for _ in range(40):
            middle = (low + high) / 2
            expected = sum(games.total * score_of_elo(middle - rating) for rating, games in met)
            low, high = (middle, high) if expected < points else (low, middle)
        return (low + high) / 2

    def add(self, course: Course) -> None:
        """Takes note of a step's results."""
        rungs = {rung.spec: i for i, rung in enumerate(self.ladder.rungs)}
        event = course.event
        scores: dict[int, list[tuple[float, float]]] = {}
        for number in range(0, event.games, 2):
            _, opponent = event.pairings[event.pairing_of(number)]
            one, two = course.results[number], course.results[number + 1]  # the player moves first, then second
            scores.setdefault(opponent, []).append(((1 + one.result) / 2, (1 - two.result) / 2))
            failed = [game.ending for game, loss in ((one, -1), (two, 1)) if game.ending and game.result == loss]
            self.broken_off += len(failed)
            self.endings += failed
        for opponent, of_pairs in scores.items():
            i = rungs[event.players[opponent]]
            self.tallies[i] = self.tallies.get(i, Tally()) + Tally.from_scores(of_pairs)
        self.seconds += course.seconds

    @property
    def total(self) -> int:
        """How many games there are in all, about."""
        return 2 * 2 * _SCOUTS + self.games * min(self.opponents, len(self.available))

    def finish(self) -> Climb:
        """The place that all games say."""
        rungs = self.ladder.rungs
        table = CrossTable()
        for i, tally in self.tallies.items():
            add_pairs(table, self.player, rungs[i].spec, tally.pairs)
        found = rate(table, anchors={rungs[i].spec: rungs[i].rating for i in self.tallies})[self.player]
        met = tuple(
            Met(i + 1, rungs[i], self.tallies[i], score_of_elo(found.elo - rungs[i].rating))
            for i in sorted(self.tallies)
        )
        return Climb(
            player=self.player,
            ladder=self.ladder,
            rating=found.elo,
            interval=found.interval,
            met=met,
            broken_off=self.broken_off,
            endings=tuple(dict.fromkeys(self.endings))[:_MOST_ENDINGS],
            seed=self.seed,
            seconds=self.seconds,
        )


def climb(
    climber: Climber, store: Store, runner: Runner, *, progress: Callable[[int, int], object] | None = None
) -> Climb:
    """Plays what is missing, and says where the player stands.

    :param progress: told how many games have ended, of how many
    """
    ended = 0

    def play(step: int, rungs: list[int], pairs: int) -> None:
        nonlocal ended

        def shown(course: Course) -> None:
            if progress:
                progress(ended + len(course.results), max(climber.total, ended + len(course.results)))

        course = conduct(climber.event(step, rungs, pairs), store, runner, progress=shown)
        ended += len(course.results)
        climber.add(course)

    play(0, climber.scouts(), 1)
    middle = climber.estimate()
    play(1, climber.nearest(middle + _REACH * place for place in (-1, -0.33, 0.33, 1)), 1)
    half = climber.games // 4
    if half:
        play(2, climber.neighbourhood(), half)
    play(3, climber.neighbourhood(), climber.games // 2 - half)
    return climber.finish()
