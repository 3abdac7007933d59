"""Players that search: moves, time, and the tree that is kept from move to move."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from flipdrop import ConnectFour, Othello, Position, game
from flipdrop.errors import PlayerError
from flipdrop.players import Clock, SearchPlayer, analyse_with
from flipdrop.players import player as player_of
from flipdrop.search import Mcts, Minimax
from flipdrop.search.connect_four_book import ConnectFourBook

if TYPE_CHECKING:
    from pathlib import Path


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
        began = time.process_time()
        SearchPlayer(search).choose(Othello(), clock)
        assert time.process_time() - began < 1


def test_unlimited_search_uses_the_clock() -> None:
    report = SearchPlayer(Mcts()).report(Othello(), Clock(move_limit=0.3))
    assert report.seconds > 0.1
    assert report.nodes > Mcts().search(Othello()).nodes


@pytest.mark.parametrize("spec", ["engine:nodes=200", "engine:seconds=0.05", "engine:depth=3", "engine"])
def test_engine_in_positions_of_its_book(spec: str) -> None:
    position = ConnectFour()
    for _ in range(6):
        position = position.play(player_of(spec).choose(position, Clock(move_limit=0.05)))
    assert position.discs == (3, 3)


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
            before = player._kept_tree
            position = position.play(player.choose(position))
            if forced and before is not None:
                assert player._kept_tree is before
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
    ("search", "expected_error"),
    [(Minimax(), "iterative has none"), (Mcts(decisive="root"), "decisive=root")],
)
def test_a_tree_that_cannot_be_kept(search: Minimax | Mcts, expected_error: str) -> None:
    with pytest.raises(PlayerError, match=expected_error):
        SearchPlayer(search, reuse=True)


def test_book_player_varies_by_its_seed() -> None:
    """Where several moves of the book are equal, the seed chooses; the same seed repeats the game."""

    def played(seed: int) -> list[int]:
        one = player_of("engine:depth=1,book=yes", seed=seed)
        position, moves = Othello(), []
        for _ in range(8):
            moves.append(one.choose(position))
            position = position.play(moves[-1])
        return moves

    games = [played(seed) for seed in range(6)]
    assert games == [played(seed) for seed in range(6)]
    assert len({tuple(moves) for moves in games}) > 1


def test_book_moves_are_good_ones() -> None:
    for variety in (0, 3):
        one = player_of(f"engine:depth=1,book=yes,variety={variety}", seed=variety)
        assert isinstance(one, SearchPlayer)
        assert one.book is not None
        report = one.report(Othello.from_transcript("f5"))
        assert report.note == "from the opening book"
        assert report.best in one.book.good_moves(report.position, margin=variety)
        assert report.value >= report.moves[0].value - variety
    without = player_of("engine:depth=1,book=no,seed=5")
    assert without.spec == "engine:depth=1"
    assert analyse_with(without, Othello.from_transcript("f5")).note == ""


@pytest.mark.parametrize(
    ("book", "expected_error"),
    [("maybe", "No such file"), ("{c4}", "book of another game"), ("{text}", "not an opening book")],
)
def test_books_that_cannot_be_used(book: str, expected_error: str, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no book")
    ConnectFourBook(0, {1: 1}).write(tmp_path / "c4")
    with pytest.raises(PlayerError, match=expected_error):
        player_of(f"engine:book={book.format(c4=tmp_path / 'c4', text=tmp_path / 'text')}")
    with pytest.raises(PlayerError, match="files are not read here"):
        player_of("engine:book=my.book", allow_code=False)
    with pytest.raises(PlayerError, match="for Othello 8x8"):
        player_of("engine:book=yes", game="othello6")
