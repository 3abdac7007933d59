"""Conclusions from intervals, by rules that the pages state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.experiments.experiment import Conclusion
from flipdrop.experiments.measures import wilson

if TYPE_CHECKING:
    from collections.abc import Sequence

RULE_OF_SIDES = (
    "confirmed if the 95% interval lies on the claimed side, refuted if it lies on the other, "
    "not decided by this run if it holds both"
)

RULE_OF_NO_EFFECT = (
    "confirmed if the 95% interval lies within 0.45 to 0.55, refuted if it does not and excludes 0.5, not decided by "
    "this run otherwise"
)


def side_of(interval: Sequence[float | None], boundary: float) -> int:
    """1 if an interval lies above the boundary, -1 if below, 0 if it contains it. Ends that are None are infinite."""
    low, high = interval
    if low is not None and low > boundary:
        return 1
    return -1 if high is not None and high < boundary else 0


def by_side(interval: Sequence[float | None], boundary: float, *, claimed: int = 1) -> Conclusion:
    """By `RULE_OF_SIDES`.

    :param claimed: 1 if the claim is that the true value lies above the boundary, -1 if below
    """
    side = claimed * side_of(interval, boundary)
    return {1: Conclusion.CONFIRMED, -1: Conclusion.REFUTED, 0: Conclusion.UNDECIDED}[side]


def no_effect(interval: Sequence[float]) -> Conclusion:
    """Of a claim that a change does not matter, by `RULE_OF_NO_EFFECT`."""
    if interval[0] > 0.45 and interval[1] < 0.55:
        return Conclusion.CONFIRMED
    return Conclusion.REFUTED if side_of(interval, 0.5) else Conclusion.UNDECIDED


def overall(conclusions: Sequence[Conclusion], strict: Sequence[Conclusion] | None = None) -> Conclusion:
    """Of a claim of several parts: refuted if one is, confirmed if all are, otherwise not decided.

    :param strict: the same at the level of `bonferroni_level`; by these the claim is refuted, since one suffices
    """
    if Conclusion.REFUTED in (conclusions if strict is None else strict):
        return Conclusion.REFUTED
    if all(one is Conclusion.CONFIRMED for one in conclusions):
        return Conclusion.CONFIRMED
    return Conclusion.UNDECIDED


def in_some_case(sides: Sequence[int], *, claimed: int) -> Conclusion:
    """Of a claim that something happens in some case: confirmed if one lies on the claimed side, refuted if all lie on
    the other, otherwise not decided.

    :param sides: of intervals at the level of `bonferroni_level`, as by `side_of`
    """
    if claimed in sides:
        return Conclusion.CONFIRMED
    return Conclusion.REFUTED if set(sides) == {-claimed} else Conclusion.UNDECIDED


def bonferroni_level(several: int) -> float:
    """The level of each of several intervals if one of them suffices for an answer at 95% (Bonferroni)."""
    return 1 - 0.05 / several


def inside(interval: Sequence[float], of: Sequence[float]) -> Conclusion:
    """Of a number that a report printed: confirmed if our interval lies in that of its games (`of`), refuted if the two
    are disjoint, otherwise not decided."""
    if of[0] <= interval[0] and interval[1] <= of[1]:
        return Conclusion.CONFIRMED
    return Conclusion.UNDECIDED if interval[0] <= of[1] and of[0] <= interval[1] else Conclusion.REFUTED


def underpowered(score: float, games: int) -> str:
    """A note if a report's games leave open on which side of 0.5 the true score lies; otherwise empty."""
    return "" if side_of(wilson(score, games), 0.5) else f"the report's {games} games are too few to decide"
