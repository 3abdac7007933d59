"""R1.2: tree search with playouts to the end of the game against minimax, by the number of iterations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.experiments.conclusions import side_of, underpowered
from flipdrop.experiments.experiment import Finding, Results, Size, Values, declared, printed
from flipdrop.experiments.measures import ReportedGames, difference, pooled, wilson
from flipdrop.experiments.presentation import DISCS, SCORE, claims_table, interval_picture, table
from flipdrop.experiments.r1 import DEPTH, DEPTHS, RULE_OF_DEPTHS, TWO_GAMES, against_depths, at_every_depth, by_depth
from flipdrop.reporting.formatting import between, listed, number, with_interval

if TYPE_CHECKING:
    from flipdrop.experiments.tasks import Task

REPORTED = {int(iterations): ReportedGames.of(*games) for iterations, *games in printed("R1.2")}
FEW, ENOUGH = 30, 80
"""The report's rows up to the one and from the other on; from 80 on its tree search wins five of six games."""
BEYOND = (200, 400, 800)  # to see where the tree search wins
GAMES: dict[Size, int] = {"quick": 60, "full": 2000}


def _tasks(size: Size) -> list[Task]:
    iterations = (*REPORTED, *BEYOND) if size == "full" else tuple(REPORTED)
    players = {str(n): f"mcts:iterations={n},solver=no" for n in iterations}
    seconds = {str(n): 0.0007 + n * 1.5e-5 for n in iterations}
    return [*against_depths(players, DEPTHS, games=GAMES[size], estimate=seconds)]


def _pooled(rows: dict[str, Values], fewest: int, most: int) -> Values:
    return pooled([values for iterations, values in rows.items() if fewest <= int(iterations) <= most])


def _conclude(results: Results) -> Finding:
    matches = by_depth(results)
    many = max(REPORTED)
    late = {depth: _pooled(rows, ENOUGH, many) for depth, rows in matches.items()}
    gains = {depth: difference(late[depth], _pooled(rows, 0, FEW)) for depth, rows in matches.items()}
    games = ReportedGames(tuple(game for n, report in REPORTED.items() if n >= ENOUGH for game in report.discs)).games
    at_depths = listed([f"{with_interval(v['score'], v['score_interval'])} at depth {d}" for d, v in late.items()])
    ahead = {
        depth: next((n for n, values in rows.items() if side_of(values["score_interval"], 0.5) == 1), None)
        for depth, rows in matches.items()
    }
    truth = late[DEPTH]["score"]
    return Finding(
        conclusion=at_every_depth([values["score_interval"] for values in late.values()]),
        headline=f"{ENOUGH} to {many} iterations score {number(truth)} against minimax of depth {DEPTH}; the report's "
        f"{games.total} games said {number(games.score)}.",
        rule=f"What the table shows from {ENOUGH} iterations on, a score of more than 0.5, is {RULE_OF_DEPTHS}.",
        underpowered=underpowered(games.score, games.total),
        text=(
            f"From {ENOUGH} to {many} iterations the tree search scores {at_depths} of its opponent. It is ahead "
            + listed(
                [f"from {n} iterations on at depth {d}" if n else f"nowhere at depth {d}" for d, n in ahead.items()]
            )
            + ".",
            f"From {ENOUGH} iterations on the report won {games.wins} of {games.total} games, which leaves a score "
            f"from {between(wilson(games.score, games.total))} possible if the games are independent. A row of two "
            f"games says next to nothing: a player whose true score is {number(truth)} wins at least one of two in "
            f"{number(100 * (1 - (1 - truth) ** 2), 0)}% of all rows.",
        ),
        tables=(
            claims_table(
                {
                    "Overall more iterations are better, if not in every step": (
                        at_every_depth([interval for _, interval in gains.values()], 0.0),
                        f"{ENOUGH} to {many} score more than 10 to {FEW} by "
                        + listed([f"{with_interval(*gain)} at depth {depth}" for depth, gain in gains.items()]),
                    )
                }
            ),
            *(
                table(
                    f"Playouts to the end against minimax of depth {depth}; discs as first and as second player",
                    "iterations",
                    rows,
                    {"report": {str(n): report for n, report in REPORTED.items()}} | DISCS | SCORE,
                )
                for depth, rows in matches.items()
            ),
        ),
        pictures=(
            interval_picture(
                "iterations",
                "Score of the tree search over iterations, for each depth of its opponent, with 95% intervals. "
                "Diamonds are the report's two games.",
                {
                    f"against depth {depth}": {int(n): values for n, values in rows.items()}
                    for depth, rows in matches.items()
                },
                place_label="iterations a move",
                reported={TWO_GAMES: {n: report.games.score for n, report in REPORTED.items()}},
                ticks=(10, 20, 30, 50, 80, 120, *(BEYOND if results.size == "full" else ())),
                log=True,
            ),
        ),
    )


EXPERIMENT = declared("R1.2", _tasks, _conclude)
