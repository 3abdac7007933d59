"""R2.1: the weights of the online genetic algorithm in ten iterations and at convergence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.experiments.conclusions import RULE_OF_SIDES, bonferroni_level, by_side, overall
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import mean, mean_score, score_interval
from flipdrop.experiments.presentation import claims_table, interval_picture
from flipdrop.experiments.r2 import EQUAL, EVOLVED, NAMES, PRINTED_WEIGHTS, WEIGHTS, seven
from flipdrop.experiments.tasks import MeasureTask, Task, TaskContext, matches, play_match
from flipdrop.games import game as game_of
from flipdrop.learning.genetic import OnlineGA, genome
from flipdrop.reporting.formatting import number, with_interval
from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    Vectors = np.ndarray[Any, np.dtype[np.float64]]

DEPTH = 2
ROUNDS = 10  # on each position; the report writes N
ITERATIONS: dict[Size, int] = {"quick": 2, "full": 10}
RUNS: dict[Size, int] = {"quick": 4, "full": 16}
GAMES: dict[Size, int] = {"quick": 20, "full": 400}
GAMES_OF_R2: dict[Size, int] = {"quick": 100, "full": 4000}
Distance = tuple[float, tuple[float | None, float | None]]
"""With its interval."""
KINDS = {"mean": "their mean vectors", "last": "their last vectors", "random": "random vectors"}


def _player(evaluation: str) -> str:
    return f"alphabeta:depth={DEPTH},evaluation={evaluation}"


def _tasks(size: Size) -> list[Task]:
    parameters = {
        "kind": "learner",
        "learner": "online-ga",
        "runs": RUNS[size],
        "iterations": ITERATIONS[size],
        "games": GAMES[size],
        "second": _player(EQUAL),
        "algorithm": _learner(0).settings,
    }
    learning, playing = 0.6 * RUNS[size] * ITERATIONS[size], 0.0006 * RUNS[size] * len(KINDS) * GAMES[size]
    own = {"R2's weights": (_player(EVOLVED), _player(EQUAL))}
    return [
        MeasureTask("evolved", parameters=parameters, measure=_evolve, estimate=learning + playing),
        *matches(own, games=GAMES_OF_R2[size], seconds=0.0006),
    ]


def _learner(seed: int) -> OnlineGA:
    """The report's algorithm before its first round."""
    game = game_of("othello")
    return OnlineGA(game, genome("Seven", game), seed=seed, rounds=ROUNDS, benchmark_every=0)


def _evolve(task: MeasureTask, context: TaskContext) -> Values:
    """Each run: the mean of the best vectors of all positions so far, after each game, and scores of three vectors."""
    asked, runs = task.parameters, []
    for run in range(asked["runs"]):
        learner = _learner(derive_seed(context.seed, "R2.1", run))
        first = learner.vectors[0]  # random
        best: list[list[float]] = []
        means: list[list[float]] = []
        while len(means) < asked["iterations"]:
            game = learner.games_begun
            for _ in range(ROUNDS):
                learner.step()
            assert learner.best is not None
            best.append([float(weight) for weight in learner.best])
            if learner.games_begun > game:
                means.append(np.mean(best, axis=0).tolist())
        vectors = {"mean": means[-1], "last": best[-1], "random": first.tolist()}
        seed = derive_seed(context.seed, "openings", run)
        scores = {
            kind: play_match(context, _player(seven(vector)), asked["second"], games=asked["games"], seed=seed)["score"]
            for kind, vector in vectors.items()
        }
        runs.append(vectors | {"means": means, "scores": scores})
        context.report_progress((run + 1) / asked["runs"], f"run {run + 1}")
    return {"runs": runs, "games": len(KINDS) * asked["games"] * len(runs)}


def _mean_distance(vectors: Vectors) -> Distance:
    """The mean distance between the vectors of runs 1 and 2, 3 and 4, ...: independent numbers."""
    return mean([float(np.linalg.norm(one - two)) for one, two in zip(vectors[::2], vectors[1::2], strict=False)])


def _conclude(results: Results) -> Finding:
    runs, own = results["evolved"]["runs"], results["R2's weights"]
    means = np.array([run["means"] for run in runs])
    scores = {kind: [run["scores"][kind] for run in runs] for kind in KINDS}
    evolved, level = mean_score(scores["mean"]), bonferroni_level(2)
    strict = [score_interval(own, level), mean_score(scores["mean"], level)[1]]
    found = "; ".join(f"{words} {with_interval(*mean_score(scores[kind]))}" for kind, words in KINDS.items())
    apart = {kind: _mean_distance(np.array([run[kind] for run in runs])) for kind in KINDS}
    distances = "; ".join(f"{words} {with_interval(*apart[kind], 3)}" for kind, words in KINDS.items())
    return Finding(
        conclusion=overall(
            [by_side(own["score_interval"], 0.5), by_side(evolved[1], 0.5)], [by_side(one, 0.5) for one in strict]
        ),
        headline=f"Against seven equal weights, R2's own score {number(own['score'])}, those of {len(runs)} new runs "
        f"of its algorithm {number(evolved[0])}, and random ones {number(mean_score(scores['random'])[0])}.",
        rule="The report says that the terms matter differently, so that their weights converge to different values. "
        "We take it to say that these weights are better than equal ones. Both the report's own and the mean vectors "
        f"of new runs must score more than 0.5 against them at depth {DEPTH}, which the report does not state: "
        f"{RULE_OF_SIDES} (one of the two suffices to refute it, so there the level is {number(100 * level, 1)}%). "
        "That the weights converge has a conclusion of its own.",
        text=(
            f"Against seven equal weights the report's own score {score(own, 2)}; of {len(runs)} new runs, {found}.",
            f"The distance between the vectors of two runs: {distances}. {_on_single_positions(apart)}",
            "The fitness compares vectors by the value that they give to the current position: what wins is to put "
            "weight on whichever term is high there, not to evaluate positions well.",
        ),
        tables=(
            claims_table({"The weights converge, to different values": _on_convergence(means, apart)}),
            _table(means),
        ),
        pictures=(
            interval_picture(
                "weights",
                f"Weights after {means.shape[1]} iterations: means of {len(runs)} runs with 95% intervals, and the "
                "report's at convergence. Dashed: equal weights.",
                {"here": {name: _weight(means[:, -1, place]) for place, name in enumerate(NAMES)}},
                value_label="weight",
                even_at=(1 / len(NAMES),),
                limits=None,
                reported={"report": dict(zip(NAMES, WEIGHTS, strict=True))},
                size=(9.5, 4.0),
            ),
        ),
    )


def _on_convergence(means: Vectors, apart: dict[str, Distance]) -> tuple[Conclusion, str]:
    """Whether the means of different runs come together, at values that differ from term to term."""
    distance, far = apart["mean"][1][1], apart["random"][1][0]
    weights = {name: mean(means[:, -1, place].tolist()) for place, name in enumerate(NAMES)}
    order = sorted(NAMES, key=lambda name: weights[name][0])
    low, high = (weights[name] for name in (order[0], order[-1]))
    is_together = distance is not None and far is not None and distance < far
    differ = low[1][1] is not None and high[1][0] is not None and low[1][1] < high[1][0]
    return Conclusion.CONFIRMED if is_together and differ else Conclusion.UNDECIDED, (
        f"of means over all positions: those of two runs are {number(apart['mean'][0], 3)} apart, random vectors "
        f"{number(apart['random'][0], 3)}; the largest weight is {order[-1]}, {with_interval(*high, 3)}, the smallest "
        f"{order[0]}, {with_interval(*low, 3)}; confirmed if both pairs of 95% intervals are disjoint, else not decided"
    )


def _on_single_positions(apart: dict[str, Distance]) -> str:
    """Whether the algorithm's vectors themselves come together."""
    last, random = apart["last"][1][1], apart["random"][1][0]
    if last is not None and random is not None and last < random:
        return "The vectors of single positions come closer than random ones."
    return (
        "The vectors of single positions do not come closer than random ones: what comes together is their mean, as "
        "the mean of many vectors does."
    )


def _weight(of_runs: Vectors) -> Values:
    value, interval = mean(of_runs.tolist())
    return {"score": value, "score_interval": interval}


def _table(means: Vectors) -> Table:
    """Means over runs, beside the report's rows."""
    rows = []
    for name, printed in PRINTED_WEIGHTS.items():
        step = means.shape[1] if name == "converged" else int(name)
        ours = means[:, step - 1].mean(axis=0) if step <= means.shape[1] else None
        cells = ("" if ours is None else f"{number(float(ours[i]), 3)} / " for i in range(len(NAMES)))
        rows.append((name, *(f"{cell}{weight:.3f}" for cell, weight in zip(cells, printed, strict=True))))
    return Table(f"Weights here (means of {len(means)} runs) / in the report", ("iteration", *NAMES), tuple(rows))


EXPERIMENT = declared("R2.1", _tasks, _conclude)
