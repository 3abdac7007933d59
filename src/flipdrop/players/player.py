"""What a player is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from flipdrop.games import Position


class Player(Protocol):
    """Anything that chooses a move."""

    def choose(self, position: Position) -> int:
        """A legal move of a position that is not over."""
