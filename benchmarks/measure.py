"""Fair timing on a noisy machine: contenders take turns, and the best turn of each counts."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def seconds_of(work: Callable[[], object]) -> float:
    """How long one call takes."""
    began = perf_counter()
    work()
    return perf_counter() - began


Contenders = dict[str, Callable[[int], object]]
"""The contenders: functions that do a given number of units of work."""


def best_rates(contenders: Contenders, *, turn_seconds: float, turns: int = 5) -> dict[str, float]:
    """Units of work per second of each contender."""
    sizes = {}
    for name, work in contenders.items():
        work(1)  # caches, lazy imports
        units = 1
        while (seconds := seconds_of(lambda: work(units))) < turn_seconds / 10:  # noqa: B023 - called at once
            units *= 2
        sizes[name] = max(1, round(units * turn_seconds / seconds))
    rates = dict.fromkeys(contenders, 0.0)
    for _ in range(turns):
        for name, work in contenders.items():
            rates[name] = max(rates[name], sizes[name] / seconds_of(lambda: work(sizes[name])))  # noqa: B023
    return rates
