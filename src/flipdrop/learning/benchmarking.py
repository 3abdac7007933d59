"""Benchmarks of learning players: games against fixed opponents, inside the kernel where possible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.arena.pairs import results_against

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flipdrop.games import Game
    from flipdrop.players.player import SpecPlayer


def scores_against(
    player: SpecPlayer, opponents: Iterable[str], game: Game, *, pairs: int, seed: int, threads: int = 1
) -> dict[str, float]:
    """A player's score against each opponent, by the names of learning curves."""
    return {
        f"score against {spec}": results_against(
            player, spec, game, pairs=pairs, seed=seed, threads=threads
        ).games.score
        for spec in opponents
    }
