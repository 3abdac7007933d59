"""Searches: settings in, a report out."""

from flipdrop.search.mcts import Mcts
from flipdrop.search.minimax import Minimax
from flipdrop.search.report import MoveReport, SearchReport

__all__ = ["Mcts", "Minimax", "MoveReport", "SearchReport"]
