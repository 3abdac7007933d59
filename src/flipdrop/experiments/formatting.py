"""How experiments speak: numbers with their intervals, what a report's few games can say, and conclusions by rule."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from scipy import special

from flipdrop.experiments.experiment import Conclusion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.experiments.experiment import Values

Interval = tuple[float, float]

RULE_OF_SIDES = (
    "confirmed if the 95% interval lies on the claimed side, refuted if it lies on the other, "
    "not decided by this run if it holds both"
)


def number(value: float, digits: int = 2) -> str:
    """A number with a true minus sign, and never minus zero."""
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{value:z,.{digits}f}"
    return text.replace("-", "−")


def between(interval: Sequence[float | None], digits: int = 2) -> str:
    """``0.59 to 0.65``; an end that is None is infinite."""
    low, high = interval
    return f"{'−∞' if low is None else number(low, digits)} to {'∞' if high is None else number(high, digits)}"


def with_interval(value: float | None, interval: Sequence[float | None], digits: int = 2) -> str:
    """``0.62 (0.59 to 0.65)``; a value that is None is infinite."""
    infinite = "∞" if interval[1] is None else "−∞"
    return f"{infinite if value is None else number(value, digits)} ({between(interval, digits)})"


def score(values: Values, digits: int = 3) -> str:
    """A match's score with its interval."""
    return with_interval(values["score"], values["score_interval"], digits)


def elo(values: Values) -> str:
    """A match's Elo difference with its interval."""
    return with_interval(elo_of(values), values["elo_interval"], 0)


def elo_of(values: Values) -> float:
    """A match's Elo difference: infinite, with the sign of the score, where everything was won or lost."""
    return math.copysign(math.inf, values["score"] - 0.5) if values["elo"] is None else float(values["elo"])


def wins_draws_losses(values: Values) -> str:
    """``1,736 / 34 / 230``."""
    return " / ".join(f"{values[name]:,}" for name in ("wins", "draws", "losses"))


def discs(values: Values, squares: int = 64) -> str:
    """Mean discs of both sides, ``36.2 : 27.8``, of a match or of one side of it (``values["as_first"]``)."""
    mine = (squares + values["margin"]) / 2
    return f"{number(mine, 1)} : {number(squares - mine, 1)}"


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


def wilson(score: float, games: int, *, level: float = 0.95) -> Interval:
    """What so many independent games with this score leave open: Wilson's interval. It is what a report could know.

    >>> [round(end, 2) for end in wilson(1.0, 2)]
    [0.34, 1.0]
    """
    z = float(special.ndtri((1 + level) / 2))
    middle = (score + z * z / (2 * games)) / (1 + z * z / games)
    reach = z / (1 + z * z / games) * (score * (1 - score) / games + z * z / (4 * games * games)) ** 0.5
    return max(0.0, middle - reach), min(1.0, middle + reach)


def side_of(interval: Sequence[float | None], boundary: float) -> int:
    """1 if an interval lies above the boundary, -1 if below, 0 if it holds it. Ends that are None are infinite."""
    low, high = interval
    if low is not None and low > boundary:
        return 1
    return -1 if high is not None and high < boundary else 0


def conclusion(interval: Sequence[float | None], boundary: float, *, claimed: int = 1) -> Conclusion:
    """By `RULE_OF_SIDES`.

    :param claimed: 1 if the claim is that the truth lies above the boundary, -1 if below
    """
    return {1: Conclusion.CONFIRMED, -1: Conclusion.REFUTED, 0: Conclusion.UNDECIDED}[
        claimed * side_of(interval, boundary)
    ]


def overall(conclusions: Sequence[Conclusion], strict: Sequence[Conclusion] | None = None) -> Conclusion:
    """Of a claim of several tasks: refuted if one is, confirmed if all are, else not decided.

    :param strict: the same at the level `one_of` so many: by these it is refuted, since one suffices
    """
    if Conclusion.REFUTED in (conclusions if strict is None else strict):
        return Conclusion.REFUTED
    if all(one is Conclusion.CONFIRMED for one in conclusions):
        return Conclusion.CONFIRMED
    return Conclusion.UNDECIDED


def one_of(several: int) -> float:
    """The level of each of several intervals if one of them suffices for an answer that is to hold with 95%."""
    return 1 - 0.05 / several


def inside(interval: Sequence[float], of: Sequence[float]) -> Conclusion:
    """Of a number that a report printed: confirmed if our interval lies in what its games leave open (`of`), refuted
    if the two have nothing in common, else not decided."""
    if of[0] <= interval[0] and interval[1] <= of[1]:
        return Conclusion.CONFIRMED
    return Conclusion.UNDECIDED if interval[0] <= of[1] and of[0] <= interval[1] else Conclusion.REFUTED


def underpowered(score: float, games: int, boundary: float = 0.5) -> str:
    """What is to be said if a report's games leave open on which side of a boundary the truth lies; else nothing."""
    return "" if side_of(wilson(score, games), boundary) else f"the report's {games} games could not tell"


def spec_with(kind: str, **options: Any) -> str:
    """A spec from options: ``spec_with("mcts", iterations=10)`` is ``mcts:iterations=10``."""
    return f"{kind}:{','.join(f'{name}={value}' for name, value in options.items())}" if options else kind
