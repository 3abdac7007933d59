"""The experiments of report R2: conclusions from given results."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from flipdrop.experiments import r2, r2_1, r2_2
from flipdrop.experiments.experiment import SIZES, Conclusion, Results, Size
from flipdrop.experiments.tasks import MatchTask, Task
from tests.experiments.examples import check_pictures, match_values, results_of


def runs_of(own: float, evolved: float, mean: list[float] | None = None) -> Results:
    """Results of R2.1 in which the vectors of all runs are random, or have this mean."""
    random = np.random.default_rng(1)

    def values(task: Task) -> dict[str, Any]:
        if isinstance(task, MatchTask):
            return match_values(own)
        runs = []
        for _ in range(task.settings["runs"]):
            vectors = {kind: random.dirichlet([1] * 7).tolist() for kind in r2_1.KINDS}
            vectors["mean"] = mean or vectors["mean"]
            means = [vectors["mean"]] * task.settings["iterations"]
            scores = {kind: 0.5 + random.normal(0, 0.02) for kind in r2_1.KINDS}
            scores["mean"] += evolved - 0.5
            runs.append(vectors | {"means": means, "scores": scores})
        return {"runs": runs, "games": 1}

    return results_of(r2_1.EXPERIMENT, values)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("own", "evolved", "conclusion"),
    [
        (0.6, 0.6, Conclusion.CONFIRMED),
        (0.4, 0.6, Conclusion.REFUTED),
        (0.6, 0.4, Conclusion.REFUTED),
        (0.6, 0.5, Conclusion.UNDECIDED),
    ],
)
def test_r2_1(own: float, evolved: float, conclusion: Conclusion) -> None:
    finding = r2_1.EXPERIMENT.conclude(runs_of(own, evolved))
    assert finding.conclusion is conclusion
    check_pictures(finding)


def test_r2_1_shows_its_weights_beside_all_rows_of_the_report() -> None:
    _, shown = r2_1.EXPERIMENT.conclude(runs_of(0.5, 0.5)).tables
    assert [row[0] for row in shown.rows] == list(r2.PRINTED_WEIGHTS)
    for row, printed in zip(shown.rows, r2.PRINTED_WEIGHTS.values(), strict=True):
        assert [cell.split(" / ")[1] for cell in row[1:]] == [f"{weight:.3f}" for weight in printed]


@pytest.mark.parametrize(
    ("mean", "conclusion"),
    [
        ([0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1], Conclusion.CONFIRMED),
        ([1 / 7] * 7, Conclusion.UNDECIDED),  # they converge, but to the same value
        (None, Conclusion.UNDECIDED),  # every run to another vector
    ],
)
def test_r2_1_on_convergence(mean: list[float] | None, conclusion: Conclusion) -> None:
    finding = r2_1.EXPERIMENT.conclude(runs_of(0.5, 0.5, mean))
    assert finding.tables[0].rows[0][1] == conclusion
    assert "do not come closer than random ones" in finding.text[1]  # the last vectors are random here


@pytest.mark.parametrize(
    ("rates", "conclusion"),
    [
        ((0.90, 0.94, 0.975, 0.999), Conclusion.CONFIRMED),  # depth 3 is the report's
        ((0.80, 0.85, 0.88, 0.90), Conclusion.REFUTED),
        ((0.80, 0.85, 0.88, 0.917), Conclusion.UNDECIDED),  # partly in what the report leaves open
        ((1.0, 1.0, 1.0, 1.0), Conclusion.REFUTED),
    ],
)
def test_r2_2(rates: tuple[float, ...], conclusion: Conclusion) -> None:
    results = results_of(r2_2.EXPERIMENT, lambda task: match_values(rates[int(task.key[-1]) - 1], games=4000))
    finding = r2_2.EXPERIMENT.conclude(results)
    assert finding.conclusion is conclusion
    check_pictures(finding)
    assert "97 wins in 100 games" in finding.rule


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("size", SIZES)
def test_r2_2_takes_no_chance_for_impossible_or_certain(share: float, size: Size) -> None:
    """Wins of all of some thirty games do not say that a loss is impossible."""
    finding = r2_2.EXPERIMENT.conclude(results_of(r2_2.EXPERIMENT, lambda _: match_values(share, games=30), size))
    assert not re.search(r"(?<![\d.])(0\.0|100\.0)%", " ".join(finding.text))
    assert "Ten games without a loss" in finding.text[1]
