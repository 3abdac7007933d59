"""The placement of a player on a ladder, with most games against opponents near its rating.

The player first plays four opponents far apart, then four around the estimated rating, a pair of games each. Then it
plays the opponents nearest to the estimate, in two rounds, with a new estimate between them. All games count.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

from flipdrop.arena.competition import MAX_PAIRING_GAMES, Competition, pairs_of
from flipdrop.arena.ladder.published import GAMES, Ladder, published_ladder
from flipdrop.arena.model import gauntlet
from flipdrop.arena.participants import Participants
from flipdrop.arena.run_event import distinct_terminations
from flipdrop.arena.statistics import CrossTable, Games, Tally, rate
from flipdrop.arena.statistics.elo import finite, score_of_elo
from flipdrop.errors import ArenaError
from flipdrop.notebook import html_lines, html_table
from flipdrop.options import option

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping

    from flipdrop.arena.ladder.published import LadderEntry
    from flipdrop.arena.model import Event
    from flipdrop.arena.run_event import EventProgress
    from flipdrop.arena.statistics.ratings import Rating
    from flipdrop.arena.store import Store
    from flipdrop.games import Game
    from flipdrop.players import PlayerLike

_ANCHORS = 4  # opponents in each of the first two rounds
_SHARES = (0.2, 0.4, 0.6, 0.8)  # positions on the ladder of the first four
_REACH = 250.0  # Elo above and below the first estimate of the next four
_SURPRISES = 3
_STEPS = 4


@dataclass(frozen=True)
class OpponentResult:
    """The result against one opponent.

    :param place: of the opponent, from 1 for the weakest
    :param expected: the expected score by the ratings
    """

    place: int
    entry: LadderEntry
    tally: Tally
    expected: float

    @property
    def games(self) -> Games:
        return self.tally.games

    @property
    def z_score(self) -> float:
        """Score minus expected score, in standard deviations."""
        spread = math.sqrt(max(self.expected * (1 - self.expected), 1e-4) / max(self.games.total, 1))
        return (self.games.score - self.expected) / spread

    def to_json(self) -> dict[str, Any]:
        return {
            "place": self.place,
            "player": self.entry.spec,
            "rating": self.entry.rating,
            **self.games.summary(),
            "expected": self.expected,
            "z_score": self.z_score,
        }


MET_HEADS = ("place", "rating", "won", "drawn", "lost", "score", "expected", "opponent")
"""The heads of the columns of `PlacementResult.met_rows`."""


@dataclass(frozen=True, repr=False)
class PlacementResult:
    """The place of a player on a ladder.

    :param rating: on the ladder's scale; a bound if it won or lost all games
    :param interval: of the rating, with 95% confidence, taking the ladder's ratings as exact; an end may be infinite
    :param met: the results against each opponent, the weakest first
    :param forfeits: games that it lost by an error, an illegal move or on time
    :param terminations: the reasons, at most 10
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
        """From 1, below the weakest opponent, to one more than the number of opponents."""
        return self.ladder.place(self.rating) + 1

    @property
    def games(self) -> Games:
        return sum((met.games for met in self.met), Games())

    @property
    def below(self) -> LadderEntry | None:
        """The strongest opponent that is rated lower."""
        return self.ladder.entries[self.place - 2] if self.place > 1 else None

    @property
    def above(self) -> LadderEntry | None:
        """The weakest opponent that is rated higher."""
        return self.ladder.entries[self.place - 1] if self.place <= len(self.ladder.entries) else None

    def surprises(self, sign: int) -> list[OpponentResult]:
        """The results that are most above expectation, or below it for a `sign` of -1."""
        beyond = [met for met in self.met if sign * (met.games.score - met.expected) > 0]
        return sorted(beyond, key=lambda met: -sign * met.z_score)[:_SURPRISES]

    def to_json(self) -> dict[str, Any]:
        return {
            "player": self.player,
            "game": self.ladder.game,
            "place": self.place,
            "opponents": len(self.ladder.entries),
            "rating": finite(self.rating),
            "rating_interval": [finite(end) for end in self.interval],
            "below": self.below and self.below.spec,
            "above": self.above and self.above.spec,
            **self.games.summary(),
            "met": [met.to_json() for met in self.met],
            "weakest": [met.entry.spec for met in self.surprises(-1)],
            "best": [met.entry.spec for met in self.surprises(1)],
            "forfeits": self.forfeits,
            "terminations": list(self.terminations),
            "seed": self.seed,
            "seconds": self.seconds,
        }

    def describe(self) -> list[str]:
        """The rating and its neighbours in lines of text."""
        low, high = self.interval
        between = [f"above {entry.spec} ({entry.rating:.0f})" for entry in (self.below,) if entry]
        between += [f"below {entry.spec} ({entry.rating:.0f})" for entry in (self.above,) if entry]
        opponents = len(self.ladder.entries)
        return [
            f"rating {self.rating:.0f} (95%: {low:.0f} to {high:.0f})",
            f"stronger than {self.place - 1} of {opponents} opponents: {', '.join(between)}",
            f"{self.games} of {self.games.total}: score {self.games.score:.3f}",
        ]

    def met_rows(self) -> list[tuple[str, ...]]:
        """Place, rating, won, drawn, lost, score, expected score and spec of each opponent, the strongest first."""
        rows: list[tuple[str, ...]] = []
        for met in reversed(self.met):
            counts = (met.games.wins, met.games.draws, met.games.losses)
            figures = (f"{met.games.score:.2f}", f"{met.expected:.2f}")
            rows.append((str(met.place), f"{met.entry.rating:.0f}", *map(str, counts), *figures, met.entry.spec))
        return rows

    def __repr__(self) -> str:
        return f"<PlacementResult {self.player}: {self.describe()[0]}>"

    def __str__(self) -> str:
        return "\n".join([self.player, *self.describe()])

    def _repr_html_(self) -> str:
        heads = (MET_HEADS[-1], *MET_HEADS[:-1])
        rows = [(spec, *figures) for *figures, spec in self.met_rows()]
        return html_lines(self.player, self.describe()) + html_table(heads, rows, notes=self.terminations)


@dataclass(frozen=True, kw_only=True)
class LadderPlacement(Competition[PlacementResult]):
    """The games that find a player's place on a ladder.

    :param ladder: the published one of the game by default
    """

    kind: ClassVar[str] = "ladder"
    readers: ClassVar = {"ladder": Ladder.from_json}

    player: str
    ladder: Ladder = field(default_factory=lambda: cast("Ladder", None))
    games: int = option(20, "games against each opponent near its rating", minimum=2, maximum=MAX_PAIRING_GAMES)
    opponents: int = option(12, "number of opponents near its rating", minimum=1)

    def __post_init__(self) -> None:
        if self.ladder is None:
            object.__setattr__(self, "ladder", published_ladder(self.game))
        object.__setattr__(self, "game", self.ladder.game)
        object.__setattr__(self, "openings", self.ladder.openings)
        super().__post_init__()
        pairs_of(self.games, "against each opponent")
        if self.opponents < 1:
            raise ArenaError(f"{self.opponents} opponents; there has to be at least one")

    @property
    def specs(self) -> tuple[str, ...]:
        """The player; the opponents, all built in, need no check."""
        return (self.player,)

    @property
    def games_planned(self) -> int:
        return 2 * 2 * _ANCHORS + self.games * min(self.opponents, len(self.available))

    @cached_property
    def available(self) -> list[int]:
        """The opponents that it can meet: all but itself."""
        itself = self.ladder.index_of(self.player)
        return [i for i in range(len(self.ladder.entries)) if i != itself]

    def event(self, step: int, opponents: Iterable[int], pairs: int) -> Event:
        """The games of a step, with this number of pairs against each of these opponents."""
        specs = [self.ladder.entries[i].spec for i in opponents]
        seed = _STEPS * self.seed + step  # other games in each step, and `seed_of` can read the placement's seed
        return self.make_event((self.player, *specs), gauntlet(1 + len(specs)), pairs=pairs, seed=seed)

    @property
    def anchors(self) -> list[int]:
        """Opponents spread over the whole ladder."""
        last = len(self.available) - 1
        return sorted({self.available[round(share * last)] for share in _SHARES})

    @property
    def first_event(self) -> Event:
        """The games against the anchors."""
        return self.event(0, self.anchors, 1)

    @staticmethod
    def seed_of(event: Event) -> int:
        return event.seed // _STEPS

    def events(self) -> Generator[Event, EventProgress, None]:
        states = [(yield self.first_event)]
        middle = self.estimate(self.tallies(states))
        states.append((yield self.event(1, self.nearest(middle + _REACH * at for at in (-1, -0.33, 0.33, 1)), 1)))
        half = self.games // 4
        if half:
            states.append((yield self.event(2, self.neighbourhood(self.tallies(states)), half)))
        yield self.event(3, self.neighbourhood(self.tallies(states)), self.games // 2 - half)

    def nearest(self, ratings: Iterable[float]) -> list[int]:
        """The opponent nearest to each of these ratings, a different one for each."""
        left = list(self.available)
        found = []
        for rating in ratings:
            if left:
                found.append(min(left, key=lambda i: abs(self.ladder.entries[i].rating - rating)))
                left.remove(found[-1])
        return sorted(found)

    def neighbourhood(self, tallies: Mapping[int, Tally]) -> list[int]:
        return self.nearest([self.estimate(tallies)] * self.opponents)

    def estimate(self, tallies: Mapping[int, Tally]) -> float:
        """The maximum likelihood rating, with a win and a loss against the middle opponent so that it is finite."""
        ratings = [entry.rating for entry in self.ladder.entries]
        met = [(ratings[i], tally.games) for i, tally in tallies.items()]
        met.append((ratings[len(ratings) // 2], Games(losses=1, wins=1)))
        points = sum(games.score * games.total for _, games in met)
        low, high = ratings[0] - 800, ratings[-1] + 800
        for _ in range(40):
            middle = (low + high) / 2
            expected = sum(games.total * score_of_elo(middle - rating) for rating, games in met)
            low, high = (middle, high) if expected < points else (low, middle)
        return (low + high) / 2

    def tallies(self, states: Iterable[EventProgress]) -> dict[int, Tally]:
        """The results against each opponent, by its place from 0, in the order in which they met."""
        places = {entry.spec: i for i, entry in enumerate(self.ladder.entries)}
        tallies: dict[int, Tally] = {}
        for state in states:
            for (_, opponent), tally in zip(state.event.pairings, state.tallies(), strict=True):
                i = places.get(state.event.players[opponent])
                if i is not None and tally.pairs.total:
                    tallies[i] = tallies.get(i, Tally()) + tally
        return tallies

    def rate(self, tallies: Mapping[int, Tally]) -> Rating:
        """The rating by Bradley-Terry, with the ladder's ratings fixed."""
        entries, table = self.ladder.entries, CrossTable()
        for i, tally in tallies.items():
            table.add_pairs(self.player, entries[i].spec, tally.pairs)
        return rate(table, anchors={entries[i].spec: entries[i].rating for i in tallies})[self.player]

    def result(self, states: list[EventProgress]) -> PlacementResult:
        entries, tallies = self.ladder.entries, self.tallies(states)
        found = self.rate(tallies)
        forfeited = [reason for state in states for _, player, reason in state.forfeits() if player == 0]
        return PlacementResult(
            player=self.player,
            ladder=self.ladder,
            rating=found.elo,
            interval=found.interval,
            met=tuple(
                OpponentResult(i + 1, entries[i], tallies[i], score_of_elo(found.elo - entries[i].rating))
                for i in sorted(tallies)
            ),
            forfeits=len(forfeited),
            terminations=distinct_terminations(forfeited),
            seed=self.seed,
            seconds=sum(state.seconds for state in states),
        )

    def partial_result(self, states: list[EventProgress]) -> PlacementResult | None:
        return self.result(states) if self.tallies(states) else None

    def to_json(self) -> dict[str, Any]:
        """A published ladder is left out."""
        published = self.game in GAMES and self.ladder == published_ladder(self.game)
        return super().to_json() | ({"ladder": None} if published else {})


def place_on_ladder(
    player: PlayerLike,
    *,
    game: Game | str = "othello",
    games: int = 20,
    opponents: int = 12,
    ladder: Ladder | None = None,
    seed: int = 0,
    store: Store | None = None,
    threads: int | None = None,
    progress: Callable[[EventProgress], object] | None = None,
) -> PlacementResult:
    """Rates a player against the opponents of a ladder, from random moves to the strongest.

    >>> placed = place_on_ladder("mcts:iterations=20", games=2, opponents=3, seed=1)
    >>> placed.interval[0] < placed.rating < placed.interval[1], len(placed.met) >= 3
    (True, True)

    :param player: as `flipdrop.match` takes it
    :param games: against each opponent near its rating, an even number
    :param opponents: the number of opponents near its rating
    :param ladder: the published one of the game by default

    The other parameters are those of `flipdrop.match`.
    """
    participants = Participants((player,), game=game if ladder is None else ladder.game)
    made = LadderPlacement(
        player=participants.specs[0],
        ladder=published_ladder(participants.game) if ladder is None else ladder,
        games=games,
        opponents=opponents,
        seed=seed,
    )
    return made.run(store, participants.runner(), threads=threads, progress=progress)
