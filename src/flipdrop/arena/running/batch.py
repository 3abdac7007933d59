"""A batch of games, one after the other on one thread, as all runners play them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.arena.model import FinishedGame
from flipdrop.arena.pairs import native_games
from flipdrop.arena.referee import play
from flipdrop.errors import PlayerError
from flipdrop.games import game as game_of
from flipdrop.players import player
from flipdrop.players.native import native_player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flipdrop.arena.model import GameTask
    from flipdrop.games import Game
    from flipdrop.kernel import NativePlayer


class BatchPlayer:
    """Plays batches of games: inside the kernel where both players can, else by the referee."""

    def __init__(self) -> None:
        self._natives: dict[tuple[str, str], tuple[NativePlayer, int | None] | None] = {}

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
                played += [play(task, thinking=watch and (lambda *_: watch())) for task in same_players]
        return sorted(played, key=lambda game: game.task.number)

    def _native(self, spec: str, game: str) -> tuple[NativePlayer, int | None] | None:
        """The player for the kernel, and its seed if the spec names one; None if it cannot play in the kernel."""
        if (spec, game) not in self._natives:
            self._natives[spec, game] = _made_native(spec, game_of(game))
        return self._natives[spec, game]


def _made_native(spec: str, game: Game) -> tuple[NativePlayer, int | None] | None:
    try:
        made = player(spec, game=game, seed=0)
    except PlayerError:  # the referee reports it
        return None
    found = native_player(made, game)
    if found is None:
        return None
    takes_any_seed = made.spec != player(spec, seed=1).spec
    return found.player, None if takes_any_seed else found.seed


def _group_by_players(tasks: Iterable[GameTask]) -> list[list[GameTask]]:
    """The tasks in groups that the kernel can play in one call."""
    groups: dict[object, list[GameTask]] = {}
    for task in tasks:
        key = task.first, task.second, task.opening.game, task.time, task.opening.position.to_move
        groups.setdefault(key, []).append(task)
    return list(groups.values())


def _play_native(
    tasks: list[GameTask],
    first: tuple[NativePlayer, int | None],
    second: tuple[NativePlayer, int | None],
    watch: Callable[[], object] | None,
) -> list[FinishedGame]:
    # The kernel's first player is the side to move after the opening.
    sides = (first, second) if tasks[0].opening.position.to_move == 0 else (second, first)
    sign = 1 if sides[0] is first else -1
    seeds = []
    for task in tasks:
        task_seeds = task.seeds[::sign]
        seeds.append([task_seeds[i] if named is None else named for i, (_, named) in enumerate(sides)])
    starts = [task.opening.position for task in tasks]
    games = native_games(starts, sides[0][0], sides[1][0], seeds=seeds, watch=watch)
    return [
        FinishedGame(task, (*task.opening.moves, *moves), sign * result, sign * margin)
        for task, (moves, result, margin) in zip(tasks, games, strict=True)
    ]
