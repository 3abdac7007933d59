"""Report R4: what it printed, and how its program is written as a spec."""

from __future__ import annotations

from typing import Any

from flipdrop.experiments.formatting import spec_with

WON, LOST, DRAWN, GAMES = 96, 4, 0, 100
"""Section 1: the final program against all even-numbered programs of its platform."""
BY_PLAYOUTS = {1: 0.95, 10: 0.88}
"""Share of games won, by the number of playouts for a leaf. Section 1 (95 to 96%) and section 3.5."""
C = 0.5**0.5
"""The constant of UCB for rewards of 0 and 1, usual for the algorithm that the report shows; it states none."""
OPTIONS: dict[str, Any] = {"c": round(2 * C, 4), "draw": -1, "opponent_draw": -1, "solver": "no"}
"""Only wins count, so draws are losses for both sides; playouts are random, and nothing is proven. Rewards here are 1
and -1 where the report has 1 and 0, so the same search has twice its C."""


def program(iterations: int, **changed: Any) -> str:
    """The report's tree search of Connect Four, with some options changed."""
    return spec_with("mcts", **{"iterations": iterations} | OPTIONS | changed)
