"""Arguments and options that several commands share, so that they are spelled and explained once."""

from __future__ import annotations

import os
import secrets
from typing import Annotated

import typer

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="othello, othello6, othello4, connect4, connect4:9x10, ...")
]
PositionText = Annotated[
    str, typer.Argument(metavar="POSITION", help="A transcript, or a board string with the side to move.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Threads = Annotated[int | None, typer.Option(min=1, max=1024, metavar="N", help="Threads; all cores unless said.")]
Seed = Annotated[int | None, typer.Option(min=0, metavar="N", help="Seed of every random choice; printed if not said.")]


def thread_count(threads: int | None) -> int:
    """The number of threads asked for, or of cores that this process may use."""
    if threads is not None:
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def seed_or_random(seed: int | None) -> int:
    """The seed asked for, or a fresh one, short enough to be typed again."""
    return secrets.randbelow(10**6) if seed is None else seed
