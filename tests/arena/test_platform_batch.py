"""Batches by the rules of R4's platform."""

from __future__ import annotations

from random import Random

import pytest

from flipdrop.arena.competition import from_json
from flipdrop.arena.platform_batch import BOARDS, HEADS, PlatformBatch, random_board
from flipdrop.arena.store import Store
from flipdrop.errors import ArenaError
from flipdrop.games import game as game_of

QUICK = ("random", "mcts:iterations=2")


def test_random_boards() -> None:
    boards = [random_board(Random(seed)) for seed in range(2000)]
    assert {board.columns for board in boards} == {board.rows for board in boards} == set(range(9, 13))
    cells = [board.cell(board.forbidden or "") / (board.columns * board.rows) for board in boards]
    assert min(cells) == 0
    assert max(cells) > 0.99
    assert 0.48 < sum(cells) / len(cells) < 0.52  # sd of the mean 0.0065


def test_points_and_sides() -> None:
    plan = PlatformBatch(player="mcts:iterations=100", opponents=QUICK, games=4, seed=5)
    result = plan.run(threads=1)
    assert result.games.total == plan.games_planned == 8
    assert len({board.game for board in result.boards}) == 4
    assert result.points == 2 * result.games.wins + result.games.draws
    assert result.games.wins >= 6  # the same on every machine
    assert result.forfeits == result.opponent_forfeits == 0
    assert all(len(row) == len(HEADS) for row in result.rows())
    assert result.to_json()["most_points"] == 16


def test_same_seed_same_boards() -> None:
    one, same, other = (PlatformBatch(player="flat:games=1", opponents=QUICK, seed=seed) for seed in (5, 5, 6))
    assert one.boards == same.boards != other.boards
    assert one == from_json(one.to_json())
    assert one.time is not None
    assert one.time.move == 3


def test_stored_games_are_not_played_again() -> None:
    plan = PlatformBatch(player="flat:games=1", opponents=QUICK, seed=1)
    with Store(None) as store:
        first = plan.run(store, threads=1)
        again = plan.stored(store)
        assert sum(len(state.results) for state in again) == plan.games_planned
        assert plan.result(again).to_json() | {"seconds": 0} == first.to_json() | {"seconds": 0}


def test_ladder_is_the_default() -> None:
    plan = PlatformBatch(player="random", seed=1)
    assert len(plan.opponents) >= 20
    assert "random" not in plan.opponents
    for board in plan.boards:
        assert game_of(board.name) == board


@pytest.mark.parametrize(
    "settings", [{"games": 3}, {"games": 0}, {"opponents": ("greedy", "greedy")}, {"opponents": QUICK}]
)
def test_bad_settings(settings: dict[str, object]) -> None:
    with pytest.raises(ArenaError):
        PlatformBatch(player="random", seed=1, **settings)  # type: ignore[arg-type]


def test_as_many_games_as_there_are_boards() -> None:
    whole = PlatformBatch(player="random", opponents=("greedy",), games=2 * BOARDS, seed=1)
    assert len(set(whole.boards)) == BOARDS == 1764
    with pytest.raises(ArenaError, match="at most 3528 have different boards"):
        PlatformBatch(player="random", opponents=("greedy",), games=2 * BOARDS + 2, seed=1)
