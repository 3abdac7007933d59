"""Runners play games, several at once; `runner_for` chooses one for some players."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from flipdrop.players import FunctionPlayer, SearchPlayer, player
from flipdrop.players.basic import GreedyPlayer

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from flipdrop.arena.model import FinishedGame, GameTask
    from flipdrop.games import Game
    from flipdrop.players import SpecPlayer


class Runner(Protocol):
    """Plays games."""

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        """Plays all tasks, and yields finished games in batches as they end.

        When the iterator is closed, also by an error, no more games start, and running ones are stopped.
        """


def make_players(specs: Iterable[str], game: Game | None = None) -> dict[str, SpecPlayer]:
    """Makes each player once, which raises for a bad spec, and closes it again: every game makes its own."""
    made = {}
    for spec in specs:
        made[spec] = player(spec, game=game, seed=0)
        made[spec].close()
    return made


def runner_for(
    players: Iterable[str] | Mapping[str, SpecPlayer],
    *,
    threads: int | None = None,
    move_timeout: float | None = None,
) -> Runner:
    """A runner for these players.

    :param players: their specs, or the players that `make_players` returned
    :param threads: games at once; as many as there are cores by default
    :param move_timeout: seconds that an agent from a file may take for a move where there is no clock
    """
    threads = threads or os.cpu_count() or 1
    made = players if isinstance(players, Mapping) else make_players(players)
    if any(map(_runs_python, made.values())):
        from flipdrop.arena.running.processes import MOVE_TIMEOUT, ProcessRunner

        return ProcessRunner(threads, move_timeout=move_timeout or MOVE_TIMEOUT)
    from flipdrop.arena.running.threads import ThreadRunner

    return ThreadRunner(threads, players if isinstance(players, Mapping) else None)


def _runs_python(made: SpecPlayer) -> bool:
    """Whether a player thinks in Python: it would hold the interpreter lock, and no thread could stop it."""
    match made:
        case FunctionPlayer():
            return True
        case GreedyPlayer(evaluation=evaluation) | SearchPlayer(search=object(evaluation=evaluation)):
            return evaluation is not None and evaluation.is_function
    return False
