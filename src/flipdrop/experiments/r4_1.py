"""R4.1: the tree search of R4, and changes that it tried, against a ladder of opponents, from both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flipdrop.arena.ladder import published_ladder
from flipdrop.arena.match import match_result
from flipdrop.arena.statistics import Games
from flipdrop.arena.tournament import Tournament
from flipdrop.experiments import r4
from flipdrop.experiments.conclusions import inside
from flipdrop.experiments.equal_time import ratio, timing
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared, printed
from flipdrop.experiments.formatting import wins_draws_losses, won
from flipdrop.experiments.measures import pooled, wilson, win_rate
from flipdrop.experiments.placements import rating
from flipdrop.experiments.presentation import SCORE, claims_table, table
from flipdrop.experiments.tasks import MatchTask, MeasureTask, Task, TaskContext, play
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import between, number, with_interval
from flipdrop.reporting.plots import FAINT, error_bars, legend, new_axes
from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAME = "connect4"
MAIN, RANDOM_OPENINGS = "R4's program", "R4's program, random openings"
GAMES: dict[Size, int] = {"quick": 4, "full": 8}  # of R4's program against each opponent; half of them of the others
ITERATIONS: dict[Size, int] = {"quick": 2000, "full": 20_000}
RATINGS = {rung.spec: rung.rating for rung in published_ladder(GAME).entries}
REPORTED = {name: float(share) for name, share in printed("R4.1")}
EVERY: dict[Size, int] = {"quick": 7, "full": 1}  # step between opponents on the ladder


VARIANTS: dict[str, dict[str, Any]] = {
    MAIN: {},
    "ten playouts a leaf": {"playouts": 10},
    "decisive playouts": {"decisive_playouts": "yes"},
    "decisive moves at the root": {"decisive": "root"},
    "draws between wins and losses": {"draw": 0, "opponent_draw": 0},
    "ours: proofs, decisive moves": {"solver": "yes", "decisive": "tree", "c": 0.7071},
    RANDOM_OPENINGS: {},
}
"""Changes to R4's program."""
SHARES = {"ten playouts a leaf": 0.33, "decisive playouts": 0.85}
"""Of the simulations of R4's program, so that a move takes the same time."""


def _spec(name: str, size: Size) -> str:
    return r4.program(round(SHARES.get(name, 1) * ITERATIONS[size]), **VARIANTS[name])


def _tasks(size: Size) -> list[Task]:
    rungs = published_ladder(GAME).entries
    places = list(range(0, len(rungs), EVERY[size]))
    tasks: list[Task] = []
    for name in VARIANTS:
        games = GAMES[size] if name == MAIN else GAMES[size] // 2
        parameters = {
            "kind": "gauntlet",
            "game": GAME,
            "first": _spec(name, size),
            "opponents": [rungs[place].spec for place in places],
            "places": [place + 1 for place in places],
            "games": games,
            "openings": published_ladder(GAME).openings if name == RANDOM_OPENINGS else "start",
        }
        seconds = (0.2 if size == "full" else 0.05) * games * len(places)
        tasks.append(MeasureTask(name, parameters=parameters, measure=play_ladder, estimate=seconds))
    for name in SHARES:
        match = MatchTask(name, _spec(MAIN, size), _spec(name, size), games=2, game=GAME)
        tasks.append(timing(match, pairs=10 if size == "full" else 2))
    return tasks


def play_ladder(task: MeasureTask, context: TaskContext) -> Values:
    """Games against every opponent: results one by one, and of all together."""
    asked = task.parameters
    games = Tournament(
        players=(asked["first"], *asked["opponents"]),
        games=asked["games"],
        gauntlet=1,
        game=asked["game"],
        openings=asked["openings"],
        seed=context.seed,
    )
    state = play(context, games)
    rungs = []
    for pairing, (spec, place) in enumerate(zip(asked["opponents"], asked["places"], strict=True)):
        found = match_result(state, pairing=pairing)
        counts = {"games": found.tally.games.total, "pairs": list(found.tally.pairs.counts)}
        rungs.append({"place": place, "opponent": spec} | counts | found.tally.games.to_json())
    return {"rungs": rungs} | pooled(rungs)


def _rating(values: Values) -> tuple[float, tuple[float | None, float | None]]:
    """On the scale of the ladder, by Bradley-Terry with the ladder's ratings fixed."""
    return rating({"met": [rung | {"rating": RATINGS[rung["opponent"]]} for rung in values["rungs"]]})


def _losses_by_chance(main: Values) -> tuple[Conclusion, str]:
    """Whether the opponents that win are spread over the ladder: the lower half of it against the upper half."""
    half = len(main["rungs"]) // 2
    lower, upper = (
        (sum(rung["losses"] for rung in rungs), sum(rung["games"] for rung in rungs))
        for rungs in (main["rungs"][:half], main["rungs"][half:])
    )
    by_lower, by_upper = (wilson(lost / games, games) for lost, games in (lower, upper))
    return (
        Conclusion.REFUTED if by_lower[1] < by_upper[0] or by_upper[1] < by_lower[0] else Conclusion.UNDECIDED,
        f"it loses {lower[0]} of {lower[1]} games to the lower half of this ladder and {upper[0]} of {upper[1]} to the "
        "upper half; refuted, for this ladder, if the two 95% intervals have nothing in common, else not decided",
    )


def _conclude(results: Results) -> Finding:
    rows = {name: results[name] for name in VARIANTS}
    main = rows[MAIN]
    reported = wilson(r4.WON / r4.GAMES, r4.GAMES)
    lost = [rung for rung in main["rungs"] if rung["losses"]]
    weakest = f", the weakest of them on place {min(rung['place'] for rung in lost)}" if lost else ""
    changes = "; ".join(
        f"{name} {won(rows[name])}"
        + (f", reported {number(REPORTED[name])}" if name in REPORTED else "")
        + (f", ratio of times {ratio(results, name)}" if name in SHARES else "")
        for name in VARIANTS
        if name != MAIN
    )
    left_open = "; ".join(
        f"{name} {between(wilson(REPORTED[name], r4.GAMES))}" for name in VARIANTS if name in REPORTED
    )
    return Finding(
        conclusion=inside(win_rate(main)[1], reported),
        headline=f"It wins {number(100 * win_rate(main)[0], 1)}% against a ladder from random to perfect; the report "
        f"said {r4.WON}%.",
        rule="The report's ladder is not available, so the question is whether its share of won games carries over to "
        f"this one. Confirmed if our 95% interval lies within that of the report's {r4.WON} of {r4.GAMES}; refuted, "
        "which says that the share does not carry over to this ladder and no more, if the two have nothing in common; "
        "else not decided by this run.",
        text=(
            f"From the start position R4's program wins {won(main)} of its games ({main['wins']} won, "
            f"{main['draws']} drawn, {main['losses']} lost). The report's {r4.WON} of {r4.GAMES} stand for "
            f"{between(reported)}. It loses at least one game to {len(lost)} of the {len(main['rungs'])} "
            f"opponents{weakest}. Its rating "
            f"on the ladder is {with_interval(*_rating(main), 0)}.",
            f"Changes, in the same time for a move: {changes}. What the report's {r4.GAMES} games leave open: "
            f"{left_open}. R4.2, Q3 and Q4 compare such programs in games against each other.",
            "The shape of the curve over places says more than the total, which depends on who is on the ladder.",
        ),
        tables=(
            claims_table({"losses are chance: each time other opponents win": _losses_by_chance(main)}),
            table(
                "Against the whole ladder",
                "program",
                rows,
                {
                    "player": {name: _spec(name, results.size) for name in VARIANTS},
                    "report": {name: number(share) for name, share in REPORTED.items()},
                    "share won (95%)": won,
                }
                | SCORE,
            ),
            _opponents_table(rows),
        ),
        pictures=(
            Picture(
                "ladder",
                "Share of the points against each opponent of the ladder, by its rating. From the start position, with "
                "95% intervals (Wilson); the line is what a player of this rating would score by the ladder's scale.",
                lambda figure: _draw(figure, main),
            ),
        ),
    )


def _opponents_table(rows: dict[str, Values]) -> Table:
    by_place = zip(*(values["rungs"] for values in rows.values()), strict=True)
    lines = [(str(rungs[0]["place"]), rungs[0]["opponent"], *map(wins_draws_losses, rungs)) for rungs in by_place]
    heads = ("place", "opponent", *rows)
    return Table("Rung by rung: won / drawn / lost", heads, tuple(reversed(lines)), text_columns=(1,))


def _draw(figure: Figure, main: Values) -> None:
    axes = new_axes(figure, x_label="rating of the opponent", y_label="share of the points")
    elo, _ = _rating(main)
    across = [RATINGS[rung["opponent"]] for rung in main["rungs"]]
    expected = [1 / (1 + 10 ** ((of_opponent - elo) / 400)) for of_opponent in across]
    axes.plot(across, expected, color=FAINT, linewidth=1.2, label=f"expected of {elo:.0f}", zorder=1)
    games = [Games(rung["losses"], rung["draws"], rung["wins"]) for rung in main["rungs"]]
    shares = [one.score for one in games]
    error_bars(axes, across, shares, [wilson(one.score, one.total) for one in games], label=MAIN, joined=False)
    axes.set_ylim(-0.03, 1.03)
    legend(axes)


EXPERIMENT = declared("R4.1", _tasks, _conclude)
