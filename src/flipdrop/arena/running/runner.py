"""What plays games, and which of them suits which players."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from flipdrop.players import FunctionPlayer, SearchPlayer, player
from flipdrop.players.basic import GreedyPlayer

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from flipdrop.arena.model import FinishedGame, GameTask
    from flipdrop.players import SpecPlayer


class Runner(Protocol):
    """Plays games, several at once."""

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        """Plays all tasks: yields them a handful at a time, as they end.

        When the caller goes away, by an error or by closing the iterator, no more games are begun, and nothing of those
        under way is left behind.
        """


def runner_for(specs: Iterable[str], *, threads: int | None = None, move_timeout: float | None = None) -> Runner:
    """A runner that suits all of these players.

    :param threads: games at once; as many as there are cores if it is not given
    :param move_timeout: seconds that a player from a file may take for a move where there is no clock
    """
    threads = threads or os.cpu_count() or 1
    if any(_runs_python(player(spec)) for spec in specs):
        from flipdrop.arena.running.processes import MOVE_TIMEOUT, ProcessRunner

        return ProcessRunner(threads, move_timeout=move_timeout or MOVE_TIMEOUT)
    from flipdrop.arena.running.threads import ThreadRunner

    return ThreadRunner(threads)


def _runs_python(made: SpecPlayer) -> bool:
    """Whether a player thinks in Python: it would hold the others up, and nothing in this process could stop it."""
    made.close()
    match made:
        case FunctionPlayer():
            return True
        case GreedyPlayer(evaluation=evaluation) | SearchPlayer(search=object(evaluation=evaluation)):
            return evaluation is not None and evaluation.function is not None
    return False
