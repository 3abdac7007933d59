"""The experiments of report R1: what follows from which results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.experiments import r1_1, r1_2, r1_3, r1_4
from flipdrop.experiments.experiment import Verdict
from flipdrop.experiments.parts import MeasuredPart, Work
from tests.experiments.examples import check_pictures, match_values, results_of

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.experiments.experiment import Results
    from flipdrop.experiments.parts import Part


def generations(scores: dict[str, float], spread: float = 0.02) -> Results:
    """Results of R1.1 with these mean scores, and this distance between two runs."""

    def values(part: Part) -> dict[str, Any]:
        asked = part.settings
        start = "random" if asked["start"] == "random" else "given"
        runs = []
        for run in range(asked["runs"]):
            points = []
            for generation in asked["generations"]:
                share = scores.get(f"p{asked['population']}/g{generation}", 0.5) + spread * (run % 2 - 0.5)
                share = scores.get(f"{start} p{asked['population']}/g{generation}", share)
                known = match_values(share, games=asked["games"])
                points.append(
                    {"generation": generation, "player": "x", "two_games": [2, -2], "as_first": 0.0, "as_second": 0.0}
                    | {name: known[name] for name in ("games", "wins", "draws", "losses", "score", "margin")}
                )
            runs.append({"points": points, "learning_games": 1000})
        return {"runs": runs, "games": 1}

    return results_of(r1_1.EXPERIMENT, values)


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ({"p20/g80": 0.7, "p5/g10": 0.5}, Verdict.CONFIRMED),
        ({"p20/g80": 0.7, "p5/g10": 0.7}, Verdict.UNDECIDABLE),  # it wins, but is it better?
        ({"p20/g80": 0.6, "p5/g10": 0.7}, Verdict.REFUTED),
        ({"p20/g80": 0.4, "p5/g10": 0.3}, Verdict.REFUTED),  # better, but it does not win
        ({"p20/g80": 0.7, "p5/g10": 0.5, "given p20/g80": 0.4}, Verdict.REFUTED),  # from one of the two starts only
    ],
)
def test_r1_1(scores: dict[str, float], verdict: Verdict) -> None:
    finding = r1_1.EXPERIMENT.conclude(generations(scores))
    assert finding.verdict is verdict
    check_pictures(finding)
    wish = max(r1_1.PLANS["full"])
    assert f"A population of {wish}" in finding.text[-1]
    assert len(finding.tables[0].rows) == sum(len(of[0]) for of in r1_1.PLANS["full"].values())


def test_the_generations_of_a_run_are_those_of_a_shorter_one(tmp_path: Path) -> None:
    """So a run of 80 generations may stand for one of 30 too."""
    from flipdrop.arena.store import Store

    def run(last: int) -> list[dict[str, Any]]:
        (part,) = (part for part in r1_1.EXPERIMENT.parts("quick", 1) if part.key == "p5, given start")
        assert isinstance(part, MeasuredPart)
        asked = dict(part.asked) | {"generations": [1, 3, last], "runs": 1, "games": 4}
        part = MeasuredPart(key=part.key, seed=1, asked=asked, measure=part.measure)
        with Store(None) as store:
            values = part.run(Work(store=store, folder=tmp_path, threads=1, values={}))
        return list(values["runs"][0]["points"])

    assert run(4)[:2] == run(6)[:2]


def iterations(at_depth: dict[int, float]) -> Results:
    return results_of(r1_2.EXPERIMENT, lambda part: match_values(at_depth[int(part.key[-1])]))


@pytest.mark.parametrize(
    ("at_depth", "verdict"),
    [
        ({1: 0.7, 2: 0.6, 3: 0.55}, Verdict.CONFIRMED),
        ({1: 0.45, 2: 0.4, 3: 0.3}, Verdict.REFUTED),
        ({1: 0.6, 2: 0.4, 3: 0.3}, Verdict.UNDECIDABLE),
        ({1: 0.5, 2: 0.5, 3: 0.5}, Verdict.UNDECIDABLE),
    ],
)
def test_r1_2(at_depth: dict[int, float], verdict: Verdict) -> None:
    finding = r1_2.EXPERIMENT.conclude(iterations(at_depth))
    assert finding.verdict is verdict
    check_pictures(finding)
    assert "0.83" in finding.headline  # five of the report's six games from 80 iterations on
    assert [len(table.rows) for table in finding.tables] == [10, 10, 10]


@pytest.mark.parametrize(
    ("share", "verdict"), [(0.6, Verdict.CONFIRMED), (0.4, Verdict.REFUTED), (0.5, Verdict.UNDECIDABLE)]
)
def test_r1_3_asks_the_rows_that_the_report_won(share: float, verdict: Verdict) -> None:
    def values(part: Part) -> dict[str, Any]:
        theirs = any(part.key == f"{d}/{i} as in the report" for d, i in ((15, 200), (25, 300)))
        return match_values(share if theirs else 1 - share)

    finding = r1_3.EXPERIMENT.conclude(results_of(r1_3.EXPERIMENT, values))
    assert finding.verdict is verdict
    check_pictures(finding)


@pytest.mark.parametrize(
    ("against_first", "verdict"),
    [
        ([0.6] * 6, Verdict.CONFIRMED),
        ([0.6] * 5 + [0.5], Verdict.UNDECIDABLE),
        ([0.6] * 5 + [0.4], Verdict.REFUTED),
    ],
)
def test_r1_4(against_first: list[float], verdict: Verdict) -> None:
    """The best by hand meets the others in this order; all others are equal."""
    best, *others = r1_4.VECTORS

    def values(part: Part) -> dict[str, Any]:
        if isinstance(part, MeasuredPart):
            pairs = [f"{one} {two}" for n, one in enumerate(r1_4.VECTORS) for two in r1_4.VECTORS[n + 1 :]]
            return {"scores": {pair: 1.0 if pair.startswith(best) else 0.5 for pair in pairs}, "games": 2 * len(pairs)}
        one, two = part.key.partition(" at depth")[0].split(" against ")
        return match_values(against_first[others.index(two)] if one == best else 0.5)

    finding = r1_4.EXPERIMENT.conclude(results_of(r1_4.EXPERIMENT, values))
    assert finding.verdict is verdict
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
        r1_4.EXPERIMENT, lambda part: match_values(0.7) if part.key.startswith(f"{one} against {two}") else {}
    )
    mine, theirs = r1_4._of(results, one, two, 2), r1_4._of(results, two, one, 2)
    assert mine["score"] + theirs["score"] == 1
    assert mine["score_interval"][0] + theirs["score_interval"][1] == pytest.approx(1)
    assert (mine["wins"], mine["pairs"]) == (theirs["losses"], theirs["pairs"][::-1])
