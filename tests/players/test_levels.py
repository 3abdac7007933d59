"""Levels: their players, and their strength."""

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

# R3.1 was measured with some of these: another player would be another level.
LOWER = [
    "mcts:iterations=5",
    "mcts:iterations=20",
    "mcts:iterations=100",
    "mcts:iterations=300",
    "iterative:evaluation=Seven,depth=5",
]


def test_lower_levels_of_othello() -> None:
    for number, spec in enumerate(LOWER, 1):
        for size in (8, 6, 4):
            assert LEVELS[number].spec(OthelloGame(size)) == spec


def test_upper_levels_of_othello() -> None:
    for number in (6, 7, 8, 9, 10):
        assert LEVELS[number].spec(OthelloGame(8)).startswith("engine")
        assert LEVELS[number].spec(OthelloGame(6)).startswith("engine")
        assert "evaluation=Seven" in LEVELS[number].spec(OthelloGame(4))


def test_boards_of_their_own() -> None:
    level = Level("a", "b", "", eight_by_eight="c", six_by_six="e", seven_by_six="d")
    games = (OthelloGame(8), OthelloGame(6), ConnectFourGame(), ConnectFourGame(7, 6, "a1"), ConnectFourGame(8, 7))
    assert [level.spec(game) for game in games] == ["c", "e", "d", "b", "b"]
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
    for game, timed in ((OthelloGame(8), [10]), (OthelloGame(6), [10]), (OthelloGame(4), [9, 10])):
        assert [number for number in LEVELS if LevelPlayer(number).is_timed(game)] == timed
    assert [number for number in LEVELS if LevelPlayer(number).is_timed(ConnectFourGame(9, 7))] == [9, 10]
    assert not LevelPlayer(10).is_timed(ConnectFourGame())  # a proof takes as long as it takes


@pytest.mark.parametrize(("weak", "strong"), [(4, 6), (6, 8), (8, 9)])
def test_levels_of_the_engine_beat_those_below(weak: int, strong: int) -> None:
    # They score 0.9 and more; all of them play the same whenever they are asked.
    players = {True: LevelPlayer(strong), False: LevelPlayer(weak)}
    points = 0.0
    for seed in (1, 2, 3):
        for side in (Side.FIRST, Side.SECOND):
            position = random_line(OthelloGame(8), random.Random(seed), plies=6)[-1]
            while not position.is_over:
                mover = players[position.to_move == side]
                position = position.play(mover.choose(position, Clock(move_limit=60)))
            assert position.result is not None
            points += (1 + position.result * (1 if side == Side.FIRST else -1)) / 2
    assert points >= 4  # of 6


def test_engine_levels_are_not_native() -> None:
    assert [number for number in LEVELS if native_player(LevelPlayer(number), OthelloGame())] == [1, 2, 3, 4, 5]


def test_reports_of_levels() -> None:
    assert LevelPlayer(1).report(Othello()).best == LevelPlayer(1).choose(Othello())
    with pytest.raises(PlayerError, match="random chooses a move and cannot say"):
        analyse_with(RandomPlayer(), Othello())
