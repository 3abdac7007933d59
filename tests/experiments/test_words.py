"""Numbers, intervals and verdicts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from flipdrop.arena.statistics import Pairs, estimate_elo
from flipdrop.experiments import words
from flipdrop.experiments.experiment import Table, Verdict
from flipdrop.experiments.measures import Printed, mean, mean_score, pooled
from tests.experiments.examples import match_values


@given(st.integers(1, 500).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_wilson_is_that_of_the_books(counts: tuple[int, int]) -> None:
    wins, games = counts
    known = stats.binomtest(wins, games).proportion_ci(method="wilson")
    assert words.wilson(wins / games, games) == pytest.approx((known.low, known.high), abs=1e-9)


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(-1, 1), st.sampled_from([1, -1]))
def test_a_verdict_says_on_which_side_the_interval_lies(low: float, width: float, at: float, claimed: int) -> None:
    found = words.verdict((low, low + width), at, claimed=claimed)
    holds = low <= at <= low + width
    assert (found is Verdict.UNDECIDABLE) == holds
    if not holds:
        assert (found is Verdict.CONFIRMED) == ((low > at) == (claimed == 1))
        other = words.verdict((low, low + width), at, claimed=-claimed)
        assert {found, other} == {Verdict.CONFIRMED, Verdict.REFUTED}


def test_infinite_ends_exclude_nothing_beyond_them() -> None:
    assert words.side_of((None, None), 0) == 0
    assert words.side_of((1.0, None), 0) == 1
    assert words.side_of((None, -1.0), 0) == -1
    assert words.side_of((None, 1.0), 0) == 0


@given(st.lists(st.sampled_from([Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNDECIDABLE]), min_size=1))
def test_a_claim_of_several_parts(verdicts: list[Verdict]) -> None:
    found = words.overall(verdicts)
    assert (found is Verdict.REFUTED) == (Verdict.REFUTED in verdicts)
    assert (found is Verdict.CONFIRMED) == (set(verdicts) == {Verdict.CONFIRMED})


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (words.number(-0.001), "0.00"),
        (words.number(-1234.5, 1), "−1,234.5"),
        (words.with_interval(0.5, (0.25, 0.75)), "0.50 (0.25 to 0.75)"),
        (words.with_interval(None, (120.0, None), 0), "∞ (120 to ∞)"),
        (words.with_interval(None, (None, -120.0), 0), "−∞ (−∞ to −120)"),
        (words.discs({"margin": 8}), "36.0 : 28.0"),
        (words.discs({"margin": -4}, squares=16), "6.0 : 10.0"),
        (words.seconds(0.04), "0.0 s"),
        (words.seconds(9.96), "10 s"),
        (words.seconds(119.4), "119 s"),
        (words.seconds(119.6), "2 min"),
        (words.seconds(200), "3 min 20 s"),
        (words.listed(["a"]), "a"),
        (words.listed(["a", "b", "c"]), "a, b and c"),
        (words.wins_draws_losses({"wins": 1736, "draws": 34, "losses": 0}), "1,736 / 34 / 0"),
    ],
)
def test_what_numbers_look_like(said: str, expected: str) -> None:
    assert said == expected


def test_the_games_of_a_report() -> None:
    report = Printed(((40, 24), (30, 34), (32, 32)))
    assert (report.games.wins, report.games.draws, report.games.losses) == (1, 1, 1)
    assert report.interval == words.wilson(0.5, 3)
    assert str(report) == "40:24, 30:34, 32:32"


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


def test_a_table_has_as_many_cells_as_heads() -> None:
    with pytest.raises(ValueError, match="2 cells, not 1"):
        Table("t", ("a",), (("1", "2"),))
