"""What the experiments of report R3 share: its program."""

from __future__ import annotations

from flipdrop.experiments.formatting import spec_with

BEST_C = 50
"""In the middle of where the report looked more closely, 40 to 65."""
GUIDE_BONUS = 20
"""The bonus of the guide's move. The report does not state it; in its reward a win counts at least 50."""
OPENING = {"guide": 6, "guide_discs": 28, "guide_bonus": GUIDE_BONUS}
"""Guidance in the opening: alpha-beta to depth 6, up to 28 discs."""


def program(iterations: int, *, c: float | str = BEST_C, guided: bool = True, corners: bool = True) -> str:
    """The report's tree search: rewards by margin and corners, half of the descents expand, guidance, corners at once.

    The report gives it a minute for a move. It does not state the number of simulations; in plain Python it cannot have
    been more than some thousands.
    """
    options = {"iterations": iterations, "reward": "margin", "c": c, "expand": 0.5}
    opening = {"evaluation": "B@positive"} | OPENING if guided else {}
    return spec_with("mcts", **options, **opening, **({"corners": "yes"} if corners else {}))
