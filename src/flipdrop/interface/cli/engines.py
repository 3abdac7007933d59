"""What the commands that run one player share: its options, and serving it on standard input and output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import typer

from flipdrop.interface.cli.agents import AgentMemory, MoveTimeout
from flipdrop.interface.cli.options import Seed, Threads
from flipdrop.interface.protocols.streams import stdio_streams
from flipdrop.players.agent_process import DEFAULT_MEGABYTES, AgentLimits, isolated_player
from flipdrop.workers import thread_count

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
    from flipdrop.players import SpecPlayer


@dataclass(frozen=True)
class PlayerOptions:
    """Options of the commands that run one player."""

    threads: Threads = None
    seed: Seed = None
    move_timeout: MoveTimeout = None
    agent_memory: AgentMemory = DEFAULT_MEGABYTES

    def make_player(self, spec: str, game: Game, seed: int) -> SpecPlayer:
        """The player; an agent from a file runs in a process of its own."""
        limits = AgentLimits(self.move_timeout, self.agent_memory)
        return isolated_player(spec, game=game, seed=seed, threads=thread_count(self.threads), limits=limits)


def run_engine(
    protocol: str, player: SpecPlayer, title: str, seed: int, serve: Callable[[TextIO, TextIO], None]
) -> None:
    """Serves a player on standard input and output.

    :param title: of the game
    """
    try:
        typer.echo(f"flipdrop {protocol}: {title}, {player.name}, seed {seed}", err=True)
        with stdio_streams() as (commands, answers):
            serve(commands, answers)
    finally:
        player.close()
