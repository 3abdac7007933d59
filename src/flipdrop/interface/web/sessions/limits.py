"""What one server allows, so that many people, or one program gone wild, leave it usable."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003 - a field's type, which dataclasses and their readers look at


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Limits:
    """The limits of a server.

    :param open_sessions: held in memory; of more than these, the ones that nobody looks at are left to the file
    :param kept_sessions: in the file; of more than these, the ones that were not touched for longest are forgotten
    :param searches: at once; others wait. Analyses leave one of them to players
    :param waiting: searches that may wait; of more than these, new ones are refused
    :param seconds: that one search may take
    :param patience: seconds for a move of a player whose spec sets no limit
    :param megabytes: for the table of one search, or its tree
    :param threads: of one search
    :param spec: characters of a player's spec
    :param text: characters of a position, a transcript, a game that was pasted
    :param body: bytes of a request
    :param programs: other programs, and agents from files, that are held ready at once
    :param models: the folder of jobs, whose models clients may name as ``learned:ID``; None if there is none
    """

    open_sessions: int = 500
    kept_sessions: int = 5000
    searches: int = field(default_factory=lambda: max(2, _cores()))
    waiting: int = 500
    seconds: float = 30.0
    patience: float = 5.0
    megabytes: int = 64
    threads: int = field(default_factory=_cores)
    spec: int = 300
    text: int = 8000
    body: int = 64 * 1024
    programs: int = 16
    models: Path | None = None
