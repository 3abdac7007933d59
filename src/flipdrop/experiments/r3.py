"""Report R3: what it printed, and how its program is written as a spec."""

from __future__ import annotations

from typing import Any

from flipdrop.experiments.experiment import printed
from flipdrop.experiments.formatting import spec_with

LEVELS = tuple(row[0] for row in printed("R3.1"))
CLOSE = (40, 65)
"""Section 2.3: where the report looked for c by steps of 1."""
REPEATS = 3
WIN_BONUS, CORNER_BONUS, GUIDE_BONUS = 50, 10, 1000
"""Section 3: added to the disc margin of a win, for each corner, and to the rewards of the guide's move."""
BEST_C = 50
"""In the middle of `CLOSE`; the report does not print the value that it chose."""
REWARD: dict[str, Any] = {
    "reward": "margin",
    "win_bonus": WIN_BONUS,
    "corner_bonus": CORNER_BONUS,
    "corner_bonus_at": "leaf",
}
"""+-(50 + disc margin), and 10 for every corner that the program holds where a playout begins."""
GUIDE: dict[str, Any] = {"guide": 6, "guide_discs": 28, "evaluation": "B@positive", "guide_bonus": GUIDE_BONUS}
"""Alpha-beta to depth 6 on the report's table of squares, up to 28 discs."""
TREE: dict[str, Any] = {"c": BEST_C, "expand": 0.5, "final": "ucb"}
"""Half of the descents expand, and the move is the one with the best UCB value."""


def search(iterations: int, **changed: Any) -> str:
    """The report's tree search without guidance and corners at once, with some options changed.

    The report does not state the number of simulations in its minute for a move; in plain Python it cannot have been
    more than some thousands.
    """
    return spec_with("mcts", **{"iterations": iterations} | REWARD | TREE | changed)


def program(iterations: int) -> str:
    """The report's program: its tree search with guidance, and corners at once."""
    return search(iterations, **GUIDE, corners="yes")
