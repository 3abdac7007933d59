"""Optimisers: Optuna and CMA-ES on a function with noise."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest

from flipdrop.arena.optimisers import Method, Optimiser, make_optimiser
from flipdrop.arena.option_values import Range

if TYPE_CHECKING:
    from collections.abc import Callable


METHODS: tuple[Method, ...] = ("optuna", "cma")

RANGES = (Range.parse("x=0:10"), Range.parse("y=0.01:100:log"), Range.parse("n=0:20:int"))


def hill(values: dict[str, str]) -> float:
    """Worth 1 at x=7, y=1, n=5, and less away from there."""
    x, y, n = (float(values[name]) for name in "xyn")
    return 1 - ((x - 7) / 5) ** 2 - (math.log10(y) / 2) ** 2 - ((n - 5) / 10) ** 2


def asked(search: Optimiser, trials: int, noise: Callable[[], float]) -> list[dict[str, str]]:
    found = []
    for _ in range(trials):
        values, _ = search.ask()
        found.append(values)
        search.tell(hill(values) + noise())
    return found


def new_search(method: Method, seed: int) -> Optimiser:
    return make_optimiser(method, RANGES, {"x": 0.1, "y": 0.9, "n": 0.9}, -3.0, seed)


@pytest.mark.parametrize("method", METHODS)
def test_noisy_maximum(method: Method) -> None:
    random = np.random.default_rng(1)
    found = asked(new_search(method, 3), 100, lambda: float(random.normal(0, 0.1)))
    first, last = (np.mean([hill(values) for values in part]) for part in (found[:10], found[-20:]))
    assert last > 0.7 > first


@pytest.mark.parametrize("method", METHODS)
def test_reproducible(method: Method) -> None:
    one, two, other = (asked(new_search(method, seed), 30, lambda: 0.0) for seed in (3, 3, 4))
    assert one == two != other


def test_cma_recommends_its_mean() -> None:
    search = new_search("cma", 3)
    random = np.random.default_rng(2)
    found = asked(search, 100, lambda: float(random.normal(0, 0.1)))
    recommended = search.recommended()
    assert recommended is not None
    assert recommended not in found
    assert hill(recommended) > 0.85
    assert new_search("optuna", 3).recommended() is None


def test_batches_of_cma() -> None:
    search = new_search("cma", 1)
    batches = []
    for _ in range(30):
        batches.append(search.ask()[1])
        search.tell(0.5)
    sizes = [batches.count(batch) for batch in dict.fromkeys(batches)]
    assert batches == sorted(batches)
    assert len(set(sizes[:-1])) == 1 < sizes[0]
