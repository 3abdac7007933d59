"""A player for tests of the protocols."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.players import Clock


class Clocked:
    """A player that remembers its clocks."""

    name = "clocked"

    def __init__(self) -> None:
        self.clocks: list[Clock | None] = []

    def choose(self, position: Position, clock: Clock | None = None) -> int:
        self.clocks.append(clock)
        return position.legal_moves[0]
