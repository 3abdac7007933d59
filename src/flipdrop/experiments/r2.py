"""What the experiments of report R2 share."""

from __future__ import annotations

WEIGHTS = (0.190777, 0.173278, 0.125869, 0.118276, 0.115697, 0.135494, 0.140609)
"""What R2's genetic algorithm arrived at."""
NAMES = ("squares", "discs", "near corners", "mobility", "stability", "edge stability", "corners")


def seven(weights: tuple[float, ...] | list[float]) -> str:
    """The evaluation with these weights, as specs write it."""
    return f"Seven({','.join(f'{weight:.6g}' for weight in weights)})"


EQUAL = seven([1.0] * len(WEIGHTS))
EVOLVED = seven(WEIGHTS)
