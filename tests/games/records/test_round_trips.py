"""Random games read back unchanged from every format that can hold them."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop import Position, game
from flipdrop.games.records import GameRecord, MoveNote, decode_games, encode_games

OTHELLO = ["othello4", "othello6", "othello"]
CONNECT_FOUR = ["connect4", "connect4:4x4", "connect4:9x10", "connect4:12x12,forbid=c3", "connect4:5x12"]

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.none() | st.integers(-64, 64).map(float) | st.floats(-1e9, 1e9, allow_nan=False)
tag_names = st.sampled_from(["TI", "TB", "KB", "KM", "X1", "COPYRIGHT"])


def random_moves(start: Position, seed: int, length: int) -> tuple[int, ...]:
    chance = random.Random(seed)
    moves: list[int] = []
    position = start
    while len(moves) < length and not position.is_over:
        moves.append(chance.choice(position.legal_moves))
        position = position.play(moves[-1])
    return tuple(moves)


@st.composite
def played(draw: st.DrawFn, name: str, *, any_start: bool = False) -> GameRecord:
    start = game(name).start()
    seed = draw(st.integers(0, 2**32))
    if any_start:
        for move in random_moves(start, seed + 1, draw(st.integers(0, 20))):
            start = start.play(move)
    # Long games end by themselves, short ones stop anywhere, passes included.
    return GameRecord(start, random_moves(start, seed, draw(st.integers(0, 12) | st.just(200))))


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHELLO + CONNECT_FOUR)
@settings(max_examples=40)
@given(data=st.data())
def test_plain(name: str, data: st.DataObject) -> None:
    record = data.draw(played(name))
    value = data.draw(st.none() | st.integers(-(10**15) + 1, 10**15 - 1))
    records = [record, GameRecord(record.start, record.moves, value=value)]
    assert decode_games(encode_games(records, "plain"), "plain") == records


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHELLO)
@settings(max_examples=60)
@given(data=st.data())
def test_ggf(name: str, data: st.DataObject) -> None:
    moves = data.draw(played(name, any_start=True))
    record = GameRecord(
        moves.start,
        moves.moves,
        first=data.draw(names),
        second=data.draw(names),
        first_rating=data.draw(numbers),
        second_rating=data.draw(numbers),
        event=data.draw(names),
        place=data.draw(names),
        date=data.draw(names),
        score=data.draw(numbers),
        ending=data.draw(st.sampled_from(["", "r", "t", "s"])),
        notes=data.draw(st.just(()) | _notes(len(moves.moves))),
        tags=tuple(data.draw(st.lists(st.tuples(tag_names, names), max_size=3))),
    )
    records = [record, moves]
    assert decode_games(encode_games(records, "ggf"), "ggf") == records


def _notes(count: int) -> st.SearchStrategy[tuple[MoveNote, ...]]:
    kinds = st.lists(st.builds(MoveNote, numbers, numbers), min_size=1, max_size=3)
    return kinds.map(lambda some: tuple(some[i % len(some)] for i in range(count)))


def test_games_that_end_with_a_pass() -> None:
    # The rarest case, and the one that the notation of transcripts cannot say: make sure that it is tested.
    start = game("othello4").start()
    games = [random_moves(start, seed, length) for seed in range(50) for length in range(4, 13)]
    passing = [GameRecord(start, moves) for moves in games if moves[-1] == start.pass_move]
    assert passing
    for name in ("ggf", "plain"):
        assert decode_games(encode_games(passing, name), name) == passing
