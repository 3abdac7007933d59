"""R3.2: the sweep of the constant c of UCB, in steps of 5 and then of 1, three times each, by disc margin."""

from __future__ import annotations

from flipdrop.arena.option_values import Axis
from flipdrop.arena.parameter_sweep import Sweep
from flipdrop.arena.statistics.elo import student_quantile
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared
from flipdrop.experiments.measures import mean
from flipdrop.experiments.presentation import SCORE, interval_picture, table
from flipdrop.experiments.r3 import CLOSE, REPEATS, search
from flipdrop.experiments.tasks import MeasureTask, Task, TaskContext, play
from flipdrop.reporting.formatting import number, with_interval

BROAD = (1, 2, *range(5, 101, 5), 150, 200, 300)
"""The report's steps of 5, and values far outside of its range, which should be worse."""
TICKS = (1, 2, 5, 10, 20, 40, 65, 100, 200, 300)
VALUES: dict[Size, tuple[int, ...]] = {
    "quick": (1, 20, 40, 50, 60, 100),
    "full": tuple(sorted({*BROAD, *range(CLOSE[0], CLOSE[1] + 1)})),
}
PAIRS: dict[Size, int] = {"quick": 3, "full": 25}  # for each value and repeat
ITERATIONS = 500
RANDOM, EQUAL = "random", f"mcts:iterations={ITERATIONS}"
OPPONENTS = {RANDOM: "start", EQUAL: "random:8"}
"""The report's opponent and one of about the same strength, with the openings of their games."""


def _tasks(size: Size) -> list[Task]:
    games = 2 * PAIRS[size] * REPEATS * len(VALUES[size])
    return [
        MeasureTask(
            f"against {opponent}",
            parameters={
                "kind": "sweep",
                "first": search(ITERATIONS, c="{c}"),
                "second": opponent,
                "c": list(VALUES[size]),
                "pairs": PAIRS[size],
                "repeats": REPEATS,
                "openings": openings,
            },
            measure=sweep_c,
            estimate=(0.009 if opponent == RANDOM else 0.014) * games,
        )
        for opponent, openings in OPPONENTS.items()
    ]


def sweep_c(task: MeasureTask, context: TaskContext) -> Values:
    """Plays the games of all values of c from the same openings, and says which of them may be the best."""
    parameters = task.parameters
    sweep = Sweep(
        spec=parameters["first"].format(c=parameters["c"][0]),
        axes=(Axis("c", tuple(map(str, parameters["c"]))),),
        against=parameters["second"],
        game="othello",
        games=2 * parameters["pairs"],
        openings=parameters["openings"],
        seed=context.seed,
        repeats=parameters["repeats"],
        by="margin",
    )
    result = sweep.result([play(context, sweep)])
    kept = ("wins", "draws", "losses", "score", "score_interval", "margin", "margin_interval", "repeats", "may_be_best")
    points = [
        {"c": int(point["options"]["c"])} | {name: point[name] for name in kept} for point in result.to_json()["points"]
    ]
    return {"games": result.games, "points": points, "games_of_a_point": sweep.games * sweep.repeats}


def error_of_report(points: list[Values], games: int) -> float:
    """The standard error of a mean of the report's games, `REPEATS` with each colour, from that of a point's games."""
    half_widths = [(point["margin_interval"][1] - point["margin_interval"][0]) / 2 for point in points]
    pairs = games // 2
    return float(mean(half_widths)[0] / student_quantile(pairs - 1, 0.975) * (pairs / REPEATS) ** 0.5)


def _may_be_best(points: list[Values]) -> list[int]:
    return [point["c"] for point in points if point["may_be_best"]]


def _conclude(results: Results) -> Finding:
    sweeps = {opponent: results[f"against {opponent}"]["points"] for opponent in OPPONENTS}
    may = _may_be_best(sweeps[RANDOM])
    inside = [c for c in may if CLOSE[0] <= c <= CLOSE[1]]
    partly = Conclusion.UNDECIDED if inside else Conclusion.REFUTED
    games = results[f"against {RANDOM}"]["games_of_a_point"]
    error = error_of_report(sweeps[RANDOM], games)
    close = [point["margin"] for point in sweeps[RANDOM] if CLOSE[0] <= point["c"] <= CLOSE[1]]
    range_of_means = max(close) - min(close)
    return Finding(
        conclusion=Conclusion.CONFIRMED if len(inside) == len(may) else partly,
        headline=f"{REPEATS} pairs of games have an error of {number(error, 0)} discs; any of {len(may)} values of c "
        f"may be the best against random moves ({as_ranges(may, list(VALUES[results.size]))}).",
        rule=f"The claim is that the best c lies in {CLOSE[0]} to {CLOSE[1]}, with {ITERATIONS} simulations here. "
        "It is confirmed if every value that may be the best against random moves (all of them together hold the best "
        "one with 95%) lies there, refuted if none does, else not decided by this run.",
        text=(
            *(_on_sweep(opponent, points) for opponent, points in sweeps.items()),
            f"The mean of the report's games, {REPEATS} with each colour, is off by {number(error, 0)} discs either "
            f"way as a rule. Within {CLOSE[0]} to {CLOSE[1]} the means found here, of {games} games each, differ by "
            f"{number(range_of_means, 1)} discs in all. "
            + (
                f"{REPEATS} pairs for each cannot tell such values apart."
                if range_of_means < 2 * error
                else f"That is more than twice the error of {REPEATS} pairs."
            ),
        ),
        tables=tuple(
            table(
                f"R3's tree search with {ITERATIONS} simulations against {opponent}",
                "c",
                {point["c"]: point for point in points},
                SCORE
                | {
                    "margin in discs (95%)": lambda point: with_interval(point["margin"], point["margin_interval"], 1),
                    "may be best": lambda point: "yes" if point["may_be_best"] else "no",
                },
            )
            for opponent, points in sweeps.items()
        ),
        pictures=tuple(
            interval_picture(
                name,
                f"Disc margin over c against {opponent}: means with 95% intervals, and which values may be the best.",
                {
                    label: {point["c"]: point for point in sweeps[opponent] if point["may_be_best"] is may}
                    for label, may in (("may be the best", True), ("not the best", False))
                },
                place_label="c",
                value_label="margin in discs",
                value="margin",
                even_at=() if opponent == RANDOM else (0,),
                limits=None,
                ticks=[c for c in TICKS if c in VALUES[results.size]],
                log=True,
            )
            for name, opponent in (("random", RANDOM), ("search", EQUAL))
        ),
    )


def _on_sweep(opponent: str, points: list[Values]) -> str:
    best, worst = (function(points, key=lambda point: float(point["margin"])) for function in (max, min))
    may = _may_be_best(points)
    return (
        f"Against `{opponent}` the best of {len(points)} values by margin is c = {best['c']}, with "
        f"{with_interval(best['margin'], best['margin_interval'], 1)} discs; the worst is c = {worst['c']}, with "
        f"{with_interval(worst['margin'], worst['margin_interval'], 1)}. Compared opening by opening, "
        f"{len(may)} values may be the best: {as_ranges(may, [point['c'] for point in points])}."
    )


def as_ranges(chosen: list[int], every: list[int]) -> str:
    """Values in short: ``20 to 45, 60``, where what is between was chosen too."""
    places = [every.index(c) for c in chosen]
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return ", ".join(str(every[a]) if a == b else f"{every[a]} to {every[b]}" for a, b in runs)


EXPERIMENT = declared("R3.2", _tasks, _conclude)
