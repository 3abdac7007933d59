"""Players: anything that chooses a move.

``player("mcts:iterations=800")`` makes one from a spec; `checked_move` asks it for a legal move.
"""

from flipdrop.options import Option
from flipdrop.players.adaptive import AdaptivePlayer
from flipdrop.players.agent_loader import FunctionPlayer
from flipdrop.players.basic import FlatMonteCarlo, GreedyPlayer, RandomPlayer
from flipdrop.players.clock import Clock, GameClock, time_for_move
from flipdrop.players.levels import LEVEL_NAMES, LEVELS, Level, LevelPlayer
from flipdrop.players.network_player import NetworkPlayer
from flipdrop.players.objects import PlayerLike
from flipdrop.players.player import AnalysingPlayer, HistoryAware, Player, SpecPlayer, analyse_with, send_history
from flipdrop.players.registry import PLAYER_TYPES, PlayerType
from flipdrop.players.search_player import SearchPlayer
from flipdrop.players.solver_player import SolverPlayer
from flipdrop.players.spec import display_name, player
from flipdrop.players.validation import checked_move

__all__ = [
    "LEVELS",
    "LEVEL_NAMES",
    "PLAYER_TYPES",
    "AdaptivePlayer",
    "AnalysingPlayer",
    "Clock",
    "FlatMonteCarlo",
    "FunctionPlayer",
    "GameClock",
    "GreedyPlayer",
    "HistoryAware",
    "Level",
    "LevelPlayer",
    "NetworkPlayer",
    "Option",
    "Player",
    "PlayerLike",
    "PlayerType",
    "RandomPlayer",
    "SearchPlayer",
    "SolverPlayer",
    "SpecPlayer",
    "analyse_with",
    "checked_move",
    "display_name",
    "player",
    "send_history",
    "time_for_move",
]
