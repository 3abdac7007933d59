"""How a ladder's ratings come about: opponents who are near each other meet, and Bradley-Terry makes ratings of it.

Not everybody meets everybody. Two opponents of very different strength tell us nothing, for one of them wins every
game; so each meets those a few places above and below, which also ties the ladder together over long distances::

    random   A   B   C   D   E   F   G   H   I
       |_____|                                    1 place apart
       |_________|                                2
       |_____________|                            3
       |_____________________|                    5
       |_________________________________|        8

Each link is an event of its own in the store, with a seed that follows from the ladder's seed and the two names alone.
So a ladder that was stopped goes on where it was, and one whose opponents changed keeps what is still of use.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop import __version__
from flipdrop.arena.ladder.published import Ladder, LadderEntry, PairResult, add_pairs
from flipdrop.arena.model import Event
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running import runner_for
from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.statistics import CrossTable, Pairs, rate
from flipdrop.errors import ArenaError
from flipdrop.players import player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from flipdrop.arena.store import GameResult, Store

APART = (1, 2, 3, 5, 8)
"""Opponents meet those who are so many places above them."""
_FIRST_PAIRS = 5  # of each link before any link gets more


@dataclass(frozen=True)
class Plan:
    """A ladder that is going to be measured.

    :param specs: the opponents in what is thought to be their order; the first has rating 0
    :param pairs: of games for each link
    :param seconds: a link that takes this long in a run gets no more games in it: with 0, what is in the store has to
        do; None: every link gets all of its games
    """

    game: str
    specs: tuple[str, ...]
    openings: str
    seed: int
    pairs: int
    seconds: float | None = None

    def __post_init__(self) -> None:
        if len(self.specs) < 2:
            raise ArenaError(f"a ladder of {len(self.specs)} opponents; it takes two at least")
        if self.pairs < 1:
            raise ArenaError(f"{self.pairs} pairs of games for each link; there has to be one at least")

    @property
    def links(self) -> list[tuple[int, int]]:
        """Who meets whom."""
        count = len(self.specs)
        return [(one, one + apart) for one in range(count) for apart in APART if one + apart < count]

    def event(self, one: int, two: int, pairs: int) -> Event:
        """The games of a link."""
        first, second = self.specs[one], self.specs[two]
        return Event(
            kind="ladder link",
            game=self.game,
            players=(first, second),
            pairings=((0, 1),),
            pairs=pairs,
            openings=self.openings,
            seed=derive_seed(self.seed, first, second),
        )


def measure(
    plan: Plan,
    store: Store,
    *,
    threads: int | None = None,
    command: str = "",
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[Ladder]:
    """Plays what is missing, round by round, so that all links are about equally far at any time.

    Yields the ladder after each round: each is better known than the one before, the last has all the games.

    :param command: what is written into the ladder as the command that made it
    :param progress: told how many pairs have been played of how many
    """
    for spec in plan.specs:
        player(spec, game=plan.game, allow_code=False).close()
    links = plan.links
    found = _stored(plan, store)
    spent = dict.fromkeys(links, 0.0)
    for goal in _goals(plan.pairs):
        for link in links:
            if found[link].total >= goal or (plan.seconds is not None and spent[link] >= plan.seconds):
                continue
            event = plan.event(*link, goal)
            state = run_event(event, store, runner_for(event.players, threads=threads))
            spent[link] += state.seconds
            found[link] = _pairs(state.results, goal)
            if progress:
                progress(sum(pairs.total for pairs in found.values()), plan.pairs * len(links))
        yield rated(plan, [PairResult(*link, pairs) for link, pairs in found.items() if pairs.total], command=command)


def rated(plan: Plan, links: Sequence[PairResult], *, command: str = "") -> Ladder:
    """The ladder that results make: everybody in the order of the ratings, the plan's first opponent at 0."""
    table = CrossTable()
    for link in links:
        add_pairs(table, plan.specs[link.one], plan.specs[link.two], link.pairs)
    ratings = rate(table, anchors={plan.specs[0]: 0.0})
    found = [ratings[spec] for spec in plan.specs]
    order = sorted(range(len(plan.specs)), key=lambda i: (found[i].elo, i))
    places = {i: place for place, i in enumerate(order)}
    return Ladder(
        game=plan.game,
        entries=tuple(LadderEntry(plan.specs[i], found[i].elo, found[i].interval, found[i].games) for i in order),
        links=tuple(_in_order(PairResult(places[link.one], places[link.two], link.pairs)) for link in links),
        openings=plan.openings,
        seed=plan.seed,
        version=__version__,
        command=command,
    )


def _in_order(link: PairResult) -> PairResult:
    return link if link.one < link.two else PairResult(link.two, link.one, link.pairs.reversed)


def _goals(pairs: int) -> list[int]:
    """How many pairs each link has after each round: twice as many each time, until there are enough."""
    goals = [min(pairs, _FIRST_PAIRS)]
    while goals[-1] < pairs:
        goals.append(min(pairs, 2 * goals[-1]))
    return goals


def _stored(plan: Plan, store: Store) -> dict[tuple[int, int], Pairs]:
    """What a store has of each link."""
    found = {}
    for link in plan.links:
        stored = store.find(plan.event(*link, 1))
        results = [] if stored is None else store.results(stored.id)
        found[link] = _pairs({result.number: result for result in results}, plan.pairs)
    return found


def _pairs(results: Mapping[int, GameResult], most: int) -> Pairs:
    """The pairs from the first to the last before one that is not complete, but so many at most.

    Pairs beyond a gap do not count: the shorter games of those under way end first, which makes them no fair sample.
    """
    counts = [0] * 5
    for number in range(0, 2 * most, 2):
        one, two = results.get(number), results.get(number + 1)
        if one is None or two is None:
            break
        counts[2 + one.result - two.result] += 1
    return Pairs.from_counts(counts)
