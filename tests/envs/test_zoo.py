"""The PettingZoo environments."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop import FlipdropError, Othello
from flipdrop.envs import aec_env, parallel_env

if TYPE_CHECKING:
    from collections.abc import Callable

with warnings.catch_warnings():  # where pygame is installed, PettingZoo's tests import its own deprecated environments
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
GAMES = ("connect4", "othello6", "othello")


@pytest.mark.parametrize("game", GAMES)
def test_official_tests(game: str) -> None:
    api_test(aec_env(game), num_cycles=100)
    seed_test(lambda: aec_env(game), num_cycles=50)
    parallel_api_test(parallel_env(game), num_cycles=100)
    parallel_seed_test(lambda: parallel_env(game), num_cycles=50)


def test_a_game_by_turns() -> None:
    env = aec_env("connect4", render_mode="ansi")
    env.reset()
    for column in (3, 0, 3, 0, 3, 0, 3):
        observation, _, terminated, _, _ = env.last()
        assert not terminated
        assert observation["action_mask"][column]
        env.step(column)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert env.unwrapped.position.is_over
    assert "X" in env.render()


def test_an_illegal_action_loses() -> None:
    env = aec_env("othello")
    env.reset()
    env.step(0)
    assert env.terminations["player_0"]
    assert env.rewards["player_0"] == -1
    parallel = parallel_env("othello")
    parallel.reset()
    _, rewards, ended, _, _ = parallel.step({"player_0": 0, "player_1": 0})
    assert rewards == {"player_0": -1.0, "player_1": 0.0}
    assert all(ended.values())


def test_each_side_sees_its_own_discs_first() -> None:
    env = parallel_env("othello")
    start = Othello.from_transcript("f5")
    observations, _ = env.reset(options={"start": start})
    first, second = (observations[agent]["observation"] for agent in ("player_0", "player_1"))
    assert (first[0].sum(), first[1].sum()) == start.discs
    np.testing.assert_array_equal(first, second[::-1])
    assert observations["player_0"]["action_mask"].sum() == 0
    assert observations["player_1"]["action_mask"].sum() == 3


@pytest.mark.parametrize("make", [aec_env, parallel_env])
def test_starts(make: Callable[[str], Any]) -> None:
    env = make("othello")
    start = Othello.from_transcript("f5d6")
    env.reset(options={"start": start})
    assert env.unwrapped.position == start
    over = Othello.from_transcript("e6f4e3f6g5d6e7f5c5")
    assert over.is_over
    for wrong in (over, Othello(size=6), "f5d6"):
        with pytest.raises(FlipdropError, match="Othello 8x8 that is not over"):
            env.reset(options={"start": wrong})
