"""R1.3: tree search with short playouts evaluated by D, against minimax, by playout depth and iterations."""

from __future__ import annotations

from flipdrop.experiments.conclusions import RULE_OF_SIDES, by_side, underpowered
from flipdrop.experiments.experiment import Claim, Experiment, Finding, Results, Size, Values
from flipdrop.experiments.formatting import discs_by_side, score, wins_draws_losses
from flipdrop.experiments.measures import ReportedGames, pooled, wilson
from flipdrop.experiments.r1 import BEST_BY_HAND, DEPTH, OPPONENT, minimax
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import between, number
from flipdrop.reporting.plots import COLOURS, Canvas, diamonds, even, legend, panel, with_score_bars
from flipdrop.reporting.tables import Table

REPORTED = {
    (10, 200): ReportedGames.of("30:34", "20:44"),
    (10, 300): ReportedGames.of("35:29", "10:54"),
    (15, 150): ReportedGames.of("43:21", "28:36"),
    (15, 200): ReportedGames.of("35:29", "45:19"),
    (20, 180): ReportedGames.of("22:42", "34:30"),
    (20, 200): ReportedGames.of("25:38", "22:42"),
    (25, 300): ReportedGames.of("34:30", "46:18"),
}
BEST = ((15, 200), (25, 300))
"""The rows in which the report's tree search wins both games."""
REWARDS = {"as in the report": "evaluation", "pressed into -1..1": "squashed"}
GAMES: dict[Size, int] = {"quick": 40, "full": 1200}


def _spec(depth: int, iterations: int, reward: str) -> str:
    return (
        f"mcts:iterations={iterations},playout=depth,depth={depth},evaluation={BEST_BY_HAND},reward={reward},solver=no"
    )


def _key(depth: int, iterations: int, way: str) -> str:
    return f"{depth}/{iterations} {way}"


def _tasks(size: Size) -> list[Task]:
    matches: list[Task] = [
        MatchTask(
            _key(depth, iterations, way),
            _spec(depth, iterations, reward),
            minimax(OPPONENT),
            games=GAMES[size],
            own_openings=True,
            estimate=GAMES[size] * iterations * 1.6e-5,
        )
        for way, reward in REWARDS.items()
        for depth, iterations in REPORTED
    ]
    to_the_end = [
        MatchTask(
            f"end/{iterations}",
            f"mcts:iterations={iterations},solver=no",
            minimax(OPPONENT),
            games=GAMES[size],
            own_openings=True,
            estimate=GAMES[size] * iterations * 1.6e-5,
        )
        for iterations in sorted({iterations for _, iterations in REPORTED})
    ]
    return matches + to_the_end


def _conclude(results: Results) -> Finding:
    found = {way: {row: results[_key(*row, way)] for row in REPORTED} for way in REWARDS}
    theirs, pressed = REWARDS
    best = pooled([found[theirs][row] for row in BEST])
    same_pressed = pooled([found[pressed][row] for row in BEST])
    games = ReportedGames(tuple(game for row in BEST for game in REPORTED[row].discs)).games
    everywhere = pooled(list(found[theirs].values()))
    everywhere_pressed = pooled(list(found[pressed].values()))
    to_the_end = pooled([results[key] for key in results if key.startswith("end/")])
    rows = " and ".join(f"{depth}/{iterations}" for depth, iterations in BEST)
    order = sorted(REPORTED, key=lambda row: -found[theirs][row]["score"])
    return Finding(
        conclusion=by_side(best["score_interval"], 0.5),
        headline=f"Short playouts with D score {number(best['score'])} against minimax in the rows that the report won "
        f"({rows}), {number(same_pressed['score'])} if the evaluation is pressed into −1..1.",
        rule=f"The claim is that {rows} score more than 0.5 with the evaluation as reward and c = 1/√2. By the pooled "
        f"95% interval of the two, at depth {DEPTH} of the opponent, which the report does not state, it is "
        f"{RULE_OF_SIDES}.",
        underpowered=underpowered(games.score, games.total),
        text=(
            f"The rows {rows}, which the report won with both colours, score {score(best, 2)} together. The report's "
            f"{games.total} games in them, all won, leave {between(wilson(games.score, games.total))} possible. "
            f"The best row here is {order[0][0]}/{order[0][1]} with {score(found[theirs][order[0]], 2)}, the worst "
            f"{order[-1][0]}/{order[-1][1]} with {score(found[theirs][order[-1]], 2)}.",
            "Values of D are tens to hundreds, and c = 1/√2 is made for rewards between −1 and 1: beside such values "
            "the term that makes a tree search look at neglected moves counts for next to nothing. Pressed into −1..1 "
            f"the same playouts score {score(everywhere_pressed, 2)} over all rows, where the report's way has "
            f"{score(everywhere, 2)}. Playouts to the end with the same numbers of iterations score "
            f"{score(to_the_end, 2)}.",
            f"The report does not say how deep its opponent looked, nor which weights evaluated the playouts: here it "
            f"is depth {DEPTH}, and the weights that it calls its best, `{BEST_BY_HAND}`.",
        ),
        tables=(_table(results, found),),
        pictures=(
            Picture(
                "playouts",
                "Score against minimax for each playout depth and number of iterations, with 95% intervals. "
                "Diamonds are the report's two games.",
                lambda canvas: _draw(canvas, results, found),
            ),
        ),
    )


def _table(results: Results, found: dict[str, dict[tuple[int, int], Values]]) -> Table:
    theirs, pressed = REWARDS
    rows = [
        (
            f"{depth}/{iterations}",
            str(REPORTED[depth, iterations]),
            discs_by_side(values),
            wins_draws_losses(values),
            score(values),
            score(found[pressed][depth, iterations]),
        )
        for (depth, iterations), values in found[theirs].items()
    ]
    rows += [
        (
            f"end/{key.removeprefix('end/')}",
            "",
            discs_by_side(results[key]),
            wins_draws_losses(results[key]),
            score(results[key]),
            "",
        )
        for key in results
        if key.startswith("end/")
    ]
    return Table(
        f"Short playouts against minimax of depth {DEPTH}; discs as first and as second player",
        ("depth / iterations", "report", "mean discs", "won / drawn / lost", "score (95%)", "score, pressed (95%)"),
        tuple(rows),
    )


def _draw(canvas: Canvas, results: Results, found: dict[str, dict[tuple[int, int], Values]]) -> None:
    axes = panel(canvas, across="playout depth / iterations a move", up="score")
    even(axes)
    places = range(len(REPORTED))
    for colour, shift, (way, rows) in zip(COLOURS, (-0.12, 0.12), found.items(), strict=False):
        values = list(rows.values())
        with_score_bars(
            axes, [place + shift for place in places], values, label=f"reward {way}", colour=colour, joined=False
        )
    ends = [results[f"end/{iterations}"] for _, iterations in REPORTED]
    with_score_bars(axes, list(places), ends, label="playouts to the end", colour=COLOURS[2], joined=False, marker="s")
    reported = [report.games.score for report in REPORTED.values()]
    diamonds(axes, list(places), reported, label="report, two games")
    axes.set_xticks(list(places), [f"{depth}/{iterations}" for depth, iterations in REPORTED])
    axes.set_ylim(-0.03, 1.03)
    legend(axes, ncols=2)


EXPERIMENT = Experiment(
    name="R1.3",
    title="Tree search with short playouts evaluated by D",
    question="Does a tree search win against minimax if its playouts end after 10 to 25 plies and D evaluates them?",
    claim=Claim(
        "R1",
        "With a playout depth of 15 and 200 iterations, and with 25 and 300, the tree search beats minimax with either "
        "colour; with the others it does not.",
        Table(
            "Discs against minimax with D(15,6,−8,−6,4,4) as printed",
            ("depth / iterations", "as first player", "as second player"),
            tuple((f"{d}/{i}", *str(report).split(", ")) for (d, i), report in REPORTED.items()),
        ),
    ),
    tasks=_tasks,
    conclude=_conclude,
)
