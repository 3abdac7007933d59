"""R2.2: how often the program of R2 wins against random play."""

from __future__ import annotations

from scipy import special

from flipdrop.experiments.conclusions import inside
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, declared
from flipdrop.experiments.formatting import discs, percent, wins_draws_losses, won
from flipdrop.experiments.measures import share_row, wilson, win_rate
from flipdrop.experiments.presentation import interval_picture, table
from flipdrop.experiments.r2 import EVOLVED, PRINTED_RATES
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.formatting import between, listed, number

FIXED, BY_MOVE, BY_LEAF = "converged weights", "weights set for each move", "weights set for each leaf"
PLAYERS = {
    FIXED: f"alphabeta:depth={{depth}},evaluation={EVOLVED}",
    BY_MOVE: "adaptive:depth={depth},adapt=move",
    BY_LEAF: "adaptive:depth={depth},adapt=leaf",
}
GAMES: dict[Size, dict[str, dict[int, int]]] = {
    "quick": {FIXED: {1: 300, 2: 300, 3: 200, 4: 60}, BY_MOVE: {1: 30, 2: 30}, BY_LEAF: {1: 4}},
    "full": {
        FIXED: {1: 6000, 2: 6000, 3: 6000, 4: 4000},
        BY_MOVE: {1: 600, 2: 600, 3: 600, 4: 600},
        BY_LEAF: {1: 200, 2: 40},
    },
}
SECONDS = {FIXED: (0.0004, 0.0005, 0.001, 0.0035), BY_MOVE: (0.035,) * 4, BY_LEAF: (0.24, 0.9)}
"""For a game, by depth, on two cores."""


def _tasks(size: Size) -> list[Task]:
    return [
        MatchTask(
            f"{name} at depth {depth}",
            PLAYERS[name].format(depth=depth),
            "random",
            games=games,
            openings="start",
            estimate=SECONDS[name][depth - 1] * games,
        )
        for name, by_depth in GAMES[size].items()
        for depth, games in by_depth.items()
    ]


def _conclude(results: Results) -> Finding:
    rates = {key: win_rate(results[key]) for key in results}
    most = max(PRINTED_RATES)
    wins = round(most * PRINTED_RATES[most])
    left_open = wilson(wins / most, most)
    conclusions = {key: inside(interval, left_open) for key, (_, interval) in rates.items()}
    agree = [key for key, found in conclusions.items() if found is not Conclusion.REFUTED]
    not_inside = Conclusion.UNDECIDED if agree else Conclusion.REFUTED
    deepest = {name: f"{name} at depth {max(by_depth)}" for name, by_depth in GAMES[results.size].items()}
    found = listed([f"{won(results[key])} with {key}" for key in (f"{FIXED} at depth 1", *deepest.values())])
    series = {
        name: {
            f"depth\n{depth}": share_row(rates[f"{name} at depth {depth}"][0], games)
            for depth, games in by_depth.items()
        }
        for name, by_depth in GAMES[results.size].items()
    }
    printed = {f"{games}\ngames": share_row(share, games) for games, share in PRINTED_RATES.items()}
    return Finding(
        conclusion=Conclusion.CONFIRMED if Conclusion.CONFIRMED in conclusions.values() else not_inside,
        headline=f"Against random play it wins {found}; the report said {number(wins / most)}.",
        rule=f"The report's longest row has {wins} wins in {most} games, which leaves a rate from "
        f"{between(left_open, 3)}. The report states neither its depth nor whether the weights were fixed in these "
        "games, so one program that fits is enough: it is confirmed if our 95% interval of some program lies within "
        "this, refuted if all lie outside, and else not decided.",
        text=(
            (f"The report's {wins} of {most} fit these programs: {listed(agree)}. " if agree else "No program fits. ")
            + "The report sets the weights by its genetic algorithm at every evaluation of a position: that is "
            f"'{BY_LEAF}', 10 rounds each.",
            _differences_of_rows({key: rate for key, (rate, _) in rates.items()}),
        ),
        tables=(
            table(
                "Against random play from the start position, half of the games with each colour",
                "program",
                {key: results[key] for key in results},
                {
                    "games": lambda values: f"{values['games']:,}",
                    "won / drawn / lost": wins_draws_losses,
                    "mean discs": discs,
                    "rate of wins (95%)": won,
                },
            ),
        ),
        pictures=(
            interval_picture(
                "random",
                "Share of games won against random play: the report's rows with what so few games leave open, and the "
                "programs here by depth. Bars are 95% intervals.",
                {"the report": printed} | series,
                value_label="share of games won",
                even_at=(),
                limits=None,
                size=(9.5, 4.0),
            ),
        ),
    )


def _differences_of_rows(rates: dict[str, float]) -> str:
    """What the differences between the report's rows say."""
    most, least = max(PRINTED_RATES), min(PRINTED_RATES)
    first, last = number(PRINTED_RATES[least]), number(PRINTED_RATES[most])
    falls = f"Over its rows the report's rate falls from {first} to {last}. "
    leaves = f"Ten games without a loss leave a rate from {between(wilson(1.0, 10))}."
    possible = [key for key, rate in rates.items() if 0 < rate < 1]  # others are of few games: no rate is that certain
    if not possible:
        return falls + leaves
    key = min(possible, key=lambda key: abs(rates[key] - PRINTED_RATES[most]))
    not_won = round(most * (1 - PRINTED_RATES[most]))
    all_won = rates[key] ** sum(count for count, share in PRINTED_RATES.items() if share == 1)
    as_many = float(special.bdtrc(not_won - 1, most, 1 - rates[key]))
    return (
        f"{falls}A player who always has the rate of {key}, {number(rates[key], 3)}, wins all games of the first three "
        f"rows in {percent(all_won)} of all repetitions, and fails to win {not_won} or more of {most} in "
        f"{percent(as_many)}. {leaves}"
    )


EXPERIMENT = declared("R2.2", _tasks, _conclude)
