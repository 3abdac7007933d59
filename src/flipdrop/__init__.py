"""flipdrop: a laboratory for Othello and Connect Four."""

from flipdrop.errors import (
    FlipdropError,
    IllegalMove,
    IllegalPosition,
    NotationError,
    RecordError,
    UnknownGame,
)
from flipdrop.games import ConnectFour, Game, Othello, Position, game
from flipdrop.kernel import Side

__version__ = "0.2.0"

__all__ = [
    "ConnectFour",
    "FlipdropError",
    "Game",
    "IllegalMove",
    "IllegalPosition",
    "NotationError",
    "Othello",
    "Position",
    "RecordError",
    "Side",
    "UnknownGame",
    "game",
]
