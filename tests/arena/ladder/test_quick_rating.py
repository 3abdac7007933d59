"""Ratings from a few dozen games, against the ratings that the ladder has."""

from __future__ import annotations

import pytest

from flipdrop.arena.ladder import published_ladder, rate_quickly
from flipdrop.players import player


@pytest.mark.parametrize("game", ["othello", "connect4"])
@pytest.mark.parametrize("place", [0, 15])
def test_opponents_of_the_ladder_are_near_their_ratings(game: str, place: int) -> None:
    """40 games have a standard error of about 60 Elo."""
    entry = published_ladder(game).entries[place]
    found = rate_quickly(player(entry.spec, game=game), published_ladder(game), seed=1)
    assert abs(found.rating - entry.rating) < 300
    assert found.interval[0] < found.rating < found.interval[1]
    assert found.games == 40


def test_an_earlier_rating_spares_the_first_opponents() -> None:
    greedy = player("greedy", game="connect4")
    found = rate_quickly(greedy, published_ladder("connect4"), seed=1, earlier=560.0)
    assert found.games == 32
    assert found == rate_quickly(greedy, published_ladder("connect4"), seed=1, earlier=560.0)
    assert found != rate_quickly(greedy, published_ladder("connect4"), seed=2, earlier=560.0)


def test_the_caller_can_end_it() -> None:
    left = iter(range(3))

    def check() -> None:
        if next(left, None) is None:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        rate_quickly(player("random", game="connect4"), published_ladder("connect4"), seed=1, check=check)
