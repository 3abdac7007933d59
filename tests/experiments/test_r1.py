"""The experiments of report R1: what follows from which results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.experiments import r1_1, r1_2, r1_3, r1_4
from flipdrop.experiments.experiment import Conclusion
from flipdrop.experiments.tasks import MeasureTask, TaskContext
from tests.experiments.examples import check_pictures, match_values, results_of

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.experiments.experiment import Results, Size
    from flipdrop.experiments.tasks import Task


def generations(scores: dict[str, float], spread: float = 0.02, size: Size = "full") -> Results:
    """Results of R1.1 with these mean scores, and this distance between two runs."""

    def values(task: Task) -> dict[str, Any]:
        parameters = task.settings
        start = "random" if parameters["start"] == "random" else "given"
        runs = []
        for run in range(parameters["runs"]):
            points = []
            for generation in parameters["generations"]:
                share = scores.get(f"p{parameters['population']}/g{generation}", 0.5) + spread * (run % 2 - 0.5)
                share = scores.get(f"{start} p{parameters['population']}/g{generation}", share)
                known = match_values(share, games=parameters["games"])
                points.append(
                    {"generation": generation, "player": "x", "two_games": [2, -2], "as_first": 0.0, "as_second": 0.0}
                    | {name: known[name] for name in ("games", "wins", "draws", "losses", "score", "margin")}
                )
            runs.append({"points": points, "learning_games": 1000})
        return {"runs": runs, "games": 1}

    return results_of(r1_1.EXPERIMENT, values, size)


@pytest.mark.parametrize(
    ("scores", "conclusion"),
    [
        ({"p20/g80": 0.7, "p5/g10": 0.5}, Conclusion.CONFIRMED),
        ({"p20/g80": 0.7, "p5/g10": 0.7}, Conclusion.UNDECIDED),  # it wins, but is it better?
        ({"p20/g80": 0.6, "p5/g10": 0.7}, Conclusion.REFUTED),
        ({"p20/g80": 0.4, "p5/g10": 0.3}, Conclusion.REFUTED),  # better, but it does not win
        ({"p20/g80": 0.7, "p5/g10": 0.5, "given p20/g80": 0.4}, Conclusion.REFUTED),  # from one of the two starts only
    ],
)
def test_r1_1(scores: dict[str, float], conclusion: Conclusion) -> None:
    finding = r1_1.EXPERIMENT.conclude(generations(scores))
    assert finding.conclusion is conclusion
    check_pictures(finding)
    wish = max(r1_1.PLANS["full"])
    assert f"A population of {wish}" in finding.text[-1]
    assert len(finding.tables[0].rows) == sum(len(of[0]) for of in r1_1.PLANS["full"].values())


def test_r1_1_does_not_judge_what_the_report_never_claimed() -> None:
    quick = r1_1.EXPERIMENT.conclude(generations({"p20/g10": 0.9, "p5/g10": 0.1}, size="quick"))
    assert quick.conclusion is Conclusion.UNDECIDED
    assert "decides nothing" in quick.rule


def test_the_generations_of_a_run_are_those_of_a_shorter_one(tmp_path: Path) -> None:
    """So a run of 80 generations may stand for one of 30 too."""
    from flipdrop.arena.store import Store

    def run(last: int) -> list[dict[str, Any]]:
        (task,) = (task for task in r1_1.EXPERIMENT.tasks("quick") if task.key == "p5, given start")
        assert isinstance(task, MeasureTask)
        parameters = dict(task.parameters) | {"generations": [1, 3, last], "runs": 1, "games": 4}
        task = MeasureTask(key=task.key, parameters=parameters, measure=task.measure)
        with Store(None) as store:
            values = task.run(TaskContext(store=store, folder=tmp_path, seed=1, threads=1, values={}))
        return list(values["runs"][0]["points"])

    assert run(4)[:2] == run(6)[:2]


def iterations(at_depth: dict[int, float]) -> Results:
    return results_of(r1_2.EXPERIMENT, lambda task: match_values(at_depth[int(task.key[-1])]))


@pytest.mark.parametrize(
    ("at_depth", "conclusion"),
    [
        ({1: 0.7, 2: 0.6, 3: 0.55}, Conclusion.CONFIRMED),
        ({1: 0.45, 2: 0.4, 3: 0.3}, Conclusion.REFUTED),
        ({1: 0.6, 2: 0.4, 3: 0.3}, Conclusion.UNDECIDED),
        ({1: 0.5, 2: 0.5, 3: 0.5}, Conclusion.UNDECIDED),
    ],
)
def test_r1_2(at_depth: dict[int, float], conclusion: Conclusion) -> None:
    finding = r1_2.EXPERIMENT.conclude(iterations(at_depth))
    assert finding.conclusion is conclusion
    check_pictures(finding)
    assert "0.83" in finding.headline  # five of the report's six games from 80 iterations on
    assert [len(table.rows) for table in finding.tables] == [10, 10, 10]


@pytest.mark.parametrize(
    ("share", "conclusion"), [(0.6, Conclusion.CONFIRMED), (0.4, Conclusion.REFUTED), (0.5, Conclusion.UNDECIDED)]
)
def test_r1_3_asks_the_rows_that_the_report_won(share: float, conclusion: Conclusion) -> None:
    def values(task: Task) -> dict[str, Any]:
        theirs = any(task.key == f"{d}/{i} as in the report" for d, i in ((15, 200), (25, 300)))
        return match_values(share if theirs else 1 - share)

    finding = r1_3.EXPERIMENT.conclude(results_of(r1_3.EXPERIMENT, values))
    assert finding.conclusion is conclusion
    check_pictures(finding)


@pytest.mark.parametrize(
    ("against_first", "conclusion"),
    [
        ([0.6] * 6, Conclusion.CONFIRMED),
        ([0.6] * 5 + [0.5], Conclusion.UNDECIDED),
        ([0.6] * 5 + [0.4], Conclusion.REFUTED),
    ],
)
def test_r1_4(against_first: list[float], conclusion: Conclusion) -> None:
    """The best by hand meets the others in this order; all others are equal."""
    best, *others = r1_4.VECTORS

    def values(task: Task) -> dict[str, Any]:
        if isinstance(task, MeasureTask):
            pairs = [f"{one} {two}" for n, one in enumerate(r1_4.VECTORS) for two in r1_4.VECTORS[n + 1 :]]
            return {"scores": {pair: 1.0 if pair.startswith(best) else 0.5 for pair in pairs}, "games": 2 * len(pairs)}
        one, two = task.key.partition(" at depth")[0].split(" against ")
        return match_values(against_first[others.index(two)] if one == best else 0.5)

    finding = r1_4.EXPERIMENT.conclude(results_of(r1_4.EXPERIMENT, values))
    assert finding.conclusion is conclusion
    check_pictures(finding)
    clear = sum(share != 0.5 for share in against_first)
    right = sum(share > 0.5 for share in against_first)
    assert f"better vector in {right} of these {clear}" in finding.text[1]
    assert f"worse one in {clear - right}, and none in 0" in finding.text[1]
    table = finding.tables[0]
    mean = sum(against_first) / 6
    (row,) = (row for row in table.rows if row[0] == "(15,6,−10,−4,8,8)")
    assert row[1].startswith(f"{mean:.3f}")


def test_a_match_is_seen_from_both_sides() -> None:
    one, two = r1_4.VECTORS[:2]
    results = results_of(
        r1_4.EXPERIMENT, lambda task: match_values(0.7) if task.key.startswith(f"{one} against {two}") else {}
    )
    mine, theirs = r1_4._of(results, one, two, 2), r1_4._of(results, two, one, 2)
    assert mine["score"] + theirs["score"] == 1
    assert mine["score_interval"][0] + theirs["score_interval"][1] == pytest.approx(1)
    assert (mine["wins"], mine["pairs"]) == (theirs["losses"], theirs["pairs"][::-1])
