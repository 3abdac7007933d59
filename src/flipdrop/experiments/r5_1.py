"""R5.1: a depth-4 search with weights from R5's genetic algorithm, or set by hand, against random play."""

from __future__ import annotations

from flipdrop.arena.seeds import derive_seed
from flipdrop.evaluation import Evaluation
from flipdrop.experiments.conclusions import inside, side_of
from flipdrop.experiments.experiment import Claim, Experiment, Finding, Results, Size, Values
from flipdrop.experiments.formatting import score, wins_draws_losses
from flipdrop.experiments.measures import wilson, win_rate
from flipdrop.experiments.r2 import EQUAL
from flipdrop.experiments.tasks import MatchTask, MeasureTask, Task, TaskContext
from flipdrop.games import game as game_of
from flipdrop.learning.genetic import PositionGA, genome
from flipdrop.players.evaluation_option import write_evaluation
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import between, listed, number, with_interval
from flipdrop.reporting.plots import COLOURS, Canvas, legend, panel, with_bars
from flipdrop.reporting.tables import Table

GENETIC, BY_HAND, SAME = "genetic", "by hand", "equal weights"
REPORTED = {GENETIC: {10: 0.8, 20: 0.85, 100: 0.79}, BY_HAND: {10: 1.0, 20: 0.85, 100: 0.75}}
LARGEST = 100
DEPTH = 4
SHALLOW = (1, 2)
POSITIONS, GENERATIONS = 20, 30
GAMES: dict[Size, int] = {"quick": 60, "full": 3000}
RUNS: dict[Size, int] = {"quick": 1, "full": 3}


def _player(evaluation: str, depth: int = DEPTH) -> str:
    return f"alphabeta:depth={depth},evaluation={evaluation}"


def _tasks(size: Size) -> list[Task]:
    games = GAMES[size]

    def against_random(key: str, first: str, depends_on: dict[str, Task] | None = None) -> MatchTask:
        return MatchTask(
            key,
            first,
            "random",
            games=games,
            openings="start",
            estimate=0.0017 * games,
            depends_on=depends_on or {},
        )

    tasks: list[Task] = [
        against_random(GENETIC, _player("Seven.averaged")),
        against_random(SAME, _player(EQUAL)),
        *(against_random(f"{GENETIC}, depth {depth}", _player("Seven.averaged", depth)) for depth in SHALLOW),
        MatchTask("each other", _player("Seven.averaged"), _player(EQUAL), games=games, estimate=0.003 * games),
    ]
    for run in range(RUNS[size]):
        parameters = {
            "kind": "genetic algorithm of R5",
            "run": run,
            "positions": POSITIONS,
            "generations": GENERATIONS,
            "algorithm": _learner(0, GENERATIONS).settings,
        }
        evolved = MeasureTask(f"run {run + 1}", parameters=parameters, measure=evolve, estimate=2)
        tasks += [evolved, against_random(f"weights of run {run + 1}", _player("{ga[weights]}"), {"ga": evolved})]
    return tasks


def _learner(seed: int, generations: int, threads: int = 1) -> PositionGA:
    """The report's algorithm before its first position."""
    game = game_of("othello")
    return PositionGA(
        game, genome("Seven", game), generations=generations, seed=seed, benchmark_every=0, threads=threads
    )


def evolve(task: MeasureTask, context: TaskContext) -> Values:
    """The report's algorithm: 30 generations on each of 20 positions from random play, and the mean of the winners."""
    seed = derive_seed(context.seed, "R5.1", task.parameters["run"])
    learner = _learner(seed, task.parameters["generations"], context.threads)
    for position in range(task.parameters["positions"]):
        learner.step()
        context.report_progress((position + 1) / task.parameters["positions"], learner.status[:60])
    return {"weights": write_evaluation(Evaluation(learner.weights)), "genes": learner.genes}


def _won(values: Values) -> str:
    return with_interval(*win_rate(values), 3)


def _conclude(results: Results) -> Finding:
    ours, theirs = win_rate(results[GENETIC]), wilson(REPORTED[GENETIC][LARGEST], LARGEST)
    conclusion = inside(ours[1], theirs)
    is_better = ours[1][0] > theirs[1]
    low, high = win_rate(results[SAME])[1]
    is_hidden = low <= ours[1][1] and ours[1][0] <= high
    runs = {key: results[key] for key in results if key.startswith("weights of run")}
    direct = results["each other"]
    better = {1: "the genetic weights are better", -1: "equal weights are better", 0: "neither is seen to be better"}
    side = side_of(direct["score_interval"], 0.5)
    depths = [results[f"{GENETIC}, depth {depth}"] for depth in SHALLOW]
    shallow = listed([f"{_won(values)} at depth {depth}" for depth, values in zip(SHALLOW, depths, strict=True)])
    all_better = all(win_rate(values)[1][0] > theirs[1] for values in depths)
    fresh = listed([_won(values) for values in runs.values()])
    text = (
        f"Against random moves depth {DEPTH} wins {with_interval(*ours, 3)} of its games with the report's genetic "
        f"weights, and {_won(results[SAME])} with all seven weights equal, in place of the report's weights by hand, "
        f"which it does not print. The report's {LARGEST} games with genetic weights leave {between(theirs)}. "
        + (
            "A program that searches 4 plies with these terms does not fail to win every fifth game against random "
            "moves: the report's must have done something else. "
            if is_better
            else ""
        )
        + f"{'Even a shallow search does better than the report says' if all_better else 'A shallow search wins'}: "
        f"{shallow}.",
        f"The algorithm run anew, {POSITIONS} positions of {GENERATIONS} generations, leads to weights that win "
        f"{fresh}. "
        f"Against each other at depth {DEPTH}, the report's weights score {score(direct)} against equal ones: "
        f"{better[side]}." + (" Games against random moves do not show that difference." if side and is_hidden else ""),
    )
    return Finding(
        conclusion=conclusion,
        headline=f"Depth {DEPTH} with R5's weights wins {number(ours[0], 3)} of its games against random moves; the "
        f"report said {number(REPORTED[GENETIC][LARGEST])}.",
        rule=f"By the share of games won with the genetic weights: confirmed if our 95% interval lies within what the "
        f"report's {LARGEST} games leave open (Wilson's intervals), refuted if the two have nothing in common, else "
        "not decided by this run. The weights by hand are not known, so nothing is said of them.",
        text=text,
        tables=(_table(results),),
        pictures=(
            Picture(
                "random",
                "Share of games won against random moves: the report's and ours, with 95% intervals (Wilson).",
                lambda canvas: _draw(canvas, results),
            ),
        ),
    )


def _table(results: Results) -> Table:
    matches = [key for key in results if "score" in results[key]]
    return Table(
        "Matches",
        ("what", "player", "opponent", "won / drawn / lost", "score (95%)"),
        tuple((key, *results[key]["players"], wins_draws_losses(results[key]), score(results[key])) for key in matches),
        text_columns=(1, 2),
    )


def _draw(canvas: Canvas, results: Results) -> None:
    axes = panel(canvas, across="", up="share of games won")
    names = [f"{games} games" for games in REPORTED[GENETIC]]
    for place, (name, shares) in enumerate(REPORTED.items()):
        across = [n + 0.16 * (2 * place - 1) for n in range(len(shares))]
        intervals = [wilson(share, games) for games, share in shares.items()]
        colour = COLOURS[1 - place]
        with_bars(
            axes,
            across,
            list(shares.values()),
            intervals,
            label=f"report, {name}",
            colour=colour,
            joined=False,
            marker="D",
        )
        key = GENETIC if name == GENETIC else SAME
        rate, interval = win_rate(results[key])
        at = [len(shares) + 0.16 * (2 * place - 1)]
        with_bars(axes, at, [rate], [interval], label=f"here, {key}", colour=colour, joined=False)
    axes.set_xticks(range(len(names) + 1), [*names, f"here, {results[GENETIC]['games']:,} games"])
    axes.set_ylim(0.4, 1.03)
    legend(axes)


EXPERIMENT = Experiment(
    name="R5.1",
    title="Weights of a genetic algorithm against random play",
    question="Does a depth-4 search with R5's weights win four of five games against random moves?",
    claim=Claim(
        "R5",
        "A search of depth 4 against random play, with weights from the genetic algorithm and with some set by hand.",
        Table(
            "Share of games won, as printed",
            ("games", *(f"weights: {name}" for name in REPORTED)),
            tuple((str(n), *(number(shares[n]) for shares in REPORTED.values())) for n in REPORTED[GENETIC]),
        ),
    ),
    tasks=_tasks,
    conclude=_conclude,
)
