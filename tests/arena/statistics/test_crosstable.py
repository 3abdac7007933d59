"""Cross tables count every game, with either player named first."""

from __future__ import annotations

from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.statistics import CrossTable, Games, Pairs
from flipdrop.errors import ArenaError
from tests.arena.statistics.strategies import scores

PLAYERS = ("ann", "bob", "cem", "dee")
two_players = st.sampled_from(list(permutations(PLAYERS, 2)))
some_games = st.lists(st.tuples(two_players, scores), max_size=20)
some_pairs = st.lists(st.tuples(two_players, scores, scores), max_size=20)
Single = list[tuple[tuple[str, str], float]]
Paired = list[tuple[tuple[str, str], float, float]]


def table_of(games: Single, pairs: Paired) -> CrossTable:
    table = CrossTable()
    for (first, second), score in games:
        table.add_game(first, second, score)
    for (one, other), as_first, as_second in pairs:
        table.add_pair(one, other, as_first=as_first, as_second=as_second)
    return table


def as_games(games: Single, pairs: Paired) -> Single:
    """Every game on its own: first mover, second mover, what the first mover scored."""
    results = list(games)
    for (one, other), as_first, as_second in pairs:
        results += [((one, other), as_first), ((other, one), 1 - as_second)]
    return results


@pytest.mark.slow
@given(some_games, some_pairs)
def test_games(games: Single, pairs: Paired) -> None:
    table = table_of(games, pairs)
    results = as_games(games, pairs)
    for both in permutations(PLAYERS, 2):
        mine = [score for players, score in results if players == both]
        expected = Games(wins=mine.count(1), draws=mine.count(0.5), losses=mine.count(0))
        assert table.games(*both) == expected
        assert table.pairwise_games().get(both, Games()) == expected


@given(some_pairs)
def test_pairs(pairs: Paired) -> None:
    table = table_of([], pairs)
    for one, other in combinations(PLAYERS, 2):
        halves = [2 * (a + b) for players, a, b in pairs if players == (one, other)]
        halves += [4 - 2 * (a + b) for players, a, b in pairs if players == (other, one)]
        assert table.pairs(one, other) == Pairs.from_counts([halves.count(points) for points in range(5)])
        assert table.pairs(other, one) == table.pairs(one, other).reversed


@given(some_games, some_pairs)
def test_groups(games: Single, pairs: Paired) -> None:
    table = table_of(games, pairs)
    for player in PLAYERS:
        table.add_player(player)
    groups = table.groups()
    assert sorted(player for group in groups for player in group) == sorted(PLAYERS)
    home = {player: group for group in groups for player in group}
    met = {frozenset(players) for players, _ in as_games(games, pairs)}
    assert all(home[one] == home[other] for one, other in map(tuple, met))
    for group in groups:  # and none could be split
        for size in range(1, len(group)):
            for part in combinations(group, size):
                assert any(len(both & set(part)) == 1 for both in met)


def test_counts() -> None:
    table = CrossTable.from_games({("ann", "bob"): Games(wins=3, draws=1, losses=2)})
    table.add_pair("bob", "ann", as_first=1, as_second=0, count=4)
    assert table.games("ann", "bob") == Games(wins=7, draws=1, losses=2)
    assert table.games("bob", "ann") == Games(wins=4)
    assert table.pairs("ann", "bob") == Pairs(even=4)
    assert table.players == ("ann", "bob")


@pytest.mark.parametrize("counts", list(product((0, 2), repeat=5)))
def test_counts_of_pairs(counts: tuple[int, ...]) -> None:
    table = CrossTable()
    table.add_pairs("ann", "bob", Pairs.from_counts(counts))
    assert table.pairs("ann", "bob").counts == counts
    assert table.pairs("bob", "ann").counts == counts[::-1]


def test_invalid_arguments() -> None:
    with pytest.raises(ArenaError, match="'ann' against itself"):
        CrossTable().add_game("ann", "ann", 1)
    with pytest.raises(ArenaError, match="count=-1; it has to be at least 0"):
        CrossTable().add_pair("ann", "bob", as_first=1, as_second=1, count=-1)
    with pytest.raises(ArenaError, match=r"a game worth 0\.7"):
        CrossTable().add_game("ann", "bob", 0.7)
