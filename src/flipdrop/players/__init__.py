"""Players: anything that chooses a move."""

from flipdrop.players.flat import FlatMonteCarlo
from flipdrop.players.player import Player

__all__ = ["FlatMonteCarlo", "Player"]
