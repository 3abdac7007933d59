"""Intervals, means and pooled matches."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from flipdrop.arena.statistics import Pairs, estimate_elo
from flipdrop.experiments import measures
from flipdrop.experiments.measures import ReportedGames, difference, mean, mean_score, pooled, score_interval
from tests.experiments.examples import match_values


@given(st.integers(1, 500).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_wilson_is_that_of_the_books(counts: tuple[int, int]) -> None:
    wins, games = counts
    known = stats.binomtest(wins, games).proportion_ci(method="wilson")
    assert measures.wilson(wins / games, games) == pytest.approx((known.low, known.high), abs=1e-9)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_intervals_of_other_levels(level: float) -> None:
    match = match_values(0.6, games=200)
    assert score_interval(match, level) == estimate_elo(Pairs.from_counts(match["pairs"]), level=level).score_interval
    numbers = [0.1, 0.4, 0.35, 0.7]
    expected = stats.t.interval(level, 3, loc=sum(numbers) / 4, scale=stats.sem(numbers))
    assert mean(numbers, level)[1] == pytest.approx(expected)


def test_the_games_of_a_report() -> None:
    report = ReportedGames(((40, 24), (30, 34), (32, 32)))
    assert (report.games.wins, report.games.draws, report.games.losses) == (1, 1, 1)
    assert str(report) == "40:24, 30:34, 32:32"


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=5))
def test_matches_are_pooled_pair_by_pair(shares: list[float]) -> None:
    matches = [match_values(share, games=20) for share in shares]
    found = pooled(matches)
    pairs = Pairs.from_counts([sum(column) for column in zip(*(one["pairs"] for one in matches), strict=True)])
    assert found["score"] == pytest.approx(sum(one["wins"] for one in matches) / (20 * len(matches)))
    assert tuple(found["score_interval"]) == estimate_elo(pairs).score_interval
    assert found["games"] == 20 * len(matches)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=30))
def test_means_have_students_interval(numbers: list[float]) -> None:
    value, (low, high) = mean(numbers)
    error = stats.sem(numbers)
    assert low is not None
    assert high is not None
    expected = stats.t.interval(0.95, len(numbers) - 1, loc=value, scale=error) if error > 0 else (value, value)
    assert (low, high) == pytest.approx(expected, abs=1e-9)
    within = mean_score(numbers)[1]
    assert within == pytest.approx((max(0, low), min(1, high)))


def test_one_number_says_nothing_of_the_spread() -> None:
    assert mean([0.3]) == (0.3, (None, None))
    assert mean_score([0.3]) == (0.3, (0.0, 1.0))
    assert math.isfinite(mean_score([0.3])[1][0])


def test_the_difference_of_two_matches_is_less_certain_than_either() -> None:
    one, other = match_values(0.7, 400), match_values(0.6, 400)
    value, (low, high) = difference(one, other)
    assert value == pytest.approx(0.1)
    assert high - value == pytest.approx(value - low)
    widths = [match["score_interval"][1] - match["score_interval"][0] for match in (one, other)]
    assert high - low == pytest.approx(math.hypot(*widths))
    assert difference(one, other, 0.99)[1][0] < low
