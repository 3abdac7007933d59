"""Numbers, intervals and conclusions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from flipdrop.arena.statistics import Pairs, estimate_elo
from flipdrop.experiments import formatting
from flipdrop.experiments.experiment import Conclusion, Table
from flipdrop.experiments.measures import ReportedGames, mean, mean_score, pooled, score_interval
from tests.experiments.examples import match_values


@given(st.integers(1, 500).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_wilson_is_that_of_the_books(counts: tuple[int, int]) -> None:
    wins, games = counts
    known = stats.binomtest(wins, games).proportion_ci(method="wilson")
    assert formatting.wilson(wins / games, games) == pytest.approx((known.low, known.high), abs=1e-9)


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(-1, 1), st.sampled_from([1, -1]))
def test_a_verdict_says_on_which_side_the_interval_lies(low: float, width: float, at: float, claimed: int) -> None:
    found = formatting.conclusion((low, low + width), at, claimed=claimed)
    holds = low <= at <= low + width
    assert (found is Conclusion.UNDECIDED) == holds
    if not holds:
        assert (found is Conclusion.CONFIRMED) == ((low > at) == (claimed == 1))
        other = formatting.conclusion((low, low + width), at, claimed=-claimed)
        assert {found, other} == {Conclusion.CONFIRMED, Conclusion.REFUTED}


def test_infinite_ends_exclude_nothing_beyond_them() -> None:
    assert formatting.side_of((None, None), 0) == 0
    assert formatting.side_of((1.0, None), 0) == 1
    assert formatting.side_of((None, -1.0), 0) == -1
    assert formatting.side_of((None, 1.0), 0) == 0


@given(st.lists(st.sampled_from([Conclusion.CONFIRMED, Conclusion.REFUTED, Conclusion.UNDECIDED]), min_size=1))
def test_a_claim_of_several_parts(conclusions: list[Conclusion]) -> None:
    found = formatting.overall(conclusions)
    assert (found is Conclusion.REFUTED) == (Conclusion.REFUTED in conclusions)
    assert (found is Conclusion.CONFIRMED) == (set(conclusions) == {Conclusion.CONFIRMED})


def test_one_of_several_has_to_be_surer_to_refute() -> None:
    assert formatting.one_of(1) == pytest.approx(0.95)
    assert formatting.one_of(10) == pytest.approx(0.995)
    lost, even = Conclusion.REFUTED, Conclusion.UNDECIDED
    assert formatting.overall([lost, Conclusion.CONFIRMED], [even, even]) is Conclusion.UNDECIDED
    assert formatting.overall([lost, Conclusion.CONFIRMED], [lost, even]) is Conclusion.REFUTED
    assert formatting.overall([Conclusion.CONFIRMED] * 2, [even, even]) is Conclusion.CONFIRMED


@given(st.lists(st.floats(0, 1), min_size=2, max_size=2).map(sorted), st.floats(0, 0.5), st.floats(0.5, 1))
def test_a_printed_number_is_compared_with_what_its_games_leave_open(
    ours: list[float], low: float, high: float
) -> None:
    found = formatting.inside(ours, (low, high))
    assert (found is Conclusion.CONFIRMED) == all(low <= end <= high for end in ours)
    assert (found is Conclusion.REFUTED) == (ours[1] < low or ours[0] > high)


@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_intervals_of_other_levels(level: float) -> None:
    match = match_values(0.6, games=200)
    assert score_interval(match, level) == estimate_elo(Pairs.from_counts(match["pairs"]), level=level).score_interval
    numbers = [0.1, 0.4, 0.35, 0.7]
    expected = stats.t.interval(level, 3, loc=sum(numbers) / 4, scale=stats.sem(numbers))
    assert mean(numbers, level)[1] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (formatting.number(-0.001), "0.00"),
        (formatting.number(-1234.5, 1), "−1,234.5"),
        (formatting.with_interval(0.5, (0.25, 0.75)), "0.50 (0.25 to 0.75)"),
        (formatting.with_interval(None, (120.0, None), 0), "∞ (120 to ∞)"),
        (formatting.with_interval(None, (None, -120.0), 0), "−∞ (−∞ to −120)"),
        (formatting.elo({"elo": None, "elo_interval": [None, None], "score": 0.0}), "−∞ (−∞ to ∞)"),
        (formatting.elo({"elo": None, "elo_interval": [None, None], "score": 1.0}), "∞ (−∞ to ∞)"),
        (formatting.elo({"elo": 12.0, "elo_interval": [-3.0, None], "score": 0.6}), "12 (−3 to ∞)"),
        (formatting.underpowered(1.0, 2), "the report's 2 games could not tell"),
        (formatting.underpowered(1.0, 6), ""),
        (formatting.discs({"margin": 8}), "36.0 : 28.0"),
        (formatting.discs({"margin": -4}, squares=16), "6.0 : 10.0"),
        (formatting.seconds(0.04), "0.0 s"),
        (formatting.seconds(9.96), "10 s"),
        (formatting.seconds(119.4), "119 s"),
        (formatting.seconds(119.6), "2 min"),
        (formatting.seconds(200), "3 min 20 s"),
        (formatting.listed(["a"]), "a"),
        (formatting.listed(["a", "b", "c"]), "a, b and c"),
        (formatting.wins_draws_losses({"wins": 1736, "draws": 34, "losses": 0}), "1,736 / 34 / 0"),
    ],
)
def test_what_numbers_look_like(said: str, expected: str) -> None:
    assert said == expected


def test_the_games_of_a_report() -> None:
    report = ReportedGames(((40, 24), (30, 34), (32, 32)))
    assert (report.games.wins, report.games.draws, report.games.losses) == (1, 1, 1)
    assert report.interval == formatting.wilson(0.5, 3)
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
