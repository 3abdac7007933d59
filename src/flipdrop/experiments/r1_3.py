"""R1.3: tree search with short playouts evaluated by D, against minimax, by playout depth and iterations."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from flipdrop.experiments import r1
from flipdrop.experiments.conclusions import bonferroni_level, in_some_case, side_of, underpowered
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared, printed
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import ReportedGames, difference, pooled, wilson
from flipdrop.experiments.presentation import DISCS, SCORE, claims_table, interval_picture, table
from flipdrop.experiments.r1 import DEPTH
from flipdrop.reporting.formatting import between, listed, number, with_interval

if TYPE_CHECKING:
    from flipdrop.experiments.tasks import Task

REPORTED = {row: ReportedGames.of(*games) for row, *games in printed("R1.3")}
"""By playout depth and iterations: ``15/200``."""
BEST = ("15/200", "25/300")
"""The rows in which the report's tree search wins both games."""
SQUASHED, TO_THE_END = " squashed", "end/"
GAMES: dict[Size, int] = {"quick": 40, "full": 1200}


def _iterations(row: str) -> int:
    return int(row.removesuffix(SQUASHED).split("/")[1])


def _tasks(size: Size) -> list[Task]:
    def player(row: str, reward: str) -> str:
        depth, iterations = row.split("/")
        playout = f"playout=depth,depth={depth},evaluation={r1.OPPONENT},perspective=searcher,reward={reward}"
        return f"mcts:iterations={iterations},{playout},solver=no"

    theirs = {row: player(row, "evaluation") for row in REPORTED}
    ours = {row + SQUASHED: player(row, "squashed") for row in REPORTED}
    ours |= {f"{TO_THE_END}{n}": f"mcts:iterations={n},solver=no" for n in sorted(set(map(_iterations, REPORTED)))}
    seconds = {row: 1.6e-5 * _iterations(row) for row in theirs | ours}
    return [
        *r1.against_depths(theirs, r1.DEPTHS, games=GAMES[size], estimate=seconds),
        *r1.against_depths(ours, (DEPTH,), games=GAMES[size], estimate=seconds),
    ]


def _conclude(results: Results) -> Finding:
    every_row = r1.by_depth(results)
    matches = {depth: {row: of[row] for row in REPORTED} for depth, of in every_row.items()}
    squashed = {row: every_row[DEPTH][row + SQUASHED] for row in REPORTED}
    to_the_end = {key: values for key, values in every_row[DEPTH].items() if key.startswith(TO_THE_END)}
    best = {depth: pooled([rows[row] for row in BEST]) for depth, rows in matches.items()}
    games = ReportedGames(tuple(game for row in BEST for game in REPORTED[row].discs)).games
    rows = " and ".join(BEST)
    order = sorted(REPORTED, key=lambda row: -matches[DEPTH][row]["score"])
    at_depths = listed([f"{score(values, 2)} at depth {depth}" for depth, values in best.items()])
    return Finding(
        conclusion=r1.at_every_depth([values["score_interval"] for values in best.values()]),
        headline=f"Short playouts with D score {number(best[DEPTH]['score'])} against minimax of depth {DEPTH} in the "
        f"rows that the report won ({rows}), {number(pooled([squashed[row] for row in BEST])['score'])} if the "
        "evaluation is squashed into −1..1.",
        rule=f"What the table shows of {rows}, a score of more than 0.5 with the evaluation as reward and c = 1/√2, is "
        f"{r1.RULE_OF_DEPTHS}.",
        underpowered=underpowered(games.score, games.total),
        text=(
            f"The rows {rows}, which the report won with both colours, together score {at_depths} of the opponent. "
            f"The report's {games.total} games in them leave {between(wilson(games.score, games.total))} possible. "
            f"The best row at depth {DEPTH} is {order[0]} with {score(matches[DEPTH][order[0]], 2)}, the worst "
            f"{order[-1]} with {score(matches[DEPTH][order[-1]], 2)}.",
            "Values of D are tens to hundreds, and c = 1/√2 is meant for rewards between 0 and 1: beside such values "
            "the term that makes a tree search look at neglected moves counts for next to nothing. Squashed into −1..1 "
            f"the same playouts score {score(pooled(list(squashed.values())), 2)} over all rows at depth {DEPTH}; the "
            f"report's way scores {score(pooled(list(matches[DEPTH].values())), 2)}, and playouts to the end with the "
            f"same numbers of iterations {score(pooled(list(to_the_end.values())), 2)}.",
        ),
        tables=(
            claims_table({**_on_depth(matches), **_on_iterations(matches)}),
            *(
                table(
                    f"Short playouts against minimax of depth {depth}; discs as first and as second player",
                    "depth / iterations",
                    of,
                    {"report": REPORTED} | DISCS | SCORE,
                )
                for depth, of in matches.items()
            ),
            table(
                f"The reward squashed, and playouts to the end, against depth {DEPTH}",
                "depth / iterations",
                squashed | to_the_end,
                DISCS | SCORE,
            ),
        ),
        pictures=(
            interval_picture(
                "playouts",
                "Score against minimax for each playout depth and number of iterations, with 95% intervals. "
                "Diamonds are the report's two games.",
                {f"against depth {depth}": of for depth, of in matches.items()}
                | {f"squashed, depth {DEPTH}": squashed},
                place_label="playout depth / iterations a move",
                reported={r1.TWO_GAMES: {row: report.games.score for row, report in REPORTED.items()}},
                size=(7.5, 4.4),
            ),
        ),
    )


def _on_depth(matches: dict[int, dict[str, Values]]) -> dict[str, tuple[Conclusion, str]]:
    """Whether a longer playout can be worse, with the same iterations."""
    pairs = [(one, two) for one, two in combinations(REPORTED, 2) if _iterations(one) == _iterations(two)]
    level = bonferroni_level(len(pairs) * len(matches))
    found = [
        (shorter, longer, depth, difference(rows[longer], rows[shorter], level))
        for depth, rows in matches.items()
        for shorter, longer in pairs
    ]
    worst = min(found, key=lambda one: one[3][0])
    shorter, longer, depth, gain = worst
    sides = [side_of(interval, 0.0) for *_, (_, interval) in found]
    reason = (
        f"of {len(found)} pairs of rows with the same iterations, the longer playout does worst in {longer} "
        f"beside {shorter} at depth {depth}: {with_interval(*gain)} (level {number(100 * level, 2)}%)"
    )
    return {"A longer playout is not necessarily better": (in_some_case(sides, claimed=-1), reason)}


def _on_iterations(matches: dict[int, dict[str, Values]]) -> dict[str, tuple[Conclusion, str]]:
    """Whether more iterations of the same playouts are better on the whole."""
    pairs = [(one, two) for one, two in combinations(REPORTED, 2) if one.split("/")[0] == two.split("/")[0]]
    gains = {
        depth: difference(pooled([rows[more] for _, more in pairs]), pooled([rows[fewer] for fewer, _ in pairs]))
        for depth, rows in matches.items()
    }
    reason = "the rows with more of them score more by " + listed(
        [f"{with_interval(*gain)} at depth {depth}" for depth, gain in gains.items()]
    )
    conclusion = r1.at_every_depth([interval for _, interval in gains.values()], 0.0)
    return {"More iterations are better, roughly": (conclusion, reason)}


EXPERIMENT = declared("R1.3", _tasks, _conclude)
