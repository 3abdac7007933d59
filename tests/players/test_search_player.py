"""Players that search: what they play, the time they take, and the tree that is kept from move to move."""

from __future__ import annotations

import time

import pytest

from flipdrop import ConnectFour, Othello, Position, game
from flipdrop.errors import PlayerError
from flipdrop.players import Clock, SearchPlayer
from flipdrop.search import Mcts, Minimax


def visits(player: SearchPlayer, position: Position) -> int:
    return sum(move.visits for move in player.report(position).moves)


def test_move_of_the_search() -> None:
    position = Othello.from_transcript("f5d6c3d3c4")
    for search in (Minimax(depth=4), Mcts(iterations=300, seed=4)):
        assert SearchPlayer(search).choose(position) == search.search(position).best
        assert SearchPlayer(search).report(position).moves == search.search(position).moves


@pytest.mark.timing
def test_own_time_and_clock() -> None:
    for search, clock in [
        (Minimax(seconds=0.05), Clock(remaining=1000)),
        (Minimax(seconds=100), Clock(move_limit=0.1)),
    ]:
        began = time.perf_counter()
        SearchPlayer(search).choose(Othello(), clock)
        assert time.perf_counter() - began < 1


def test_unlimited_search_uses_the_clock() -> None:
    report = SearchPlayer(Mcts()).report(Othello(), Clock(move_limit=0.3))
    assert 0.1 < report.seconds < 0.3
    assert report.nodes > Mcts().search(Othello()).nodes


def test_the_tree_is_kept_along_the_game() -> None:
    player = SearchPlayer(Mcts(iterations=500), reuse=True)
    position: Position = Othello()
    fresh = visits(player, position)
    for _ in range(5):
        position = position.play(player.choose(position))
        position = position.play(position.legal_moves[0])
    assert visits(player, position) > fresh


def test_reuse_through_forced_moves() -> None:
    player = SearchPlayer(Mcts(iterations=400), reuse=True)
    kept = 0
    for name in ("othello4", "connect4:4x4"):
        position = game(name).start()
        while not position.is_over:
            forced = len(position.legal_moves) == 1
            before = player._kept
            position = position.play(player.choose(position))
            if forced and before is not None:
                assert player._kept is before
                kept += 1
            if not position.is_over:
                position = position.play(position.legal_moves[0])
    assert kept > 0


def test_no_reuse_in_another_game() -> None:
    player = SearchPlayer(Mcts(iterations=500), reuse=True)
    expected = visits(SearchPlayer(Mcts(iterations=500)), ConnectFour.from_transcript("1234"))
    player.choose(ConnectFour())
    assert visits(player, ConnectFour.from_transcript("1234")) == expected
    # The same position once more is not a position that follows.
    assert visits(player, ConnectFour.from_transcript("1234")) == expected
    # Nor is one of another game.
    assert player.choose(Othello()) in Othello().legal_moves


@pytest.mark.parametrize(
    ("search", "complaint"),
    [(Minimax(), "iterative has none"), (Mcts(decisive="root"), "decisive=root")],
)
def test_a_tree_that_cannot_be_kept(search: Minimax | Mcts, complaint: str) -> None:
    with pytest.raises(PlayerError, match=complaint):
        SearchPlayer(search, reuse=True)
