"""Simulated matches: the models have the intended distribution, and a seed determines a match."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.simulation import PairModel, simulate_matches, simulate_sprt
from hypothesis import given
from hypothesis import strategies as st

from flipdrop.arena.statistics import Decision, Sprt, score_of_elo
from flipdrop.errors import ArenaError

some_models = st.builds(
    PairModel,
    elo=st.floats(-800, 800),
    draw_margin=st.floats(0, 400),
    opening_bias=st.floats(0, 600),
    opening_taste=st.floats(0, 400),
)
HALVES = np.array([0, 0.5, 1])


@given(some_models)
def test_expected_score(model: PairModel) -> None:
    joint, five = model.joint(), model.probabilities()
    assert np.all(joint >= 0)
    assert joint.sum() == pytest.approx(1)
    assert five @ np.linspace(0, 1, 5) == pytest.approx(score_of_elo(model.elo), abs=1e-8)
    for half_points in range(5):
        expected = sum(joint[i, half_points - i] for i in range(3) if 0 <= half_points - i < 3)
        assert five[half_points] == pytest.approx(expected)


def correlation(model: PairModel) -> float:
    joint = model.joint()
    first, second = joint.sum(axis=1) @ HALVES, joint.sum(axis=0) @ HALVES
    return float(HALVES @ joint @ HALVES - first * second)


def test_correlation_of_pairs() -> None:
    assert correlation(PairModel(50)) == pytest.approx(0, abs=1e-12)
    assert correlation(PairModel(50, opening_bias=200)) < -0.02
    assert correlation(PairModel(50, opening_taste=200)) > 0.02
    assert PairModel(0, draw_margin=100).joint()[1].sum() > 0.2
    assert PairModel(0).joint()[1].sum() == pytest.approx(0)


def test_reproducible() -> None:
    sprt, model = Sprt(0, 100), PairModel(50, draw_margin=100)
    one, same, other = (simulate_sprt(sprt, model, matches=50, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.counts, same.counts)
    assert not np.array_equal(one.counts, other.counts)
    drawn = [simulate_matches(model, pairs=30, matches=4, seed=seed) for seed in (1, 1, 2)]
    assert np.array_equal(drawn[0], drawn[1])
    assert not np.array_equal(drawn[0], drawn[2])
    assert np.all(drawn[0].sum(axis=1) == 30)


def test_matches_end_by_the_test() -> None:
    sprt = Sprt(0, 100)
    runs = simulate_sprt(sprt, PairModel(50), matches=60, seed=4, most=40)
    ended = sprt.decisions(runs.counts.astype(np.float64))
    assert np.array_equal(ended, runs.decisions)
    assert np.all(runs.counts.sum(axis=1)[runs.decisions == 0] == 40)
    assert runs.share(Decision.CONTINUE) > 0
    assert sum(map(runs.share, Decision)) == pytest.approx(1)
    assert runs.mean_games == 2 * runs.counts.sum() / 60
    in_eights = simulate_sprt(sprt, PairModel(0), matches=20, seed=4, every=8)
    assert np.all(in_eights.counts.sum(axis=1) % 8 == 0)


def test_invalid_arguments() -> None:
    with pytest.raises(ArenaError, match="every=0, most=100000"):
        simulate_sprt(Sprt(0, 5), PairModel(0), matches=1, seed=1, every=0)
