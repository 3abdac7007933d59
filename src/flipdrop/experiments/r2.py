"""Report R2: what it printed, and how its program is written as a spec."""

from __future__ import annotations

NAMES = ("squares", "discs", "near corners", "mobility", "stability", "edge stability", "corners")
"""The seven terms, e1 to e7."""
PRINTED_WEIGHTS: dict[str, tuple[float, ...]] = {
    "1": (0.180024, 0.158421, 0.115637, 0.148765, 0.131673, 0.132948, 0.132531),
    "2": (0.191451, 0.1672, 0.131378, 0.13384, 0.131794, 0.119331, 0.125007),
    "3": (0.200374, 0.165651, 0.131179, 0.130374, 0.116644, 0.127976, 0.127801),
    "4": (0.194079, 0.177424, 0.126681, 0.128813, 0.120654, 0.123919, 0.12843),
    "5": (0.190731, 0.172747, 0.130905, 0.1286, 0.117932, 0.126022, 0.133063),
    "6": (0.190668, 0.16921, 0.132587, 0.12919, 0.119907, 0.126999, 0.13144),
    "7": (0.188288, 0.171056, 0.132032, 0.128138, 0.121742, 0.126442, 0.1323),
    "8": (0.187779, 0.172125, 0.132753, 0.128525, 0.121523, 0.126784, 0.13051),
    "9": (0.188166, 0.172904, 0.132355, 0.127499, 0.119512, 0.129152, 0.130412),
    "10": (0.186478, 0.175266, 0.130976, 0.127504, 0.117202, 0.130896, 0.131678),
    "converged": (0.190777, 0.173278, 0.125869, 0.118276, 0.115697, 0.135494, 0.140609),
}
"""Section 5.1: the weights in ten iterations, and those near convergence."""
PRINTED_RATES = {10: 1.0, 20: 1.0, 30: 1.0, 50: 0.98, 100: 0.97}
"""Section 5.3: games against random moves, and the share of them that was won."""
WEIGHTS = PRINTED_WEIGHTS["converged"]


def seven(weights: tuple[float, ...] | list[float]) -> str:
    """The evaluation with these weights, as specs write it."""
    return f"Seven({','.join(f'{weight:.6g}' for weight in weights)})"


EQUAL = seven([1.0] * len(NAMES))
EVOLVED = seven(WEIGHTS)
