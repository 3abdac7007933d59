"""R5.1: a depth-4 search with weights from R5's genetic algorithm, or set by hand, against random play."""

from __future__ import annotations

from functools import partial

from flipdrop.experiments.conclusions import inside, side_of
from flipdrop.experiments.experiment import Finding, Results, Size, declared
from flipdrop.experiments.formatting import score, won
from flipdrop.experiments.learning_tasks import learning_task, weights_learner
from flipdrop.experiments.measures import share_row, wilson, win_rate
from flipdrop.experiments.presentation import PLAYERS, SCORE, interval_picture, table
from flipdrop.experiments.r2 import EQUAL, seven
from flipdrop.experiments.r5 import (
    BY_HAND,
    DEPTH,
    EXTRACT,
    GENERATIONS,
    GENETIC,
    POSITIONS,
    PRINTED_MEAN,
    PRINTED_RATES,
)
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.learning.genetic import PositionGA
from flipdrop.reporting.formatting import between, listed, number, with_interval

SAME = "equal weights"
LARGEST = 100
SHALLOW = (1, 2)
GAMES: dict[Size, int] = {"quick": 60, "full": 3000}
RUNS: dict[Size, int] = {"quick": 1, "full": 3}
FINAL = {"mean": "the mean of its winners", "random": "one of its winners"}
"""How R5 makes one vector of 20: it says both."""


def _player(evaluation: str, depth: int = DEPTH) -> str:
    return f"alphabeta:depth={depth},evaluation={evaluation}"


def _tasks(size: Size) -> list[Task]:
    games = GAMES[size]

    against_random = partial(MatchTask, second="random", games=games, openings="start", estimate=0.0017 * games)
    tasks: list[Task] = [
        against_random(GENETIC, _player(seven(PRINTED_MEAN))),
        against_random(SAME, _player(EQUAL)),
        *(against_random(f"{GENETIC}, depth {depth}", _player(seven(PRINTED_MEAN), depth)) for depth in SHALLOW),
        MatchTask("each other", _player(seven(PRINTED_MEAN)), _player(EQUAL), games=games, estimate=0.003 * games),
    ]
    for run in range(RUNS[size]):
        for final, words in FINAL.items():
            settings = {"generations": GENERATIONS, "final": final}
            name = f"run {run + 1}, {final}"
            learner = weights_learner(name, "", PositionGA, "Seven", steps=POSITIONS, **settings)
            evolved = learning_task(learner, seconds=60.0)
            key = f"run {run + 1}, {words}"
            tasks += [evolved, against_random(key, _player("{ga[weights]}"), depends_on={"ga": evolved})]
    return tasks


def _printed_mean() -> str:
    """The report's mean of its weights beside that of the vectors that it prints."""
    means = [sum(weights) / len(EXTRACT) for weights in zip(*EXTRACT, strict=True)]
    farthest = max(range(len(means)), key=lambda place: abs(means[place] - PRINTED_MEAN[place]))
    return (
        f"The report gives ({', '.join(map(str, PRINTED_MEAN))}) as roughly the mean of its weights. Its vectors are "
        f"divided by their sums, so that their mean adds up to 1; this one adds up to {number(sum(PRINTED_MEAN))}. The "
        f"{len(EXTRACT)} vectors of its extract have the mean ({', '.join(map(number, means))}); the two differ most "
        f"in weight {farthest + 1}, {number(PRINTED_MEAN[farthest])} and {number(means[farthest])}. It does not say "
        "which vectors its mean is of, so this decides nothing."
    )


def _conclude(results: Results) -> Finding:
    ours, theirs = win_rate(results[GENETIC]), wilson(PRINTED_RATES[GENETIC][LARGEST], LARGEST)
    is_better = ours[1][0] > theirs[1]
    low, high = win_rate(results[SAME])[1]
    is_hidden = low <= ours[1][1] and ours[1][0] <= high
    rows = {key: results[key] for key in results if "score" in results[key]}
    runs = {words: [rows[key] for key in rows if key.endswith(words)] for words in FINAL.values()}
    direct = results["each other"]
    better = {1: "the genetic weights are better", -1: "equal weights are better", 0: "neither is seen to be better"}
    side = side_of(direct["score_interval"], 0.5)
    depths = [results[f"{GENETIC}, depth {depth}"] for depth in SHALLOW]
    shallow = listed([f"{won(values)} at depth {depth}" for depth, values in zip(SHALLOW, depths, strict=True)])
    all_better = all(win_rate(values)[1][0] > theirs[1] for values in depths)
    fresh = "; ".join(f"{words} {listed([won(values) for values in of])}" for words, of in runs.items())
    by_hand = wilson(PRINTED_RATES[BY_HAND][LARGEST], LARGEST)
    printed = {
        f"report, {name}": {f"{games} games": share_row(share, games) for games, share in shares.items()}
        for name, shares in PRINTED_RATES.items()
    }
    here = {
        f"here, {key}": {"here": share_row(win_rate(results[key])[0], results[key]["games"])} for key in (GENETIC, SAME)
    }
    return Finding(
        conclusion=inside(ours[1], theirs),
        headline=f"Depth {DEPTH} with R5's weights wins {number(ours[0], 3)} of its games against random moves; the "
        f"report said {number(PRINTED_RATES[GENETIC][LARGEST])}.",
        rule=f"By the share of games won with the genetic weights: confirmed if our 95% interval lies within what the "
        f"report's {LARGEST} games leave open (Wilson's intervals), refuted if the two have nothing in common, else "
        "not decided by this run. Our seven terms stand in for the report's, which are not known: refuted says that "
        "its share does not carry over to them, and no more. Nothing is said of the weights by hand.",
        text=(
            f"Against random moves depth {DEPTH} wins {with_interval(*ours, 3)} of its games with the report's genetic "
            f"weights, and {won(results[SAME])} with all seven weights equal, in place of the report's weights by "
            f"hand, which it does not print. The report's {LARGEST} games leave {between(theirs)} with genetic weights "
            f"and {between(by_hand)} with those by hand: too much to tell the two apart. "
            + (
                "With these terms a search of 4 plies wins nearly every game against random moves. The report's "
                "program won about four of five, so it must have done something else. "
                if is_better
                else ""
            )
            + f"{'Even a shallow search does better than the report says' if all_better else 'A shallow search wins'}: "
            f"{shallow}.",
            f"The algorithm run anew, {POSITIONS} positions of {GENERATIONS} generations, leads to weights that win: "
            f"{fresh}. "
            f"Against each other at depth {DEPTH}, the report's weights score {score(direct)} against equal ones: "
            f"{better[side]}."
            + (" Games against random moves do not show that difference." if side and is_hidden else ""),
            _printed_mean(),
        ),
        tables=(table("Matches", "what", rows, PLAYERS | SCORE),),
        pictures=(
            interval_picture(
                "random",
                "Share of games won against random moves: the report's and ours, with 95% intervals (Wilson).",
                printed | here,
                value_label="share of games won",
                even_at=(),
                limits=(0.4, 1.03),
            ),
        ),
    )


EXPERIMENT = declared("R5.1", _tasks, _conclude)
