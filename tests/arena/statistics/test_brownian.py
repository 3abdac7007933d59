"""The particle between two walls against a random walk on a fine grid, and its two formulas against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.statistics import brownian
from flipdrop.arena.statistics.brownian import chance_below

starts = st.floats(0.05, 0.95)
drifts = st.floats(-20, 20)
heights = st.one_of(st.just(0.0), st.just(1.0), st.floats(0, 1))


CELLS = 200


def walked(drift: float, steps: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Where a walk on 0 .. CELLS gets to from each cell; it moves up or down by one cell, and stays at the ends."""
    up = (1 + drift / CELLS) / 2
    move = np.diag(np.full(CELLS, up), 1) + np.diag(np.full(CELLS, 1 - up), -1)
    move[0], move[-1] = np.eye(CELLS + 1)[[0, -1]]
    return np.linalg.matrix_power(move, steps)


@pytest.mark.slow
@pytest.mark.parametrize("drift", [-6.0, -1.0, 0.0, 2.5])
@pytest.mark.parametrize("time", [0.02, 0.09, 0.3, 1.5])
def test_random_walk(drift: float, time: float) -> None:
    steps = round(time * CELLS**2)
    table = walked(drift, steps)
    for start in (40, 100, 150):
        ends = table[start]
        for height, expected in (
            (0, ends[0]),
            # Every other cell is out of reach: half of what is at the height itself counts as below.
            (60, ends[:60].sum() + ends[60] / 2),
            (121, ends[:121].sum() + ends[121] / 2),
            (CELLS, 1 - ends[-1]),
        ):
            found = chance_below(start / CELLS, drift, steps / CELLS**2, height / CELLS)
            assert found == pytest.approx(expected, abs=1e-3)


@given(starts, drifts, st.floats(0.05, 0.5), st.one_of(st.just(0.0), st.floats(0, 0.999)))
def test_mirror_images_and_waves_agree(start: float, drift: float, time: float, height: float) -> None:
    images = brownian._stuck_to_lower(start, drift, time) + brownian._free_below(start, drift, time, height)
    assert images == pytest.approx(brownian._by_sine_series(start, drift, time, height), abs=1e-9)


@given(starts, drifts, st.floats(1e-4, 10), heights, heights)
def test_monotonic_in_height(start: float, drift: float, time: float, one: float, other: float) -> None:
    low, high = sorted((one, other))
    below_low, below_high = (chance_below(start, drift, time, height) for height in (low, high))
    assert 0 <= below_low <= below_high + 1e-9
    assert below_high <= 1


@given(starts, drifts, st.floats(1e-3, 10), st.floats(0.01, 0.99))
def test_symmetry(start: float, drift: float, time: float, height: float) -> None:
    mirrored = chance_below(1 - start, -drift, time, 1 - height)
    assert chance_below(start, drift, time, height) == pytest.approx(1 - mirrored, abs=1e-9)


@given(starts, st.floats(-200, 200), st.floats(1e-6, 100), heights)
def test_overflow(start: float, drift: float, time: float, height: float) -> None:
    assert 0 <= chance_below(start, drift, time, height) <= 1


@given(starts)
def test_limit_of_time(start: float) -> None:
    assert chance_below(start, 0, 50, 0.5) == pytest.approx(1 - start)
    assert chance_below(start, 1e-9, 50, 0.5) == pytest.approx(1 - start, abs=1e-6)
    ruin = (np.exp(-2 * start) - np.exp(-2)) / (1 - np.exp(-2))
    assert chance_below(start, 1, 50, 0.5) == pytest.approx(ruin)
