"""Q2: whether random games to the end are better than short ones with an evaluation, at equal time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flipdrop.experiments.conclusions import bonferroni_level, side_of
from flipdrop.experiments.equal_time import FAIR, RULE_OF_TIME, fair_interval, farthest, ratio, timing
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared
from flipdrop.experiments.formatting import score, spec_with, wins_draws_losses
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import listed, number
from flipdrop.reporting.plots import COLOURS, Canvas, even, legend, panel, with_score_bars
from flipdrop.reporting.tables import Table

TO_THE_END = 1000
"""Simulations of the opponent, whose playouts go to the end."""


@dataclass(frozen=True)
class Short:
    """A tree search whose playouts are short.

    :param name: what tables call it
    :param iterations: take as long as `TO_THE_END` simulations to the end, times `longer`
    """

    name: str
    depth: int
    iterations: int
    evaluation: str = "D"
    more: tuple[tuple[str, Any], ...] = ()
    longer: int = 1

    @property
    def spec(self) -> str:
        options = {"iterations": self.iterations, "playout": "depth", "depth": self.depth}
        return spec_with("mcts", **options, evaluation=self.evaluation, **dict(self.more))


BY_DEPTH = (
    Short("D after 0 plies", 0, 2350),
    Short("D after 5 plies", 5, 1980),
    Short("D after 10 plies", 10, 1520),
    Short("D after 15 plies", 15, 1420),
    Short("D after 25 plies", 25, 1215),
)
OTHERS = (
    # As in the report the evaluation's own number is the reward, and c is for rewards of 1.
    Short("R1's form: D after 15 plies as it is", 15, 930, more=(("reward", "evaluation"),)),
    Short("D after 10 plies, five times the time", 10, 7050, longer=5),
    Short("D of R1's opponent after 10 plies", 10, 1520, "D.baseline"),
    Short("Seven after 0 plies", 0, 2300, "Seven"),
    Short("patterns after 0 plies", 0, 2380, "patterns"),
)
GAMES: dict[Size, int] = {"quick": 10, "full": 500}
PAIRS: dict[Size, int] = {"quick": 1, "full": 5}


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for short in BY_DEPTH + OTHERS:
        if size == "quick" and short.longer > 1:
            continue
        games = GAMES[size] if short.longer == 1 else GAMES[size] // 3 // 2 * 2
        match = MatchTask(
            short.name,
            short.spec,
            f"mcts:iterations={TO_THE_END * short.longer}",
            games=games,
            estimate=0.03 * games * short.longer,
        )
        tasks += [match, timing(match, pairs=PAIRS[size], estimate=0.15 * PAIRS[size] * short.longer)]
    return tasks


def _shorts(results: Results) -> list[Short]:
    return [short for short in BY_DEPTH + OTHERS if short.name in results.done]


def _conclude(results: Results) -> Finding:
    ours = {short: results[short.name] for short in BY_DEPTH}
    level = bonferroni_level(len(ours))
    sides, strict = (
        {
            short: side_of(fair_interval(results, short.name, score_interval(values, at)), 0.5)
            for short, values in ours.items()
        }
        for at in (0.95, level)
    )
    best = max(BY_DEPTH, key=lambda short: float(ours[short]["score"]))
    if set(sides.values()) == {-1}:
        conclusion = Conclusion.ANSWERED
        answer = "Yes: with the D that R1 calls its best, every short playout loses to playouts to the end."
    elif 1 in strict.values():
        better = listed([short.name for short, side in strict.items() if side == 1])
        conclusion, answer = Conclusion.ANSWERED, f"No: {better} beat playouts to the end."
    else:
        conclusion, answer = Conclusion.OPEN, "Not decided: no short playout with D is seen to be better."
    better_evaluations = [short for short in OTHERS if short.name in results.done]
    rest = "; ".join(f"{short.name}: {score(results[short.name])}" for short in better_evaluations)
    text = (
        f"{answer} The best of them, {best.name}, scores {score(ours[best])} against {TO_THE_END:,} simulations to the "
        f"end, with {best.iterations:,} simulations of its own in the same time.",
        f"The strength of a short playout depends on the evaluation behind it. {rest}.",
        "Equal time means budgets that cost the same; the measured ratio of times that is farthest from 1 is "
        f"{number(farthest(results, [short.name for short in _shorts(results)]))} (up to {number(FAIR)} counts as "
        "equal here: a tree search has to double its simulations to be clearly stronger).",
    )
    return Finding(
        conclusion=conclusion,
        headline=f"At equal time {best.name}, the best short playout with D, scores {number(ours[best]['score'])} "
        "against playouts to the end.",
        rule="Answered yes if all short playouts with D score less than 0.5 with their whole 95% intervals, no if one "
        f"scores more (one of {len(ours)} suffices, so there the level is {number(100 * level, 1)}%), else still open. "
        f"{RULE_OF_TIME}.",
        text=text,
        tables=(_table(results),),
        pictures=(
            Picture(
                "playouts",
                "Score of short playouts against playouts to the end at equal time, with 95% intervals.",
                lambda canvas: _draw(canvas, results),
            ),
        ),
    )


def _table(results: Results) -> Table:
    return Table(
        "Short playouts against playouts to the end",
        ("short playout", "player", "won / drawn / lost", "score (95%)", "time of its move / opponent's (95%)"),
        tuple(
            (
                short.name,
                short.spec,
                wins_draws_losses(results[short.name]),
                score(results[short.name]),
                ratio(results, short.name),
            )
            for short in _shorts(results)
        ),
        text_columns=(1,),
    )


def _draw(canvas: Canvas, results: Results) -> None:
    axes = panel(canvas, across="plies of a playout", up="score against playouts to the end")
    even(axes, label="as good as to the end")

    def bars(shorts: tuple[Short, ...], label: str, place: int, *, joined: bool) -> None:
        values: list[Values] = [results[short.name] for short in shorts]
        with_score_bars(
            axes,
            [short.depth for short in shorts],
            values,
            label=label,
            colour=COLOURS[place],
            joined=joined,
            marker="os^vD"[place],
        )

    bars(BY_DEPTH, "D", 0, joined=True)
    for place, short in enumerate((short for short in OTHERS if short.longer == 1), 1):
        bars((short,), short.name, place, joined=False)
    axes.set_ylim(-0.03, 1.03)
    legend(axes, ncols=2)


EXPERIMENT = declared("Q2", _tasks, _conclude)
