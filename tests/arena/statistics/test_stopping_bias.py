"""Estimates after a sequential test: reference values, limits, and coverage where plain estimates are biased."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from benchmarks.simulation import PairModel, simulate_sprt
from hypothesis import given, settings

from flipdrop.arena.statistics import (
    Games,
    Pairs,
    Sprt,
    estimate_after_sprt,
    estimate_elo,
)
from tests.arena.statistics.strategies import GOLDEN, some_results


def test_reference_values() -> None:
    for case in GOLDEN["sprt"]:
        results = (Pairs if len(case["counts"]) == 5 else Games).from_counts(case["counts"])
        estimate = estimate_after_sprt(Sprt(case["elo0"], case["elo1"], model=case["model"]), results)
        assert estimate.elo == pytest.approx(case["sprt_elo"], abs=1e-6)
        assert estimate.los == pytest.approx(case["sprt_los"], abs=1e-8)
        # The reference approximates the chance where its series is slow; ours is exact there (see test_brownian).
        assert estimate.elo_interval == pytest.approx(case["sprt_interval"], abs=0.02)


@pytest.mark.parametrize("results", [Pairs(10, 15, 30, 25, 20), Games(300, 200, 320), Pairs(90, 40, 300, 45, 80)])
def test_test_that_never_stops(results: Games | Pairs) -> None:
    never = Sprt(0, 10, alpha=1e-200, beta=1e-200)
    ours, plain = estimate_after_sprt(never, results), estimate_elo(results, method="normal")
    assert ours.method == "sprt"
    assert ours.score == pytest.approx(plain.score, abs=1e-7)
    assert ours.score_interval == pytest.approx(plain.score_interval, abs=1e-7)
    assert ours.los == pytest.approx(plain.los, abs=1e-7)


def test_bias() -> None:
    """Who passes a test of a small difference in few games was lucky; who fails it was unlucky."""
    sprt = Sprt(0, 20)
    passed, failed = Pairs(ll=60, even=200, ww=95), Pairs(ll=88, even=200, ww=70)
    assert str(sprt.test(passed).decision) == "H1"
    assert str(sprt.test(failed).decision) == "H0"
    assert estimate_after_sprt(sprt, passed).elo < estimate_elo(passed).elo
    assert estimate_after_sprt(sprt, failed).elo > estimate_elo(failed).elo


@pytest.mark.slow
@given(some_results)
@settings(max_examples=60)
def test_any_results(results: Games | Pairs) -> None:
    for sprt in (Sprt(0, 5), Sprt(-20, 100), Sprt(0, 30, model="normalised")):
        estimate = estimate_after_sprt(sprt, results)
        low, high = estimate.score_interval
        assert 0 <= low <= estimate.score <= high <= 1
        assert 0 <= estimate.los <= 1
        mirror = Sprt(-sprt.elo1, -sprt.elo0, model=sprt.model)
        assert estimate_after_sprt(mirror, results.reversed).los == pytest.approx(1 - estimate.los, abs=1e-5)
        json.dumps(estimate.to_json(), allow_nan=False)


@pytest.mark.parametrize("results", [Pairs(ww=1), Pairs(ww=40), Pairs(even=40), Pairs(even=40, ww=1), Pairs()])
def test_few_results(results: Pairs) -> None:
    for sprt in (Sprt(0, 5), Sprt(0, 50), Sprt(0, 50, model="normalised")):
        assert estimate_after_sprt(sprt, results) == estimate_elo(results)


@pytest.mark.slow
@pytest.mark.parametrize("elo", [0.0, 25.0, 50.0])
@pytest.mark.parametrize("kind", [{}, {"opening_bias": 300.0}])
def test_coverage(elo: float, kind: dict[str, float]) -> None:
    matches, sprt = 150, Sprt(0, 50)
    runs = simulate_sprt(sprt, PairModel(elo, **kind), matches=matches, seed=5)
    results = [Pairs.from_counts(row) for row in runs.counts.tolist()]
    estimates = [estimate_after_sprt(sprt, result) for result in results]
    covering = np.mean([e.elo_interval[0] <= elo <= e.elo_interval[1] for e in estimates])
    above = np.mean([e.elo > elo for e in estimates])
    assert covering > 0.95 - 2.5 * math.sqrt(0.95 * 0.05 / matches)
    assert abs(above - 0.5) < 0.05 + 2.5 * 0.5 / math.sqrt(matches)
    plain = [estimate_elo(result) for result in results]
    assert np.mean([e.elo_interval[0] <= elo <= e.elo_interval[1] for e in plain]) < covering
