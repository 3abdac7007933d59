"""A league: a round robin whose players come and go while it is played.

Each pairing is an event of its own, so the games of players who stay count on when another player joins, leaves, or
comes back as a new version of itself. `League.state` puts these events together as one tournament.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flipdrop.arena.competition import MAX_PAIRING_GAMES, pairs_of
from flipdrop.arena.model import Event, round_robin
from flipdrop.arena.openings import default_openings
from flipdrop.arena.referee import replayed
from flipdrop.arena.run_event import EventProgress
from flipdrop.arena.statistics import CrossTable
from flipdrop.arena.tournament import tournament_result
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from flipdrop.arena.model import GameTask, TimeControl
    from flipdrop.arena.running import Runner
    from flipdrop.arena.store import Store
    from flipdrop.arena.tournament import TournamentResult


@dataclass(frozen=True, kw_only=True)
class League:
    """The settings of a league.

    :param game: the game's name
    :param games: for each pairing, an even number
    :param seed: of every random choice
    :param time: the clock; without one, time is unlimited
    """

    game: str
    games: int
    seed: int
    time: TimeControl | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "game", game_of(self.game).name)
        pairs_of(self.games, "for each pairing")
        if self.games > MAX_PAIRING_GAMES:
            raise ArenaError(f"{self.games:,} games for each pairing; at most {MAX_PAIRING_GAMES:,} are possible")

    def event(self, one: str, other: str) -> Event:
        """The games of two players, which are the same in either order."""
        return self._event("league", tuple(sorted((one, other))))

    def _event(self, kind: str, players: tuple[str, ...]) -> Event:
        return Event(
            kind=kind,
            game=self.game,
            players=players,
            pairings=round_robin(len(players)),
            pairs=self.games // 2,
            openings=default_openings(game_of(self.game)),
            seed=self.seed,
            time=self.time,
        )

    def state(self, store: Store, players: Sequence[str]) -> EventProgress:
        """The stored games of some players as those of one tournament.

        :param players: at least two
        """
        event = self._event("tournament", tuple(players))
        state = EventProgress(event)
        in_round = 2 * len(event.pairings)
        for place, (one, two) in enumerate(event.pairings):
            of_pair = self.event(players[one], players[two])
            found = store.find(of_pair)
            if found is None:
                continue
            is_reversed = of_pair.players[0] != players[one]
            for number, result in store.results(found.id).items():
                pair, swapped = divmod(number, 2)
                merged = pair * in_round + 2 * place + (swapped ^ is_reversed)
                if merged < event.games:  # fewer games may be wanted than before
                    state.results[merged] = replace(result, number=merged)
        return state

    def standings(self, store: Store, players: Sequence[str]) -> TournamentResult | None:
        """The ratings of the players whose games connect them; None before the first pair of games has ended.

        Players that no complete pair of games connects with the largest group have no rating yet.
        """
        if len(players) < 2:
            return None
        state = self.state(store, players)
        table = CrossTable()
        for (one, two), tally in zip(state.event.pairings, state.tallies(), strict=True):
            if tally.pairs.total:
                table.add_pairs(players[one], players[two], tally.pairs)
        connected = max(table.groups(), key=len, default=())
        if not connected:
            return None
        if len(connected) < len(players):
            state = self.state(store, [player for player in players if player in connected])
        return tournament_result(state)

    def play(
        self,
        store: Store,
        runner: Runner,
        players: Sequence[str],
        *,
        proceed: Callable[[int], bool] = lambda _: True,
        progress: Callable[[], object] = lambda: None,
    ) -> int:
        """Plays games that the store does not have; returns how many.

        The pairing with the fewest games comes next, and of those the one whose players have the fewest: so a new
        player catches up, and all have about the same number of games.

        :param proceed: called with the number of games begun, before each pair of games; false ends the league for now
        :param progress: called as games end
        """
        ids: dict[frozenset[str], int] = {}

        def tasks() -> Iterator[GameTask]:
            begun = 0
            for event, numbers in self._schedule(store, players, ids):
                if not proceed(begun):
                    return
                begun += len(numbers)
                yield from map(event.task, numbers)

        played = 0
        with closing(runner.run(tasks())) as batches:
            for batch in batches:
                for game in map(replayed, batch):
                    store.add(ids[frozenset((game.task.first, game.task.second))], [game])
                played += len(batch)
                progress()
        return played

    def _schedule(
        self, store: Store, players: Sequence[str], ids: dict[frozenset[str], int]
    ) -> Iterator[tuple[Event, list[int]]]:
        """The missing games, a pair at a time, in a fair order.

        :param ids: the ids of the events in the store, which are added here
        """
        missing: dict[int, list[int]] = {}
        pairings = round_robin(len(players))
        events = [self.event(players[one], players[two]) for one, two in pairings]
        counts = [0] * len(players)
        for place, ((one, two), event) in enumerate(zip(pairings, events, strict=True)):
            found = store.find(event)
            known = store.results(found.id) if found else {}
            missing[place] = [number for number in range(self.games) if number not in known]
            for player in (one, two):
                counts[player] += self.games - len(missing[place])
        while waiting := [place for place, numbers in missing.items() if numbers]:

            def order(place: int) -> tuple[int, int, int]:
                one, two = pairings[place]
                return -len(missing[place]), counts[one] + counts[two], place

            place = min(waiting, key=order)
            numbers = [number for number in missing[place] if number // 2 == missing[place][0] // 2]
            missing[place] = missing[place][len(numbers) :]
            for player in pairings[place]:
                counts[player] += len(numbers)
            event = events[place]
            key = frozenset(event.players)
            if key not in ids:
                ids[key] = store.event_id_for(event)
            yield event, numbers
