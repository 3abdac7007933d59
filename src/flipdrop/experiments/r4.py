"""What the experiments of report R4 share: its program, and what it printed of playouts."""

from __future__ import annotations

OPTIONS = {"decisive": "root", "decisive_playouts": "yes", "solver": "no"}
"""Of the report's tree search of Connect Four: decisive moves at the root and in playouts, and no proofs."""
BY_PLAYOUTS = {1: 0.95, 10: 0.88}
"""Share of `GAMES` games won against the report's ladder, by the number of playouts for a leaf."""
GAMES = 100
