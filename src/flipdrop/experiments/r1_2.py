"""R1.2: tree search with playouts to the end of the game against minimax, by the number of iterations."""

from __future__ import annotations

from flipdrop.experiments.conclusions import side_of, underpowered
from flipdrop.experiments.experiment import Claim, Conclusion, Experiment, Finding, Results, Size, Values
from flipdrop.experiments.formatting import discs_by_side, score, wins_draws_losses
from flipdrop.experiments.measures import ReportedGames, pooled, wilson
from flipdrop.experiments.r1 import DEPTH, OPPONENT, minimax
from flipdrop.experiments.tasks import MatchTask, Task
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import between, listed, number, with_interval
from flipdrop.reporting.plots import COLOURS, Canvas, diamonds, even, legend, panel, set_ticks, with_score_bars
from flipdrop.reporting.tables import Table

REPORTED = {
    10: ReportedGames.of("20:44", "30:34"),
    20: ReportedGames.of("29:35", "24:40"),
    30: ReportedGames.of("34:30", "23:41"),
    50: ReportedGames.of("22:40", "36:28"),
    80: ReportedGames.of("29:25", "40:24"),
    100: ReportedGames.of("50:16", "34:30"),
    120: ReportedGames.of("30:34", "42:22"),
}
ENOUGH = 80  # iterations from which on the report's tree search wins most of its games
BEYOND = (200, 400, 800)  # to see where the claim comes true
DEPTHS = (1, 2, 3)  # of the opponent, which the report does not state
GAMES: dict[Size, int] = {"quick": 60, "full": 2000}


def _iterations(size: Size) -> tuple[int, ...]:
    return (*REPORTED, *BEYOND) if size == "full" else tuple(REPORTED)


def _tasks(size: Size) -> list[Task]:
    return [
        MatchTask(
            f"{iterations} against depth {depth}",
            f"mcts:iterations={iterations},solver=no",
            minimax(OPPONENT, depth),
            games=GAMES[size],
            own_openings=True,
            estimate=GAMES[size] * (0.0007 + iterations * 1.5e-5),
        )
        for depth in (DEPTHS if size == "full" else (DEPTH,))
        for iterations in _iterations(size)
    ]


def _by_depth(results: Results) -> dict[int, dict[int, Values]]:
    found: dict[int, dict[int, Values]] = {}
    for key in results:
        iterations, depth = key.split(" against depth ")
        found.setdefault(int(depth), {})[int(iterations)] = results[key]
    return found


def _conclude(results: Results) -> Finding:
    matches = _by_depth(results)
    late = {
        depth: pooled([values for iterations, values in of.items() if ENOUGH <= iterations <= max(REPORTED)])
        for depth, of in matches.items()
    }
    sides = {depth: side_of(values["score_interval"], 0.5) for depth, values in late.items()}
    if set(sides.values()) == {1}:
        conclusion = Conclusion.CONFIRMED
    elif set(sides.values()) == {-1}:
        conclusion = Conclusion.REFUTED
    else:
        conclusion = Conclusion.UNDECIDED
    many = max(REPORTED)
    at_depths = listed([f"{with_interval(v['score'], v['score_interval'])} at depth {d}" for d, v in late.items()])
    return Finding(
        conclusion=conclusion,
        headline=f"{ENOUGH} to {many} iterations score {number(late[DEPTH]['score'])} against minimax of depth "
        f"{DEPTH}; the report's {_claimed_games().games.total} games said "
        f"{number(_claimed_games().games.score)}.",
        rule=f"The claim is that {ENOUGH} to {many} iterations score more than 0.5. It is confirmed if their pooled "
        "95% interval lies above 0.5 whatever the depth of the opponent, refuted if it lies below whatever the depth, "
        f"and else not decided, since the report does not state it. Played: depth {listed([str(d) for d in late])}.",
        underpowered=underpowered(_claimed_games().games.score, _claimed_games().games.total),
        text=(
            f"From {ENOUGH} to {many} iterations the tree search scores {at_depths} of its opponent, which the report "
            f"does not state. {_on_growth(matches[DEPTH])}",
            _on_two_games(late[DEPTH]["score"]),
        ),
        tables=tuple(_table(depth, of) for depth, of in matches.items()),
        pictures=(
            Picture(
                "iterations",
                "Score of the tree search over iterations, for each depth of its opponent, with 95% intervals. "
                "Diamonds are the report's two games.",
                lambda canvas: _draw(canvas, matches),
            ),
        ),
    )


def _claimed_games() -> ReportedGames:
    return ReportedGames(tuple(game for n, report in REPORTED.items() if n >= ENOUGH for game in report.discs))


def _on_growth(of: dict[int, Values]) -> str:
    """Whether more iterations help, and from where on they win."""
    few, many = of[min(REPORTED)], of[max(REPORTED)]
    grows = few["score_interval"][1] < many["score_interval"][0]
    ahead = [n for n, values in of.items() if side_of(values["score_interval"], 0.5) == 1]
    return (
        f"{'More iterations are better, as the report says' if grows else 'More iterations do not clearly help'}: "
        f"against depth {DEPTH}, {min(REPORTED)} score {score(few, 2)} and {max(REPORTED)} score {score(many, 2)}. "
        + (f"It is ahead from {ahead[0]} iterations on." if ahead else "It is nowhere ahead.")
    )


def _on_two_games(truth: float) -> str:
    games = _claimed_games().games
    return (
        f"From {ENOUGH} iterations on the report won {games.wins} of {games.total} games, which leaves a score from "
        f"{between(wilson(games.score, games.total))} possible if the games are independent. A row of two games says "
        f"next to nothing: a player whose true score is {number(truth)} wins at least one of two in "
        f"{number(100 * (1 - (1 - truth) ** 2), 0)}% of all rows."
    )


def _table(depth: int, matches: dict[int, Values]) -> Table:
    return Table(
        f"Playouts to the end against minimax of depth {depth}; discs as first and as second player",
        ("iterations", "report", "mean discs", "won / drawn / lost", "score (95%)"),
        tuple(
            (
                str(iterations),
                str(REPORTED.get(iterations, "")),
                discs_by_side(values),
                wins_draws_losses(values),
                score(values),
            )
            for iterations, values in matches.items()
        ),
    )


def _draw(canvas: Canvas, matches: dict[int, dict[int, Values]]) -> None:
    axes = panel(canvas, across="iterations a move", up="score")
    axes.set_xscale("log")
    even(axes)
    for colour, (depth, of) in zip(COLOURS, matches.items(), strict=False):
        values = list(of.values())
        with_score_bars(axes, list(of), values, label=f"against depth {depth}", colour=colour)
    reported = [report.games.score for report in REPORTED.values()]
    diamonds(axes, list(REPORTED), reported, label="report, two games")
    ticks = sorted({iterations for of in matches.values() for iterations in of})
    set_ticks(axes, ticks, ["" if tick == 100 and len(ticks) > 7 else str(tick) for tick in ticks])  # no room for it
    axes.set_ylim(-0.03, 1.03)
    legend(axes)


EXPERIMENT = Experiment(
    name="R1.2",
    title="Tree search with playouts to the end",
    question="How many iterations does a tree search with random playouts to the end need to beat minimax with D?",
    claim=Claim(
        "R1",
        f"The result rises with the iterations, and from {ENOUGH} on the tree search wins most games. (Two rows do not "
        "add up to 64, as printed.)",
        Table(
            "Discs against minimax with D(15,6,−8,−6,4,4) as printed",
            ("iterations", "as first player", "as second player"),
            tuple((str(iterations), *str(report).split(", ")) for iterations, report in REPORTED.items()),
        ),
    ),
    tasks=_tasks,
    conclude=_conclude,
)
