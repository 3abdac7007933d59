"""A batch of games, one after the other on one thread, as all runners play them."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from flipdrop.arena.model import FinishedGame
from flipdrop.arena.player_pool import PlayerPool
from flipdrop.arena.quick_match import native_games
from flipdrop.arena.referee import play
from flipdrop.errors import PlayerError
from flipdrop.games import game as game_of
from flipdrop.players import player
from flipdrop.players.native import native_player
from flipdrop.players.spec import runs_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from flipdrop.arena.model import GameTask
    from flipdrop.arena.player_pool import Makers
    from flipdrop.players import SpecPlayer
    from flipdrop.players.agent_process import AgentLimits
    from flipdrop.players.native import Native

_NAMED_SEED = re.compile(r"[:,]\s*seed\s*=")  # in a spec: it is used in all games


class BatchPlayer:
    """Plays batches of games: inside the kernel where both players can, else by the referee.

    External engines and the processes of agents stay alive between the games until `close`.

    :param players: those that are made already, by spec
    :param makers: as `PlayerPool` takes them
    :param agents: limits of agents from files
    """

    def __init__(
        self,
        players: Mapping[str, SpecPlayer] | None = None,
        *,
        makers: Makers | None = None,
        agents: AgentLimits | None = None,
    ) -> None:
        self._players = dict(players or {})
        self._natives: dict[tuple[str, str], Native | None] = {}
        self._pool = PlayerPool(makers, agents)

    def play(self, tasks: Iterable[GameTask], *, watch: Callable[[], object] | None = None) -> list[FinishedGame]:
        """Plays them, in their order.

        :param watch: called periodically; an exception that it raises ends the games
        """
        played: list[FinishedGame] = []
        for same_players in _group_by_players(tasks):
            task = same_players[0]
            one, two = (self._native(spec, task.opening.game) for spec in (task.first, task.second))
            if task.time is None and one is not None and two is not None:
                played += _play_native(same_players, one, two, watch)
            else:
                played += [play(task, watch=watch, pool=self._pool) for task in same_players]
        return sorted(played, key=lambda game: game.task.number)

    def interrupt(self) -> None:
        """Ends agents and external engines that games in other threads wait for."""
        self._pool.interrupt()

    def close(self) -> None:
        """Ends external engines and agents. More batches may follow."""
        self._pool.close()

    def _native(self, spec: str, game: str) -> Native | None:
        """The player for the kernel; None if it cannot play there, or cannot be made, which the referee reports."""
        if runs_code(spec):
            return None
        if (spec, game) not in self._natives:
            self._natives[spec, game] = None
            with suppress(PlayerError):
                made = self._players.get(spec) or player(spec, game=game, seed=0)
                self._natives[spec, game] = native_player(made, game_of(game))
        return self._natives[spec, game]


def _group_by_players(tasks: Iterable[GameTask]) -> list[list[GameTask]]:
    """The tasks in groups that the kernel can play in one call."""
    groups: dict[object, list[GameTask]] = {}
    for task in tasks:
        key = task.first, task.second, task.opening.game, task.time, task.opening.position.to_move
        groups.setdefault(key, []).append(task)
    return list(groups.values())


def _play_native(
    tasks: list[GameTask], first: Native, second: Native, watch: Callable[[], object] | None
) -> list[FinishedGame]:
    # The kernel's first player is the side to move after the opening.
    sign = 1 if tasks[0].opening.position.to_move == 0 else -1
    sides = (first, second)[::sign]
    named = [_NAMED_SEED.search(spec) for spec in (tasks[0].first, tasks[0].second)[::sign]]
    seeds = [
        [side.seed if is_named else seed for side, is_named, seed in zip(sides, named, task.seeds[::sign], strict=True)]
        for task in tasks
    ]
    starts = [task.opening.position for task in tasks]
    games = native_games(starts, sides[0].player, sides[1].player, seeds=seeds, watch=watch)
    return [
        FinishedGame(task, (*task.opening.moves, *moves), sign * result, sign * margin)
        for task, (moves, result, margin) in zip(tasks, games, strict=True)
    ]
