"""The vectorised Gymnasium environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import VectorEnv

from flipdrop import FlipdropError, IllegalMove
from flipdrop.batch import from_numpy
from flipdrop.envs import VectorGameEnv


def play(envs: VectorGameEnv, steps: int, seed: int = 1) -> list[Any]:
    envs.reset(seed=seed)
    return [envs.step(envs.random_actions()) for _ in range(steps)]


def test_spaces_and_reproducibility() -> None:
    envs = VectorGameEnv("connect4", 16)
    assert isinstance(envs, VectorEnv)
    observation, info = envs.reset(seed=3)
    assert envs.observation_space.contains(observation)
    assert info["action_mask"].shape == (16, 7)
    first, again = play(envs, 30), play(VectorGameEnv("connect4", 16, threads=1), 30)
    for one, two in zip(first, again, strict=True):
        for left, right in zip(one[:4], two[:4], strict=True):
            np.testing.assert_array_equal(left, right)


@pytest.mark.parametrize("game", ["connect4", "othello6"])
def test_rewards_agree_with_final_positions(game: str) -> None:
    envs = VectorGameEnv(game, 32)
    ended = 0
    for observation, reward, done, truncated, info in play(envs, 40):
        assert envs.observation_space.contains(observation)
        assert not truncated.any()
        assert (reward[~done] == 0).all()
        if not done.any():
            continue
        for row in np.flatnonzero(done):
            own, other = info["final_obs"][row].astype(int)
            if game == "connect4":
                seen = info["final_obs"][row : row + 1]
                over = from_numpy(seen[:, ::-1] if reward[row] > 0 else seen, game)[0]
                assert over.is_over
                assert abs(reward[row]) == abs(over.result or 0)
            else:
                assert reward[row] == np.sign(own.sum() - other.sum())
            ended += 1
    assert ended > 20


def test_both_sides_and_replies() -> None:
    envs = VectorGameEnv("connect4", 8)
    observation, _ = envs.reset(seed=2)
    assert (observation[:4].sum(axis=(1, 2, 3)) == 0).all()
    assert (observation[4:, 1].sum(axis=(1, 2)) == 1).all()
    observation, *_ = envs.step(envs.random_actions())
    assert (observation[:4].sum(axis=(1, 2, 3)) == 2).all()


def test_opponents() -> None:
    def policy(observation: Any, mask: Any) -> Any:
        assert observation.shape == (4, 2, 6, 7)
        return mask.argmax(axis=1)

    play(VectorGameEnv("connect4", 8, policy=policy), 30)
    by_player = play(VectorGameEnv("connect4", 8, opponent="alphabeta:depth=3"), 30)
    lost = sum((reward < 0).sum() for _, reward, *_ in by_player)
    won = sum((reward > 0).sum() for _, reward, *_ in by_player)
    assert lost > won


def test_errors() -> None:
    with pytest.raises(FlipdropError, match="an even number is needed"):
        VectorGameEnv("connect4", 3)
    with pytest.raises(FlipdropError, match="so that sides stay the same"):
        VectorGameEnv("connect4", 2, random_plies=1)
    envs = VectorGameEnv("othello", 2)
    envs.reset(seed=1)
    with pytest.raises(IllegalMove, match="action_mask"):
        envs.step(np.array([0, 0]))


def test_wrong_actions() -> None:
    envs = VectorGameEnv("connect4", 4)
    with pytest.raises(FlipdropError, match="reset"):
        envs.step(np.zeros(4, dtype=np.int64))
    envs.reset(seed=1)
    with pytest.raises(FlipdropError, match="4 games take one action each"):
        envs.step(np.zeros(3, dtype=np.int64))
    for action in (-1, 7, 99):
        with pytest.raises(FlipdropError, match="not legal"):
            envs.step(np.array([action, 0, 0, 0]))
