"""A handful of games, one after the other on one thread: what every runner does in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.arena.game import Played
from flipdrop.arena.referee import play
from flipdrop.errors import PlayerError
from flipdrop.games import game as game_of
from flipdrop.games import native
from flipdrop.kernel import play_games
from flipdrop.players import player
from flipdrop.players.native import native_player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from flipdrop.arena.game import Job
    from flipdrop.games import Game
    from flipdrop.kernel import NativePlayer


class ChunkPlayer:
    """Plays chunks of games: inside the kernel where both players can, else by the referee."""

    def __init__(self) -> None:
        self._natives: dict[tuple[str, str], tuple[NativePlayer, int | None] | None] = {}

    def play(self, jobs: Iterable[Job], *, watch: Callable[[], object] | None = None) -> list[Played]:
        """Plays them, in their order.

        :param watch: called once in a while; what it raises ends the work
        """
        played: list[Played] = []
        for jobs_alike in _alike(jobs):
            job = jobs_alike[0]
            one, two = (self._native(spec, job.opening.game) for spec in (job.first, job.second))
            if job.time is None and one is not None and two is not None:
                played += _play_native(jobs_alike, one, two, watch)
            else:
                played += [play(job, thinking=watch and (lambda *_: watch())) for job in jobs_alike]
        return sorted(played, key=lambda game: game.job.number)

    def _native(self, spec: str, game: str) -> tuple[NativePlayer, int | None] | None:
        """A player for the kernel, and its seed if the spec names one; None if it can't play there."""
        if (spec, game) not in self._natives:
            self._natives[spec, game] = _made_native(spec, game_of(game))
        return self._natives[spec, game]


def _made_native(spec: str, game: Game) -> tuple[NativePlayer, int | None] | None:
    try:
        made = player(spec, game=game, seed=0)
    except PlayerError:  # the referee will say so
        return None
    found = native_player(made, game)
    if found is None:
        return None
    takes_any_seed = made.spec != player(spec, seed=1).spec
    return found.player, None if takes_any_seed else found.seed


def _alike(jobs: Iterable[Job]) -> list[list[Job]]:
    """The jobs in groups that the kernel can play in one call."""
    groups: dict[object, list[Job]] = {}
    for job in jobs:
        key = job.first, job.second, job.opening.game, job.time, job.opening.position.to_move
        groups.setdefault(key, []).append(job)
    return list(groups.values())


def _play_native(
    jobs: list[Job],
    first: tuple[NativePlayer, int | None],
    second: tuple[NativePlayer, int | None],
    watch: Callable[[], object] | None,
) -> list[Played]:
    # The kernel's first player is whoever is to move after the opening.
    sides = (first, second) if jobs[0].opening.position.to_move == 0 else (second, first)
    sign = 1 if sides[0] is first else -1
    seeds = []
    for job in jobs:
        of_job = job.seeds[::sign]
        seeds.append([of_job[i] if named is None else named for i, (_, named) in enumerate(sides)])
    starts: list[Any] = [native(job.opening.position) for job in jobs]  # of one game
    progress = watch and (lambda *_: watch())
    games = play_games(starts, sides[0][0], sides[1][0], seeds=seeds, progress=progress)
    return [
        Played(job, (*job.opening.moves, *moves), sign * result, sign * margin)
        for job, (moves, result, margin) in zip(jobs, games, strict=True)
    ]
