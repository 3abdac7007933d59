"""Games between two player objects, without a store: for the arena's batches and for learners."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flipdrop.arena.openings import Openings, default_openings
from flipdrop.arena.referee import result_of
from flipdrop.arena.seeds import derive_seed
from flipdrop.kernel import play_games
from flipdrop.players.agent_process import isolated_player
from flipdrop.players.native import native_player

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.arena.openings import Opening
    from flipdrop.arena.statistics import Tally
    from flipdrop.games import Game, Position
    from flipdrop.kernel import NativePlayer
    from flipdrop.players import Player, SpecPlayer


def native_games(
    starts: Sequence[Position],
    first: NativePlayer,
    second: NativePlayer,
    *,
    seeds: Sequence[Sequence[int]],
    watch: Callable[[], object] | None = None,
) -> list[tuple[list[int], int, int]]:
    """Games inside the kernel: moves, result and margin of `first`, who moves first from each start.

    :param watch: called periodically; an exception that it raises ends the games
    """
    positions: list[Any] = list(starts)
    return play_games(positions, first, second, seeds=seeds, progress=watch and (lambda *_: watch()))


def results_against(
    player: SpecPlayer,
    opponent: str | SpecPlayer,
    game: Game,
    *,
    pairs: int,
    seed: int,
    openings: str = "",
    threads: int = 1,
) -> Tally:
    """A player's results against another one; each opening is played twice, once with each colour."""
    from flipdrop.arena.statistics import Tally

    chosen = _openings(game, openings or default_openings(game), seed, pairs)
    with ThreadPoolExecutor(threads) as pool:
        scores = pool.map(
            lambda n: _play(player, opponent, game, chosen[n::threads], derive_seed(seed, n)), range(threads)
        )
        return Tally.from_scores([pair for of_thread in scores for pair in of_thread])


@lru_cache(maxsize=4)
def _openings(game: Game, source: str, seed: int, count: int) -> list[Opening]:
    return Openings(game, source, seed).take(count)


def _play(
    player: SpecPlayer, opponent: str | SpecPlayer, game: Game, openings: list[Opening], seed: int
) -> list[tuple[float, float]]:
    """The player's scores in each pair of games, first as the side to move."""
    if isinstance(opponent, str):
        made = isolated_player(opponent, game=game, seed=seed)
        try:
            return _play(player, made, game, openings, seed)
        finally:
            made.close()
    other = opponent
    starts = [opening.position for opening in openings]
    mine, theirs = native_player(player, game), native_player(other, game)
    if mine is None or theirs is None:
        return [(_score(player, other, start), 1 - _score(other, player, start)) for start in starts]
    seeds = [(derive_seed(seed, "player", n), derive_seed(seed, "opponent", n)) for n in range(len(starts))]
    as_first = native_games(starts, mine.player, theirs.player, seeds=seeds)
    as_second = native_games(starts, theirs.player, mine.player, seeds=seeds)
    return [((1 + won) / 2, (1 - lost) / 2) for (_, won, _), (_, lost, _) in zip(as_first, as_second, strict=True)]


def _score(first: Player, second: Player, start: Position) -> float:
    """The score of the side that moves first at the start."""
    position, sides = start, (first, second)
    while not position.is_over:
        mover = sides[position.to_move != start.to_move]
        position = position.play(mover.choose(position))
    result = result_of(position)
    return (1 + (result if start.to_move == 0 else -result)) / 2
