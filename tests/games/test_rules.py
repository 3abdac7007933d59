"""The kernel's rules against the oracle in ``tests/reference``: every answer, at every ply of random games."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop import ConnectFour, IllegalMove, Othello, Side
from flipdrop.games import ConnectFourGame, OthelloGame
from tests.reference.connect_four import ReferenceConnectFour
from tests.reference.othello import ReferenceOthello
from tests.strategies import AnyGame, all_games, connect_four_games, random_line, randoms

if TYPE_CHECKING:
    import random

SIDES = {"X": Side.FIRST, "O": Side.SECOND}
Oracle = ReferenceOthello | ReferenceConnectFour


def oracle_of(game: OthelloGame | ConnectFourGame) -> Oracle:
    if isinstance(game, OthelloGame):
        return ReferenceOthello.start(game.size)
    forbidden = None if game.forbidden is None else game.cell(game.forbidden)
    return ReferenceConnectFour.start(game.columns, game.rows, forbidden)


def chosen(oracle: Oracle, moves: list[int], source: random.Random, *, avoid_the_end: bool) -> int:
    """A random move; if asked, one after which the game goes on, so that boards fill up."""
    source.shuffle(moves)
    if avoid_the_end:
        return next((move for move in moves if not oracle.play(move).is_over), moves[0])
    return moves[0]


def check_common(position: Othello | ConnectFour, oracle: Oracle, moves: list[int]) -> None:
    assert position.cells == oracle.cells
    assert position.to_move is SIDES[oracle.to_move]
    assert position.discs == oracle.discs
    assert position.legal_moves == tuple(moves)
    assert position.is_over is (not moves)
    assert position.result == oracle.result
    for move in {-1, *range(position.move_space + 1)} - set(moves):
        with pytest.raises(IllegalMove):
            position.play(move)


def check_othello(position: Othello, oracle: ReferenceOthello, moves: list[int]) -> None:
    check_common(position, oracle, moves)
    assert position.ply == sum(oracle.discs) - 4
    assert position.margin == oracle.margin
    assert position.winning_cells == []
    for move in moves:
        assert position.flipped_by(move) == oracle.flipped_by(move)
        assert position.cell_of(move) == (None if move == oracle.pass_move else move)
    for move in set(range(position.move_space)) - set(moves):
        with pytest.raises(IllegalMove):
            position.flipped_by(move)


def check_connect_four(position: ConnectFour, oracle: ReferenceConnectFour, moves: list[int]) -> None:
    check_common(position, oracle, moves)
    assert position.ply == sum(oracle.discs)
    assert position.winning_cells == oracle.winning_cells
    for move in moves:
        assert position.landing_cell(move) == position.cell_of(move) == oracle.landing_cell(move)
    for move in set(range(position.columns)) - set(moves):
        with pytest.raises(IllegalMove):
            position.landing_cell(move)


def play_othello(size: int, source: random.Random) -> Othello:
    """Plays a random game with the oracle beside it, and gives its last position."""
    position, oracle = Othello(size=size), ReferenceOthello.start(size)
    while True:
        moves = oracle.legal_moves()
        check_othello(position, oracle, moves)
        if not moves:
            return position
        move = source.choice(moves)
        position, oracle = position.play(move), oracle.play(move)
        assert position.last_cell(move) == (None if move == oracle.pass_move else move)


@pytest.mark.slow
@given(source=randoms())
@settings(max_examples=100)
def test_othello_4x4_against_the_oracle(source: random.Random) -> None:
    play_othello(4, source)


@pytest.mark.slow
@given(source=randoms())
@settings(max_examples=25)
def test_othello_6x6_against_the_oracle(source: random.Random) -> None:
    play_othello(6, source)


@pytest.mark.slow
@given(source=randoms())
@settings(max_examples=10)
def test_othello_8x8_against_the_oracle(source: random.Random) -> None:
    play_othello(8, source)


@pytest.mark.slow
@given(game=connect_four_games(), source=randoms(), avoid_the_end=st.booleans())
@settings(max_examples=40)
def test_connect_four_against_the_oracle(game: ConnectFourGame, source: random.Random, avoid_the_end: bool) -> None:
    position, oracle = game.start(), oracle_of(game)
    assert isinstance(oracle, ReferenceConnectFour)
    assert position.game == game
    while True:
        moves = oracle.legal_moves()
        check_connect_four(position, oracle, moves)
        if not moves:
            return
        move = chosen(oracle, moves, source, avoid_the_end=avoid_the_end)
        landing = oracle.landing_cell(move)
        position, oracle = position.play(move), oracle.play(move)
        assert position.last_cell(move) == landing


def replayed(transcript: str, size: int) -> ReferenceOthello:
    oracle = ReferenceOthello.start(size)
    for column, row in zip(transcript[::2], transcript[1::2], strict=True):
        oracle = oracle.play((int(row) - 1) * size + ord(column) - ord("a"))
    return oracle


def test_game_over_with_empty_squares() -> None:
    """The shortest game of all: black takes the last white disc with the ninth move."""
    transcript = "e6f4e3f6g5d6e7f5c5"
    position = Othello.from_transcript(transcript)
    check_othello(position, replayed(transcript, 8), [])
    assert (position.discs, position.result, position.margin) == ((13, 0), 1, 64)


@pytest.mark.parametrize(
    ("size", "transcript"),
    [(4, "b1c1d3a1"), (6, "c2b2a2a1e4c5c6a3"), (8, "d3c3b3b2f5a3a1c1")],
    ids=["4x4", "6x6", "8x8"],
)
def test_a_side_that_cannot_place_passes(size: int, transcript: str) -> None:
    """The earliest pass on each board."""
    position, oracle = Othello.from_transcript(transcript, size=size), replayed(transcript, size)
    check_othello(position, oracle, [size * size])
    after, oracle = position.play("pass"), oracle.play(size * size)
    check_othello(after, oracle, oracle.legal_moves())
    assert (after.cells, after.to_move, after.ply) == (position.cells, Side.SECOND, position.ply)


def test_discs_and_the_forbidden_cell() -> None:
    position = ConnectFour(columns=4, rows=4, forbidden="b2")
    landings = []
    for _ in range(3):
        landings.append(position.game.cell_name(position.landing_cell(1)))
        position = position.play(1)
    assert landings == ["b1", "b3", "b4"]
    assert position.legal_moves == (0, 2, 3)


# Perft ---------------------------------------------------------------------------------------------------------------


def oracle_at(position: Othello | ConnectFour) -> Oracle:
    cells, width = position.cells, position.game.columns
    rows = [list(cells[i : i + width]) for i in range(0, len(cells), width)]
    if isinstance(position, Othello):
        return ReferenceOthello(rows, "XO"[position.to_move])
    return ReferenceConnectFour([list(column) for column in zip(*reversed(rows), strict=True)])


@given(game=all_games(), source=randoms(), plies=st.integers(0, 60), depth=st.integers(0, 2))
@settings(max_examples=60)
def test_perft_against_the_oracle(game: AnyGame, source: random.Random, plies: int, depth: int) -> None:
    position = random_line(game, source, plies=plies)[-1]
    assert position.perft(depth) == oracle_at(position).perft(depth)


@given(game=st.just(OthelloGame(4)) | connect_four_games(largest=5), source=randoms(), data=st.data())
@settings(max_examples=40)
def test_perft_beyond_the_end(game: AnyGame, source: random.Random, data: st.DataObject) -> None:
    """To depths beyond the end of every line, where there are few."""
    line = random_line(game, source)
    position = line[max(0, len(line) - data.draw(st.integers(1, 7)))]
    depth = data.draw(st.integers(3, 9 if position.cells.count("-") <= 6 else 4))
    assert position.perft(depth) == oracle_at(position).perft(depth)


# Playouts ------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(game=all_games(), source=randoms(), plies=st.integers(0, 150), data=st.data())
@settings(max_examples=50)
def test_playouts_depend_on_the_seed_alone(
    game: AnyGame, source: random.Random, plies: int, data: st.DataObject
) -> None:
    position = random_line(game, source, plies=plies)[-1]
    games = data.draw(st.integers(0, 3000), "games")
    seed = data.draw(st.integers(0, 2**64 - 1), "seed")
    tally = position.playouts(games, seed=seed)
    assert sum(tally) == games
    assert min(tally) >= 0
    for threads in (1, 2, 7):
        assert position.playouts(games, seed=seed, threads=threads) == tally
    if position.result is not None:
        for_mover = position.result if position.to_move is Side.FIRST else -position.result
        assert tally[1 - for_mover] == games


def expected_score(oracle: Oracle, side: str) -> tuple[float, float, float]:
    """The probabilities that `side` wins, draws and loses when both sides play at random."""
    moves = oracle.legal_moves()
    if not moves:
        result = oracle.result
        assert result is not None
        for_side = result if side == "X" else -result
        return float(for_side > 0), float(for_side == 0), float(for_side < 0)
    after = [expected_score(oracle.play(move), side) for move in moves]
    wins, draws, losses = (sum(chances) / len(moves) for chances in zip(*after, strict=True))
    return wins, draws, losses


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "transcript"),
    [
        (OthelloGame(4), "b1c1d3a1"),
        (OthelloGame(4), "b1a1a2c1d1"),
        (ConnectFourGame(4, 4), "123432124"),
        (ConnectFourGame(4, 4, "c2"), "1213434"),
        (ConnectFourGame(5, 4, "c1"), "11112222343"),
    ],
    ids=str,
)
def test_playouts_are_uniform(game: AnyGame, transcript: str) -> None:
    position = game.position(transcript)
    games = 100_000
    tally = position.playouts(games, seed=20)
    assert tally != position.playouts(games, seed=21)
    oracle = oracle_at(position)
    for count, chance in zip(tally, expected_score(oracle, oracle.to_move), strict=True):
        assert abs(count - games * chance) <= 5 * sqrt(games * chance * (1 - chance))
