"""REINFORCE on Connect Four with NumPy alone: learns against random moves, then takes its place on the ladder.

    OMP_NUM_THREADS=1 python examples/reinforce_connect4.py [UPDATES]

Its 300 updates, of 64 games at once, take three seconds. More threads of NumPy slow such small matrices down.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop import ladder, match
from flipdrop.envs import VectorGameEnv

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from flipdrop import Position

    Array = NDArray[np.float64]

GAMES, STEPS = 64, 24  # games at once, and actions in each between two updates
HIDDEN, RATE, DISCOUNT = 64, 0.003, 0.97


class Policy:
    """A network with one hidden layer: from planes to the probability of each column."""

    def __init__(self, seed: int) -> None:
        draw = np.random.default_rng(seed)
        self.weights = [draw.normal(0, 0.1, (84, HIDDEN)), draw.normal(0, 0.1, (HIDDEN, 7))]
        self.squares = [np.zeros_like(one) for one in self.weights]  # of gradients, for RMSprop

    def probabilities(self, observation: NDArray[Any], mask: NDArray[Any]) -> tuple[Array, Array]:
        hidden = np.maximum(0, observation.reshape(len(observation), -1) @ self.weights[0])
        scores = np.where(mask, hidden @ self.weights[1], -np.inf)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True), hidden

    def learn(self, observation: NDArray[Any], mask: NDArray[Any], actions: NDArray[Any], gains: Array) -> None:
        """Makes actions more probable that gained more than expected."""
        shares, hidden = self.probabilities(observation, mask)
        slope = (np.eye(7)[actions] - shares) * gains[:, None] / len(gains)
        inner = (slope @ self.weights[1].T) * (hidden > 0)
        gradients = [observation.reshape(len(observation), -1).T @ inner, hidden.T @ slope]
        for weights, squares, gradient in zip(self.weights, self.squares, gradients, strict=True):
            squares *= 0.99
            squares += 0.01 * gradient**2
            weights += RATE * gradient / (np.sqrt(squares) + 1e-8)

    def choose(self, position: Position) -> int:
        """The most probable move: so the policy is a player."""
        shares, _ = self.probabilities(position.to_numpy()[None], position.legal_mask[None])
        return int(shares[0].argmax())


def returns(rewards: Array, ends: NDArray[np.bool_]) -> Array:
    """The discounted result that follows each action, 0 where the game goes on after the last step."""
    found, ahead = np.zeros_like(rewards), np.zeros(rewards.shape[1])
    for step in range(len(rewards) - 1, -1, -1):
        ahead = np.where(ends[step], rewards[step], DISCOUNT * ahead)
        found[step] = ahead
    return found


def train(updates: int, seed: int = 1) -> Policy:
    policy, draw = Policy(seed), np.random.default_rng(seed)
    envs = VectorGameEnv("connect4", GAMES, opponent="random")
    observation, info = envs.reset(seed=seed)
    won = 0.5
    for update in range(1, updates + 1):
        seen, masks, taken, rewards, ends = [], [], [], [], []
        for _ in range(STEPS):
            mask = info["action_mask"].astype(bool)
            shares, _ = policy.probabilities(observation, mask)
            actions = (shares.cumsum(axis=1) > draw.random((GAMES, 1))).argmax(axis=1)
            seen.append(observation)
            masks.append(mask)
            taken.append(actions)
            observation, reward, done, _, info = envs.step(actions)
            rewards.append(reward)
            ends.append(done)
        gained = returns(np.array(rewards), np.array(ends))
        standard = (gained - gained.mean()) / (gained.std() + 1e-8)
        policy.learn(np.concatenate(seen), np.concatenate(masks), np.concatenate(taken), standard.ravel())
        results = np.array(rewards)[np.array(ends)]
        won += 0.05 * ((results > 0).mean() - won) if len(results) else 0
        if update % 100 == 0:
            print(f"{update:6} updates: wins {won:.0%} of its games while it explores")
    return policy


def main() -> None:
    policy = train(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
    print(match(policy, "random", game="connect4", games=200, seed=1))
    print(ladder(policy, game="connect4", games=4, opponents=4, seed=1))


if __name__ == "__main__":
    main()
