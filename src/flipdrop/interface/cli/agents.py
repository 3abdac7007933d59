"""Options of commands that run agents from files, each in a process of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from flipdrop.players.agent_process import MOVE_TIMEOUT

MoveTimeout = Annotated[
    float | None,
    typer.Option(
        min=0.01,
        metavar="S",
        help="Time limit in seconds for a move of an agent from a file, without a clock.",
        show_default=f"{MOVE_TIMEOUT:g}",
    ),
]
AgentMemory = Annotated[
    int,
    typer.Option(
        min=0, max=2**20, metavar="MB", help="Memory limit in megabytes for each agent from a file; 0 for none."
    ),
]
