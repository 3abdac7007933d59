"""Games stepped together play by the rules, whatever the number of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from flipdrop import ConnectFour, FlipdropError, IllegalMove, Othello, Side
from flipdrop.batch import Games
from tests.strategies import ALL_GAMES, AnyGame


@pytest.mark.parametrize("any_game", ALL_GAMES, ids=lambda one: one.name)
def test_every_row_is_a_game(any_game: AnyGame) -> None:
    """Observation, mask, reward, end and new start of every row, against positions played one by one."""
    games = Games(any_game, 5, seed=3)
    observation, mask = games.reset()
    positions = [any_game.start()] * len(games)
    ended = 0
    for _ in range(150):
        for row, position in enumerate(positions):
            assert games[row] == position
            assert (observation[row] == position.to_numpy()).all()
            assert (mask[row] == position.legal_mask).all()
            assert games.to_move[row] == position.to_move
        actions = games.random_actions()
        movers = [position.to_move for position in positions]
        positions = [position.play(int(action)) for position, action in zip(positions, actions, strict=True)]
        observation, mask, reward, done = games.step(actions)
        for row, position in enumerate(positions):
            assert done[row] == position.is_over
            result = position.result or 0
            assert reward[row] == (result if movers[row] == Side.FIRST else -result)
            if position.is_over:
                positions[row] = any_game.start()
                ended += 1
    assert ended > 0


def test_threads_do_not_change_games() -> None:
    runs = []
    for threads in (1, 2, 5):
        games = Games("connect4", 1500, seed=9, random_plies=3, threads=threads)
        games.reset()
        for _ in range(50):
            step = games.step(games.random_actions())
        runs.append((step.observation.tobytes(), step.mask.tobytes(), step.reward.tobytes(), step.done.tobytes()))
    assert len(set(runs)) == 1


def test_finished_games_wait_without_automatic_reset() -> None:
    start = ConnectFour.from_transcript("1212121")
    assert start.is_over
    with pytest.raises(FlipdropError, match="over"):
        Games("connect4", 2, start=start)
    games = Games("connect4", 2, start=ConnectFour.from_transcript("121212"), auto_reset=False)
    games.reset()
    step = games.step([0, 2])
    assert step.done.tolist() == [True, False]
    assert step.reward.tolist() == [1, 0]
    assert not step.mask[0].any()
    assert games[0].is_over
    step = games.step([6, 1])  # the first action is ignored; the second blocks nothing and wins
    assert step.reward.tolist() == [0, 1]
    assert step.done.tolist() == [True, True]
    observation, mask = games.reset([False, True])
    assert games[0].is_over
    assert games[1] == games.start
    assert (observation[1] == games.start.to_numpy()).all()
    assert mask[1].all()


def test_an_illegal_action_moves_no_game() -> None:
    games = Games("othello", 3)
    games.reset()
    legal = games.random_actions()
    for wrong in (0, -1, 65, 64):
        actions = legal.copy()
        actions[2] = wrong
        with pytest.raises(IllegalMove, match=rf"action {wrong} in game 2; legal: 19 26 37 44"):
            games.step(actions)
        assert games.positions == [Othello()] * 3
    with pytest.raises(FlipdropError, match="2 actions for 3 games"):
        games.step(legal[:2])
    with pytest.raises(TypeError, match="whole numbers"):
        games.step(np.full(3, 19.0))


def test_random_openings_differ_and_repeat() -> None:
    games, again = (Games("othello", 50, random_plies=8, seed=4) for _ in range(2))
    assert games.positions == again.positions
    assert len(set(games.positions)) > 40
    assert {position.ply for position in games.positions} == {8}
    first = games.positions
    games.reset()
    assert games.positions != first, "a new game has an opening of its own"


def test_wrong_settings() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"size": 0}, "size is 0"),
        ({"planes": 3}, "planes is 3"),
        ({"random_plies": -1}, "random_plies is -1"),
        ({"threads": 0}, "threads is 0"),
        ({"start": ConnectFour()}, "a start of Connect Four 7x6"),
    ]
    for settings, expected_error in wrong:
        with pytest.raises(FlipdropError, match=expected_error):
            Games("othello", **settings)
    with pytest.raises(IndexError):
        Games("othello", 2)[2]
    assert Games("othello", 2)[-1] == Othello()


@pytest.mark.parametrize("action", [-1, 7, 2**32, 2**40])
def test_action_off_the_board(action: int) -> None:
    """A number of more than 32 bits is not cut to a legal one."""
    games = Games("connect4", 2, seed=1)
    with pytest.raises(IllegalMove):
        games.step([action, 0])
    assert games[1].ply == 0  # no game has moved


def test_how_they_show_themselves() -> None:
    assert repr(Games("connect4:9x10", 1024)) == "<Games 1,024 of Connect Four 9x10>"


def test_one_action_for_each_game() -> None:
    games = Games("connect4", 2, seed=1)
    for actions in ([[0], [0]], 0):
        with pytest.raises(FlipdropError, match="they are a row of 2, one for each game"):
            games.step(actions)
