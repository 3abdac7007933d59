"""R2.1: the weights of the online genetic algorithm over its rounds and at convergence."""

from __future__ import annotations

import numpy as np

from flipdrop.arena.seeds import derive_seed
from flipdrop.evaluation.genetic_operators import normalised, random_vectors
from flipdrop.experiments.conclusions import RULE_OF_SIDES, bonferroni_level, by_side, overall
from flipdrop.experiments.experiment import Claim, Experiment, Finding, Results, Size, Values
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import mean, mean_score, score_interval
from flipdrop.experiments.r2 import EQUAL, EVOLVED, NAMES, WEIGHTS, seven
from flipdrop.experiments.tasks import OPENINGS, MatchTask, MeasureTask, Task, TaskContext, play_match
from flipdrop.games import game as game_of
from flipdrop.learning.genetic import OnlineGA, genome
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import between, number, with_interval
from flipdrop.reporting.plots import COLOURS, Canvas, even, panel, plain
from flipdrop.reporting.tables import Table

DEPTH = 2
ROUNDS = 10  # on each position, as in the report
POSITIONS = 60  # of a game, after which the weights are taken for converged
RUNS: dict[Size, int] = {"quick": 8, "full": 80}
GAMES: dict[Size, int] = {"quick": 20, "full": 200}
GAMES_OF_R2: dict[Size, int] = {"quick": 100, "full": 4000}


def _player(weights: list[float]) -> str:
    return f"alphabeta:depth={DEPTH},evaluation={seven(weights)}"


def _tasks(size: Size) -> list[Task]:
    opponent = f"alphabeta:depth={DEPTH},evaluation={EQUAL}"
    common = {"runs": RUNS[size], "second": opponent, "games": GAMES[size], "openings": OPENINGS}
    evolved = {
        "kind": "learner",
        "learner": "online-ga",
        "rounds": ROUNDS,
        "positions": POSITIONS,
        "first": "alphabeta with the last weights of each run",
        "algorithm": _learner(0, ROUNDS).settings,
    }
    by_chance = {"kind": "measurement", "first": "alphabeta with random normalised weights"}
    playing = 0.0006 * RUNS[size] * GAMES[size]
    return [
        MeasureTask("evolved", parameters=evolved | common, measure=_evolve, estimate=0.5 * RUNS[size] + playing),
        MeasureTask("random", parameters=by_chance | common, measure=_measure_random, estimate=playing),
        MatchTask(
            "R2's weights",
            f"alphabeta:depth={DEPTH},evaluation={EVOLVED}",
            opponent,
            games=GAMES_OF_R2[size],
            estimate=0.0006 * GAMES_OF_R2[size],
        ),
    ]


def _learner(seed: int, rounds: int) -> OnlineGA:
    """The report's algorithm before its first round."""
    game = game_of("othello")
    return OnlineGA(game, genome("Seven", game), seed=seed, rounds=rounds, benchmark_every=0)


def _evolve(task: MeasureTask, context: TaskContext) -> Values:
    """Every run: the best weights and the spread of the ten after each of the first rounds, and in the end."""
    runs: list[Values] = []
    for run in range(task.parameters["runs"]):
        learner = _learner(derive_seed(context.seed, "R2.1", run), task.parameters["rounds"])
        paths: list[list[float]] = []
        spreads: list[float] = []
        for step in range(ROUNDS * task.parameters["positions"]):
            learner.step()
            if step < ROUNDS:
                assert learner.best is not None
                paths.append([float(weight) for weight in learner.best])
                spreads.append(_spread(learner.vectors))
        assert learner.best is not None
        last = [float(weight) for weight in learner.best]
        runs.append(
            {"rounds": paths, "spreads": spreads, "last": last, "last_spread": _spread(learner.vectors)}
            | _measured(task, context, last, run)
        )
        context.report_progress((run + 1) / task.parameters["runs"], f"run {run + 1}")
    return {"runs": runs, "games": task.parameters["games"] * len(runs)}


def _measure_random(task: MeasureTask, context: TaskContext) -> Values:
    """Random normalised vectors, measured in the same way."""
    random = np.random.default_rng(derive_seed(context.seed, "R2.1", "random"))
    vectors = normalised(random_vectors(genome("Seven", game_of("othello")).signs, task.parameters["runs"], random))
    runs: list[Values] = []
    for run, vector in enumerate(vectors):
        last = [float(weight) for weight in vector]
        runs.append({"last": last} | _measured(task, context, last, run))
        context.report_progress((run + 1) / len(vectors), f"vector {run + 1}")
    return {"runs": runs, "games": task.parameters["games"] * len(runs)}


def _measured(task: MeasureTask, context: TaskContext, weights: list[float], run: int) -> Values:
    spec, asked = _player(weights), task.parameters
    values = play_match(
        context, spec, asked["second"], games=asked["games"], seed=derive_seed(context.seed, "openings", run)
    )
    return {"player": spec, "score": values["score"]}


def _spread(vectors: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> float:
    """The mean distance of the ten vectors from their mean."""
    return float(np.linalg.norm(vectors - vectors.mean(axis=0), axis=1).mean())


def _apart(vectors: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[float]:
    """The distance between the vectors of runs 1 and 2, 3 and 4, ...: independent numbers."""
    return [float(np.linalg.norm(one - two)) for one, two in zip(vectors[::2], vectors[1::2], strict=False)]


def _scores(results: Results, key: str) -> list[float]:
    return [run["score"] for run in results[key]["runs"]]


def _last(results: Results, key: str) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([run["last"] for run in results[key]["runs"]])


def _conclude(results: Results) -> Finding:
    runs = results["evolved"]["runs"]
    evolved, by_chance = mean_score(_scores(results, "evolved")), mean_score(_scores(results, "random"))
    own = results["R2's weights"]
    level = bonferroni_level(2)
    strict = [score_interval(own, level), mean_score(_scores(results, "evolved"), level)[1]]
    return Finding(
        conclusion=overall(
            [by_side(own["score_interval"], 0.5), by_side(evolved[1], 0.5)], [by_side(one, 0.5) for one in strict]
        ),
        headline=f"Against seven equal weights, R2's own score {number(own['score'])}, those of {len(runs)} new runs "
        f"of its algorithm {number(evolved[0])}, and random ones {number(by_chance[0])}.",
        rule="The report plays with the weights that its algorithm converged to. We take it to say that they are "
        "better than what one would have without learning: seven equal weights. Both the report's own weights and "
        f"those of new runs must score more than 0.5 against them at depth {DEPTH}, which the report does not state: "
        f"{RULE_OF_SIDES} (one of the two suffices to refute it, so there the level is {number(100 * level, 1)}%). "
        "Whether the weights converge is reported, but not part of the conclusion.",
        text=(
            _on_convergence(results),
            f"Against seven equal weights the report's own score {score(own, 2)}, the last weights of {len(runs)} new "
            f"runs {with_interval(*evolved)} on average, and random vectors {with_interval(*by_chance)}.",
            "The fitness compares vectors by the value that they give to the current position: what wins is to put "
            "weight on whichever term is high there, not to evaluate positions well.",
        ),
        tables=(_table(results),),
        pictures=(
            Picture(
                "weights",
                f"The best vector of each of {len(runs)} runs over the first {ROUNDS} rounds, and at the end of a "
                "game. Diamonds: where the report's run converged. Dashed: equal weights.",
                lambda canvas: _draw_weights(canvas, results),
                (9.5, 5.2),
            ),
            Picture(
                "strength",
                "Score of each vector against seven equal weights; bars are the means and their 95% intervals.",
                lambda canvas: _draw_strength(canvas, results),
                (7.5, 2.6),
            ),
        ),
    )


def _on_convergence(results: Results) -> str:
    """Whether the ten vectors of a run come together, and whether those of other runs do so in the same place."""
    runs = results["evolved"]["runs"]
    begin, end = mean([run["spreads"][0] for run in runs]), mean([run["last_spread"] for run in runs])
    apart, apart_by_chance = mean(_apart(_last(results, "evolved"))), mean(_apart(_last(results, "random")))
    together = "come together" if end[0] < begin[0] / 2 else "hardly come together"
    where = "but in another place every time" if apart[0] > 2 * end[0] else "and in about the same place every time"
    return (
        f"The ten vectors of a run {together}: their mean distance from their centre is {with_interval(*begin, 3)} "
        f"after the first round and {with_interval(*end, 3)} after the {ROUNDS * POSITIONS} rounds of a game; {where}: "
        f"the last vectors of two runs are {with_interval(*apart, 3)} apart, and two random vectors "
        f"{with_interval(*apart_by_chance, 3)}."
    )


def _table(results: Results) -> Table:
    last, by_chance = _last(results, "evolved"), _last(results, "random")
    rounds = np.array([run["rounds"] for run in results["evolved"]["runs"]])
    rows = []
    for place, name in enumerate(NAMES):
        value, interval = mean(list(last[:, place]))
        rows.append(
            (
                name,
                f"{WEIGHTS[place]:.3f}",
                *(number(float(rounds[:, step, place].mean()), 3) for step in (0, 4, ROUNDS - 1)),
                f"{number(value, 3)} ({between(interval, 3)})",
                f"{number(float(last[:, place].min()), 3)} to {number(float(last[:, place].max()), 3)}",
                f"{number(float(by_chance[:, place].min()), 3)} to {number(float(by_chance[:, place].max()), 3)}",
            )
        )
    heads = ("round 1", "round 5", f"round {ROUNDS}", "end, mean (95%)", "end, range over runs", "random, range")
    return Table("Weights: means over the runs", ("term", "report, converged", *heads), tuple(rows))


def _draw_weights(canvas: Canvas, results: Results) -> None:
    from matplotlib.collections import LineCollection

    runs = results["evolved"]["runs"]
    end = ROUNDS + 3
    for place, name in enumerate(NAMES):
        axes = canvas.add_subplot(2, 4, place + 1)
        plain(axes)
        axes.set_title(name, loc="left", fontsize=10)
        last = [run["last"][place] for run in runs]
        paths = [[(n, weights[place]) for n, weights in enumerate(run["rounds"], 1)] for run in runs]
        leaps = [[path[-1], (end, weight)] for path, weight in zip(paths, last, strict=True)]
        axes.add_collection(LineCollection(paths, colors=COLOURS[0], linewidths=0.8, alpha=0.35))
        axes.add_collection(LineCollection(leaps, colors=COLOURS[0], linewidths=0.4, alpha=0.15))
        axes.plot([end] * len(last), last, ".", color=COLOURS[0], markersize=4, alpha=0.5)
        even(axes, 1 / len(NAMES))
        axes.plot(end, WEIGHTS[place], "D", color=COLOURS[1], markersize=6, zorder=5)
        axes.set_ylim(0, 0.62)
        axes.set_xticks([1, 5, ROUNDS, end], ["1", "5", str(ROUNDS), "end"])
        if place % 4:
            axes.set_yticklabels([])
        if place >= 3:
            axes.set_xlabel("rounds")


def _draw_strength(canvas: Canvas, results: Results) -> None:
    axes = panel(canvas, across="score against seven equal weights", up="")
    axes.grid(visible=False)
    even(axes, vertical=True)
    rows = {"random vectors": "random", "evolved": "evolved"}
    for height, (colour, key) in enumerate(zip((COLOURS[5], COLOURS[0]), rows.values(), strict=True)):
        scores = _scores(results, key)
        jitter = np.random.default_rng(0).uniform(-0.16, 0.16, len(scores))
        axes.plot(scores, height + 0.12 + jitter, "o", color=colour, markersize=4, alpha=0.45, markeredgewidth=0)
        value, (low, high) = mean_score(scores)
        axes.plot([low, high], [height - 0.22] * 2, color=colour, linewidth=3, solid_capstyle="butt")
        axes.plot(value, height - 0.22, "o", color=colour, markersize=7)
    own = results["R2's weights"]
    low, high = own["score_interval"]
    axes.plot([low, high], [2, 2], color=COLOURS[1], linewidth=3, solid_capstyle="butt")
    axes.plot(own["score"], 2, "D", color=COLOURS[1], markersize=7)
    axes.set_yticks([0, 1, 2], [*rows, "the report's"])
    axes.set_ylim(-0.5, 2.5)


EXPERIMENT = Experiment(
    name="R2.1",
    title="Weights of the online genetic algorithm",
    question="Do the seven weights of R2's genetic algorithm converge, and to good ones?",
    claim=Claim(
        "R2",
        "The weights of the genetic algorithm are given over ten rounds and at convergence, and the program plays with "
        "the latter.",
        Table(
            "Weights at convergence",
            ("term", "weight"),
            tuple((name, f"{weight:.6f}") for name, weight in zip(NAMES, WEIGHTS, strict=True)),
        ),
    ),
    tasks=_tasks,
    conclude=_conclude,
)
