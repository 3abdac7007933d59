"""`VectorGameEnv`: many games against an opponent, stepped in the kernel, as a Gymnasium vector environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from flipdrop.batch import Games
from flipdrop.errors import FlipdropError, IllegalMove, OptionError
from flipdrop.games import game as game_of
from flipdrop.players import checked_move
from flipdrop.players import player as player_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from flipdrop.games import Game
    from flipdrop.players import PlayerLike, SpecPlayer

    Policy = Callable[[NDArray[np.int8], NDArray[np.bool_]], NDArray[np.integer[Any]]]


class VectorGameEnv(VectorEnv[Any, Any, Any]):
    """Many games of one agent against an opponent; each `step` is an action of the agent and the opponent's reply.

    The agent is the first side in the first half of the games and the second in the others, whose games start with one
    random move. A finished game starts again within the step that ended it: its row has the reward and the first
    observation of the next game, and ``info["final_obs"]`` the last one of the finished game. Actions have to be legal
    (``info["action_mask"]``).

    >>> envs = VectorGameEnv("connect4", 256)
    >>> observation, info = envs.reset(seed=1)
    >>> observation.shape, info["action_mask"].shape
    ((256, 2, 6, 7), (256, 7))
    >>> observation, reward, terminated, truncated, info = envs.step(envs.random_actions())

    :param opponent: ``random``, which the kernel plays; another player as `flipdrop.player` takes it, asked game by
        game; or, with `policy`, nothing
    :param policy: an opponent that answers all games at once: from observations and masks to actions, as for self-play
    :param random_plies: further random moves at the start of every game, an even number
    :param threads: as many as there are cores by default; results do not depend on it
    """

    def __init__(
        self,
        game: Game | str = "othello",
        num_envs: int = 1024,
        *,
        opponent: PlayerLike = "random",
        policy: Policy | None = None,
        random_plies: int = 0,
        threads: int | None = None,
    ) -> None:
        if num_envs < 2 or num_envs % 2:
            raise OptionError(f"num_envs={num_envs}; an even number is needed, for the agent has either side in half")
        if random_plies < 0 or random_plies % 2:
            raise OptionError(f"random_plies={random_plies}; an even number is needed, so that sides stay the same")
        self.game = game_of(game)
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}
        self.num_envs = num_envs
        self._opponent, self._policy = opponent, policy
        self._random_plies, self._threads = random_plies, threads
        shape = (2, self.game.rows, self.game.columns)
        self.single_observation_space = gymnasium.spaces.Box(0, 1, shape, np.int8)
        self.single_action_space = gymnasium.spaces.Discrete(self.game.start().move_space)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._mask: NDArray[np.bool_] | None = None
        self._start(0)

    def _start(self, seed: int) -> None:
        """Makes the games: those of the agent's first side, and of its second."""
        self._halves = [
            Games(
                self.game,
                self.num_envs // 2,
                auto_reset=False,
                random_plies=self._random_plies + side,
                seed=(2 * seed + side) % 2**63,
                threads=self._threads,
            )
            for side in (0, 1)
        ]
        self._player: SpecPlayer | None = None
        if self._policy is None and self._opponent != "random":
            self._player = player_of(self._opponent, game=self.game, seed=seed)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        super().reset(seed=seed, options=options)
        if seed is not None:
            self._start(seed)
        rows = [games.reset() for games in self._halves]
        observation, mask = (np.concatenate(parts) for parts in zip(*rows, strict=True))
        self._mask = mask
        return observation, {"action_mask": mask.astype(np.int8)}

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[NDArray[np.int8], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        if self._mask is None:
            raise FlipdropError("no game has begun: reset() starts them")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,):
            raise FlipdropError(f"actions of shape {chosen.shape}; {self.num_envs} games take one action each")
        on_board = ((chosen >= 0) & (chosen < self._mask.shape[1])).all()
        if not on_board or not self._mask[np.arange(self.num_envs), chosen].all():
            raise IllegalMove("an action is not legal: info['action_mask'] has the legal ones")
        half = self.num_envs // 2
        parts = [self._step_half(games, chosen[half * n : half * (n + 1)]) for n, games in enumerate(self._halves)]
        observation, mask, reward, done, final = (np.concatenate(one) for one in zip(*parts, strict=True))
        self._mask = mask
        info: dict[str, Any] = {"action_mask": mask.astype(np.int8)}
        if done.any():
            info |= {"final_obs": final, "_final_obs": done}
        return observation, reward, done, np.zeros_like(done), info

    def _step_half(self, games: Games, actions: NDArray[np.integer[Any]]) -> tuple[NDArray[Any], ...]:
        mine = games.step(actions)
        theirs = games.step(self._replies(games, mine.observation, mine.mask, mine.done))
        # A game that the agent's action ended ignores the reply, and its last position is seen by the other side.
        reward = np.where(mine.done, mine.reward, -theirs.reward).astype(np.float64)
        done = mine.done | theirs.done
        last = np.where(mine.done[:, None, None, None], mine.observation[:, ::-1], theirs.observation)
        observation, mask = games.reset(done) if done.any() else (theirs.observation, theirs.mask)
        return observation, mask, reward, done, last

    def _replies(
        self, games: Games, observation: NDArray[np.int8], mask: NDArray[np.bool_], over: NDArray[np.bool_]
    ) -> NDArray[np.integer[Any]]:
        if self._policy is not None:
            return np.where(over, 0, np.asarray(self._policy(observation, mask)))
        if self._player is None:
            return games.random_actions()
        return np.array([0 if over[n] else checked_move(self._player, games[n]) for n in range(len(games))])

    def random_actions(self) -> NDArray[np.int32]:
        """A random legal action for each game."""
        return np.concatenate([games.random_actions() for games in self._halves])

    def close_extras(self, **_: Any) -> None:
        player = getattr(self, "_player", None)  # none if the constructor has failed
        if player is not None:
            player.close()
