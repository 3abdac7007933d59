"""Pairs of games between two players: inside the kernel and in Python they give the same results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from flipdrop.arena.quick_match import results_against
from flipdrop.games import game
from flipdrop.players import Clock, player

if TYPE_CHECKING:
    from flipdrop.players import SpecPlayer


class InPython:
    """A player that the kernel does not know."""

    def __init__(self, spec: str, name: str) -> None:
        self.spec = spec
        self._player = player(spec, game=game(name))

    def choose(self, position: Any, clock: Clock | None = None) -> int:
        return self._player.choose(position, clock)

    def close(self) -> None:
        self._player.close()


@pytest.mark.parametrize("name", ["othello6", "connect4:5x4"])
def test_python_and_kernel_agree(name: str) -> None:
    of = game(name)
    one, two = "alphabeta:depth=2", "alphabeta:depth=1"
    inside = results_against(player(one, game=of), two, of, pairs=6, seed=3)
    outside = results_against(cast("SpecPlayer", InPython(one, name)), two, of, pairs=6, seed=3)
    assert inside == outside
    assert inside.games.total == 12
    assert results_against(player(one, game=of), two, of, pairs=6, seed=3, threads=2).games.total == 12
