"""The rating of a player object on a ladder from a few dozen games, without a store: for learners as they learn.

`LadderPlacement` is the same with a store, more games and opponents nearer to the rating.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.arena.ladder.placement import LadderPlacement
from flipdrop.arena.quick_match import results_against
from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.statistics import Tally
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.arena.ladder.published import Ladder
    from flipdrop.players import SpecPlayer

OPPONENTS = 6
"""Opponents near the rating."""
PAIRS = 2
"""Pairs of games against each of them."""
_REACH = 200.0  # Elo above and below an earlier rating: the first opponents are within it
_AROUND = (-1.0, -0.33, 0.33, 1.0)


@dataclass(frozen=True)
class QuickRating:
    """A rating on a ladder's scale.

    :param interval: with 95% confidence, taking the ladder's ratings as exact; an end may be infinite
    """

    rating: float
    interval: tuple[float, float]
    games: int


def rate_quickly(
    player: SpecPlayer,
    ladder: Ladder,
    *,
    seed: int,
    earlier: float | None = None,
    threads: int = 1,
    check: Callable[[], object] = lambda: None,
) -> QuickRating:
    """Rates a player by games against opponents spread over the ladder, and then near its rating.

    >>> from flipdrop.arena.ladder import published_ladder
    >>> from flipdrop.players import player
    >>> found = rate_quickly(player("greedy", game="connect4"), published_ladder("connect4"), seed=1)
    >>> found.games, found.interval[0] < found.rating < found.interval[1]
    (40, True)

    :param earlier: a rating that it had; with one, only opponents near it are played
    :param check: called before the games against each opponent; what it raises ends the rating
    """
    placement = LadderPlacement(player="it", ladder=ladder, games=2 * PAIRS, opponents=OPPONENTS, seed=0)
    tallies: dict[int, Tally] = {}

    def play(opponents: list[int], pairs: int) -> None:
        for i in opponents:
            check()
            tallies[i] = tallies.get(i, Tally()) + results_against(
                player,
                ladder.entries[i].spec,
                game_of(ladder.game),
                pairs=pairs,
                seed=derive_seed(seed, len(tallies), i),
                openings=ladder.openings,
                threads=min(threads, pairs),
            )

    if earlier is None:
        play(placement.anchors, 1)
        earlier = placement.estimate(tallies)
    play(placement.nearest(earlier + _REACH * at for at in _AROUND), 1)
    play(placement.neighbourhood(tallies), PAIRS)
    found = placement.rate(tallies)
    return QuickRating(found.elo, found.interval, sum(tally.games.total for tally in tallies.values()))
