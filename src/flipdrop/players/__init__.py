"""Players: anything that chooses a move.

``player("mcts:iterations=800")`` makes one of a spec; `checked_move` asks one as a referee does.
"""

from flipdrop.players.checked import checked_move
from flipdrop.players.clock import Clock, GameClock, allotment
from flipdrop.players.engine import SearchPlayer
from flipdrop.players.exact import SolverPlayer
from flipdrop.players.flat import FlatMonteCarlo
from flipdrop.players.function import FunctionPlayer
from flipdrop.players.kinds import KINDS, Kind
from flipdrop.players.levels import LEVELS, NAMES, Level, LevelPlayer
from flipdrop.players.network import NetworkPlayer
from flipdrop.players.options import Option
from flipdrop.players.player import Analyst, Follower, Player, SpecPlayer, report_of, tell
from flipdrop.players.simple import GreedyPlayer, RandomPlayer
from flipdrop.players.spec import player

__all__ = [
    "KINDS",
    "LEVELS",
    "NAMES",
    "Analyst",
    "Clock",
    "FlatMonteCarlo",
    "Follower",
    "FunctionPlayer",
    "GameClock",
    "GreedyPlayer",
    "Kind",
    "Level",
    "LevelPlayer",
    "NetworkPlayer",
    "Option",
    "Player",
    "RandomPlayer",
    "SearchPlayer",
    "SolverPlayer",
    "SpecPlayer",
    "allotment",
    "checked_move",
    "player",
    "report_of",
    "tell",
]
