"""Q1: whether more iterations make a tree search stronger, up to 100,000 a move, in both games."""

from __future__ import annotations

import itertools
import math

from flipdrop.experiments.conclusions import bonferroni_level, side_of
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared
from flipdrop.experiments.formatting import elo, elo_of, score, wins_draws_losses
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.experiments.tournaments import finite_interval, ratings
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import listed, number, with_interval
from flipdrop.reporting.plots import COLOURS, Canvas, even, legend, panel, set_ticks, with_bars
from flipdrop.reporting.tables import Table

TITLES = {"othello": "Othello", "connect4": "Connect Four"}
ITERATIONS: dict[Size, tuple[int, ...]] = {
    "quick": (10, 30, 100, 300, 1000),
    "full": (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000),
}
Point = tuple[float, tuple[float | None, float | None]]
"""Elo and its interval."""
SECONDS = {"othello": 2.7e-5, "connect4": 5e-6}  # a game, for an iteration of the stronger side, on two cores
MOST_GAMES: dict[Size, int] = {"quick": 40, "full": 600}
MOST_SECONDS: dict[Size, dict[str, float]] = {  # of a match
    "quick": {"othello": 0.5, "connect4": 0.5},
    "full": {"othello": 200.0, "connect4": 90.0},
}


def _games(size: Size, game: str, iterations: int) -> int:
    """As many games as there is time for: the more iterations, the fewer."""
    pairs = MOST_SECONDS[size][game] / (2 * SECONDS[game] * iterations)
    return 2 * max(1, math.floor(min(MOST_GAMES[size] / 2, pairs)))


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
    pairs = itertools.pairwise(ITERATIONS[results.size])
    return {(fewer, more): results[_key(game, fewer, more)] for fewer, more in pairs}


def curve_of(results: Results, game: str) -> dict[int, Point]:
    """Elo above the fewest iterations, with intervals, by the number of iterations."""
    steps = _steps(results, game)
    found = ratings({(str(more), str(fewer)): values for (fewer, more), values in steps.items()}, zero="10")
    return {n: (found[str(n)].elo, finite_interval(found[str(n)].interval)) for n in ITERATIONS[results.size]}


def _doublings(fewer: int, more: int) -> float:
    return math.log2(more / fewer)


def _gain(step: tuple[int, int], values: Values) -> str:
    doublings = _doublings(*step)
    interval = [None if end is None else end / doublings for end in values["elo_interval"]]
    return with_interval(elo_of(values) / doublings, interval, 0)


def _conclude(results: Results) -> Finding:
    matches = {(game, step): values for game in TITLES for step, values in _steps(results, game).items()}
    level = bonferroni_level(len(matches))
    sides = {which: side_of(values["score_interval"], 0.5) for which, values in matches.items()}
    if all(side == 1 for side in sides.values()):
        conclusion, answer = Conclusion.ANSWERED, "Yes: every step is an improvement, in both games."
    elif any(side_of(score_interval(values, level), 0.5) == -1 for values in matches.values()):
        conclusion, answer = Conclusion.ANSWERED, "Not always: a step makes it weaker."
    else:
        conclusion = Conclusion.OPEN
        unclear = [
            f"{TITLES[game]} from {step[0]:,} to {step[1]:,}" for (game, step), side in sides.items() if side < 1
        ]
        answer = f"Mostly: not certain is {listed(unclear)}."
    curves = {game: curve_of(results, game) for game in TITLES}
    last = ITERATIONS[results.size][-1]
    texts = [answer]
    for game, title in TITLES.items():
        steps = list(_steps(results, game).items())
        (first, of_first), (final, of_final) = steps[0], steps[-1]
        texts.append(
            f"In {title} {last:,} iterations are {with_interval(*curves[game][last], 0)} Elo stronger than 10. A "
            f"doubling is worth {_gain(first, of_first)} Elo from {first[0]:,} to {first[1]:,} ({score(of_first)} in "
            f"{of_first['games']:,} games), and {_gain(final, of_final)} Elo from {final[0]:,} to {final[1]:,} "
            f"({score(of_final)} in {of_final['games']:,} games)."
        )
    headline = listed([f"{number(curves[game][last][0], 0)} Elo in {TITLES[game]}" for game in TITLES])
    return Finding(
        conclusion=conclusion,
        headline=f"From 10 to {last:,} iterations a tree search gains {headline}.",
        rule="Answered if the 95% intervals of all steps lie above 0 Elo, or one lies below (one of "
        f"{len(matches)} suffices, so there the level is {number(100 * level, 2)}%); else still open.",
        text=tuple(texts),
        tables=tuple(_table(results, game) for game in TITLES),
        pictures=(
            Picture(
                "iterations",
                "Elo above 10 iterations, and Elo for each doubling of the iterations, with 95% intervals. Elo is a "
                "logarithm of odds, so both axes of the first panel are logarithms.",
                lambda canvas: _draw(canvas, results, curves),
                size=(7.5, 6.5),
            ),
        ),
    )


def _table(results: Results, game: str) -> Table:
    curve = curve_of(results, game)
    return Table(
        TITLES[game],
        ("iterations", "against", "won / drawn / lost", "score (95%)", "Elo (95%)", "Elo above 10 iterations (95%)"),
        tuple(
            (
                f"{more:,}",
                f"{fewer:,}",
                wins_draws_losses(values),
                score(values),
                elo(values),
                with_interval(*curve[more], 0),
            )
            for (fewer, more), values in _steps(results, game).items()
        ),
    )


def _draw(canvas: Canvas, results: Results, curves: dict[str, dict[int, Point]]) -> None:
    above = panel(canvas, across="", up="Elo above 10 iterations", rows=2, place=1)
    below = panel(canvas, across="iterations a move", up="Elo for a doubling", rows=2, place=2)
    ticks = ITERATIONS[results.size]
    for axes in (above, below):
        axes.set_xscale("log")
        axes.set_xlim(ticks[0] / 1.3, ticks[-1] * 1.3)
        set_ticks(axes, ticks)
    even(below, 0)
    for colour, (game, curve) in zip(COLOURS, curves.items(), strict=False):
        values, intervals = [one for one, _ in curve.values()], [interval for _, interval in curve.values()]
        with_bars(above, list(curve), values, intervals, label=TITLES[game], colour=colour)
        across, gains, reach = [], [], []
        for (fewer, more), match in _steps(results, game).items():
            if match["elo"] is not None:
                across.append(math.sqrt(fewer * more))
                gains.append(match["elo"] / _doublings(fewer, more))
                reach.append([None if end is None else end / _doublings(fewer, more) for end in match["elo_interval"]])
        with_bars(below, across, gains, reach, label=TITLES[game], colour=colour)
    legend(above)


EXPERIMENT = declared("Q1", _tasks, _conclude)
