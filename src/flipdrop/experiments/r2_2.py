"""R2.2: how often the program of R2 wins against random play."""

from __future__ import annotations

from scipy import special

from flipdrop.experiments.conclusions import inside
from flipdrop.experiments.experiment import Claim, Conclusion, Experiment, Finding, Results, Size
from flipdrop.experiments.formatting import discs, wins_draws_losses
from flipdrop.experiments.measures import Interval, wilson, win_rate
from flipdrop.experiments.r2 import EVOLVED
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import between, listed, number, with_interval
from flipdrop.reporting.plots import COLOURS, Canvas, legend, panel, with_bars
from flipdrop.reporting.tables import Table

REPORTED = {10: 1.0, 20: 1.0, 30: 1.0, 50: 0.98, 100: 0.97}
"""Games, and the share of them that was won."""
DEPTHS = (1, 2, 3, 4)  # which the report does not state
GAMES: dict[Size, dict[int, int]] = {
    "quick": {1: 300, 2: 300, 3: 200, 4: 60},
    "full": {1: 6000, 2: 6000, 3: 6000, 4: 4000},
}
SECONDS = {1: 0.0004, 2: 0.0005, 3: 0.001, 4: 0.0035}  # a game, about


def _tasks(size: Size) -> list[Task]:
    return [
        MatchTask(
            f"depth {depth}",
            f"alphabeta:depth={depth},evaluation={EVOLVED}",
            "random",
            games=games,
            openings="start",
            estimate=SECONDS[depth] * games,
        )
        for depth, games in GAMES[size].items()
    ]


def _conclude(results: Results) -> Finding:
    rates = {depth: win_rate(results[f"depth {depth}"]) for depth in DEPTHS}
    games, wins = _largest()
    left_open = wilson(wins / games, games)
    conclusions = {depth: inside(interval, left_open) for depth, (_, interval) in rates.items()}
    agree = [depth for depth, found in conclusions.items() if found is not Conclusion.REFUTED]
    not_inside = Conclusion.UNDECIDED if agree else Conclusion.REFUTED
    return Finding(
        conclusion=Conclusion.CONFIRMED if Conclusion.CONFIRMED in conclusions.values() else not_inside,
        headline=f"Against random play it wins {_percent(rates[1][0])} of its games at depth 1 and "
        f"{_percent(rates[4][0])} at depth 4; the report said {_percent(wins / games)}.",
        rule=f"The report's longest row has {wins} wins in {games} games, which leaves a rate from "
        f"{between(left_open, 3)}. The report does not state its depth, so one that fits is enough: it is confirmed if "
        "at some depth from 1 to 4 our 95% interval lies within this, refuted if at every depth it lies outside, and "
        "else not decided.",
        text=(
            "It wins "
            + listed([f"{with_interval(*rates[depth], 3)} at depth {depth}" for depth in DEPTHS])
            + ". The report does not state its depth. "
            + (f"Its {wins} of {games} go with depth {listed([str(d) for d in agree])}." if agree else "None fits."),
            _on_the_rows(rates),
        ),
        tables=(_table(results, rates),),
        pictures=(
            Picture(
                "random",
                "Share of games won against random play. Left: the report's rows with what so few games leave open. "
                "Right: the same player here, by depth. Bars are 95% intervals.",
                lambda canvas: _draw(canvas, rates),
            ),
        ),
    )


def _largest() -> tuple[int, int]:
    """The games of the report's longest row, and how many of them were won. The other rows may be parts of it."""
    games = max(REPORTED)
    return games, round(games * REPORTED[games])


def _on_the_rows(rates: dict[int, tuple[float, Interval]]) -> str:
    """What the differences between the report's rows say."""
    games, wins = _largest()
    depth = min(rates, key=lambda depth: abs(rates[depth][0] - wins / games))
    rate = rates[depth][0]
    most = max(REPORTED)
    not_won = round(most * (1 - REPORTED[most]))
    all_won = rate ** sum(count for count, share in REPORTED.items() if share == 1)
    as_many = float(special.bdtrc(not_won - 1, most, 1 - rate))
    return (
        f"From row to row the report's rate falls from {number(REPORTED[min(REPORTED)])} to {number(REPORTED[most])}. "
        f"A player who always has the rate of depth {depth}, {number(rate, 3)}, wins all games of the first three rows "
        f"in {_percent(all_won)} of all repetitions, and fails to win {not_won} or more of {most} in "
        f"{_percent(as_many)}. Ten games without a loss leave a rate from {between(wilson(1.0, 10))}."
    )


def _percent(share: float) -> str:
    return f"{number(100 * share, 1)}%"


def _table(results: Results, rates: dict[int, tuple[float, Interval]]) -> Table:
    rows = [
        (f"report, {count} games", str(count), "", "", with_interval(rate, wilson(rate, count), 3))
        for count, rate in REPORTED.items()
    ]
    for depth, (rate, interval) in rates.items():
        values = results[f"depth {depth}"]
        rows.append(
            (
                f"depth {depth}",
                f"{values['games']:,}",
                wins_draws_losses(values),
                discs(values),
                with_interval(rate, interval, 3),
            )
        )
    return Table(
        "Against random play, half of the games with each colour",
        ("", "games", "won / drawn / lost", "mean discs", "rate of wins (95%)"),
        tuple(rows),
    )


def _draw(canvas: Canvas, rates: dict[int, tuple[float, Interval]]) -> None:
    axes = panel(canvas, across="", up="share of games won")
    places = range(len(REPORTED))
    with_bars(
        axes,
        list(places),
        list(REPORTED.values()),
        [wilson(rate, count) for count, rate in REPORTED.items()],
        label="the report",
        colour=COLOURS[1],
        joined=False,
        marker="D",
    )
    beyond = [len(REPORTED) + 0.5 + place for place in range(len(rates))]
    with_bars(
        axes,
        beyond,
        [rate for rate, _ in rates.values()],
        [interval for _, interval in rates.values()],
        label="here",
        joined=False,
    )
    names = [f"{count}\ngames" for count in REPORTED] + [f"depth\n{depth}" for depth in rates]
    axes.set_xticks([*places, *beyond], names)
    legend(axes)


EXPERIMENT = Experiment(
    name="R2.2",
    title="Win rate against random play",
    question="How often does alpha-beta with R2's seven weights win against random play?",
    claim=Claim(
        "R2",
        "It wins all of 10, 20 and 30 games, and 98% and 97% of 50 and 100.",
        Table(
            "Win rates as printed",
            ("games", "rate of wins"),
            tuple((str(count), f"{rate:.2f}") for count, rate in REPORTED.items()),
        ),
    ),
    tasks=_tasks,
    conclude=_conclude,
)
