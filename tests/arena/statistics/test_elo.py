"""Elo differences: known formulas, reference values, invariants, and the coverage of the intervals."""

from __future__ import annotations

import json
import math
from statistics import NormalDist

import numpy as np
import pytest
from benchmarks.simulation import PairModel, simulate_matches
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.optimize import brentq

from flipdrop.arena.statistics import (
    Games,
    Pairs,
    elo_of_score,
    estimate_elo,
    score_of_elo,
)
from flipdrop.arena.statistics.elo import covered
from flipdrop.errors import ArenaError
from tests.arena.statistics.strategies import GOLDEN, some_pairs, some_results

Z = NormalDist().inv_cdf(0.975)


def half_width(interval: tuple[float, float]) -> float:
    return (interval[1] - interval[0]) / 2


@given(st.floats(-3000, 3000))
def test_score_and_elo_are_inverse(elo: float) -> None:
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-5)
    assert score_of_elo(elo) + score_of_elo(-elo) == pytest.approx(1)


def test_known_scores() -> None:
    assert score_of_elo(400) == pytest.approx(10 / 11)
    assert elo_of_score(0.75) == pytest.approx(400 * math.log10(3))
    assert (elo_of_score(0), elo_of_score(1)) == (-math.inf, math.inf)


def test_reference_values() -> None:
    cases = GOLDEN["sprt"]
    assert len(cases) >= 10
    for case in cases:
        results = (Pairs if len(case["counts"]) == 5 else Games).from_counts(case["counts"])
        normal = estimate_elo(results, method="normal")
        assert normal.elo == pytest.approx(case["elo"], abs=1e-6)
        assert half_width(normal.elo_interval) == pytest.approx(case["elo_reach"], abs=1e-6)
        assert normal.los == pytest.approx(case["los"], abs=1e-9)
        ours = estimate_elo(results)
        if 0 not in case["counts"]:  # the reference counts what was never seen as a thousandth
            assert ours.elo == pytest.approx(case["elo"], abs=1e-6)
        if results.total > 1000:
            assert half_width(ours.elo_interval) == pytest.approx(case["elo_reach"], rel=0.002)
            assert ours.los == pytest.approx(case["los"], abs=1e-4)


def test_normal_interval() -> None:
    results = Games(losses=30, draws=20, wins=50)
    score, variance = 0.6, (30 * 0.36 + 20 * 0.01 + 50 * 0.16) / 100
    estimate = estimate_elo(results, method="normal")
    reach = Z * math.sqrt(variance / 100)
    assert estimate.score_interval == pytest.approx((score - reach, score + reach))
    assert estimate.elo == pytest.approx(400 * math.log10(0.6 / 0.4))
    assert estimate.los == pytest.approx(NormalDist().cdf(0.1 / math.sqrt(variance / 100)))


@pytest.mark.parametrize(("losses", "wins"), [(0, 1), (0, 4), (0, 30), (1, 20), (7, 9), (40, 60)])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_interval_without_draws(losses: int, wins: int, level: float) -> None:
    n = losses + wins
    share, z, t = wins / n, NormalDist().inv_cdf((1 + level) / 2), stats.t.ppf((1 + level) / 2, n - 1) if n > 1 else 0
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))

    def unlikely(s: float) -> float:
        seen = wins * math.log(share / s) + (losses * math.log((1 - share) / (1 - s)) if losses else 0)
        return 2 * seen - t * t

    low, high = (0.0, 1.0) if n == 1 else (float(brentq(unlikely, 1e-200, share)), 1.0)
    if losses:
        high = float(brentq(unlikely, share, 1 - 1e-15))
    found = estimate_elo(Games(losses=losses, wins=wins), level=level).score_interval
    assert found == pytest.approx((min(low, centre - reach), max(high, centre + reach)), abs=1e-5)


def test_no_results() -> None:
    for results in (Pairs(), Games()):
        for method in ("likelihood", "normal"):
            estimate = estimate_elo(results, method=method)
            assert (estimate.games, estimate.score, estimate.elo, estimate.los) == (0, 0.5, 0, 0.5)
            assert estimate.score_interval == (0, 1)
            assert estimate.elo_interval == (-math.inf, math.inf)


def test_one_pair() -> None:
    for pair in (Pairs(ww=1), Pairs(even=1), Pairs(ld=1)):
        assert estimate_elo(pair).elo_interval == (-math.inf, math.inf)
    assert estimate_elo(Pairs(ww=1)).elo == math.inf


def test_all_games_won() -> None:
    lows = []
    for n in (3, 5, 10, 20, 100, 1000):
        estimate = estimate_elo(Pairs(ww=n))
        assert estimate.elo == estimate.elo_interval[1] == math.inf
        lows.append(estimate.elo_interval[0])
        # Whoever is at this end wins n pairs in a row with a chance below 5%, even if all its other pairs are lost.
        assert score_of_elo(lows[-1]) ** n < 0.05
    assert lows == sorted(lows)
    assert lows[-1] > 900


def test_equal_results() -> None:
    low, high = estimate_elo(Pairs(even=10)).elo_interval
    assert low == pytest.approx(-high)
    assert 60 < high < 150


@pytest.mark.slow
@given(some_results, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_any_results(results: Games | Pairs, level: float) -> None:
    estimate = estimate_elo(results, level=level)
    low, high = estimate.score_interval
    assert 0 <= low <= estimate.score <= high <= 1
    if results.total:
        assert low < high
    assert 0 <= estimate.los <= 1
    assert estimate.elo == elo_of_score(results.score)
    # Surely stronger is whose interval is above 0, and the other way round.
    if abs(estimate.los - (1 + level) / 2) > 1e-9:
        assert (estimate.los > (1 + level) / 2) == (estimate.elo_interval[0] > 0)
    text = json.dumps(estimate.to_json(), allow_nan=False)
    assert json.loads(text)["elo"] == (estimate.elo if 0 < results.score < 1 else None)


@pytest.mark.slow
@given(some_results)
def test_symmetry(results: Games | Pairs) -> None:
    estimate, mirrored = estimate_elo(results), estimate_elo(results.reversed)
    low, high = estimate.score_interval
    assert mirrored.score_interval == pytest.approx((1 - high, 1 - low), abs=1e-6)
    assert mirrored.los == pytest.approx(1 - estimate.los, abs=1e-6)


@pytest.mark.slow
@given(some_pairs)
def test_level(results: Pairs) -> None:
    narrow, wide = (estimate_elo(results, level=level).score_interval for level in (0.9, 0.99))
    assert wide[0] <= narrow[0]
    assert narrow[1] <= wide[1]


@pytest.mark.slow
@given(some_pairs.filter(lambda pairs: pairs.total > 1), st.floats(0.02, 0.98))
def test_covered(results: Pairs, score: float) -> None:
    low, high = estimate_elo(results).score_interval
    if min(abs(score - low), abs(score - high)) > 1e-6:
        assert bool(covered(np.array(results.counts, dtype=np.float64), score)) == (low < score < high)


def test_pairs_and_single_games() -> None:
    """The same 200 games: as pairs they are steadier than independent games would be, and the interval knows."""
    pairs = Pairs(ll=5, even=85, ww=10)
    games = Games(losses=95, wins=105)
    assert pairs.score == games.score
    assert half_width(estimate_elo(pairs).elo_interval) < 0.65 * half_width(estimate_elo(games).elo_interval)


PLAYER_TYPES = [{}, {"draw_margin": 170.0}, {"opening_bias": 300.0}, {"draw_margin": 10.0, "opening_taste": 200.0}]


@pytest.mark.parametrize("settings", PLAYER_TYPES)
@pytest.mark.parametrize("pairs", [5, 20, 100, 1000])
@pytest.mark.parametrize("score", [0.5, 0.6, 0.9, 0.97])
def test_coverage(settings: dict[str, float], pairs: int, score: float) -> None:
    matches = 4000
    drawn = simulate_matches(PairModel(elo_of_score(score), **settings), pairs=pairs, matches=matches, seed=pairs)
    share = float(np.mean(covered(drawn.astype(np.float64), score)))
    assert share > 0.95 - 0.01 - 2.5 * math.sqrt(0.95 * 0.05 / matches)
    if pairs == 1000:
        assert share < 0.965  # and they are not wider than need be


@pytest.mark.parametrize("n", [5, 10, 20, 50, 100])
def test_coverage_without_draws(n: int) -> None:
    """Exactly, by summing over all results, for many true scores: the dips are small."""
    results = np.array([[n - wins, 0, wins] for wins in range(n + 1)], dtype=np.float64)
    shares = []
    for score in np.linspace(0.5, 0.999, 200):
        chances = stats.binom.pmf(np.arange(n + 1), n, score)
        shares.append(float(chances[covered(results, float(score))].sum()))
    assert min(shares) > 0.935
    assert np.mean(shares) > 0.95


def test_invalid_arguments() -> None:
    with pytest.raises(ArenaError, match=r"level=95; it has to be between 0 and 1, 0\.95 for example"):
        estimate_elo(Pairs(ww=3), level=95)
    with pytest.raises(ArenaError, match="method='bayes'; it can be likelihood, normal"):
        estimate_elo(Pairs(ww=3), method="bayes")  # type: ignore[arg-type]


def test_text() -> None:
    assert str(estimate_elo(Pairs(even=20))) == "Elo +0.0 (95%: -56.5 to +56.5), likelihood of superiority 50.0%"
    assert "to +inf" in str(estimate_elo(Pairs(ww=20)))
