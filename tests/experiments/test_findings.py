"""Conclusions of the experiments on R3, R4, R5 and the open questions from given results, and their pictures."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest
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
    r3_3,
    r3_4,
    r4_1,
    r4_2,
    r5_1,
    r5_2,
)
from flipdrop.experiments.experiment import SIZES, Conclusion
from tests.experiments.examples import results_of
from tests.experiments.made_up import measured

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.experiments.experiment import Experiment, Finding, Size, Values
    from flipdrop.experiments.tasks import Task

MODULES = (
    r3_1,
    r3_2,
    r3_3,
    r3_4,
    r4_1,
    r4_2,
    r5_1,
    r5_2,
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
    return experiment.conclude(results_of(experiment, lambda task: measured(task, of, **more), size))


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


@pytest.mark.slow
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
    assert concluded(r3_1.EXPERIMENT, 0.9).conclusion is Conclusion.CONFIRMED
    lost = concluded(r3_1.EXPERIMENT, lambda key: 0.2 if key == "1000 against advanced" else 0.9)
    assert lost.conclusion is Conclusion.REFUTED
    assert "is beaten by the advanced" in lost.text[0]
    even = concluded(r3_1.EXPERIMENT, lambda key: 0.5 if key == "1000 against advanced" else 0.9)
    assert even.conclusion is Conclusion.UNDECIDED
    assert "Whether it beats the advanced with both colours is not decided" in even.text[0]
    only_other_budgets = concluded(r3_1.EXPERIMENT, lambda key: 0.9 if key.startswith("1000 ") else 0.1)
    assert only_other_budgets.conclusion is Conclusion.CONFIRMED


@pytest.mark.parametrize(
    ("best", "expected"),
    [
        ((45, 50), Conclusion.CONFIRMED),
        ((20, 25), Conclusion.REFUTED),
        ((35, 50), Conclusion.UNDECIDED),
    ],
)
def test_r3_2_asks_where_all_that_may_be_best_lie(best: tuple[int, int], expected: Conclusion) -> None:
    found = concluded(r3_2.EXPERIMENT, lambda c: 0.6 if int(c) in best else 0.4)
    assert found.conclusion is expected


@pytest.mark.parametrize(
    ("against", "expected"),
    [
        ({}, Conclusion.CONFIRMED),
        ({"plain disc margin, c = 15": 0.4}, Conclusion.REFUTED),  # one better reward suffices
        ({"c = 15 against plain disc margin, c = 5": 0.4}, Conclusion.REFUTED),
        ({"200 for a win, c = 170": 0.5}, Conclusion.UNDECIDED),
        ({"c = 15 against 200 for a win, c = 51": 0.5}, Conclusion.UNDECIDED),
        ({"plain disc margin, c = 5": 0.3}, Conclusion.CONFIRMED),  # its c is not in proportion to the rewards
        ({r3_3.SAME_REWARD: 0.3}, Conclusion.CONFIRMED),
        ({"0 for a corner": 0.3}, Conclusion.CONFIRMED),  # corners do not count
    ],
)
def test_r3_3_no_other_reward_may_be_better(against: dict[str, float], expected: Conclusion) -> None:
    assert concluded(r3_3.EXPERIMENT, lambda key: against.get(key, 0.6)).conclusion is expected


@pytest.mark.parametrize(
    ("share", "expected"), [(0.6, Conclusion.CONFIRMED), (0.5, Conclusion.UNDECIDED), (0.4, Conclusion.REFUTED)]
)
def test_r3_3_corners_and_untried_moves_have_conclusions_of_their_own(share: float, expected: Conclusion) -> None:
    claims = concluded(r3_3.EXPERIMENT, lambda key: share if key in (r3_3.NO_CORNERS, r3_3.EXPAND) else 0.6).tables[0]
    assert [row[1] for row in claims.rows] == [expected, expected]


def test_r3_4_rests_on_one_width() -> None:
    by_share = {0.6: Conclusion.CONFIRMED, 0.4: Conclusion.REFUTED, 0.5: Conclusion.UNDECIDED}
    for share, expected in by_share.items():
        shares = defaultdict(lambda: 0.55, {str(r3_4.MAIN): share})
        assert concluded(r3_4.EXPERIMENT, shares.__getitem__).conclusion is expected


@pytest.mark.parametrize(
    ("share", "expected"), [(0.5, Conclusion.CONFIRMED), (0.6, Conclusion.REFUTED), (0.45, Conclusion.REFUTED)]
)
def test_r4_2_an_effect_in_either_direction_refutes(share: float, expected: Conclusion) -> None:
    found = concluded(r4_2.EXPERIMENT, lambda key: share if key == r4_2.MAIN else 0.7)
    assert found.conclusion is expected


def test_r3_2_names_neighbours_in_short() -> None:
    assert r3_2.as_ranges([1, 2, 5, 20], [0, 1, 2, 5, 10, 20]) == "1 to 5, 20"
    assert r3_2.as_ranges([10], [0, 10, 20]) == "10"


@pytest.mark.parametrize(
    ("wins", "expected"),
    [
        (380, Conclusion.CONFIRMED),  # 0.924 to 0.967, within the report's 0.902 to 0.984
        (366, Conclusion.UNDECIDED),  # 0.885 to 0.938
        (340, Conclusion.REFUTED),
        (400, Conclusion.REFUTED),
    ],
)
def test_r4_1_compares_intervals(wins: int, expected: Conclusion) -> None:
    def values(task: Task) -> Values:
        found = measured(task, lambda _: 0.5)
        if task.key == r4_1.MAIN:
            found |= {"wins": wins, "games": 400}
        return found

    assert r4_1.EXPERIMENT.conclude(results_of(r4_1.EXPERIMENT, values)).conclusion is expected


@pytest.mark.parametrize(
    ("lost", "expected"), [((0, 4), "refuted"), ((4, 0), "refuted"), ((2, 2), "not decided by this run")]
)
def test_r4_1_losses_by_half_of_the_ladder(lost: tuple[int, int], expected: str) -> None:
    def values(task: Task) -> Values:
        found = measured(task, lambda _: 0.5)
        if task.key == r4_1.MAIN:
            half = len(found["rungs"]) // 2
            found["rungs"] = [rung | {"games": 8, "losses": lost[n >= half]} for n, rung in enumerate(found["rungs"])]
        return found

    claim = r4_1.EXPERIMENT.conclude(results_of(r4_1.EXPERIMENT, values)).tables[0].rows[0]
    assert claim[1] == expected


@pytest.mark.parametrize(
    ("share", "expected"), [(0.99, Conclusion.REFUTED), (0.78, Conclusion.CONFIRMED), (0.86, Conclusion.UNDECIDED)]
)
def test_r5_1_is_judged_by_the_genetic_weights_alone(share: float, expected: Conclusion) -> None:
    found = concluded(r5_1.EXPERIMENT, lambda key: share if key == "genetic" else 0.5)
    assert found.conclusion is expected
    assert ("must have done something else" in found.text[0]) == (share > 0.9)


@pytest.mark.parametrize(("share", "is_better"), [(0.99, True), (0.7, False)])
def test_r5_1_says_of_shallow_searches_what_they_do(share: float, is_better: bool) -> None:
    text = concluded(r5_1.EXPERIMENT, lambda key: share if "depth" in key else 0.99).text[0]
    assert ("Even a shallow search does better" in text) == is_better


@pytest.mark.parametrize(
    ("learner", "share", "expected"),
    [
        ("", 0.0, Conclusion.CONFIRMED),
        ("Sarsa on seven terms", 0.5, Conclusion.UNDECIDED),
        ("Q-learning on squares", 0.6, Conclusion.REFUTED),
        ("Q-learning on patterns", 0.9, Conclusion.CONFIRMED),  # it is not ordinary
    ],
)
def test_r5_2_asks_every_ordinary_learner(learner: str, share: float, expected: Conclusion) -> None:
    shares = defaultdict(lambda: 0.1, {f"{learner} against the search": share})
    assert concluded(r5_2.EXPERIMENT, shares.__getitem__).conclusion is expected


def test_q1_every_step_counts() -> None:
    better = concluded(q_iterations.EXPERIMENT, 0.8)
    assert better.conclusion is Conclusion.ANSWERED
    assert "no end is seen up to 100,000" in better.text[0]
    even = concluded(q_iterations.EXPERIMENT, lambda key: 0.5 if "100000" in key else 0.8)
    assert even.conclusion is Conclusion.OPEN
    assert "from 30,000 to 100,000" in even.text[0]
    worse = concluded(q_iterations.EXPERIMENT, lambda key: 0.2 if key == "othello: 300 against 100" else 0.8)
    assert worse.conclusion is Conclusion.ANSWERED
    assert "weaker" in worse.text[0]


def test_q1_adds_up_steps() -> None:
    results = results_of(q_iterations.EXPERIMENT, lambda task: measured(task, lambda _: 10 / 11))
    curve = q_iterations.curve_of(results, "othello")
    assert [round(point["elo"]) for point in curve.values()] == [
        pytest.approx(400 * step, abs=25 * max(1, step)) for step in range(len(curve))
    ]


@pytest.mark.parametrize(
    ("share", "expected", "word"),
    [(0.3, Conclusion.ANSWERED, "Yes"), (0.7, Conclusion.ANSWERED, "No"), (0.5, Conclusion.OPEN, "Not decided")],
)
def test_q2_answers(share: float, expected: Conclusion, word: str) -> None:
    found = concluded(q_playouts.EXPERIMENT, share)
    assert found.conclusion is expected
    assert word in found.text[0]


def test_q2_says_why_it_is_open() -> None:
    found = concluded(q_playouts.EXPERIMENT, 0.3, ratio=1 / 1.3)
    assert found.conclusion is Conclusion.OPEN
    assert "beat D after 0 plies, D after 5 plies" in found.text[0]
    assert "more than 1.15 times the time" in found.text[0]


def test_q3_rests_on_connect_four_at_equal_time() -> None:
    key = "connect4: 1 against 10, equal time"
    by_share = {0.6: Conclusion.CONFIRMED, 0.4: Conclusion.REFUTED, 0.5: Conclusion.UNDECIDED}
    for share, expected in by_share.items():
        shares = defaultdict(lambda: 0.5, {key: share})
        assert concluded(q_leaf.EXPERIMENT, shares.__getitem__).conclusion is expected


@pytest.mark.parametrize("share", [0.4, 0.6, 0.9])
@pytest.mark.parametrize("where", q_decisive.CLAIMED)
def test_q4_an_effect_in_either_direction_refutes(share: float, where: str) -> None:
    found = concluded(q_decisive.EXPERIMENT, lambda key: share if key == f"7x6: {where}" else 0.5)
    assert found.conclusion is Conclusion.REFUTED
    assert concluded(q_decisive.EXPERIMENT, lambda key: share if "tree" in key else 0.5).conclusion is (
        Conclusion.CONFIRMED
    )


def test_q4_the_large_board_does_not_count() -> None:
    found = concluded(q_decisive.EXPERIMENT, lambda key: 0.9 if key.startswith("11x11") else 0.5)
    assert found.conclusion is Conclusion.CONFIRMED


def test_q4_no_effect_is_confirmed_by_narrow_intervals_alone() -> None:
    assert concluded(q_decisive.EXPERIMENT, 0.5).conclusion is Conclusion.CONFIRMED
    assert concluded(q_decisive.EXPERIMENT, 0.5, "quick").conclusion is Conclusion.UNDECIDED


@pytest.mark.parametrize(
    ("in_python", "expected", "words"),
    [
        (1.8, Conclusion.REFUTED, "do bring something"),
        (0.9, Conclusion.CONFIRMED, "one thread at a time, so what R1 saw was Python"),
        (1.1, Conclusion.UNDECIDED, "not certain"),
    ],
)
def test_q5_is_about_threads_of_python(in_python: float, expected: Conclusion, words: str) -> None:
    found = concluded(q_threads.EXPERIMENT, 0.5, speed_up=1.9, in_python=in_python)
    assert found.conclusion is expected
    assert words in found.text[0]
    no_help = concluded(q_threads.EXPERIMENT, 0.5, speed_up=1.0, in_python=in_python)
    assert no_help.conclusion is expected
    assert "was Python" not in no_help.text[0]


def test_q6_the_strongest_is_named() -> None:
    strongest = "TD(lambda) on patterns, PUCT"
    found = concluded(q_learners.EXPERIMENT, lambda key: 0.95 if key == strongest else 0.5)
    assert f"{strongest} is the strongest" in found.headline
    assert found.conclusion is Conclusion.ANSWERED
    assert found.tables[0].rows[0][0] == strongest
    assert concluded(q_learners.EXPERIMENT, 0.5).conclusion is Conclusion.OPEN


def test_q6_another_search_with_the_same_model_is_not_another_learner() -> None:
    first, second = "supervised patterns, PUCT", "supervised patterns"
    shares = {first: 0.95, second: 0.9, "CMA-ES": 0.6}
    found = concluded(q_learners.EXPERIMENT, lambda key: shares.get(key, 0.5))
    assert f"{first} is the strongest" in found.headline
    assert found.headline.endswith("Elo ahead of CMA-ES.")
    assert [row[0] for row in found.tables[0].rows[:3]] == [first, second, "CMA-ES"]


def test_q6_who_is_above_a_search_that_learned_nothing() -> None:
    found = concluded(q_learners.EXPERIMENT, lambda key: 0.9 if key == "CMA-ES" else 0.4)
    assert "Above a tree search that has learned nothing are: CMA-ES." in found.text[0]
    assert "No learner is seen above" in concluded(q_learners.EXPERIMENT, 0.5).text[0]


def test_q6_names_those_who_took_more_or_less_time() -> None:
    assert "ratios beyond that" not in concluded(q_learners.EXPERIMENT, 0.5, ratio=1.1).text[2]
    assert "ratios beyond that: GA of R1 0.50;" in concluded(q_learners.EXPERIMENT, 0.5, ratio=0.5).text[2]


def test_q7_the_best_has_to_be_clear() -> None:
    def share(key: str) -> float:
        return 0.8 if "pattern network" in key.partition(" against ")[2] else 0.5

    assert concluded(q_evaluations.EXPERIMENT, 0.5).conclusion is Conclusion.OPEN
    worst = concluded(q_evaluations.EXPERIMENT, share)
    assert worst.tables[1].rows[-1][0] == "pattern network"
    clear = concluded(q_evaluations.EXPERIMENT, lambda key: 1 - share(key))
    assert clear.conclusion is Conclusion.ANSWERED
    assert "pattern network" in clear.headline


@pytest.mark.parametrize(
    ("against_d", "expected"),
    [
        ({"A: discs": 0.1, "B: R2's squares": 0.3, "C": 0.3}, Conclusion.CONFIRMED),
        ({"A: discs": 0.1, "B: R2's squares": 0.8, "C": 0.3}, Conclusion.REFUTED),  # one that is better suffices
        ({"A: discs": 0.1, "B: R2's squares": 0.5, "C": 0.3}, Conclusion.UNDECIDED),
    ],
)
def test_q7_whether_d_beats_a_b_and_c(against_d: dict[str, float], expected: Conclusion) -> None:
    def share(key: str) -> float:
        one, _, other = key.partition(" against ")
        return against_d.get(one, 0.5) if other == "D" else 0.5

    assert concluded(q_evaluations.EXPERIMENT, share).tables[0].rows[0][1] == expected


@pytest.mark.parametrize(
    ("share", "expected", "word"),
    [(0.6, Conclusion.ANSWERED, "Yes"), (0.4, Conclusion.ANSWERED, "No:"), (0.5, Conclusion.OPEN, "No difference")],
)
def test_q8_rests_on_equal_time(share: float, expected: Conclusion, word: str) -> None:
    found = concluded(q_opening.EXPERIMENT, lambda key: share if key == "guidance, equal time" else 0.9)
    assert found.conclusion is expected
    assert found.text[0].startswith(word)


@pytest.mark.parametrize(
    ("module", "withheld"),
    [
        (q_leaf, Conclusion.UNDECIDED),
        (q_decisive, Conclusion.UNDECIDED),
        (q_opening, Conclusion.OPEN),
        (q_playouts, Conclusion.OPEN),
    ],
)
def test_who_had_more_time_is_not_said_to_win(module: Any, withheld: Conclusion) -> None:
    assert concluded(module.EXPERIMENT, 0.7, ratio=1.3).conclusion is withheld
    with_less = concluded(module.EXPERIMENT, 0.7, ratio=1 / 1.3)
    assert with_less.conclusion is concluded(module.EXPERIMENT, 0.7).conclusion is not withheld


def test_times_that_are_not_equal_are_told() -> None:
    for module in (q_playouts, q_leaf, q_decisive, q_evaluations, q_learners):
        text = " ".join(concluded(module.EXPERIMENT, 0.5, ratio=1.37).text)
        assert "1.37" in text
