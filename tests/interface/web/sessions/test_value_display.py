"""Values of searches as views show them."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop.games import Othello
from flipdrop.interface.web.sessions.value_display import WinProbabilityScale, describe_value
from flipdrop.search.values import WIN, Value


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan, 1e300, -1e300, 0.0])
@pytest.mark.parametrize("half_point", [0.0, 60.0])
def test_extreme_values_are_valid_json(value: float, half_point: float) -> None:
    for outcome in (1, None):
        shown = describe_value(Value(Othello(), value, outcome), WinProbabilityScale(half_point))
        json.dumps(shown.model_dump(), allow_nan=False)
        assert 0 <= shown.win_probability <= 1


@settings(deadline=None)
@given(low=st.floats(-1e4, 1e4), high=st.floats(-1e4, 1e4), half_point=st.sampled_from([0.0, 40.0]))
def test_a_higher_value_has_a_higher_win_probability(low: float, high: float, half_point: float) -> None:
    low, high = min(low, high), max(low, high)
    scale = WinProbabilityScale(half_point)
    chances = [
        describe_value(Value(Othello(), value), scale).win_probability
        for value in (-WIN - 64, low, high, WIN + 2, WIN + 64)
    ]
    assert chances[1] <= chances[2]
    assert chances[3] <= chances[4]
    assert chances[0] < 0.1
