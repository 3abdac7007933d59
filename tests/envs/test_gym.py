"""The Gymnasium environment."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from flipdrop import FlipdropError, Othello, PlayerError
from flipdrop.envs import GameEnv

pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning")  # the checker's remarks on spaces


@pytest.mark.parametrize("game", ["connect4", "othello6", "connect4:9x8"])
@pytest.mark.parametrize("side", ["first", "second", "random"])
def test_official_checker(game: str, side: str) -> None:
    check_env(GameEnv(game, side=side, render_mode="ansi"), skip_render_check=False)


def played(env: GameEnv, seed: int) -> tuple[list[int], float]:
    """The agent's actions and the reward of a game of random moves."""
    choices = np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    actions, reward, terminated = [], 0.0, False
    while not terminated:
        actions.append(int(choices.choice(np.flatnonzero(info["action_mask"]))))
        assert env.action_masks()[actions[-1]]
        _, reward, terminated, _, info = env.step(actions[-1])
    return actions, reward


def test_games_against_any_player() -> None:
    for opponent in ("random", "greedy", lambda position: position.legal_moves[0]):
        env = GameEnv("othello6", opponent=opponent, random_plies=3)
        rewards = [played(env, seed)[1] for seed in range(6)]
        assert set(rewards) <= {-1.0, 0.0, 1.0}
        assert len(set(rewards)) > 1
    assert played(GameEnv("othello6"), 7) == played(GameEnv("othello6"), 7)


def test_the_side_and_the_view() -> None:
    env = GameEnv("connect4", side="second", opponent=lambda position: 0)
    observation, _ = env.reset(seed=1)
    assert env.agent_side == 1
    assert observation[0].sum() == 0
    assert observation[1, 5, 0] == 1
    observation, *_ = env.step(3)
    assert observation[0, 5, 3] == 1


def test_an_illegal_action_loses() -> None:
    env = GameEnv("othello", side="first")
    env.reset(seed=1)
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["illegal_action"]) == (-1.0, True, 0)


def test_starts_and_errors() -> None:
    env = GameEnv("othello", side="first")
    start = Othello.from_transcript("f5d6")
    env.reset(options={"start": start})
    assert env.position == start
    with pytest.raises(FlipdropError, match="Othello 8x8 that is not over"):
        env.reset(options={"start": Othello(size=6)})
    with pytest.raises(PlayerError, match="unknown player 'randm'"):
        GameEnv("othello", opponent="randm")
    with pytest.raises(FlipdropError, match="it can be first, second, random"):
        GameEnv("othello", side="black")


def test_negative_random_plies() -> None:
    with pytest.raises(FlipdropError, match="at least 0"):
        GameEnv("connect4", random_plies=-1)
