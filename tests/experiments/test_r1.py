"""The experiments of report R1: conclusions from given results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.evaluation import evaluation
from flipdrop.experiments import r1, r1_1, r1_2, r1_3, r1_4, r1_5, r1_6
from flipdrop.experiments.catalogue import experiment
from flipdrop.experiments.experiment import Conclusion
from flipdrop.experiments.tasks import MatchTask, MeasureTask, TaskContext
from tests.experiments.examples import check_pictures, match_values, results_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.experiments.experiment import Results, Size
    from flipdrop.experiments.tasks import Task


def generations(
    scores: dict[str, float], spread: float = 0.02, size: Size = "full", deeper: float = 0.3, earlier: float = 0.5
) -> Results:
    """Results of R1.1 with these mean scores, and this distance between two runs.

    :param deeper: score of the last weights against a deeper search
    :param earlier: score of the last weights against those of the first measured generation, in the first run
    """

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
            games = parameters["games"]
            runs.append(
                {
                    "points": points,
                    "learning_games": 1000,
                    "deeper": [match_values(deeper + 0.02 * (run % 2), games)] * len(parameters["deeper"]),
                    "earlier": [match_values(0.5 if run else earlier, games)] + [match_values(0.5, games)] * 5,
                }
            )
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
    assert len(finding.tables[1].rows) == sum(len(of[0]) for of in r1_1.PLANS["full"].values())


@pytest.mark.parametrize(
    ("scores", "conclusion"),
    [
        ({"p5/g10": 0.4}, Conclusion.CONFIRMED),
        ({"p5/g10": 0.4, "given p5/g10": 0.6}, Conclusion.REFUTED),  # one of the two first populations suffices
        ({"p5/g10": 0.4, "given p5/g10": 0.5}, Conclusion.UNDECIDED),
    ],
)
def test_r1_1_small_populations(scores: dict[str, float], conclusion: Conclusion) -> None:
    claim = r1_1.EXPERIMENT.conclude(generations(scores)).tables[0].rows[0]
    assert "Small populations" in claim[0]
    assert claim[1] == conclusion


@pytest.mark.parametrize(
    ("equal", "deeper", "conclusion"),
    [
        (0.6, 0.3, Conclusion.CONFIRMED),
        (0.4, 0.3, Conclusion.REFUTED),
        (0.6, 0.6, Conclusion.REFUTED),
        (0.6, 0.49, Conclusion.UNDECIDED),
    ],
)
def test_r1_1_a_deeper_original(equal: float, deeper: float, conclusion: Conclusion) -> None:
    finding = r1_1.EXPERIMENT.conclude(generations({"p20/g80": equal}, deeper=deeper))
    claim = finding.tables[0].rows[1]
    assert claim[1] == conclusion
    assert "against depth 2" in claim[2]
    assert "against depth 4" in claim[2]


@pytest.mark.parametrize(("earlier", "conclusion"), [(0.3, Conclusion.CONFIRMED), (0.5, Conclusion.UNDECIDED)])
def test_r1_1_the_last_generation_need_not_be_the_best(earlier: float, conclusion: Conclusion) -> None:
    claim = r1_1.EXPERIMENT.conclude(generations({}, earlier=earlier)).tables[0].rows[2]
    assert claim[1] == conclusion


@pytest.mark.parametrize(
    ("given", "random", "conclusion"),
    [
        ((0.6, 0.6), (0.5, 0.7), Conclusion.CONFIRMED),
        ((0.6, 0.7), (0.5, 0.6), Conclusion.REFUTED),  # sooner, but it ends no worse
        ((0.5, 0.6), (0.6, 0.7), Conclusion.REFUTED),  # worse in the end, but not sooner
        ((0.6, 0.7), (0.5, 0.7), Conclusion.UNDECIDED),
    ],
)
def test_r1_1_on_first_populations(
    given: tuple[float, float], random: tuple[float, float], conclusion: Conclusion
) -> None:
    scores = {
        f"{start} p20/g{generation}": score
        for start, of in (("given", given), ("random", random))
        for generation, score in zip((10, 80), of, strict=True)
    }
    claim = r1_1.EXPERIMENT.conclude(generations(scores)).tables[0].rows[3]
    assert claim[1] == conclusion
    quick = r1_1.EXPERIMENT.conclude(generations(scores, size="quick")).tables[0].rows[3]
    assert quick[1] == Conclusion.UNDECIDED


def test_r1_1_without_a_claim_of_the_report() -> None:
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
    assert [len(table.rows) for table in finding.tables] == [1, 10, 10, 10]


@pytest.mark.parametrize(
    ("late", "conclusion"), [(0.4, "confirmed"), (0.2, "refuted"), (0.3, "not decided by this run")]
)
def test_r1_2_whether_more_iterations_are_better_is_a_claim_of_its_own(late: float, conclusion: str) -> None:
    results = results_of(r1_2.EXPERIMENT, lambda task: match_values(late if int(task.key.split()[0]) >= 80 else 0.3))
    assert r1_2.EXPERIMENT.conclude(results).tables[0].rows[0][1] == conclusion


@pytest.mark.parametrize(
    ("at_depth", "conclusion"),
    [
        ({1: 0.7, 2: 0.6, 3: 0.55}, Conclusion.CONFIRMED),
        ({1: 0.45, 2: 0.4, 3: 0.3}, Conclusion.REFUTED),
        ({1: 0.6, 2: 0.4, 3: 0.3}, Conclusion.UNDECIDED),
    ],
)
def test_r1_3_asks_the_rows_that_the_report_won(at_depth: dict[int, float], conclusion: Conclusion) -> None:
    """By the rule of R1.2."""

    def values(task: Task) -> dict[str, Any]:
        row, depth = task.key.split(" against depth ")
        return match_values(at_depth[int(depth)] if row in ("15/200", "25/300") else 0.5)

    finding = r1_3.EXPERIMENT.conclude(results_of(r1_3.EXPERIMENT, values))
    assert finding.conclusion is conclusion
    check_pictures(finding)
    assert [len(table.rows) for table in finding.tables] == [2, 7, 7, 7, 7 + 4]


def test_r1_3_the_opponents_weights_evaluate_the_playouts() -> None:
    for task in r1_3.EXPERIMENT.tasks("full"):
        assert isinstance(task, MatchTask)
        assert "evaluation=D(15,6,-8,-6,4,4)" in task.second
        if "playout=depth" in task.first:
            assert "evaluation=D(15,6,-8,-6,4,4)" in task.first


@pytest.mark.parametrize(
    ("scores", "on_depth", "on_iterations"),
    [
        ({"10/200": 0.6}, Conclusion.CONFIRMED, Conclusion.REFUTED),
        ({"15/200": 0.6, "20/200": 0.7, "25/300": 0.8}, Conclusion.REFUTED, Conclusion.CONFIRMED),
        ({}, Conclusion.UNDECIDED, Conclusion.UNDECIDED),
    ],
)
def test_r1_3_on_longer_playouts_and_more_iterations(
    scores: dict[str, float], on_depth: Conclusion, on_iterations: Conclusion
) -> None:
    results = results_of(r1_3.EXPERIMENT, lambda task: match_values(scores.get(task.key.split(" ")[0], 0.5)))
    claims = r1_3.EXPERIMENT.conclude(results).tables[0].rows
    assert [row[1] for row in claims] == [on_depth, on_iterations]


def vectors(share: Callable[[str, str], float]) -> Results:
    """Results of R1.4 in which the first of two vectors wins this share."""

    def values(task: Task) -> dict[str, Any]:
        one, two = task.key.partition(" at depth")[0].split(" against ")
        return match_values(share(one, two))

    return results_of(r1_4.EXPERIMENT, values)


@pytest.mark.parametrize(
    ("last", "conclusion"), [(0.6, Conclusion.CONFIRMED), (0.5, Conclusion.UNDECIDED), (0.4, Conclusion.REFUTED)]
)
def test_r1_4(last: float, conclusion: Conclusion) -> None:
    """The best by hand beats all others but perhaps the last; all others are equal."""

    def share(one: str, two: str) -> float:
        if r1.BEST_BY_HAND not in (one, two):
            return 0.5
        won = last if r1_4.VECTORS[-1] in (one, two) else 0.6
        return won if one == r1.BEST_BY_HAND else 1 - won

    finding = r1_4.EXPERIMENT.conclude(vectors(share))
    assert finding.conclusion is conclusion
    check_pictures(finding)
    assert "In 4 of the 13 printed pairs one vector wins both games; in 1 of these" in finding.text[1]
    claims, rows, ranks = finding.tables
    assert claims.rows[0][1] == Conclusion.UNDECIDED
    assert len(rows.rows) == 13
    assert len(ranks.rows) == 18
    assert ranks.rows[0][0] == "(15,6,−10,−4,8,8)"


@pytest.mark.parametrize("is_circle", [True, False])
def test_r1_4_finds_vectors_that_beat_each_other_in_a_circle(is_circle: bool) -> None:
    one, two, three = r1_4.VECTORS[5:8]

    def share(first: str, second: str) -> float:
        if is_circle and {first, second} == {one, three}:
            return 0.2 if first == one else 0.8
        return 0.8 if r1_4.VECTORS.index(first) < r1_4.VECTORS.index(second) else 0.2

    claim = r1_4.EXPERIMENT.conclude(vectors(share)).tables[0].rows[0]
    assert claim[1] == (Conclusion.CONFIRMED if is_circle else Conclusion.REFUTED)
    assert ("no vectors beat in a circle" in claim[2]) is not is_circle
    if is_circle:
        names = claim[2].partition(", and ")[2].split(" beats ")
        assert {r1.short(one), r1.short(two), r1.short(three)} >= set(names)
        assert len(names) == 4
        assert f"{r1.short(one)} beats {r1.short(two)}" in claim[2] + " beats " + names[1]


@pytest.mark.parametrize(
    ("shares", "conclusion"),
    [
        ({}, Conclusion.CONFIRMED),
        ({"corners 40 against 15": 0.6, "corners 40 against 18": 0.6}, Conclusion.REFUTED),
        ({"corners 40 against 15": 0.6, "corners 40 against 18": 0.5}, Conclusion.UNDECIDED),
        ({"corners 40 against 15": 0.6, "corners 40 against 18": 0.4}, Conclusion.CONFIRMED),
    ],
)
def test_r1_5(shares: dict[str, float], conclusion: Conclusion) -> None:
    """A value outside has to beat both ends of the range, and to lose to one."""
    results = results_of(r1_5.EXPERIMENT, lambda task: match_values(shares.get(task.key, 0.4)))
    finding = r1_5.EXPERIMENT.conclude(results)
    assert finding.conclusion is conclusion
    check_pictures(finding)
    assert finding.tables[1].rows[0][2] == conclusion
    assert {row[2] for row in finding.tables[1].rows[1:]} == {"confirmed"}


@pytest.mark.parametrize(
    ("shares", "conclusions"),
    [
        ({"corners 0 against all six": 0.2}, ("confirmed", "confirmed")),
        ({"corners 0 against all six": 0.4}, ("confirmed", "not decided by this run")),
        ({"edges 0 against all six": 0.2}, ("confirmed", "refuted")),
        ({"discs 0 against all six": 0.6, "corners 0 against all six": 0.2}, ("refuted", "confirmed")),
        ({"discs with the other sign against 0": 0.6}, ("refuted", "not decided by this run")),
        ({"discs with the other sign against 0": 0.5}, ("not decided by this run", "not decided by this run")),
    ],
)
def test_r1_5_signs_and_importance(shares: dict[str, float], conclusions: tuple[str, str]) -> None:
    results = results_of(r1_5.EXPERIMENT, lambda task: match_values(shares.get(task.key, 0.4)))
    claims = r1_5.EXPERIMENT.conclude(results).tables[0].rows
    assert tuple(claim[1] for claim in claims) == conclusions


@pytest.mark.parametrize(
    ("shares", "conclusion", "says"),
    [
        ({1: 0.6, 3: 0.6, 5: 0.6}, Conclusion.ANSWERED, "the searcher's way is stronger"),
        ({1: 0.4, 3: 0.6, 5: 0.4}, Conclusion.ANSWERED, "the side to move's way is stronger"),
        ({1: 0.6, 3: 0.5, 5: 0.6}, Conclusion.OPEN, "no difference is seen"),
    ],
)
def test_r1_6_rests_on_odd_depths(shares: dict[int, float], conclusion: Conclusion, says: str) -> None:
    results = results_of(
        r1_6.EXPERIMENT,
        lambda task: match_values(shares.get(int(task.key[-1]), 0.5) if "depth" in task.key else 0.9),
    )
    finding = r1_6.EXPERIMENT.conclude(results)
    assert finding.conclusion is conclusion
    assert says in finding.text[0]
    check_pictures(finding)


def test_players_of_r1_score_for_the_searcher() -> None:
    """The usual way is the opponent of R1.6 alone, and evaluates nothing in playouts to the end."""
    for module in (r1_2, r1_3, r1_4, r1_5, r1_6):
        for task in module.EXPERIMENT.tasks("full"):
            assert isinstance(task, MatchTask)
            specs = (task.first,) if module is r1_6 else (task.first, task.second)
            assert all("evaluation" not in spec or "perspective=searcher" in spec for spec in specs)
            if module is r1_6:
                assert task.second == task.first.replace(",perspective=searcher", "") != task.first
    assert r1_1._learner(1, 5, 2, ()).fitness_games.search.perspective == "searcher"


PRINTED = {
    "R1.1": """p5/g10 20:44 25:39; p5/g30 29:35 24:40; p10/g10 20:44 23:41; p10/g20 24:40 30:34; p10/g50 35:29 24:40;
        p20/g30 29:35 40:24; p20/g50 34:30 36:28; p20/g80 40:24 50:14""",
    "R1.2": """10 20:44 30:34; 20 29:35 24:40; 30 34:30 23:41; 50 22:40 36:28; 80 29:25 40:24; 100 50:16 34:30;
        120 30:34 42:22""",
    "R1.3": """10/200 30:34 20:44; 10/300 35:29 10:54; 15/150 43:21 28:36; 15/200 35:29 45:19; 20/180 22:42 34:30;
        20/200 25:38 22:42; 25/300 34:30 46:18""",
    "R1.4": """(10,6,6,-4,3,3) (10,5,-5,-4,3,3) 50:14 42:22; (10,6,6,-4,3,3) (10,5,-8,-4,4,4) 55:9 29:35;
        (10,6,6,-4,3,3) (15,6,-8,-4,4,4) 13:51 20:42; (15,6,-8,-4,4,4) (15,6,-8,-4,5,5) 35:29 28:36;
        (15,6,-8,-4,4,4) (18,6,-8,-4,4,4) 34:30 27:37; (15,6,-8,-4,4,4) (15,10,-8,-4,4,4) 35:29 22:42;
        (15,6,-8,-4,4,4) (15,6,-12,-4,4,4) 35:29 23:41; (15,6,-8,-4,4,4) (15,6,-10,-4,4,4) 34:30 35:29;
        (18,6,-8,-4,4,4) (10,5,-8,-4,4,4) 25:39 36:28; (15,6,-10,-4,4,4) (18,6,-8,-4,4,4) 36:28 29:35;
        (15,6,-10,-4,4,4) (15,6,-10,-4,6,6) 33:31 30:34; (15,6,-10,-4,4,4) (15,6,-10,-4,8,8) 40:24 26:38;
        (15,6,-10,-4,8,8) (10,5,-18,-4,8,8) 41:23 38:26""",
    "R1.5": "corners 15 18; edges 5 6; X-squares -10 -12; open_edges -4; discs 6 8; mobility 6 8",
}
"""The tables of R1, typed from the report a second time."""


@pytest.mark.parametrize("name", PRINTED)
def test_the_tables_are_those_of_the_report(name: str) -> None:
    (claimed,) = experiment(name).claim.tables
    rows = [line.replace("-", "−").split() for line in PRINTED[name].split(";")]
    if name == "R1.5":
        rows = [[row[0].replace("_", " ").replace("X−", "X-"), " to ".join(row[1:])] for row in rows]
    assert [list(row) for row in claimed.rows] == rows


def test_rows_that_do_not_add_up_to_64() -> None:
    odd = {
        name: [
            f"{mine}:{theirs}"
            for games in module.REPORTED.values()
            for mine, theirs in games.discs
            if mine + theirs != 64
        ]
        for name, module in {"R1.1": r1_1, "R1.2": r1_2, "R1.3": r1_3, "R1.4": r1_4}.items()
    }
    assert odd == {"R1.1": [], "R1.2": ["22:40", "29:25", "50:16"], "R1.3": ["25:38"], "R1.4": ["20:42"]}


def test_the_report_prints_eighteen_vectors() -> None:
    assert len(r1_4.VECTORS) == 18
    first_population = "(5,5,-10,-4,4,4) (15,6,-8,-4,2,2) (13,5,-9,-3,3,3) (15,3,-6,-6,4,2) (10,8,-7,-4,3,5)"
    assert tuple(f"D{vector}" for vector in first_population.split()) == r1.START
    for named, written in zip(range(1, 6), r1.START, strict=True):
        assert evaluation(f"D.initial-{named}").weights == evaluation(written).weights
    assert evaluation("D.hand-tuned").weights == evaluation(r1.BEST_BY_HAND).weights
    assert evaluation("D.baseline").weights == evaluation(r1.OPPONENT).weights
