"""Q1: whether more iterations make a tree search stronger, up to 100,000 a move, in both games."""

from __future__ import annotations

import itertools
import math

from flipdrop.experiments.conclusions import bonferroni_level, side_of
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared
from flipdrop.experiments.formatting import elo, elo_of
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.presentation import ELO, SCORE, interval_picture, table
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.experiments.tournaments import finite_interval, ratings
from flipdrop.reporting.formatting import listed, number, with_interval

TITLES = {"othello": "Othello", "connect4": "Connect Four"}
ITERATIONS: dict[Size, tuple[int, ...]] = {
    "quick": (10, 30, 100, 300, 1000),
    "full": (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000),
}
SECONDS = {"othello": 2.7e-5, "connect4": 5e-6}  # a game, for an iteration of the stronger side, on two cores
MAX_GAMES: dict[Size, int] = {"quick": 40, "full": 600}
MAX_SECONDS: dict[Size, dict[str, float]] = {  # of a match
    "quick": {"othello": 0.5, "connect4": 0.5},
    "full": {"othello": 200.0, "connect4": 90.0},
}


def _games(size: Size, game: str, iterations: int) -> int:
    """As many games as there is time for: the more iterations, the fewer."""
    pairs = MAX_SECONDS[size][game] / (2 * SECONDS[game] * iterations)
    return 2 * max(1, math.floor(min(MAX_GAMES[size] / 2, pairs)))


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for game in TITLES:
        for fewer, more in itertools.pairwise(ITERATIONS[size]):
            games = _games(size, game, more)
            tasks.append(
                MatchTask(
                    _key(game, fewer, more),
                    f"mcts:iterations={more}",
                    f"mcts:iterations={fewer}",
                    games=games,
                    game=game,
                    estimate=games * (0.003 + SECONDS[game] * more),
                )
            )
    return tasks


def _key(game: str, fewer: int, more: int) -> str:
    return f"{game}: {more} against {fewer}"


def _steps(results: Results, game: str) -> dict[tuple[int, int], Values]:
    """The matches of a game by fewer and more iterations."""
    return {step: results[_key(game, *step)] for step in itertools.pairwise(ITERATIONS[results.size])}


def curve_of(results: Results, game: str) -> dict[int, Values]:
    """Elo above the fewest iterations, with intervals, by the number of iterations."""
    steps = _steps(results, game)
    found = ratings({(str(more), str(fewer)): values for (fewer, more), values in steps.items()}, zero="10")
    return {
        n: {"elo": found[str(n)].elo, "elo_interval": finite_interval(found[str(n)].interval)}
        for n in ITERATIONS[results.size]
    }


def _doubling(step: tuple[int, int], values: Values) -> str:
    """Elo for each doubling of the iterations in a step."""
    doublings = math.log2(step[1] / step[0])
    ends = [None if end is None else end / doublings for end in values["elo_interval"]]
    return with_interval(elo_of(values) / doublings, ends, 0)


def _first_and_last_doubling(results: Results) -> str:
    """What a doubling brings in the first and in the last step of each game."""
    ends = {game: [_doubling(*step) for step in _steps(results, game).items()] for game in TITLES}
    return "; ".join(
        f"{of[0]} Elo in the first step of {TITLES[game]}, {of[-1]} in the last" for game, of in ends.items()
    )


def _conclude(results: Results) -> Finding:
    matches = {(game, step): values for game in TITLES for step, values in _steps(results, game).items()}
    level = bonferroni_level(len(matches))
    unclear = [
        f"{TITLES[game]} from {step[0]:,} to {step[1]:,}"
        for (game, step), values in matches.items()
        if side_of(values["score_interval"], 0.5) < 1
    ]
    if not unclear:
        conclusion = Conclusion.ANSWERED
        answer = (
            "More iterations are stronger at every step, in both games, so no end is seen up to "
            f"{ITERATIONS[results.size][-1]:,}. A doubling brings {_first_and_last_doubling(results)}."
        )
    elif any(side_of(score_interval(values, level), 0.5) == -1 for values in matches.values()):
        conclusion, answer = Conclusion.ANSWERED, "Not always: a step makes it weaker."
    else:
        conclusion, answer = Conclusion.OPEN, f"Mostly: not certain is {listed(unclear)}."
    curves = {game: curve_of(results, game) for game in TITLES}
    last = ITERATIONS[results.size][-1]
    gains = listed([f"{elo(curves[game][last])} Elo in {title}" for game, title in TITLES.items()])
    return Finding(
        conclusion=conclusion,
        headline=f"From 10 to {last:,} iterations a tree search gains {gains}.",
        rule="Answered if the 95% intervals of all steps lie above 0 Elo, or one lies below (one of "
        f"{len(matches)} suffices, so there the level is {number(100 * level, 2)}%); else still open.",
        text=(answer,),
        tables=tuple(
            table(
                title,
                "iterations",
                {step: values for (of, step), values in matches.items() if of == game},
                {"against": {step: f"{step[0]:,}" for _, step in matches}}
                | SCORE
                | ELO
                | {
                    "Elo for a doubling (95%)": {k[1]: _doubling(k[1], v) for k, v in matches.items() if k[0] == game},
                    "Elo above 10 iterations (95%)": {step: elo(curves[game][step[1]]) for _, step in matches},
                },
                lambda step: f"{step[1]:,}",
            )
            for game, title in TITLES.items()
        ),
        pictures=(
            interval_picture(
                "iterations",
                "Elo above 10 iterations, with 95% intervals. Elo is a logarithm of odds, so both axes are logarithms.",
                {title: curves[game] for game, title in TITLES.items()},
                place_label="iterations a move",
                value_label="Elo above 10 iterations",
                value="elo",
                even_at=(0,),
                limits=None,
                log=True,
            ),
        ),
    )


EXPERIMENT = declared("Q1", _tasks, _conclude)
