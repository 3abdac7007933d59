"""The two games: positions, moves, notation, game records and their files, drawing."""

from flipdrop.games.catalogue import game
from flipdrop.games.connect_four import ConnectFour, ConnectFourGame
from flipdrop.games.othello import Othello, OthelloGame
from flipdrop.games.position import Game, Position, native
from flipdrop.games.transcripts import positions_along, read_transcript, write_transcript

__all__ = [
    "ConnectFour",
    "ConnectFourGame",
    "Game",
    "Othello",
    "OthelloGame",
    "Position",
    "game",
    "native",
    "positions_along",
    "read_transcript",
    "write_transcript",
]
