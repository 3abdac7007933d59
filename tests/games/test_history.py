"""Histories of games: new moves, undo, and finding the moves that lead to a position."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop import ConnectFour, Othello
from flipdrop.games import ConnectFourGame, OthelloGame, positions_along
from flipdrop.games.history import GameHistory, find_move_sequence
from tests.strategies import AnyGame, all_games, connect_four_games, random_line, randoms


def moves_of(line: list[Othello | ConnectFour]) -> list[int]:
    return [next(m for m in now.legal_moves if now.play(m) == after) for now, after in itertools.pairwise(line)]


@given(connect_four_games(), randoms())
def test_move_sequences_of_connect_four(game: ConnectFourGame, source: random.Random) -> None:
    line = random_line(game, source)
    goal = line[source.randrange(len(line))]
    way = find_move_sequence(game.start(), goal)
    assert way is not None
    assert positions_along(game.start(), way)[-1] == goal


@given(st.sampled_from([OthelloGame(8), OthelloGame(6), OthelloGame(4)]), st.integers(0, 10), randoms())
def test_openings_of_othello_are_reached(game: OthelloGame, plies: int, source: random.Random) -> None:
    goal = random_line(game, source, plies=plies)[-1]
    way = find_move_sequence(game.start(), goal)
    assert way is not None
    assert positions_along(game.start(), way)[-1] == goal


@given(all_games(), randoms())
def test_no_move_sequence(game: AnyGame, source: random.Random) -> None:
    line = random_line(game, source)
    early, late = sorted(source.sample(range(len(line)), 2)) if len(line) > 2 else (0, len(line) - 1)
    if line[early].ply < line[late].ply:
        assert find_move_sequence(line[late], line[early]) is None
    other = ConnectFour(columns=5, rows=9) if isinstance(game, OthelloGame) else Othello()
    assert find_move_sequence(other, line[0]) is None


def test_a_position_that_no_game_reaches() -> None:
    assert find_move_sequence(Othello(size=4), Othello("----XXXXXXXX---- O")) is None
    assert find_move_sequence(ConnectFour(columns=4, rows=4), ConnectFour("----/----/O-X-/X-O- X")) == (0, 2, 2, 0)
    alone = ConnectFour("----/O---/X---/X-O- X")  # the second disc of the first side lies under the first of the other
    assert find_move_sequence(ConnectFour(columns=4, rows=4), alone) == (0, 2, 0, 0)


def test_the_search_gives_up_in_time() -> None:
    late = random_line(OthelloGame(8), random.Random(3), plies=45)[-1]
    assert find_move_sequence(Othello(), late, limit=500) is None


@given(all_games(), randoms(), st.data())
def test_moves_since(game: AnyGame, source: random.Random, data: st.DataObject) -> None:
    moves = moves_of(random_line(game, source))
    known = data.draw(st.integers(0, len(moves)))
    early, whole = GameHistory.of(game.start(), moves[:known]), GameHistory.of(game.start(), moves)
    assert whole.moves_since(early) == tuple(moves[known:])
    assert early.play(*moves[known:]) == whole
    assert whole.start == game.start()
    assert (early.moves_since(whole) is None) == (known < len(moves))


@pytest.mark.slow
@given(all_games(), randoms(), st.data())
def test_extended_to_later_and_earlier_positions(game: AnyGame, source: random.Random, data: st.DataObject) -> None:
    line = random_line(game, source)
    moves = moves_of(line)
    known = data.draw(st.integers(0, len(moves)))
    history = GameHistory.of(line[0], moves[:known])
    # What the opponent played, and whatever was passed meanwhile, is found out; so is that moves were taken back.
    for played in {*range(known), known, min(known + 1, len(moves)), min(known + 2, len(moves))}:
        found = history.extended_to(line[played])
        assert found.position == line[played]
        assert found.start == line[0]
        assert found.positions == tuple(positions_along(found.start, found.moves))


def test_extended_to_an_unrelated_position() -> None:
    history = GameHistory.of(Othello(), [37, 43])
    late = random_line(OthelloGame(8), random.Random(3), plies=45)[-1]
    for position in (ConnectFour(), late):
        assert history.extended_to(position) == GameHistory.of(position)


@pytest.mark.parametrize("text", ["f5f6e6f4c3d7f3"])
def test_a_way_is_a_legal_game(text: str) -> None:
    goal = Othello.from_transcript(text)
    way = find_move_sequence(Othello(), goal)
    assert way is not None
    assert GameHistory.of(Othello(), way).position == goal
