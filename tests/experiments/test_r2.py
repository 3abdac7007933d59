"""The experiments of report R2: what follows from which results."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from flipdrop.evaluation import evaluation
from flipdrop.experiments import r2, r2_1, r2_2
from flipdrop.experiments.experiment import Conclusion, Results
from flipdrop.experiments.tasks import MatchTask, Task
from tests.experiments.examples import check_pictures, match_values, results_of


def test_the_weights_are_those_of_the_named_evaluation() -> None:
    named = evaluation("Seven.evolved").weights
    assert named is not None
    assert tuple(named.vector) == r2.WEIGHTS
    written = evaluation(r2.EVOLVED).weights
    assert written is not None
    assert tuple(written.vector) == pytest.approx(r2.WEIGHTS)


def runs_of(own: float, evolved: float, *, same_place: bool = False) -> Results:
    random = np.random.default_rng(1)

    def values(task: Task) -> dict[str, Any]:
        if isinstance(task, MatchTask):
            return match_values(own)
        runs = []
        for _ in range(task.settings["runs"]):
            last = random.dirichlet([1] * 7).tolist()
            if same_place and task.key == "evolved":
                last = list(r2.WEIGHTS)
            share = (evolved if task.key == "evolved" else 0.5) + random.normal(0, 0.05)
            runs.append(
                {"last": last, "score": share, "last_spread": 0.01, "spreads": [0.2] * 10, "rounds": [last] * 10}
            )
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


@pytest.mark.parametrize("same_place", [True, False])
def test_r2_1_says_whether_runs_end_in_the_same_place(same_place: bool) -> None:
    text = r2_1.EXPERIMENT.conclude(runs_of(0.5, 0.5, same_place=same_place)).text[0]
    assert ("in about the same place" in text) == same_place
    assert ("in another place" in text) == (not same_place)


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
