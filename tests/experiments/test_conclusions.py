"""What the experiments on R3, R4, R5 and the open questions make of results: verdicts by their rules, and pictures."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from flipdrop.experiments import (
    q_decisive,
    q_evaluations,
    q_iterations,
    q_leaf,
    q_learners,
    q_opening,
    q_playouts,
    q_threads,
    r3_1,
    r3_2,
    r4_1,
    r5_1,
)
from flipdrop.experiments.experiment import SIZES, Verdict
from flipdrop.experiments.words import wilson
from tests.experiments.examples import results_of
from tests.experiments.made_up import measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.experiments.experiment import Experiment, Finding, Size

MODULES = (
    r3_1,
    r3_2,
    r4_1,
    r5_1,
    q_iterations,
    q_playouts,
    q_leaf,
    q_decisive,
    q_threads,
    q_learners,
    q_evaluations,
    q_opening,
)
EXPERIMENTS: list[Experiment] = [module.EXPERIMENT for module in MODULES]
_NO_NUMBER = re.compile(r"\b(nan|inf|None)\b")


def concluded(
    experiment: Experiment, share: float | Callable[[str], float], size: Size = "full", **more: float
) -> Finding:
    """The finding if matches were won by such a share, perhaps depending on their keys."""
    of = share if callable(share) else lambda _: share
    return experiment.conclude(results_of(experiment, lambda part: measured(part, of, **more), size))


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.name)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_every_result_has_words_and_tables(experiment: Experiment, size: Size, share: float) -> None:
    finding = concluded(experiment, share, size)
    words = [finding.headline, finding.rule, *finding.text]
    words += [cell for table in finding.tables for row in table.rows for cell in row]
    assert not [text for text in words if _NO_NUMBER.search(text)]
    assert all(text.endswith(".") for text in (finding.headline, finding.rule, *finding.text))
    assert finding.tables


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.name)
@pytest.mark.parametrize(("size", "share"), [("quick", 1.0), ("full", 0.6)])
def test_pictures_show_something(experiment: Experiment, size: Size, share: float) -> None:
    finding = concluded(experiment, share, size)
    assert finding.pictures
    for picture in finding.pictures:
        canvas = Figure(figsize=picture.size)
        picture.draw(canvas)
        canvas.draw_without_rendering()
        assert all(axes.lines or axes.containers for axes in canvas.axes)


def test_r3_1_is_as_good_as_its_worst_opponent() -> None:
    assert concluded(r3_1.EXPERIMENT, 0.9).verdict is Verdict.CONFIRMED
    lost = concluded(r3_1.EXPERIMENT, lambda key: 0.2 if key == "1000 against advanced" else 0.9)
    assert lost.verdict is Verdict.REFUTED
    assert "does not beat the advanced" in lost.text[0]
    even = concluded(r3_1.EXPERIMENT, lambda key: 0.5 if key == "1000 against advanced" else 0.9)
    assert even.verdict is Verdict.UNDECIDABLE
    only_other_budgets = concluded(r3_1.EXPERIMENT, lambda key: 0.9 if key.startswith("1000 ") else 0.1)
    assert only_other_budgets.verdict is Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("best", "expected"),
    [
        ((45, 50), Verdict.CONFIRMED),
        ((20, 25), Verdict.REFUTED),
        ((35, 50), Verdict.UNDECIDABLE),
    ],
)
def test_r3_2_asks_where_all_that_may_be_best_lie(best: tuple[int, int], expected: Verdict) -> None:
    found = concluded(r3_2.EXPERIMENT, lambda c: 0.6 if int(c) in best else 0.4)
    assert found.verdict is expected


def test_r3_2_names_neighbours_in_short() -> None:
    assert r3_2.runs([1, 2, 5, 20], [0, 1, 2, 5, 10, 20]) == "1 to 5, 20"
    assert r3_2.runs([10], [0, 10, 20]) == "10"


@given(st.floats(10, 60), st.integers(10, 200))
def test_r3_2_finds_the_spread_of_single_games(spread: float, pairs: int) -> None:
    """Student's interval of the mean of pairs of independent games, turned around."""
    from scipy import stats

    reach = stats.t.ppf(0.975, pairs - 1) * spread / 2**0.5 / pairs**0.5
    point = {"margin_interval": [3 - reach, 3 + reach]}
    assert r3_2.spread_of_games(point, 2 * pairs) == pytest.approx(spread)


@given(st.sampled_from([i / 8 for i in range(9)]))
@settings(max_examples=9)
def test_r4_1_compares_intervals(share: float) -> None:
    games = 50 * 8
    low, high = wilson(share, games)
    reported = wilson(0.96, 100)
    expected = low <= reported[1] and high >= reported[0]
    assert (concluded(r4_1.EXPERIMENT, share).verdict is Verdict.CONFIRMED) == expected


@pytest.mark.parametrize(("share", "expected"), [(0.99, Verdict.REFUTED), (0.78, Verdict.CONFIRMED)])
def test_r5_1_is_refuted_by_what_the_reports_games_exclude(share: float, expected: Verdict) -> None:
    assert concluded(r5_1.EXPERIMENT, share).verdict is expected


def test_q1_every_step_counts() -> None:
    assert concluded(q_iterations.EXPERIMENT, 0.8).verdict is Verdict.ANSWERED
    even = concluded(q_iterations.EXPERIMENT, lambda key: 0.5 if "100000" in key else 0.8)
    assert even.verdict is Verdict.OPEN
    assert "from 30,000 to 100,000" in even.text[0]
    worse = concluded(q_iterations.EXPERIMENT, lambda key: 0.2 if key == "othello: 300 against 100" else 0.8)
    assert worse.verdict is Verdict.ANSWERED
    assert "weaker" in worse.text[0]


def test_q1_adds_up_steps() -> None:
    results = results_of(q_iterations.EXPERIMENT, lambda part: measured(part, lambda _: 10 / 11))
    curve = q_iterations.curve_of(results, "othello")
    assert [round(elo) for elo, _ in curve.values()] == [
        pytest.approx(400 * step, abs=25 * max(1, step)) for step in range(len(curve))
    ]


@pytest.mark.parametrize(
    ("share", "expected", "word"),
    [(0.3, Verdict.ANSWERED, "Yes"), (0.7, Verdict.ANSWERED, "No"), (0.5, Verdict.OPEN, "cannot")],
)
def test_q2_answers(share: float, expected: Verdict, word: str) -> None:
    found = concluded(q_playouts.EXPERIMENT, share)
    assert found.verdict is expected
    assert word in found.text[0]


def test_q3_rests_on_connect_four_at_equal_time() -> None:
    key = "connect4: 1 against 10, equal time"
    by_share = {0.6: Verdict.CONFIRMED, 0.4: Verdict.REFUTED, 0.5: Verdict.UNDECIDABLE}
    for share, expected in by_share.items():
        shares = defaultdict(lambda: 0.5, {key: share})
        assert concluded(q_leaf.EXPERIMENT, shares.__getitem__).verdict is expected


@pytest.mark.parametrize("share", [0.4, 0.6, 0.9])
def test_q4_an_effect_in_either_direction_refutes(share: float) -> None:
    found = concluded(q_decisive.EXPERIMENT, lambda key: share if "what playouts add" in key else 0.5)
    assert found.verdict is Verdict.REFUTED


def test_q4_no_effect_is_confirmed_by_narrow_intervals_alone() -> None:
    found = concluded(q_decisive.EXPERIMENT, 0.5)
    assert found.verdict in (Verdict.CONFIRMED, Verdict.UNDECIDABLE)
    assert concluded(q_decisive.EXPERIMENT, 0.5, "quick").verdict is Verdict.UNDECIDABLE


@pytest.mark.parametrize(
    ("speed_up", "expected"), [(1.8, Verdict.REFUTED), (0.9, Verdict.CONFIRMED), (1.1, Verdict.UNDECIDABLE)]
)
def test_q5_asks_for_a_gain(speed_up: float, expected: Verdict) -> None:
    assert concluded(q_threads.EXPERIMENT, 0.5, speed_up=speed_up).verdict is expected


@pytest.mark.parametrize(
    ("share", "expected"), [(0.9, Verdict.CONFIRMED), (0.1, Verdict.REFUTED), (0.5, Verdict.UNDECIDABLE)]
)
def test_q6_the_claim_is_a_match_of_its_own(share: float, expected: Verdict) -> None:
    found = concluded(q_learners.EXPERIMENT, lambda key: share if key == "R5's claim" else 0.5)
    assert found.verdict is expected


def test_q6_the_strongest_is_named() -> None:
    def share(key: str) -> float:
        one, _, other = key.partition(" against ")
        return 0.9 if one == "TD(lambda)" else 0.1 if other == "TD(lambda)" else 0.5

    found = concluded(q_learners.EXPERIMENT, share)
    assert "TD(lambda) is the strongest" in found.headline
    assert found.tables[0].rows[0][0] == "TD(lambda)"


def test_q7_the_best_has_to_be_clear() -> None:
    def share(key: str) -> float:
        return 0.8 if "pattern network" in key.partition(" against ")[2] else 0.5

    assert concluded(q_evaluations.EXPERIMENT, 0.5).verdict is Verdict.OPEN
    worst = concluded(q_evaluations.EXPERIMENT, share)
    assert worst.tables[0].rows[-1][0] == "pattern network"
    clear = concluded(q_evaluations.EXPERIMENT, lambda key: 1 - share(key))
    assert clear.verdict is Verdict.ANSWERED
    assert "pattern network" in clear.headline


@pytest.mark.parametrize(
    ("share", "expected", "word"),
    [(0.6, Verdict.ANSWERED, "Yes"), (0.4, Verdict.ANSWERED, "No:"), (0.5, Verdict.OPEN, "No difference")],
)
def test_q8_rests_on_equal_time(share: float, expected: Verdict, word: str) -> None:
    found = concluded(q_opening.EXPERIMENT, lambda key: share if key == "guidance, equal time" else 0.9)
    assert found.verdict is expected
    assert found.text[0].startswith(word)


def test_times_that_are_not_equal_are_told() -> None:
    for module in (q_playouts, q_leaf, q_decisive, q_evaluations, q_learners):
        text = " ".join(concluded(module.EXPERIMENT, 0.5, ratio=1.37).text)
        assert "1.37" in text
