"""Measures a ladder: neighbouring opponents play each other, and Bradley-Terry ratings are computed from the results.

Games between opponents of very different strength carry no information, for one of them wins all. So each opponent
plays those a few places above and below, which also connects the ladder over long distances::

    random   A   B   C   D   E   F   G   H   I
       |_____|                                    1 place apart
       |_________|                                2
       |_____________|                            3
       |_____________________|                    5
       |_________________________________|        8

Each link is an event in the store, with a seed derived from the ladder's seed and the two specs. So an interrupted
measurement can be resumed, and one with other opponents reuses the links that both have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flipdrop import __version__
from flipdrop.arena.ladder.published import Ladder, LadderEntry, PairResult
from flipdrop.arena.model import Event
from flipdrop.arena.run_event import EventProgress, run_event
from flipdrop.arena.running import runner_for
from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.statistics import CrossTable, Pairs, rate
from flipdrop.errors import ArenaError
from flipdrop.players import player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store

APART = (1, 2, 3, 5, 8)
"""Distances, in places, between opponents that play each other."""
_FIRST_PAIRS = 5  # of each link before any link gets more


@dataclass(frozen=True)
class LadderPlan:
    """The settings of a measurement.

    :param specs: the opponents, roughly in order of strength; the first has rating 0
    :param pairs: of games for each link
    :param seconds: time limit of a link in this run; 0: only stored games count; None: no limit
    """

    game: str
    specs: tuple[str, ...]
    openings: str
    seed: int
    pairs: int
    seconds: float | None = None

    def __post_init__(self) -> None:
        if len(self.specs) < 2:
            raise ArenaError(f"a ladder of {len(self.specs)} opponents; it needs at least two")
        if self.pairs < 1:
            raise ArenaError(f"{self.pairs} pairs of games for each link; there has to be at least one")

    @property
    def links(self) -> list[tuple[int, int]]:
        count = len(self.specs)
        return [(one, one + apart) for one in range(count) for apart in APART if one + apart < count]

    def event(self, one: int, two: int, pairs: int) -> Event:
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
    plan: LadderPlan,
    store: Store,
    *,
    threads: int | None = None,
    runner: Runner | None = None,
    command: str = "",
    known: Ladder | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Iterator[Ladder]:
    """Plays what the store does not have in rounds, so that all links have about the same number of games.

    Yields the ladder after each round.

    :param runner: of all games; one on threads by default
    :param command: the command that is written into the ladder
    :param known: a ladder whose results count; its pairings are not played again
    :param progress: called with the numbers of finished and of planned pairs
    """
    for spec in plan.specs:
        player(spec, game=plan.game, allow_code=False).close()
    earlier = {} if known is None else _results_of(known, plan)
    links = [link for link in plan.links if link not in earlier]
    found = _stored(plan, store) | earlier
    spent = dict.fromkeys(links, 0.0)
    for goal in _goals(plan.pairs):
        for link in links:
            if found[link].total >= goal or (plan.seconds is not None and spent[link] >= plan.seconds):
                continue
            event = plan.event(*link, goal)
            state = run_event(event, store, runner or runner_for(event.players, threads=threads))
            spent[link] += state.seconds
            found[link] = _pairs(state)
            if progress:
                progress(sum(found[one].total for one in links), plan.pairs * len(links))
        yield rated(plan, [PairResult(*link, pairs) for link, pairs in found.items() if pairs.total], command=command)


def rated(plan: LadderPlan, links: Sequence[PairResult], *, command: str = "") -> Ladder:
    """The ladder computed from results; the plan's first opponent has rating 0."""
    table = CrossTable()
    for link in links:
        table.add_pairs(plan.specs[link.one], plan.specs[link.two], link.pairs)
    ratings = rate(table, anchors={plan.specs[0]: 0.0})
    found = [ratings[spec] for spec in plan.specs]
    order = sorted(range(len(plan.specs)), key=lambda i: (found[i].elo, i))
    places = {i: place for place, i in enumerate(order)}
    return Ladder(
        game=plan.game,
        entries=tuple(LadderEntry(plan.specs[i], found[i].elo, found[i].interval, found[i].games) for i in order),
        links=tuple(
            PairResult(one, two, link.pairs) if one < two else PairResult(two, one, link.pairs.reversed)
            for link in links
            for one, two in [(places[link.one], places[link.two])]
        ),
        openings=plan.openings,
        seed=plan.seed,
        version=__version__,
        command=command,
    )


def _goals(pairs: int) -> list[int]:
    """The number of pairs per link after each round; it doubles."""
    goals = [min(pairs, _FIRST_PAIRS)]
    while goals[-1] < pairs:
        goals.append(min(pairs, 2 * goals[-1]))
    return goals


def _stored(plan: LadderPlan, store: Store) -> dict[tuple[int, int], Pairs]:
    found = {}
    for link in plan.links:
        event = plan.event(*link, plan.pairs)
        stored = store.find(event)
        found[link] = _pairs(EventProgress(event, {} if stored is None else store.results(stored.id)))
    return found


def _results_of(known: Ladder, plan: LadderPlan) -> dict[tuple[int, int], Pairs]:
    """The results of a ladder whose opponents are in the plan, by their numbers there."""
    if (known.game, known.openings) != (plan.game, plan.openings):
        raise ArenaError(
            f"the ladder is of {known.game} with openings {known.openings}; it cannot be extended by games of "
            f"{plan.game} with openings {plan.openings}"
        )
    numbers = {spec: number for number, spec in enumerate(plan.specs)}
    found = {}
    for link in known.links:
        one, two = (numbers.get(known.entries[i].spec) for i in (link.one, link.two))
        if one is not None and two is not None:
            found[min(one, two), max(one, two)] = link.pairs if one < two else link.pairs.reversed
    return found


def _pairs(state: EventProgress) -> Pairs:
    return Pairs.from_scores(np.array(state.pairs_in_order()) / 4)
