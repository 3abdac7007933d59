"""Q5: what threads bring to minimax: time for a search, and strength for the same time."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from flipdrop.arena.openings import random_plies
from flipdrop.arena.seeds import derive_seed
from flipdrop.arena.statistics.means import Mean
from flipdrop.evaluation import evaluation
from flipdrop.experiments.conclusions import by_side, side_of
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared
from flipdrop.experiments.formatting import elo, score
from flipdrop.experiments.presentation import interval_picture, table
from flipdrop.experiments.tasks import MatchTask, MeasureTask, Task, TaskContext
from flipdrop.games import Position
from flipdrop.games import game as game_of
from flipdrop.reporting.formatting import number, with_interval
from flipdrop.search import Minimax

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


THREADS = 2
PYTHON = "minimax in Python"
MIN_SPEED_UP = 1.1  # a smaller speed-up counts as no gain
SEARCHES: dict[str, dict[str, Any]] = {
    PYTHON: {"algorithm": "python", "depth": {"quick": 2, "full": 3}, "seconds": 0.5},
    "minimax": {"algorithm": "minimax", "evaluation": "D", "depth": {"quick": 5, "full": 6}, "seconds": 0.6},
    "alpha-beta": {"algorithm": "alphabeta", "evaluation": "D", "depth": {"quick": 8, "full": 9}, "seconds": 0.8},
    "deepening": {"algorithm": "iterative", "evaluation": "Seven", "depth": {"quick": 9, "full": 10}, "seconds": 0.6},
}
POSITIONS: dict[Size, int] = {"quick": 3, "full": 12}
REPEATS: dict[Size, int] = {"quick": 2, "full": 3}
PLIES = (8, 28)  # fewest and most random moves before a position
MOVE_SECONDS: dict[Size, float] = {"quick": 0.005, "full": 0.03}
GAMES: dict[Size, int] = {"quick": 4, "full": 70}


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for name, search in SEARCHES.items():
        parameters = {key: value for key, value in search.items() if key not in ("depth", "seconds")} | {
            "kind": "time of searches",
            "depth": search["depth"][size],
            "threads": [1, THREADS],
            "positions": POSITIONS[size],
            "repeats": REPEATS[size],
            "plies": list(PLIES),
        }
        cost = search["seconds"] * POSITIONS[size] * REPEATS[size] * (0.1 if size == "quick" else 1)
        tasks.append(MeasureTask(name, parameters=parameters, measure=speed_up, estimate=cost))
    limit = MOVE_SECONDS[size]
    player = f"iterative:evaluation=Seven,seconds={limit},endgame=no"
    tasks.append(
        MatchTask(
            "match",
            f"{player},threads={THREADS}",
            player,
            games=GAMES[size],
            threads=1,  # the cores are for the threads of the one that thinks
            estimate=55 * limit * GAMES[size],
        )
    )
    return tasks


def speed_up(task: MeasureTask, context: TaskContext) -> Values:
    """The speed-up of a search with more threads, by the shortest of several times for each position."""
    parameters = task.parameters
    random = Random(derive_seed(context.seed, "positions"))
    times = []
    for place in range(parameters["positions"]):
        position = _position(random, parameters["plies"])
        best = [math.inf, math.inf]
        for _ in range(parameters["repeats"]):
            for which, threads in enumerate(parameters["threads"]):
                search = _search(parameters, threads)
                began = perf_counter()
                search(position)
                best[which] = min(best[which], perf_counter() - began)
        times.append(best)
        context.report_progress((place + 1) / parameters["positions"], f"{best[0]:.2f} s and {best[1]:.2f} s")
    found = np.array(times)
    logarithm = Mean.of(np.log(found[:, 0] / found[:, 1]))
    return {
        "speed_up": math.exp(logarithm.value),
        "speed_up_interval": [None if end is None else math.exp(end) for end in logarithm.to_json()],
        "seconds_of_one": float(found[:, 0].mean()),
        "seconds_of_more": float(found[:, 1].mean()),
    }


def _position(random: Random, plies: Sequence[int]) -> Position:
    """A position of random play with a choice of moves."""
    while True:
        _, position = random_plies(game_of("othello").start(), random.randint(plies[0], plies[1]), random)
        if not position.is_over and len(position.legal_moves) > 4:
            return position


def _search(parameters: Any, threads: int) -> Callable[[Position], object]:
    depth = parameters["depth"]
    if parameters["algorithm"] == "python":
        return lambda position: python_minimax(position, depth, threads)
    search = Minimax(
        algorithm=parameters["algorithm"], depth=depth, evaluation=evaluation(parameters["evaluation"]), threads=threads
    )
    return search.search


def python_minimax(position: Position, depth: int, threads: int) -> float:
    """Plain minimax in Python, with the moves at the root shared out to Python's threads."""
    children = [position.play(move) for move in position.legal_moves]
    with ThreadPoolExecutor(threads) as pool:
        return max(-value for value in pool.map(lambda child: _value(child, depth - 1), children))


def _value(position: Position, depth: int) -> float:
    if depth == 0 or position.is_over:
        mine, theirs = position.discs
        return float(mine - theirs if position.to_move == 0 else theirs - mine)
    return max(-_value(position.play(move), depth - 1) for move in position.legal_moves)


def _times(values: Values) -> str:
    return with_interval(values["speed_up"], values["speed_up_interval"])


def _conclude(results: Results) -> Finding:
    rows = {name: results[name] for name in SEARCHES}
    kernel = [name for name in SEARCHES if name != PYTHON]
    helped = [name for name in kernel if side_of(rows[name]["speed_up_interval"], MIN_SPEED_UP) == 1]
    match, python = results["match"], rows[PYTHON]
    found = by_side(python["speed_up_interval"], MIN_SPEED_UP, claimed=-1)
    why = {
        Conclusion.CONFIRMED: ", no gain: the interpreter runs one thread at a time"
        + (", so what R1 saw was Python, not minimax" if helped else ""),
        Conclusion.REFUTED: ", so Python's threads do bring something here",
    }.get(found, "; whether that is a gain is not certain")
    by_search = "; ".join(f"{name} {_times(rows[name])}" for name in kernel)
    return Finding(
        conclusion=found,
        headline=f"{THREADS} threads make alpha-beta with a table {number(rows['deepening']['speed_up'])} times as "
        f"fast, and minimax in Python {number(python['speed_up'])} times.",
        rule="The claim is that Python's threads bring nothing to minimax in Python. It is confirmed if the 95% "
        f"interval of their speed-up lies below {MIN_SPEED_UP}, refuted if it lies above, else not decided by this "
        "run. What threads bring to the kernel's searches is what R1 left open.",
        text=(
            f"The speed-up of the kernel's searches with {THREADS} threads, compared with one: {by_search}. Minimax "
            "that is written in Python, with the moves at the root shared out to Python's threads, is "
            f"{_times(python)} times as fast{why}. R1 does not say how it shared out the work.",
            f"With {number(1000 * MOVE_SECONDS[results.size], 0)} ms for a move, iterative deepening with {THREADS} "
            f"threads scores {score(match)} against one thread, {elo(match)} Elo, in {match['games']} games played one "
            "after the other.",
        ),
        tables=(
            table(
                f"Searches with one thread and with {THREADS}",
                "search",
                rows,
                {name: {key: results.done[key].settings[name] for key in rows} for name in ("depth", "positions")}
                | {
                    "one thread": lambda values: f"{1000 * values['seconds_of_one']:,.1f} ms",
                    f"{THREADS} threads": lambda values: f"{1000 * values['seconds_of_more']:,.1f} ms",
                    "times as fast (95%)": _times,
                },
            ),
        ),
        pictures=(
            interval_picture(
                "threads",
                f"How many times as fast a search is with {THREADS} threads as with one, with 95% intervals.",
                {"": rows},
                value_label="times as fast",
                value="speed_up",
                even_at=(1, THREADS),
                limits=(0, THREADS + 1),
                size=(7.5, 3.2),
            ),
        ),
    )


EXPERIMENT = declared("Q5", _tasks, _conclude)
