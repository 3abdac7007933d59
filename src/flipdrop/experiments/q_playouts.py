"""Q2: whether random games to the end are better than short ones with an evaluation, at equal time."""

from __future__ import annotations

from typing import Any

from flipdrop.experiments.conclusions import bonferroni_level, side_of
from flipdrop.experiments.equal_time import (
    FAIR,
    RULE_OF_TIME,
    TIME,
    fair_interval,
    farthest,
    favours,
    match_and_timing,
    ratio,
)
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, declared
from flipdrop.experiments.formatting import score, spec_with
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.presentation import PLAYERS, SCORE, table_and_picture
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.formatting import listed, number

TO_THE_END = 1000
"""Simulations of the opponent, whose playouts go to the end."""
BY_DEPTH = {0: 3000, 5: 1980, 10: 1520, 15: 1420, 25: 1215}
"""Simulations that take as long, by the plies of a playout with D."""
LONGER, TIMES = "D after 10 plies, five times the time", 5
R1S_FORM = {"evaluation": "D.baseline", "perspective": "searcher", "reward": "evaluation"}
"""The evaluation's own number is the reward, and c is for rewards of 1."""
OTHERS: dict[str, dict[str, Any]] = {
    "R1's form: its D after 15 plies as it is": {"depth": 15, "iterations": 930} | R1S_FORM,
    LONGER: {"depth": 10, "iterations": 7050, "evaluation": "D"},
    "D of R1's opponent after 10 plies": {"depth": 10, "iterations": 1520, "evaluation": "D.baseline"},
    "Seven after 0 plies": {"depth": 0, "iterations": 2300, "evaluation": "Seven"},
    "patterns after 0 plies": {"depth": 0, "iterations": 2380, "evaluation": "patterns"},
}
GAMES: dict[Size, int] = {"quick": 10, "full": 500}
PAIRS: dict[Size, int] = {"quick": 1, "full": 5}


def _name(depth: int) -> str:
    return f"D after {depth} plies"


def _tasks(size: Size) -> list[Task]:
    shorts = {_name(depth): {"depth": depth, "iterations": n, "evaluation": "D"} for depth, n in BY_DEPTH.items()}
    tasks: list[Task] = []
    for name, options in (shorts | OTHERS).items():
        times = TIMES if name == LONGER else 1
        if size == "quick" and times > 1:
            continue
        games = GAMES[size] if times == 1 else GAMES[size] // 3 // 2 * 2
        first, second = spec_with("mcts", playout="depth", **options), f"mcts:iterations={TO_THE_END * times}"
        match = MatchTask(name, first, second, games=games, estimate=0.03 * games * times)
        tasks += match_and_timing(match, pairs=PAIRS[size], estimate=0.15 * PAIRS[size] * times)
    return tasks


def _conclude(results: Results) -> Finding:
    rows = {name: results[name] for name in (*map(_name, BY_DEPTH), *OTHERS) if name in results.done}
    ours = {depth: rows[_name(depth)] for depth in BY_DEPTH}
    level = bonferroni_level(len(ours))
    sides, strict = (
        [side_of(fair_interval(results, _name(n), score_interval(values, at)), 0.5) for n, values in ours.items()]
        for at in (0.95, level)
    )
    best = max(ours, key=lambda depth: float(ours[depth]["score"]))
    if set(sides) == {-1}:
        conclusion = Conclusion.ANSWERED
        answer = "Yes: with D as R1 optimised it, every short playout loses to playouts to the end."
    elif 1 in strict:
        better = listed([_name(depth) for depth, side in zip(ours, strict, strict=True) if side == 1])
        conclusion, answer = Conclusion.ANSWERED, f"No: {better} beat playouts to the end."
    else:
        conclusion, answer = Conclusion.OPEN, "Not decided: no short playout with D is seen to be better."
        if unfair := [
            _name(n)
            for n, values in ours.items()
            if values["score_interval"][1] < 0.5 and favours(results, _name(n)) < 0
        ]:
            answer += f" Those to the end beat {listed(unfair)}, but had more than {FAIR} times the time."
    unequal = [f"{name}, {ratio(results, name)}" for name in OTHERS if name in rows and favours(results, name)]
    rest = "; ".join(f"{name}: {score(rows[name])}" for name in OTHERS if name in rows)
    return Finding(
        conclusion=conclusion,
        headline=f"At equal time {_name(best)}, the best short playout with D, scores {number(ours[best]['score'])} "
        "against playouts to the end.",
        rule="Answered yes if all short playouts with D score less than 0.5 with their whole 95% intervals, no if one "
        f"scores more (one of {len(ours)} suffices, so there the level is {number(100 * level, 1)}%), else still open. "
        f"{RULE_OF_TIME}.",
        text=(
            f"{answer} The best of them, {_name(best)}, scores {score(ours[best])} against {TO_THE_END:,} simulations "
            f"to the end, with {BY_DEPTH[best]:,} simulations of its own in the same time.",
            f"The strength of a short playout depends on the evaluation behind it. {rest}. In R1's form the value of D "
            "itself is the reward; in the others it is squashed into −1..1.",
            "Equal time means budgets that cost the same (up to a ratio of "
            f"{number(FAIR)}: a tree search has to double its simulations to be clearly stronger). Of the rows that "
            f"count, the ratio farthest from 1 is {number(farthest(results, list(map(_name, BY_DEPTH))))}."
            + (f" Of the others, not equal are: {'; '.join(unequal)}." if unequal else ""),
        ),
        **table_and_picture(
            "playouts",
            "Short playouts against playouts to the end at equal time",
            "short playout",
            rows,
            PLAYERS | SCORE | {TIME: {name: ratio(results, name) for name in rows}},
        ),
    )


EXPERIMENT = declared("Q2", _tasks, _conclude)
