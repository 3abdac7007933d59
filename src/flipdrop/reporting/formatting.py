"""Numbers, intervals, lists and names as text."""

from __future__ import annotations

import math
import re
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


def elo_text(elo: float) -> str:
    """An Elo difference.

    >>> elo_text(12.4), elo_text(-0.2), elo_text(float("inf"))
    ('+12', '0', '+inf')
    """
    text = f"{elo:+.0f}"
    return "0" if text in ("+0", "-0") else text


def interval_text(interval: tuple[float, float]) -> str:
    """An interval of Elo differences.

    >>> interval_text((-3.2, float("inf")))
    '-3 to +inf'
    """
    return f"{elo_text(interval[0])} to {elo_text(interval[1])}"


def share_text(score: float) -> str:
    """A score from 0 to 1 with three digits.

    >>> share_text(0.75), share_text(1)
    ('.750', '1.00')
    """
    return "1.00" if score >= 0.9995 else f"{score:.3f}".removeprefix("0")


def shortened(text: str, length: int) -> str:
    """A text without its middle if it is too long: both ends of a spec, and the end of a path, identify it.

    >>> shortened("mcts:iterations=800,c=1.4", 16)
    'mcts:iter…,c=1.4'
    """
    if len(text) <= length:
        return text
    tail = 2 * (length - 1) // 5
    return text[: length - 1 - tail] + "…" + text[len(text) - tail :]


def wrapped(spec: str, length: int = 34, lines: int = 3) -> str:
    """A spec on a few lines, broken after commas and slashes where possible; without its middle if it is too long.

    >>> print(wrapped("mcts:iterations=800,playout=depth,depth=15,evaluation=D", length=30))
    mcts:iterations=800,
    playout=depth,depth=15,
    evaluation=D
    """
    size = length * lines
    while len(made := _broken(shortened(spec, size), length)) > lines:
        size -= 1
    return "\n".join(made)


def _broken(text: str, length: int) -> list[str]:
    lines = [""]
    for part in re.findall(r"[^,/]*[,/]|[^,/]+", text):
        for piece in (part[i : i + length] for i in range(0, len(part), length)):
            if len(lines[-1]) + len(piece) <= length:
                lines[-1] += piece
            else:
                lines.append(piece)
    return lines
