"""Report R2: what it printed, and how its program is written as a spec."""

from __future__ import annotations

from flipdrop.experiments.experiment import printed

NAMES = ("squares", "discs", "near corners", "mobility", "stability", "edge stability", "corners")
"""The seven terms, e1 to e7."""
PRINTED_WEIGHTS = {name: tuple(map(float, row)) for name, *row in printed("R2.1")}
"""The weights in ten iterations, and those near convergence."""
PRINTED_RATES = {int(games): float(share) for games, share in printed("R2.2")}
"""Games against random moves, and the share of them that was won."""
WEIGHTS = PRINTED_WEIGHTS["converged"]


def seven(weights: tuple[float, ...] | list[float]) -> str:
    """The evaluation with these weights, as specs write it."""
    return f"Seven({','.join(f'{weight:.6g}' for weight in weights)})"


EQUAL = seven([1.0] * len(NAMES))
EVOLVED = seven(WEIGHTS)
