"""Results of each pairing by colour, from which ratings are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.arena.statistics.results import Games, Pairs, half_points
from flipdrop.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Mapping

PairCounts = tuple[tuple[int, ...], ...]
"""The number of pairs with each result: [half points as first mover][half points as second mover], 3 by 3."""


class CrossTable:
    """The results of any number of players, in pairs of games and in single games.

    >>> table = CrossTable()
    >>> table.add_pair("mcts", "greedy", as_first=1, as_second=0.5)
    >>> table.add_game("greedy", "random", 1)
    >>> table.games("mcts", "greedy"), table.games("greedy", "mcts")
    (Games(losses=0, draws=0, wins=1), Games(losses=0, draws=1, wins=0))
    >>> table.groups()
    [('mcts', 'greedy', 'random')]
    """

    def __init__(self) -> None:
        self._players: dict[str, None] = {}  # in order of appearance
        self._single: dict[tuple[str, str], list[int]] = {}  # first mover, second mover: its losses, draws, wins
        self._pairs: dict[tuple[str, str], list[list[int]]] = {}  # half points of the first-named as first, as second

    @classmethod
    def from_games(cls, games: Mapping[tuple[str, str], Games]) -> CrossTable:
        """From single games: for each first and second mover, the results of the first mover."""
        table = cls()
        for (first, second), counts in games.items():
            for half, count in enumerate(counts.counts):
                table.add_game(first, second, half / 2, count=count)
        return table

    def add_player(self, name: str) -> None:
        """Adds a player, which may have no games."""
        self._players[name] = None

    def add_game(self, first: str, second: str, score: float, *, count: int = 1) -> None:
        """Adds single games that have the same result: the score of the first mover."""
        self._check(first, second, count)
        self._single.setdefault((first, second), [0, 0, 0])[half_points(score)] += count

    def add_pair(self, one: str, other: str, *, as_first: float, as_second: float, count: int = 1) -> None:
        """Adds pairs of games that have the same results: the scores of `one` as first and as second mover."""
        self._check(one, other, count)
        first, second = half_points(as_first), half_points(as_second)
        if (other, one) in self._pairs:
            one, other, first, second = other, one, 2 - second, 2 - first
        empty = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
        self._pairs.setdefault((one, other), empty)[first][second] += count

    def add_pairs(self, one: str, other: str, pairs: Pairs) -> None:
        """Adds counts of pairs, from the view of `one`.

        The counts do not say which side moved first; ratings without an advantage of moving first do not need it.
        """
        for points, count in enumerate(pairs.counts):
            better = min(2, points)
            self.add_pair(one, other, as_first=better / 2, as_second=(points - better) / 2, count=count)

    def _check(self, one: str, other: str, count: int) -> None:
        if one == other:
            raise ArenaError(f"{one!r} against itself; that says nothing about its strength")
        if count < 0:
            raise ArenaError(f"count={count}; it has to be at least 0")
        self.add_player(one)
        self.add_player(other)

    @property
    def players(self) -> tuple[str, ...]:
        """All players, in order of appearance."""
        return tuple(self._players)

    @property
    def single_games(self) -> dict[tuple[str, str], Games]:
        """The games that belong to no pair, for each first and second mover, as the first mover sees them."""
        return {players: Games.from_counts(counts) for players, counts in self._single.items()}

    @property
    def pair_counts(self) -> dict[tuple[str, str], PairCounts]:
        """The pairs, for each two players, as the first-named sees them."""
        return {players: tuple(map(tuple, counts)) for players, counts in self._pairs.items()}

    def games(self, first: str, second: str) -> Games:
        """All games of these two with these colours, in pairs or not, as the first mover sees them."""
        counts = list(self._single.get((first, second), (0, 0, 0)))
        for half, seconds in enumerate(self._pairs.get((first, second), ())):
            counts[half] += sum(seconds)
        for firsts in self._pairs.get((second, first), ()):
            for half, count in enumerate(firsts):
                counts[2 - half] += count
        return Games.from_counts(counts)

    def pairs(self, one: str, other: str) -> Pairs:
        """The pairs of these two, as `one` sees them."""
        if (other, one) in self._pairs:
            return self.pairs(other, one).reversed
        counts = [0] * 5
        for first, row in enumerate(self._pairs.get((one, other), ())):
            for second, count in enumerate(row):
                counts[first + second] += count
        return Pairs.from_counts(counts)

    def pairwise_games(self) -> dict[tuple[str, str], Games]:
        """All games that were played, for each first and second mover, as the first mover sees them."""
        met = dict.fromkeys(self._single) | dict.fromkeys(self._pairs) | dict.fromkeys((b, a) for a, b in self._pairs)
        found = {(first, second): self.games(first, second) for first, second in met}
        return {players: games for players, games in found.items() if games.total > 0}

    def groups(self) -> list[tuple[str, ...]]:
        """The players in groups, such that no game was played between one group and another."""
        group = {player: {player} for player in self._players}
        for one, other in self.pairwise_games():
            if group[one] is not group[other]:
                group[one] |= group[other]
                for member in group[other]:
                    group[member] = group[one]
        distinct = {id(members): members for members in group.values()}
        return [tuple(player for player in self._players if player in members) for members in distinct.values()]
