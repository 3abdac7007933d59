"""`AgentCode`: where the code of an agent is, and the player that runs it within limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.players.agent_process import AgentPlayer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flipdrop.arena.player_pool import Makers

MEGABYTES = 1024
"""Memory limit of an agent's process."""
PROCESSES = 64
"""Processes and threads that an agent may start."""
LOAD_SECONDS = 20.0
"""Time limit for loading an agent."""


@dataclass(frozen=True)
class AgentCode:
    """An agent's code.

    :param name: for tables and messages
    :param folder: of its file; it appears in no message
    :param code: the file and the class or function in it, ``agent.py:Mine``
    :param seconds: for a move where the game has no clock; None for the limit of the server
    """

    name: str
    folder: str
    code: str
    seconds: float | None = None

    def player(self, *, seed: int = 0, move_timeout: float = LOAD_SECONDS) -> AgentPlayer:
        return AgentPlayer(
            self.code,
            seed=seed,
            move_timeout=move_timeout,
            megabytes=MEGABYTES,
            processes=PROCESSES,
            folder=self.folder,
            name=self.name,
            move_limit=self.seconds,
        )


def makers_of(agents: Mapping[str, AgentCode]) -> Makers:
    """What makes the players of an event, by the names that stand for their specs."""

    def maker(agent: AgentCode) -> Callable[[int], AgentPlayer]:
        return lambda seed: agent.player(seed=seed)

    return {spec: maker(agent) for spec, agent in agents.items()}
