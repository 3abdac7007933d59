"""R3.1: the timed tree search of R3 against a beginner, an intermediate and an advanced player, with both colours."""

from __future__ import annotations

from flipdrop.arena.statistics import Games
from flipdrop.experiments.conclusions import RULE_OF_SIDES, bonferroni_level, by_side, overall
from flipdrop.experiments.experiment import Claim, Conclusion, Experiment, Finding, Results, Size, Values
from flipdrop.experiments.formatting import score, wins_draws_losses
from flipdrop.experiments.measures import wilson
from flipdrop.experiments.r3 import program
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import between, listed, number, with_interval
from flipdrop.reporting.plots import COLOURS, Canvas, even, legend, panel, set_ticks, with_score_bars
from flipdrop.reporting.tables import Table

OPPONENTS = ("beginner", "intermediate", "advanced")
SIDES = {"as_first": "black", "as_second": "white"}
REPORTED_WINS, REPORTED_GAMES = 6, 6
ITERATIONS = 1000
"""An estimate of the simulations that the report's program made in its minute for a move."""
GAMES: dict[Size, dict[int, int]] = {"quick": {ITERATIONS: 10}, "full": {200: 400, ITERATIONS: 400, 5000: 160}}


def _tasks(size: Size) -> list[Task]:
    return [
        MatchTask(
            _key(iterations, opponent),
            program(iterations),
            opponent,
            games=games,
            estimate=games * (0.016 + 1.9e-5 * iterations),
        )
        for iterations, games in GAMES[size].items()
        for opponent in OPPONENTS
    ]


def _key(iterations: int, opponent: str) -> str:
    return f"{iterations} against {opponent}"


def _budgets(results: Results) -> list[int]:
    return sorted({int(key.split(" against ")[0]) for key in results})


def _of_colour(values: Values, side: str) -> Games:
    return Games(**{name: values[side][name] for name in ("losses", "draws", "wins")})


def _by_colour(values: Values, side: str, level: float = 0.95) -> tuple[float, tuple[float, float]]:
    """The score with one colour; its games begin from different openings, so they are independent."""
    games = _of_colour(values, side)
    return games.score, wilson(games.score, games.total, level=level)


def _conclusions(results: Results, iterations: int, level: float = 0.95) -> dict[tuple[str, str], Conclusion]:
    return {
        (opponent, side): by_side(_by_colour(results[_key(iterations, opponent)], side, level)[1], 0.5)
        for opponent in OPPONENTS
        for side in SIDES
    }


def _conclude(results: Results) -> Finding:
    conclusions = _conclusions(results, ITERATIONS)
    level = bonferroni_level(len(conclusions))
    strict = _conclusions(results, ITERATIONS, level)
    against = {opponent: results[_key(ITERATIONS, opponent)] for opponent in OPPONENTS}
    beaten = [name for name in OPPONENTS if all(conclusions[name, side] is Conclusion.CONFIRMED for side in SIDES)]
    beaten_by = [name for name in OPPONENTS if any(strict[name, side] is Conclusion.REFUTED for side in SIDES)]
    open_still = [name for name in OPPONENTS if name not in beaten + beaten_by]
    chance = 1.0
    for name in OPPONENTS:
        for side in SIDES:
            games = _of_colour(against[name], side)
            chance *= games.wins / games.total
    found = listed([f"{score(against[name], 2)} against the {name}" for name in OPPONENTS])
    shortly = listed([f"{number(against[name]['score'])} against the {name}" for name in OPPONENTS])
    sentences = [f"With {ITERATIONS:,} simulations a move the report's program scores {found}."]
    if beaten:
        sentences.append(f"With both colours it beats {listed([f'the {name}' for name in beaten])}.")
    if beaten_by:
        sentences.append(f"With one colour or both it is beaten by {listed([f'the {name}' for name in beaten_by])}.")
    if open_still:
        who = listed([f"the {name}" for name in open_still])
        sentences.append(f"Whether it beats {who} with both colours is not decided.")
    sentences += [
        f"With {iterations:,} simulations it scores "
        f"{listed([number(results[_key(iterations, name)]['score']) for name in OPPONENTS])}."
        for iterations in _budgets(results)
        if iterations != ITERATIONS
    ]
    text = (
        " ".join(sentences),
        f"Six wins of six leave a score from {between(wilson(1.0, REPORTED_GAMES))} possible. With the shares of wins "
        f"measured here, six wins of six have a chance of {number(100 * chance, 1)}%. The opponents are this "
        "package's levels of these names, not those of the report's platform, which are not described.",
    )
    return Finding(
        conclusion=overall(list(conclusions.values()), list(strict.values())),
        headline=f"{ITERATIONS:,} simulations a move score {shortly}.",
        rule=f"The claim is that the program beats all three with both colours, here with {ITERATIONS:,} simulations a "
        f"move. For each opponent and colour: {RULE_OF_SIDES} (Wilson's intervals, since all games "
        "with a colour have openings of their own); confirmed if all six are, refuted if one is, which suffices, so "
        f"there the level is {number(100 * level, 2)}%.",
        text=text,
        tables=(_table(results),),
        pictures=(
            Picture(
                "levels",
                "Score against each level over simulations a move, with 95% intervals.",
                lambda canvas: _draw(canvas, results),
            ),
        ),
    )


def _table(results: Results) -> Table:
    rows = []
    for iterations in _budgets(results):
        for opponent in OPPONENTS:
            values = results[_key(iterations, opponent)]
            colours = [with_interval(*_by_colour(values, side)) for side in SIDES]
            rows.append((f"{iterations:,}", opponent, *colours, wins_draws_losses(values), score(values)))
    heads = ("simulations", "opponent", *(f"as {colour} (95%)" for colour in SIDES.values()), "won / drawn / lost")
    return Table("The report's program against three levels", (*heads, "score (95%)"), tuple(rows), text_columns=(1,))


def _draw(canvas: Canvas, results: Results) -> None:
    axes = panel(canvas, across="simulations a move", up="score")
    axes.set_xscale("log")
    even(axes)
    budgets = _budgets(results)
    for colour, opponent in zip(COLOURS, OPPONENTS, strict=False):
        values = [results[_key(iterations, opponent)] for iterations in budgets]
        with_score_bars(axes, budgets, values, label=opponent, colour=colour)
    axes.set_xlim(budgets[0] / 1.5, budgets[-1] * 1.5)
    set_ticks(axes, budgets)
    axes.set_ylim(-0.03, 1.03)
    legend(axes)


EXPERIMENT = Experiment(
    name="R3.1",
    title="A tree search against three levels",
    question="Does the tree search of R3 beat a beginner, an intermediate and an advanced player?",
    claim=Claim(
        "R3",
        "With about 57 seconds for a move the program beat the beginner, the intermediate and the advanced opponent of "
        f"its platform, once as black and once as white: {REPORTED_WINS} wins in {REPORTED_GAMES} games.",
        Table(
            "Games won, as printed",
            ("opponent", "as black", "as white"),
            tuple((opponent, "1 of 1", "1 of 1") for opponent in OPPONENTS),
        ),
    ),
    tasks=_tasks,
    conclude=_conclude,
)
