"""Numbers, intervals and lists as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def number(value: float, digits: int = 2) -> str:
    """A number with a typographic minus sign, never minus zero."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{value:z,.{digits}f}".replace("-", "−")


def between(interval: Sequence[float | None], digits: int = 2) -> str:
    """``0.59 to 0.65``; an end that is None is infinite."""
    low, high = interval
    return f"{'−∞' if low is None else number(low, digits)} to {'∞' if high is None else number(high, digits)}"


def with_interval(value: float | None, interval: Sequence[float | None], digits: int = 2) -> str:
    """``0.62 (0.59 to 0.65)``; a value that is None is infinite."""
    infinite = "∞" if interval[1] is None else "−∞"
    return f"{infinite if value is None else number(value, digits)} ({between(interval, digits)})"


def seconds(value: float) -> str:
    """``0.4 s``, ``12 s`` or ``3 min 20 s``."""
    if value < 9.95:
        return f"{value:.1f} s"
    if value < 119.5:
        return f"{value:.0f} s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def listed(items: Sequence[str]) -> str:
    """``a``, ``a and b`` or ``a, b and c``."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
