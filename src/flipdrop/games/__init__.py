"""The two games: positions, moves, notation, game records and their files, drawing."""

from flipdrop.games.base import Game
from flipdrop.games.catalogue import game
from flipdrop.games.connect_four import ConnectFour, ConnectFourGame
from flipdrop.games.history import GameHistory, find_move_sequence
from flipdrop.games.othello import Othello, OthelloGame
from flipdrop.games.position import Position, check_position
from flipdrop.games.transcripts import positions_along, read_transcript, write_transcript

__all__ = [
    "ConnectFour",
    "ConnectFourGame",
    "Game",
    "GameHistory",
    "Othello",
    "OthelloGame",
    "Position",
    "check_position",
    "find_move_sequence",
    "game",
    "positions_along",
    "read_transcript",
    "write_transcript",
]
