"""Levels: which of them play what, and that the upper ones are as strong as they say."""

from __future__ import annotations

import random

import pytest

from flipdrop import Othello
from flipdrop.errors import PlayerError
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.kernel import Side
from flipdrop.players import LEVELS, Clock, Level, LevelPlayer, RandomPlayer, analyse_with, player
from flipdrop.players.native import native_player
from flipdrop.search import Solver
from tests.search.test_solver import late_positions
from tests.strategies import random_line

# Experiments and the ladder were measured with these: another player would be another level.
LOWER = [
    "greedy:evaluation=A",
    "mcts:iterations=10",
    "mcts:iterations=30",
    "mcts:iterations=100",
    "mcts:iterations=300",
    "iterative:evaluation=Seven,depth=5",
    "iterative:evaluation=Seven,depth=7",
]


def test_lower_levels_of_othello() -> None:
    for number, spec in enumerate(LOWER, 1):
        for size in (8, 6, 4):
            assert LEVELS[number].spec(OthelloGame(size)) == spec


def test_upper_levels_of_othello() -> None:
    for number in (8, 9, 10):
        assert LEVELS[number].spec(OthelloGame(8)).startswith("engine")
        assert "evaluation=Seven" in LEVELS[number].spec(OthelloGame(6))
        assert "evaluation=Seven" in LEVELS[number].spec(OthelloGame(4))


def test_boards_of_their_own() -> None:
    level = Level("a", "b", "", eight_by_eight="c", seven_by_six="d")
    games = (OthelloGame(8), OthelloGame(6), ConnectFourGame(), ConnectFourGame(7, 6, "a1"), ConnectFourGame(8, 7))
    assert [level.spec(game) for game in games] == ["c", "a", "d", "b", "b"]
    assert [Level("a", "b", "").spec(game) for game in games] == ["a", "a", "b", "b", "b"]


def test_specs_of_levels() -> None:
    for number, level in LEVELS.items():
        for game in (OthelloGame(8), OthelloGame(6), ConnectFourGame(), ConnectFourGame(8, 7)):
            assert player(level.spec(game), game=game).spec == level.spec(game)
            assert LevelPlayer(number).player_of(game).name == player(level.spec(game)).name


@pytest.mark.parametrize("number", [9, 10])
def test_upper_levels_solve_endgames(number: int) -> None:
    level = LevelPlayer(number)
    positions = [p for p in late_positions(OthelloGame(8), 14, 30, seed=5) if len(p.legal_moves) > 1][:6]
    assert max(p.cells.count("-") for p in positions) >= 10
    for position in positions:
        report = level.report(position)
        assert report.solved
        assert report.position_value.score == Solver(table=1).solve(position).score
        assert level.choose(position) == report.best


def test_which_levels_time_limits() -> None:
    for game in (OthelloGame(8), OthelloGame(6), ConnectFourGame(9, 7)):
        assert [number for number in LEVELS if LevelPlayer(number).is_timed(game)] == [9, 10]
    assert not LevelPlayer(10).is_timed(ConnectFourGame())  # a proof takes as long as it takes


def test_level_8_beats_level_7() -> None:
    # It won 100 of 100; both play the same whenever they are asked.
    strong, weak = LevelPlayer(8), LevelPlayer(7)
    for seed in (1, 2):
        opening = random_line(OthelloGame(8), random.Random(seed), plies=6)[-1]
        for side in (Side.FIRST, Side.SECOND):
            position = opening
            while not position.is_over:
                mover = strong if position.to_move == side else weak
                position = position.play(mover.choose(position, Clock(move_limit=60)))
            assert isinstance(position, Othello)
            assert position.result == (1 if side == Side.FIRST else -1)


def test_timed_levels_are_not_native() -> None:
    assert [number for number in LEVELS if native_player(LevelPlayer(number), OthelloGame())] == list(
        range(1, 8)
    )  # 8 is the engine


def test_reports_of_levels() -> None:
    assert LevelPlayer(1).report(Othello()).best == LevelPlayer(1).choose(Othello())
    with pytest.raises(PlayerError, match="random chooses a move and cannot say"):
        analyse_with(RandomPlayer(), Othello())
