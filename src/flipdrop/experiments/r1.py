"""What the experiments of report R1 share: its opponent, and its first population."""

from __future__ import annotations

DEPTH = 2
"""How far the minimax players look ahead. The report says "a small depth" of its fitness games, and nothing else."""
OPPONENT = "D(15,6,-8,-6,4,4)"
BEST_BY_HAND = "D(15,6,-10,-4,8,8)"
START = ("D(5,5,-10,-4,4,4)", "D(15,6,-8,-4,2,2)", "D(13,5,-9,-3,3,3)", "D(15,3,-6,-6,4,2)", "D(10,8,-7,-4,3,5)")


def minimax(evaluation: str, depth: int = DEPTH) -> str:
    """The spec of a player of R1: alpha-beta, which has minimax's values and takes less time."""
    return f"alphabeta:depth={depth},evaluation={evaluation}"
