"""R3.1: the timed tree search of R3 against a beginner, an intermediate and an advanced player, with both colours."""

from __future__ import annotations

from flipdrop.arena.statistics import Games
from flipdrop.experiments.conclusions import RULE_OF_SIDES, bonferroni_level, by_side, overall
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import wilson
from flipdrop.experiments.presentation import SCORE, interval_picture, table
from flipdrop.experiments.r3 import LEVELS, program
from flipdrop.experiments.tasks import Task, matches
from flipdrop.reporting.formatting import between, listed, number, with_interval

SIDES = {"as_first": "black", "as_second": "white"}
REPORTED_GAMES = 6
OPPONENTS = dict(
    zip(LEVELS, ("mcts:iterations=10", "mcts:iterations=100", "iterative:evaluation=Seven,depth=5"), strict=True)
)
"""Players of this package that take the places of the platform's."""
ITERATIONS = 1000
"""An estimate of the simulations that the report's program made in its minute for a move."""
GAMES: dict[Size, dict[int, int]] = {"quick": {ITERATIONS: 10}, "full": {200: 400, ITERATIONS: 400, 5000: 160}}


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for iterations, games in GAMES[size].items():
        players = {_key(iterations, opponent): (program(iterations), spec) for opponent, spec in OPPONENTS.items()}
        tasks += matches(players, games=games, seconds=0.009 + 1.2e-5 * iterations)
    return tasks


def _key(iterations: int, opponent: str) -> str:
    return f"{iterations} against {opponent}"


def _by_colour(values: Values, side: str, level: float = 0.95) -> tuple[float, tuple[float, float]]:
    """The score with one colour; its games begin from different openings, so they are independent."""
    games = Games(**{name: values[side][name] for name in ("losses", "draws", "wins")})
    return games.score, wilson(games.score, games.total, level=level)


def _conclusions(results: Results, level: float = 0.95) -> dict[tuple[str, str], Conclusion]:
    return {
        (opponent, side): by_side(_by_colour(results[_key(ITERATIONS, opponent)], side, level)[1], 0.5)
        for opponent in LEVELS
        for side in SIDES
    }


def _conclude(results: Results) -> Finding:
    conclusions = _conclusions(results)
    level = bonferroni_level(len(conclusions))
    strict = _conclusions(results, level)
    budgets = list(GAMES[results.size])
    against = {opponent: results[_key(ITERATIONS, opponent)] for opponent in LEVELS}
    found = listed([f"{score(values, 2)} against the {name}" for name, values in against.items()])
    shortly = listed([f"{number(values['score'])} against the {name}" for name, values in against.items()])
    sentences = [f"With {ITERATIONS:,} simulations a move the report's program scores {found}."]
    for name in LEVELS:
        if all(conclusions[name, side] is Conclusion.CONFIRMED for side in SIDES):
            sentences.append(f"With both colours it beats the {name}.")
        elif any(strict[name, side] is Conclusion.REFUTED for side in SIDES):
            sentences.append(f"With one colour or both it is beaten by the {name}.")
        else:
            sentences.append(f"Whether it beats the {name} with both colours is not decided.")
    sentences += [
        f"With {iterations:,} simulations it scores "
        f"{listed([number(results[_key(iterations, name)]['score']) for name in LEVELS])}."
        for iterations in budgets
        if iterations != ITERATIONS
    ]
    rows = {(iterations, name): results[_key(iterations, name)] for iterations in budgets for name in LEVELS}
    by_colour = {
        f"as {colour} (95%)": {key: with_interval(*_by_colour(values, side)) for key, values in rows.items()}
        for side, colour in SIDES.items()
    }
    return Finding(
        conclusion=overall(list(conclusions.values()), list(strict.values())),
        headline=f"{ITERATIONS:,} simulations a move score {shortly}.",
        rule=f"The claim is that the program beats all three with both colours, here with {ITERATIONS:,} simulations a "
        f"move. For each opponent and colour: {RULE_OF_SIDES} (Wilson's intervals, since all games "
        "with a colour have openings of their own); confirmed if all six are, refuted if one is, which suffices, so "
        f"there the level is {number(100 * level, 2)}%. The opponents are not the report's: refuted says that its six "
        "wins do not carry over to these, and no more.",
        text=(
            " ".join(sentences),
            f"Six wins of six leave a score from {between(wilson(1.0, REPORTED_GAMES))} possible. The opponents are "
            f"{listed([f'`{spec}`' for spec in OPPONENTS.values()])} of this package, not those of the report's "
            "platform, which are not described.",
        ),
        tables=(
            table(
                "The report's program against three levels",
                "simulations, opponent",
                rows,
                by_colour | SCORE,
                lambda key: f"{key[0]:,}, {key[1]}",
            ),
        ),
        pictures=(
            interval_picture(
                "levels",
                "Score against each level over simulations a move, with 95% intervals.",
                {name: {iterations: rows[iterations, name] for iterations in budgets} for name in LEVELS},
                place_label="simulations a move",
                log=True,
            ),
        ),
    )


EXPERIMENT = declared("R3.1", _tasks, _conclude)
