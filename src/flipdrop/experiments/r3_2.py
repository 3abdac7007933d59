"""R3.2: the sweep of the constant c of UCB, in steps of 5 and then of 1, three times each, by disc margin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flipdrop.arena.openings import default_openings
from flipdrop.arena.option_values import Axis
from flipdrop.arena.parameter_sweep import Sweep
from flipdrop.arena.running import runner_for
from flipdrop.experiments.experiment import Claim, Conclusion, Experiment, Finding, Results, Size, Values
from flipdrop.experiments.formatting import score, wins_draws_losses
from flipdrop.experiments.r3 import program
from flipdrop.experiments.tasks import MeasureTask, Task, TaskContext
from flipdrop.games import game as game_of
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import number, with_interval
from flipdrop.reporting.plots import COLOURS, Canvas, even, legend, panel, set_ticks, with_bars
from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    from flipdrop.arena.model import Event

CLOSE = (40, 65)  # where the report looked by steps of 1
REPEATS = 3
BROAD = (0, 1, 2, *range(5, 101, 5), 150, 200, 300)
"""The report's steps of 5, and values far outside of its range, which should be worse."""
VALUES: dict[Size, tuple[int, ...]] = {
    "quick": (1, 20, 40, 50, 60, 100),
    "full": tuple(sorted({*BROAD, *range(CLOSE[0], CLOSE[1] + 1)})),
}
PAIRS: dict[Size, int] = {"quick": 3, "full": 25}  # for each value and repeat
ITERATIONS = 500
OPPONENT = "mcts:iterations=500"


def _tasks(size: Size) -> list[Task]:
    parameters = {
        "kind": "sweep",
        "first": program(ITERATIONS, c="{c}", guided=False, corners=False),
        "second": OPPONENT,
        "c": list(VALUES[size]),
        "pairs": PAIRS[size],
        "repeats": REPEATS,
        "openings": default_openings(game_of("othello")),
    }
    games = 2 * PAIRS[size] * REPEATS * len(VALUES[size])
    return [MeasureTask("sweep of c", parameters=parameters, measure=sweep_c, estimate=0.015 * games)]


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
    result = sweep.run(
        context.store,
        runner_for(sweep.check(), threads=context.threads),
        progress=lambda state: context.report_progress(
            state.done / state.total, f"{state.games_a_second:,.0f} games/s"
        ),
    )
    kept = ("wins", "draws", "losses", "score", "score_interval", "margin", "margin_interval", "repeats", "may_be_best")
    spreads = spreads_of_games(sweep.first_event, context)
    points = [
        {"c": int(point["options"]["c"]), "spread": spread} | {name: point[name] for name in kept}
        for point, spread in zip(result.to_json()["points"], spreads, strict=True)
    ]
    return {"games": result.games, "points": points, "games_of_a_point": sweep.games * sweep.repeats}


def spreads_of_games(event: Event, context: TaskContext) -> list[float]:
    """The standard deviation of the margin of single games, for each pairing of an event that has been played.

    Games of a pair begin alike, so it does not follow from the spread of pairs.
    """
    context.event = context.store.event_id_for(event)
    margins = np.zeros((event.pairs, len(event.pairings), 2))
    for result in context.store.results(context.event):
        sign = -1 if result.number % 2 else 1
        margins.reshape(-1)[result.number] = sign * result.margin
    return [float(spread) for spread in margins.std(axis=(0, 2), ddof=1)]


def _conclusion(points: list[Values]) -> Conclusion:
    may = [point["c"] for point in points if point["may_be_best"]]
    inside = [c for c in may if CLOSE[0] <= c <= CLOSE[1]]
    if not inside:
        return Conclusion.REFUTED
    return Conclusion.CONFIRMED if len(inside) == len(may) else Conclusion.UNDECIDED


def _conclude(results: Results) -> Finding:
    values = results["sweep of c"]
    points: list[Values] = values["points"]
    best = max(points, key=lambda point: float(point["margin"]))
    worst = min(points, key=lambda point: float(point["margin"]))
    may = [point["c"] for point in points if point["may_be_best"]]
    close = [point["margin"] for point in points if CLOSE[0] <= point["c"] <= CLOSE[1]]
    spread = sum(point["spread"] for point in points) / len(points)
    noise = spread / REPEATS**0.5
    range_of_means = max(close) - min(close)
    conclusion = _conclusion(points)
    text = (
        f"Of {len(points)} values the best by margin is c = {best['c']}, with "
        f"{with_interval(best['margin'], best['margin_interval'], 1)} discs; the worst is c = {worst['c']}, with "
        f"{with_interval(worst['margin'], worst['margin_interval'], 1)}. Compared opening by opening, "
        f"{len(may)} values may be the best: {runs(may, [point['c'] for point in points])}.",
        f"The margin of a single game has a standard deviation of {number(spread, 0)} discs, so the mean of the "
        f"report's {REPEATS} games is off by {number(noise, 0)} discs either way as a rule. Within {CLOSE[0]} to "
        f"{CLOSE[1]} the means found here, of {values['games_of_a_point']} games each, differ by "
        f"{number(range_of_means, 1)} discs in all. "
        + (
            f"{REPEATS} games for each cannot tell such values apart."
            if range_of_means < 2 * noise
            else f"That is more than twice the error of {REPEATS} games."
        ),
    )
    return Finding(
        conclusion=conclusion,
        headline=f"{REPEATS} games have an error of {number(noise, 0)} discs; any of {len(may)} values of c may be the "
        f"best ({runs(may, [point['c'] for point in points])}).",
        rule=f"The claim is that the best c lies in {CLOSE[0]} to {CLOSE[1]}. It is confirmed if every value that may "
        "be the best (all of them together hold the best one with 95%) lies there, refuted if none does, else "
        "not decided by this run. The search is R3's without its guidance in the opening and its corners at once, "
        f"which would hide what c does, and the opponent is ours: `{OPPONENT}`.",
        text=text,
        tables=(_table(points),),
        pictures=(
            Picture(
                "c",
                "Disc margin over c, on the whole range and where the report looked by steps of 1: means with 95% "
                f"intervals, and {REPEATS} repeats as faint dots. Blue points may be the best, orange ones may not.",
                lambda canvas: _draw(canvas, points),
                size=(7.5, 6.5),
            ),
        ),
    )


def runs(chosen: list[int], every: list[int]) -> str:
    """Values in short: ``20 to 45, 60``, where what is between was chosen too."""
    places = [every.index(c) for c in chosen]
    runs: list[list[int]] = []
    for place in places:
        if runs and runs[-1][1] == place - 1:
            runs[-1][1] = place
        else:
            runs.append([place, place])
    return ", ".join(str(every[a]) if a == b else f"{every[a]} to {every[b]}" for a, b in runs)


def _table(points: list[Values]) -> Table:
    return Table(
        f"R3's tree search with {ITERATIONS} simulations against {OPPONENT}",
        ("c", "won / drawn / lost", "score (95%)", "margin in discs (95%)", "may be best"),
        tuple(
            (
                str(point["c"]),
                wins_draws_losses(point),
                score(point),
                with_interval(point["margin"], point["margin_interval"], 1),
                "yes" if point["may_be_best"] else "no",
            )
            for point in points
        ),
    )


def _draw(canvas: Canvas, points: list[Values]) -> None:
    for place, (low, high, words) in enumerate(((0, 10**9, "c"), (*CLOSE, f"c from {CLOSE[0]} to {CLOSE[1]}")), 1):
        axes = panel(canvas, across=words, up="margin in discs", rows=2, place=place)
        shown = [point for point in points if low <= point["c"] <= high]
        if place == 1:
            axes.set_xscale("symlog", linthresh=5)
            ticks = [c for c in (0, 1, 2, 5, 10, 20, 50, 100, 200, 300) if c <= shown[-1]["c"]]
            set_ticks(axes, ticks, [str(tick) for tick in ticks])
            axes.axvspan(*CLOSE, color=COLOURS[4], alpha=0.12, linewidth=0)
        even(axes, 0)
        for point in shown:
            margins = [repeat["margin"] for repeat in point["repeats"]]
            axes.plot([point["c"]] * len(margins), margins, ".", color=COLOURS[5], alpha=0.6, zorder=2)
        for may, colour, label in ((False, COLOURS[1], "not the best"), (True, COLOURS[0], "may be the best")):
            some = [point for point in shown if point["may_be_best"] is may]
            if some:
                with_bars(
                    axes,
                    [point["c"] for point in some],
                    [point["margin"] for point in some],
                    [point["margin_interval"] for point in some],
                    label=label,
                    colour=colour,
                    joined=False,
                )
        legend(axes)


EXPERIMENT = Experiment(
    name="R3.2",
    title="The constant of UCB",
    question="Which constant c is the best for R3's tree search, and can three games a value find it?",
    claim=Claim(
        "R3",
        "The constant was swept by steps of 5, then by steps of 1 from "
        f"{CLOSE[0]} to {CLOSE[1]}, each value {REPEATS} times, and plotted as disc margin: the best value lies in "
        "that range.",
    ),
    tasks=_tasks,
    conclude=_conclude,
)
