"""The time policy and the referee's clock, in a time of their own."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import ConnectFour, Othello
from flipdrop.errors import PlayerError
from flipdrop.kernel import Side
from flipdrop.players import Clock, GameClock, time_for_move
from flipdrop.players.clock import own_moves_left
from tests.strategies import all_games, random_line, randoms

if TYPE_CHECKING:
    import random

    from tests.strategies import AnyGame

times = st.floats(0, 10_000, allow_nan=False)
maybe = st.none() | times


@given(all_games(), randoms(), st.integers(0, 200), maybe, times, maybe)
def test_never_more_than_there_is(
    game: AnyGame,
    source: random.Random,
    plies: int,
    remaining: float | None,
    increment: float,
    limit: float | None,
) -> None:
    position = random_line(game, source, plies=plies)[-1]
    allotted = time_for_move(position, Clock(remaining=remaining, increment=increment, move_limit=limit))
    assert allotted >= 0
    if remaining is None and limit is None:
        assert allotted == math.inf
    # Strictly less: something is left for what a move costs besides the search.
    assert remaining is None or allotted < remaining or allotted == 0
    assert limit is None or allotted < limit or allotted == 0


@given(all_games(), randoms(), st.floats(0.001, 3600), st.floats(0, 10))
def test_sum_of_times_is_below_the_total(game: AnyGame, source: random.Random, total: float, increment: float) -> None:
    remaining = [total, total]
    for position in random_line(game, source):
        side = position.to_move
        remaining[side] -= time_for_move(position, Clock(remaining=remaining[side], increment=increment))
        assert remaining[side] >= 0
        remaining[side] += increment


@given(all_games(), randoms(), st.floats(1, 20))
def test_overhead_of_a_move(game: AnyGame, source: random.Random, plenty: float) -> None:
    total = 0.005 * own_moves_left(game.start()) * plenty
    remaining = [total, total]
    for position in random_line(game, source):
        side = position.to_move
        remaining[side] -= time_for_move(position, Clock(remaining=remaining[side])) + 0.004
        assert remaining[side] >= 0


@pytest.mark.parametrize("start", [Othello(), ConnectFour()])
def test_most_of_the_time_is_used(start: Othello | ConnectFour) -> None:
    remaining, position = [60.0, 60.0], start
    allotted = []
    while not position.is_over:
        side = position.to_move
        allotted.append(time_for_move(position, Clock(remaining=remaining[side])))
        remaining[side] -= allotted[-1]
        position = position.play(position.legal_moves[-1])
    assert max(allotted) < 10
    assert allotted[0] > 60 / 30 * 0.9
    assert max(remaining) < 40


def test_minute_per_move() -> None:
    assert 55 < time_for_move(Othello(), Clock(move_limit=60)) < 59
    assert 0.04 < time_for_move(Othello(), Clock(move_limit=0.1)) < 0.1


def test_the_smaller_limit_counts() -> None:
    both = time_for_move(Othello(), Clock(remaining=60, move_limit=0.5))
    assert both == time_for_move(Othello(), Clock(move_limit=0.5))
    assert time_for_move(Othello(), Clock(remaining=60, move_limit=50)) == time_for_move(Othello(), Clock(remaining=60))


def test_an_increment_is_spent_as_it_comes() -> None:
    without, with_increment = (time_for_move(Othello(), Clock(remaining=60, increment=i)) for i in (0, 2))
    assert 1.5 < with_increment - without <= 2


def test_fewer_empty_cells_are_fewer_moves() -> None:
    assert own_moves_left(Othello()) == 31
    assert own_moves_left(ConnectFour.from_transcript("4444")) == 20
    assert own_moves_left(ConnectFour(columns=4, rows=4)) == 9


@pytest.mark.parametrize("bad", [{"remaining": -1}, {"increment": math.nan}, {"move_limit": math.inf}])
def test_invalid_clocks(bad: dict[str, float]) -> None:
    (name,) = bad
    with pytest.raises(PlayerError, match=name):
        Clock(**bad)


class Time:
    """A time source that the test advances."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_game_clock_subtracts_moves() -> None:
    now = Time()
    clock = GameClock(total=10, increment=1, now=now)
    assert clock.start(Side.FIRST) == Clock(remaining=10, increment=1)
    now.now += 4
    assert clock.stop() == 4
    assert clock.clock(Side.FIRST) == Clock(remaining=7, increment=1)
    assert clock.clock(Side.SECOND) == Clock(remaining=10, increment=1)
    assert clock.overrun is None


def test_the_first_side_to_overrun_is_recorded() -> None:
    now = Time()
    clock = GameClock(total=10, now=now)
    for side, seconds, late in [
        (Side.FIRST, 10, None),
        (Side.SECOND, 10.5, Side.SECOND),
        (Side.FIRST, 1, Side.SECOND),
    ]:
        clock.start(side)
        now.now += seconds
        clock.stop()
        assert clock.overrun == late
    assert clock.clock(Side.FIRST).remaining == 0


def test_the_referee_limits_each_move() -> None:
    now = Time()
    clock = GameClock(move_limit=2, now=now)
    clock.start(Side.FIRST)
    now.now += 2
    clock.stop()
    assert clock.overrun is None
    clock.start(Side.FIRST)
    now.now += 2.1
    clock.stop()
    assert clock.overrun == Side.FIRST


def test_a_clock_runs_for_one_side_at_a_time() -> None:
    clock = GameClock()
    with pytest.raises(PlayerError, match="no clock is running"):
        clock.stop()
    clock.start(Side.SECOND)
    with pytest.raises(PlayerError, match="SECOND is running"):
        clock.start(Side.FIRST)
    with pytest.raises(PlayerError, match="remaining"):
        GameClock(total=-3)
