"""Experiments and values for tests, quickly made."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from flipdrop.arena.statistics import Pairs, estimate_elo
from flipdrop.arena.store import ExperimentResult
from flipdrop.experiments.experiment import Claim, Conclusion, Experiment, Finding, Results
from flipdrop.experiments.formatting import score
from flipdrop.experiments.tasks import MatchTask, MeasureTask
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from matplotlib.figure import Figure

    from flipdrop.experiments.experiment import Size, Values
    from flipdrop.experiments.tasks import Task, TaskContext


def match_values(share: float, games: int = 2000) -> dict[str, Any]:
    """Values of a match in which this share of the games was won, and the others lost."""
    pairs = games // 2
    won = round(share * games)
    both, one = divmod(won, 2)
    counts = Pairs(ll=pairs - both - one, even=one, ww=both)
    estimate = _estimate(counts)
    margin = 40 * (share - 0.5)
    side = {"wins": won // 2, "draws": 0, "losses": pairs - won // 2, "margin": margin, "margin_interval": [margin] * 2}
    return {
        "games": games,
        "wins": won,
        "draws": 0,
        "losses": games - won,
        "pairs": list(counts.counts),
        **{name: estimate[name] for name in ("score", "score_interval", "elo", "elo_interval", "los")},
        "margin": margin,
        "margin_interval": [margin - 1, margin + 1],
        "as_first": side,
        "as_second": side,
        "forfeits": [0, 0],
        "games_a_second": 100.0,
    }


@cache
def _estimate(counts: Pairs) -> dict[str, Any]:
    return estimate_elo(counts).to_json()


def results_of(experiment: Experiment, values: Callable[[Task], Values], size: Size = "full") -> Results:
    """Results of an experiment whose tasks have measured these values."""
    done = {
        task.key: ExperimentResult(
            experiment.name, size, task.key, 1, task.settings, values(task), seconds=1.0, threads=2
        )
        for task in experiment.tasks(size)
    }
    return Results(size, 1, done)


def check_pictures(finding: Finding) -> None:
    """Every picture can be drawn and contains data."""
    from matplotlib.figure import Figure

    assert len({picture.name for picture in finding.pictures}) == len(finding.pictures) > 0
    for picture in finding.pictures:
        canvas = Figure(figsize=picture.size)
        picture.draw(canvas)
        assert canvas.axes
        for axes in canvas.axes:
            assert axes.has_data()


COUNTED: list[str] = []
"""Keys of the measurements that were made."""


def counted(task: MeasureTask, context: TaskContext) -> Values:
    """A measurement that appends its key to `COUNTED`."""
    COUNTED.append(task.key)
    context.report_progress(0.5, "half")
    return {"spec": f"mcts:iterations={task.parameters['iterations']}", "seed": context.seed}


def _tasks(size: Size) -> list[Task]:
    found = MeasureTask(key="found", parameters={"iterations": 3}, measure=counted)
    games = 6 if size == "quick" else 10
    return [
        found,
        MatchTask(key="first", first="greedy", second="random", game="othello4", games=games),
        MatchTask(
            key="second",
            first="{it[spec]}",
            second="random",
            game="othello4",
            openings="random:2",
            games=games,
            depends_on={"it": found},
        ),
    ]


def _draw(canvas: Figure) -> None:
    canvas.add_subplot().plot([1, 2], [3, 4])


def _conclude(results: Results) -> Finding:
    return Finding(
        conclusion=Conclusion.CONFIRMED,
        headline=f"greedy scores {score(results['first'])}",
        rule="always",
        text=("A paragraph with `code`.", "Another, with <b> & |."),
        tables=(Table("A table", ("player", "score | share"), (("greedy", score(results["first"])),)),),
        pictures=(Picture("line", "A line & a caption", _draw),),
    )


SMALL = Experiment(
    name="R9.9",
    title="A small experiment",
    question="Does it work?",
    claim=Claim("R9", "It does.", (Table("ReportedGames", ("a", "b"), (("1", "2"),)),)),
    tasks=_tasks,
    conclude=_conclude,
)
"""Two matches of Othello 4x4, one of them with a player that a measurement has found."""
