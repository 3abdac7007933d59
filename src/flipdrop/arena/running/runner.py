"""Runners play games, several at once; `runner_for` chooses one for some players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from flipdrop.arena.running.thread_runner import ThreadRunner
from flipdrop.players import player
from flipdrop.players.agent_process import AgentLimits
from flipdrop.players.spec import runs_code
from flipdrop.workers import core_count

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from flipdrop.arena.model import FinishedGame, GameTask
    from flipdrop.arena.player_pool import Makers
    from flipdrop.games import Game
    from flipdrop.players import SpecPlayer


class Runner(Protocol):
    """Plays games."""

    def run(self, tasks: Iterable[GameTask]) -> Generator[list[FinishedGame], None, None]:
        """Plays all tasks, and yields finished games in batches as they end.

        When the iterator is closed, also by an error, no more games start, and running ones are stopped.
        """


def make_players(
    specs: Iterable[str],
    game: Game | None = None,
    *,
    makers: Makers | None = None,
    agents: AgentLimits | None = None,
    load_code: bool = True,
) -> dict[str, SpecPlayer]:
    """Makes each player once, which raises for a bad spec, and closes it again: every game makes its own.

    :param makers: of players that no spec describes; these are left out
    :param load_code: whether agents from files are loaded, in processes of their own, which may take long
    """
    made: dict[str, SpecPlayer] = {}
    for spec in specs:
        if makers and spec in makers:
            continue
        if not runs_code(spec):
            made[spec] = player(spec, game=game, seed=0)
        else:
            made[spec] = (agents or AgentLimits()).make(spec, seed=0)
        try:
            if runs_code(spec) and game is not None and load_code:
                made[spec].check_supported(game)
        finally:
            made[spec].close()
    return made


def runner_for(
    players: Iterable[str] | Mapping[str, SpecPlayer],
    *,
    threads: int | None = None,
    makers: Makers | None = None,
    agents: AgentLimits | None = None,
) -> Runner:
    """A runner for these players.

    :param players: their specs, or the players that `make_players` returned
    :param threads: games at once; as many as there are cores by default
    :param makers: make players that no spec describes, by the name that stands for the spec
    :param agents: limits of agents from files
    """
    made = players if isinstance(players, Mapping) else make_players(players, makers=makers)
    return ThreadRunner(threads or core_count(), made, makers=makers, agents=agents)
