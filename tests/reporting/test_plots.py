"""What all plots share."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.reporting.plots import spread_labels


@given(st.lists(st.floats(0, 1), min_size=1, max_size=25), st.floats(0.001, 0.2))
def test_spread(heights: list[float], step: float) -> None:
    heights = sorted(heights, reverse=True)
    made = spread_labels(heights, step)
    assert len(made) == len(heights)
    for upper, lower in itertools.pairwise(made):
        assert upper - lower >= step - 1e-9
    if all(upper - lower >= step for upper, lower in itertools.pairwise(heights)):
        assert made == pytest.approx(heights)
