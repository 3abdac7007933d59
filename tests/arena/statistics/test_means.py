"""Means and multiple comparisons with the best."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from flipdrop.arena.statistics.means import Mean, p_values, possibly_best


def outcomes(random: np.random.Generator, means: list[float], pairs: int) -> Any:
    """Scores of pairs, of which each point has others but all depend on the opening a little."""
    openings = random.normal(0, 0.15, pairs)
    raw = np.array([random.normal(mean, 0.3, pairs) + openings for mean in means])
    return np.clip(np.round(raw * 4), 0, 4) / 4


@pytest.mark.slow
@pytest.mark.parametrize(("points", "pairs"), [(2, 10), (8, 20), (30, 50)])
def test_best_point_is_kept(points: int, pairs: int) -> None:
    """The worst case is that all are equally good, so that any may be called the best."""
    random = np.random.default_rng(points)
    runs = 400
    kept = sum(bool(possibly_best(outcomes(random, [0.5] * points, pairs))[0]) for _ in range(runs))
    assert kept >= 0.95 * runs - 2 * (0.95 * 0.05 * runs) ** 0.5


def test_worse_points_are_ruled_out() -> None:
    table = outcomes(np.random.default_rng(1), [0.7, 0.69, 0.4, 0.1], 200)
    assert list(possibly_best(table)) == [True, True, False, False]


def test_few_games() -> None:
    assert possibly_best(np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])).all()
    assert possibly_best(np.zeros((1, 5))).all()
    assert possibly_best(np.zeros((3, 0))).all()


@given(st.lists(st.sampled_from([-1, -0.5, 0, 0.25, 0.5, 1]), min_size=8, max_size=40), st.integers(0, 5))
def test_p_values(differences: list[float], missing: int) -> None:
    row = np.array(differences + [np.nan] * missing)
    known = np.array(differences)
    if known.std() == 0:
        return
    expected = stats.ttest_1samp(known, 0, alternative="greater").pvalue
    assert p_values(row[None])[0] == pytest.approx(max(expected, 0.5 ** np.count_nonzero(known)))


def test_mean() -> None:
    numbers = np.array([1.0, 4.0, -2.0, 6.5])
    mean = Mean.of(numbers)
    low, high = stats.t.interval(0.95, 3, numbers.mean(), stats.sem(numbers))
    assert (mean.value, mean.low, mean.high) == pytest.approx((numbers.mean(), low, high))
    assert Mean.of(numbers[:1]).to_json() == [None, None]
