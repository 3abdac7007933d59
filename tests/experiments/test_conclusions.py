"""Conclusions by rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.experiments import conclusions
from flipdrop.experiments.experiment import Conclusion


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(-1, 1), st.sampled_from([1, -1]))
def test_conclusion_by_side(low: float, width: float, at: float, claimed: int) -> None:
    found = conclusions.by_side((low, low + width), at, claimed=claimed)
    holds = low <= at <= low + width
    assert (found is Conclusion.UNDECIDED) == holds
    if not holds:
        assert (found is Conclusion.CONFIRMED) == ((low > at) == (claimed == 1))
        other = conclusions.by_side((low, low + width), at, claimed=-claimed)
        assert {found, other} == {Conclusion.CONFIRMED, Conclusion.REFUTED}


def test_infinite_ends_exclude_nothing_beyond_them() -> None:
    assert conclusions.side_of((None, None), 0) == 0
    assert conclusions.side_of((1.0, None), 0) == 1
    assert conclusions.side_of((None, -1.0), 0) == -1
    assert conclusions.side_of((None, 1.0), 0) == 0


@given(st.lists(st.sampled_from([Conclusion.CONFIRMED, Conclusion.REFUTED, Conclusion.UNDECIDED]), min_size=1))
def test_a_claim_of_several_parts(found_of: list[Conclusion]) -> None:
    found = conclusions.overall(found_of)
    assert (found is Conclusion.REFUTED) == (Conclusion.REFUTED in found_of)
    assert (found is Conclusion.CONFIRMED) == (set(found_of) == {Conclusion.CONFIRMED})


def test_one_of_several_has_to_be_surer_to_refute() -> None:
    assert conclusions.bonferroni_level(1) == pytest.approx(0.95)
    assert conclusions.bonferroni_level(10) == pytest.approx(0.995)
    lost, even = Conclusion.REFUTED, Conclusion.UNDECIDED
    assert conclusions.overall([lost, Conclusion.CONFIRMED], [even, even]) is Conclusion.UNDECIDED
    assert conclusions.overall([lost, Conclusion.CONFIRMED], [lost, even]) is Conclusion.REFUTED
    assert conclusions.overall([Conclusion.CONFIRMED] * 2, [even, even]) is Conclusion.CONFIRMED


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted), st.floats(0, 0.5), st.floats(0.5, 1))
def test_a_printed_number_is_compared_with_what_its_games_leave_open(
    ours: list[float], low: float, high: float
) -> None:
    found = conclusions.inside(ours, (low, high))
    assert (found is Conclusion.CONFIRMED) == all(low <= end <= high for end in ours)
    assert (found is Conclusion.REFUTED) == (ours[1] < low or ours[0] > high)


@given(st.lists(st.sampled_from([-1, 0, 1]), min_size=1), st.sampled_from([-1, 1]))
def test_a_claim_of_some_case(sides: list[int], claimed: int) -> None:
    found = conclusions.in_some_case(sides, claimed=claimed)
    assert (found is Conclusion.CONFIRMED) == (claimed in sides)
    assert (found is Conclusion.REFUTED) == (set(sides) == {-claimed})
