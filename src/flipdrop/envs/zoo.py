"""PettingZoo environments: both sides of a game, by turns (AEC) and with an action of each agent in every step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from flipdrop.envs.views import mask_of, start_position, view_of
from flipdrop.games import game as game_of

if TYPE_CHECKING:
    from flipdrop.games import Game, Position

AGENTS = ("player_0", "player_1")
"""The first side and the second."""

Observation = dict[str, Any]


class _GameEnvBase:
    """The position and the spaces of both environments."""

    def __init__(self, game: Game | str, render_mode: str | None) -> None:
        self.game = game_of(game)
        self.render_mode = render_mode
        self.metadata: dict[str, Any] = {"name": f"flipdrop_{self.game.name}", "render_modes": ["ansi"]}
        self.position: Position = self.game.start()
        shape, actions = (2, self.game.rows, self.game.columns), self.position.move_space
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, shape, np.int8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """Planes of the agent's discs and of its opponent's, and the agent's legal actions."""
        side = AGENTS.index(agent)
        return {"observation": view_of(self.position, side), "action_mask": mask_of(self.position, side)}

    def render(self) -> str | None:
        return str(self.position) if self.render_mode == "ansi" else None

    def results(self) -> dict[str, float]:
        """The rewards of a finished game."""
        result = float(self.position.result or 0)
        return dict(zip(AGENTS, (result, -result), strict=True))


class AecGameEnv(_GameEnvBase, AECEnv):  # type: ignore[misc] # PettingZoo has no types
    """A game by turns: ``player_0`` is the first side. An illegal action raises IllegalMove; `aec_env` ends the game.

    Observations are dictionaries of ``observation`` and ``action_mask``; rewards come with the end of the game.
    """

    def __init__(self, game: Game | str = "othello", *, render_mode: str | None = None) -> None:
        super().__init__(game, render_mode)
        self.metadata["is_parallelizable"] = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - no chance
        """Starts a game; ``options={"start": position}`` starts it from a position."""
        self.position = start_position(self.game, options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.to_move]

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0.0
        mover = self.agent_selection
        self.position = self.position.play(int(action))
        if self.position.is_over:
            self.rewards = self.results()
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[1 - AGENTS.index(mover)]
        self._accumulate_rewards()

    def close(self) -> None:
        """Nothing is held."""


class ParallelGameEnv(_GameEnvBase, ParallelEnv):  # type: ignore[misc] # PettingZoo has no types
    """A game in which both agents act in every step: the action of the agent whose turn it is not is ignored.

    Its mask is empty. An illegal action of the other loses the game.
    """

    def __init__(self, game: Game | str = "othello", *, render_mode: str | None = None) -> None:
        super().__init__(game, render_mode)
        self.agents: list[str] = []

    def reset(
        self,
        seed: int | None = None,  # noqa: ARG002 - no chance
        options: dict[str, Any] | None = None,
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Starts a game; ``options={"start": position}`` starts it from a position."""
        self.position = start_position(self.game, options)
        self.agents = list(AGENTS)
        return {agent: self.observe(agent) for agent in AGENTS}, {agent: {} for agent in AGENTS}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        mover = AGENTS[self.position.to_move]
        move = int(actions[mover])
        rewards = dict.fromkeys(AGENTS, 0.0)
        over = True
        if move in self.position.legal_moves:
            self.position = self.position.play(move)
            over = self.position.is_over
            rewards = self.results() if over else rewards
        else:
            rewards[mover] = -1.0
        if over:
            self.agents = []
        ended = dict.fromkeys(AGENTS, over)
        observations = {agent: self.observe(agent) for agent in AGENTS}
        return observations, rewards, ended, dict.fromkeys(AGENTS, False), {agent: {} for agent in AGENTS}


def aec_env(game: Game | str = "othello", *, render_mode: str | None = None) -> Any:
    """`AecGameEnv` with PettingZoo's wrappers: an illegal action loses the game, a wrong order of calls is an error.

    >>> env = aec_env("connect4")
    >>> env.reset()
    >>> env.last()[0]["action_mask"]
    array([1, 1, 1, 1, 1, 1, 1], dtype=int8)
    """
    env = wrappers.TerminateIllegalWrapper(AecGameEnv(game, render_mode=render_mode), illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


def parallel_env(game: Game | str = "othello", *, render_mode: str | None = None) -> ParallelGameEnv:
    """`ParallelGameEnv`; PettingZoo has no wrappers that it needs.

    >>> env = parallel_env("connect4")
    >>> observations, infos = env.reset(seed=1)
    >>> observations["player_0"]["action_mask"]
    array([1, 1, 1, 1, 1, 1, 1], dtype=int8)
    """
    return ParallelGameEnv(game, render_mode=render_mode)
