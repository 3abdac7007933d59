"""Searches and exact solvers: settings in, a report out."""

from flipdrop.search.engine import Engine
from flipdrop.search.guided import GuidedSearch
from flipdrop.search.mcts import Mcts
from flipdrop.search.minimax import Minimax
from flipdrop.search.puct import Puct
from flipdrop.search.report import MoveReport, SearchReport
from flipdrop.search.solution import Solution, SolvedMove
from flipdrop.search.solver import Solver

__all__ = [
    "Engine",
    "GuidedSearch",
    "Mcts",
    "Minimax",
    "MoveReport",
    "Puct",
    "SearchReport",
    "Solution",
    "SolvedMove",
    "Solver",
]
