"""What the experiments of report R3 share: its program."""

from __future__ import annotations

from flipdrop.experiments.formatting import spec_with

BEST_C = 50
"""In the middle of where the report looked more closely, 40 to 65."""
GUIDE_BONUS = 20
"""What the guide's move gains, in the report's reward, in which a win is worth 50 and more; it does not say what."""
OPENING = {"guide": 6, "guide_discs": 28, "guide_bonus": GUIDE_BONUS}
"""Guidance in the opening: alpha-beta to depth 6, up to 28 discs."""


def program(iterations: int, *, c: float | str = BEST_C, guided: bool = True, corners: bool = True) -> str:
    """The report's tree search: rewards by margin and corners, half of the descents expand, guidance, corners at once.

    The report gives it a minute for a move. How many simulations that was it does not say; in plain Python it cannot
    have been more than some thousands.
    """
    options = {"iterations": iterations, "reward": "margin", "c": c, "expand": 0.5}
    opening = {"evaluation": "B@positive"} | OPENING if guided else {}
    return spec_with("mcts", **options, **opening, **({"corners": "yes"} if corners else {}))
