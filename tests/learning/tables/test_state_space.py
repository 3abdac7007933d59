"""StateSpace: numbered positions follow the rules of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop.games import OthelloGame, game
from flipdrop.learning.tables.state_space import START, StateSpace
from flipdrop.players.learned import Reward, reward_of
from flipdrop.players.value_table import canonical, code_of, symmetries_of
from flipdrop.search import Solver
from tests.learning.tables.endgames import SMALL_GAMES, endgames
from tests.strategies import AnyGame, AnyPosition, random_line, randoms

if TYPE_CHECKING:
    import random

small_games = st.sampled_from(SMALL_GAMES)


@given(small_games, st.booleans(), st.sampled_from(["margin", "result"]), randoms())
def test_successors(game: AnyGame, symmetric: bool, reward: Reward, source: random.Random) -> None:
    positions = StateSpace(game, symmetric=symmetric, reward=reward)
    number, position = START, positions.position(START)
    kept = symmetries_of(game) if symmetric else (0,)
    assert position in {game.start().transformed(symmetry) for symmetry in kept}
    while after := positions.after(number):
        assert not position.is_over
        assert len(after) == len(position.legal_moves)
        for move, following in zip(position.legal_moves, after, strict=True):
            assert positions.number(position.play(move).transformed(source.choice(kept))) == following
        move = source.randrange(len(after))
        number, before = after[move], position
        position = positions.position(number)
        assert position in {before.play(before.legal_moves[move]).transformed(symmetry) for symmetry in kept}
    assert position.is_over
    assert position.result is not None
    value = positions.terminal_reward(number) * (1 if position.to_move == 0 else -1)
    assert (value > 0) - (value < 0) == position.result


@settings(max_examples=30)
@given(small_games, st.booleans(), randoms())
def test_position_of_a_code(game: AnyGame, symmetric: bool, source: random.Random) -> None:
    """As after a run was resumed, when nothing but codes is left."""
    known, fresh = StateSpace(game, symmetric=symmetric), StateSpace(game, symmetric=symmetric)
    for position in random_line(game, source):
        number = known.number(position)
        again = fresh.number_of_code(known.codes[number])
        assert fresh.position(again) == known.position(number)
        assert [fresh.codes[n] for n in fresh.after(again)] == [known.codes[n] for n in known.after(number)]


@given(small_games, randoms())
def test_codes_of_mirror_images(game: AnyGame, source: random.Random) -> None:
    line = random_line(game, source)
    kept = symmetries_of(game)
    codes = [canonical(position, kept)[0] for position in line]
    assert len(set(codes)) == len(line)
    for position, code in zip(line, codes, strict=True):
        for symmetry in kept:
            found, back, image = canonical(position.transformed(symmetry), kept)
            assert image.game == game
            assert found == code == code_of(image)
            assert position.transformed(symmetry).transformed(back) == image


@given(small_games, randoms())
def test_terminal_reward(game: AnyGame, source: random.Random) -> None:
    end = random_line(game, source)[-1]
    score = Solver(table=1).solve(end).score
    assert end.final_score == score
    for reward in ("margin", "result"):
        value = reward_of(game, end.final_score, reward)
        assert -1 <= value <= 1
        assert value == reward_of(game, -end.final_score, reward) * -1


@given(endgames())
def test_it_can_begin_anywhere(start: AnyPosition) -> None:
    positions = StateSpace(start.game, start=start)
    assert positions.number(start) == START
    assert len(positions.after(START)) == len(start.legal_moves)


@pytest.mark.parametrize("symmetric", [True, False])
def test_first_moves_of_othello(symmetric: bool) -> None:
    positions = StateSpace(OthelloGame(4), symmetric=symmetric)
    assert len(set(positions.after(START))) == (1 if symmetric else 4)


def test_symmetry_with_a_forbidden_cell() -> None:
    names = ("connect4:5x4", "connect4:5x4,forbid=c2", "connect4:5x4,forbid=b2", "othello4")
    assert [len(symmetries_of(game(name))) for name in names] == [2, 2, 1, 8]
