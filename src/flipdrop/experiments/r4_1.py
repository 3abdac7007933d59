"""R4.1: the tree search of R4 against a ladder of 50 opponents, from both sides, with 1 and with 10 playouts a leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.arena.ladder import ladder
from flipdrop.arena.ladder.published import add_pairs
from flipdrop.arena.match import match_result
from flipdrop.arena.model import Event, gauntlet
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running import make_players, runner_for
from flipdrop.arena.statistics import CrossTable, Games, Pairs, estimate_elo, rate
from flipdrop.experiments import r4
from flipdrop.experiments.conclusions import inside
from flipdrop.experiments.equal_time import ratio, timing
from flipdrop.experiments.experiment import Claim, Experiment, Finding, Results, Size, Values
from flipdrop.experiments.formatting import score, spec_with, wins_draws_losses
from flipdrop.experiments.measures import wilson
from flipdrop.experiments.tasks import MatchTask, MeasureTask, Task, TaskContext
from flipdrop.experiments.tournaments import finite_interval
from flipdrop.games import game as game_of
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import between, number, with_interval
from flipdrop.reporting.plots import COLOURS, FAINT, Canvas, legend, panel, with_bars
from flipdrop.reporting.tables import Table

if TYPE_CHECKING:
    from collections.abc import Sequence


GAME = "connect4"
REPORTED_WINS, REPORTED_GAMES = 96, 100

# Simulations with 1 and with 10 playouts a leaf that take the same time, and games against each opponent.
ITERATIONS: dict[Size, dict[int, int]] = {"quick": {1: 2000, 10: 400}, "full": {1: 20_000, 10: 6300}}
GAMES: dict[Size, int] = {"quick": 2, "full": 8}
EVERY: dict[Size, int] = {"quick": 7, "full": 1}  # step between opponents on the ladder
SECONDS: dict[Size, float] = {"quick": 0.05, "full": 0.2}  # for a game, on two cores


def _player(size: Size, playouts: int) -> str:
    more = {"playouts": playouts} if playouts > 1 else {}
    return spec_with("mcts", iterations=ITERATIONS[size][playouts], **r4.OPTIONS, **more)


def _tasks(size: Size) -> list[Task]:
    rungs = ladder(GAME).entries
    places = list(range(0, len(rungs), EVERY[size]))
    plan = (("1 playout", 1, "start"), ("10 playouts", 10, "start"), ("random openings", 1, ladder(GAME).openings))
    tasks: list[Task] = [
        MeasureTask(
            key,
            parameters={
                "kind": "gauntlet",
                "game": GAME,
                "first": _player(size, playouts),
                "opponents": [rungs[place].spec for place in places],
                "places": [place + 1 for place in places],
                "games": GAMES[size],
                "openings": openings,
            },
            measure=climb,
            estimate=SECONDS[size] * GAMES[size] * len(places),
        )
        for key, playouts, openings in plan
    ]
    both = MatchTask("playouts", _player(size, 1), _player(size, 10), games=2, game=GAME)
    return [*tasks, timing(both, pairs=10 if size == "full" else 2)]


def climb(task: MeasureTask, context: TaskContext) -> Values:
    """Games against every opponent: results one by one, and of all together."""
    parameters = task.parameters
    event = Event(
        kind="gauntlet",
        game=parameters["game"],
        players=(parameters["first"], *parameters["opponents"]),
        pairings=gauntlet(1 + len(parameters["opponents"])),
        pairs=parameters["games"] // 2,
        openings=parameters["openings"],
        seed=context.seed,
    )
    context.event = context.store.event_id_for(event)
    runner = runner_for(make_players(event.players, game_of(event.game)), threads=context.threads)
    state = run_event(
        event,
        context.store,
        runner,
        progress=lambda so_far: context.report_progress(
            len(so_far.results) / event.games, f"{so_far.games_a_second:.1f} games a second"
        ),
    )
    rungs = []
    for pairing, (spec, place) in enumerate(zip(parameters["opponents"], parameters["places"], strict=True)):
        found = match_result(state, pairing=pairing)
        pairs = list(found.tally.pairs.counts)
        sides = {name: by.to_json() for name, by in zip(("as_first", "as_second"), found.by_side, strict=True)}
        rungs.append({"place": place, "opponent": spec, "pairs": pairs} | found.tally.games.to_json() | sides)
    return {"rungs": rungs} | together(rungs)


def together(rungs: Sequence[Values]) -> Values:
    """Results against all opponents as one: the share of wins, and the score, with 95% intervals."""
    games = sum((Games(rung["losses"], rung["draws"], rung["wins"]) for rung in rungs), Games())
    pairs = Pairs.from_counts([sum(rung["pairs"][i] for rung in rungs) for i in range(5)])
    estimate = estimate_elo(pairs)
    return {
        "games": games.total,
        **games.to_json(),
        "win_rate": games.wins / games.total,
        "win_interval": list(wilson(games.wins / games.total, games.total)),
        "score": estimate.score,
        "score_interval": list(estimate.score_interval),
    }


def _rating(values: Values) -> tuple[float, tuple[float | None, float | None]]:
    """On the scale of the ladder, by Bradley-Terry with the ladder's ratings fixed."""
    ratings = {rung.spec: rung.rating for rung in ladder(GAME).entries}
    table = CrossTable()
    for rung in values["rungs"]:
        add_pairs(table, "it", rung["opponent"], Pairs.from_counts(rung["pairs"]))
    found = rate(table, anchors={rung["opponent"]: ratings[rung["opponent"]] for rung in values["rungs"]})["it"]
    return found.elo, finite_interval(found.interval)


def _conclude(results: Results) -> Finding:
    one, ten, random = results["1 playout"], results["10 playouts"], results["random openings"]
    reported = wilson(REPORTED_WINS / REPORTED_GAMES, REPORTED_GAMES)
    lost = [rung for rung in one["rungs"] if rung["losses"]]
    elo, interval = _rating(one)
    claims = {n: wilson(share, r4.GAMES) for n, share in r4.BY_PLAYOUTS.items()}
    reported_apart = claims[1][0] > claims[10][1]
    text = (
        f"From the start position it wins {with_interval(one['win_rate'], one['win_interval'], 3)} of its games "
        f"({one['wins']} won, {one['draws']} drawn, {one['losses']} lost). The report's {REPORTED_WINS} of "
        f"{REPORTED_GAMES} stand for {between(reported)}. "
        + (
            f"It loses to {len(lost)} of the {len(one['rungs'])} opponents, the weakest of them on place "
            f"{min(rung['place'] for rung in lost)}. "
            if lost
            else "It loses to none of the opponents. "
        )
        + f"Its rating on the ladder is {with_interval(elo, interval, 0)}. From random openings, many of them lost for "
        f"one side, it scores {score(random)}.",
        f"With 10 playouts a leaf in the same time (ratio of times {ratio(results, 'playouts')}) it wins "
        f"{with_interval(ten['win_rate'], ten['win_interval'], 3)}. The report's {number(r4.BY_PLAYOUTS[1])} and "
        f"{number(r4.BY_PLAYOUTS[10])} of {r4.GAMES} games each stand for {between(claims[1])} and "
        f"{between(claims[10])}, which {'do not overlap' if reported_apart else 'overlap'}; Q3 compares them in games "
        "against each other.",
        "The ladder is this package's, from random moves to perfect play on 7x6, not that of the report's platform; "
        "the shape of the curve over places says more than the total, which depends on who is on the ladder.",
    )
    return Finding(
        conclusion=inside(one["win_interval"], reported),
        headline=f"It wins {number(100 * one['win_rate'], 1)}% against a ladder from random to perfect; the report "
        f"said {REPORTED_WINS}%.",
        rule="The report's ladder is not available, so the question is whether its share of won games carries over to "
        f"this one. Confirmed if our 95% interval lies within that of the report's {REPORTED_WINS} of "
        f"{REPORTED_GAMES}; refuted, which says that the share does not carry over to this ladder and no more, if the "
        "two have nothing in common; else not decided by this run.",
        text=text,
        tables=(_totals(results), _rungs(one, ten, random)),
        pictures=(
            Picture(
                "ladder",
                "Share of the points against each opponent of the ladder, by its rating. From the start position, with "
                "95% intervals (Wilson); the line is what a player of this rating would score by the ladder's scale.",
                lambda canvas: _draw(canvas, one, ten),
            ),
        ),
    )


def _totals(results: Results) -> Table:
    keys = ("1 playout", "10 playouts", "random openings")
    return Table(
        "Against the whole ladder",
        ("run", "player", "won / drawn / lost", "share won (95%)", "score (95%)"),
        tuple(
            (
                key,
                str(results.done[key].settings["first"]),
                wins_draws_losses(results[key]),
                with_interval(results[key]["win_rate"], results[key]["win_interval"], 3),
                score(results[key]),
            )
            for key in keys
        ),
        text_columns=(1,),
    )


def _rungs(*runs: Values) -> Table:
    rows = [
        (str(rungs[0]["place"]), rungs[0]["opponent"], *map(wins_draws_losses, rungs))
        for rungs in zip(*(run["rungs"] for run in runs), strict=True)
    ]
    heads = ("place", "opponent", "1 playout", "10 playouts", "1 playout, random openings")
    return Table("Rung by rung: won / drawn / lost", heads, tuple(reversed(rows)), text_columns=(1,))


def _draw(canvas: Canvas, one: Values, ten: Values) -> None:
    ratings = {rung.spec: rung.rating for rung in ladder(GAME).entries}
    axes = panel(canvas, across="rating of the opponent", up="share of the points")
    elo, _ = _rating(one)
    across = [ratings[rung["opponent"]] for rung in one["rungs"]]
    expected = [1 / (1 + 10 ** ((rating - elo) / 400)) for rating in across]
    axes.plot(across, expected, color=FAINT, linewidth=1.2, label=f"expected of {elo:.0f}", zorder=1)
    for values, colour, marker, label in ((one, COLOURS[0], "o", "1 playout"), (ten, COLOURS[1], "x", "10 playouts")):
        games = [Games(rung["losses"], rung["draws"], rung["wins"]) for rung in values["rungs"]]
        bars = [wilson(one.score, one.total) for one in games]
        shares = [one.score for one in games]
        with_bars(axes, across, shares, bars, label=label, colour=colour, marker=marker, joined=False)
    axes.set_ylim(-0.03, 1.03)
    legend(axes)


EXPERIMENT = Experiment(
    name="R4.1",
    title="A tree search of Connect Four against a ladder",
    question="Does UCT with decisive moves win 96 of 100 games against a ladder of 50 opponents?",
    claim=Claim(
        "R4",
        "UCT with decisive moves, within a time limit, against the 50 programs of its platform, once from each side: "
        f"{REPORTED_WINS} wins, {REPORTED_GAMES - REPORTED_WINS} losses, no draws. One playout for a leaf was better "
        "than ten.",
        Table(
            "Share of games won, as printed",
            ("playouts for a leaf", "won"),
            tuple((str(n), number(share)) for n, share in r4.BY_PLAYOUTS.items()),
        ),
    ),
    tasks=_tasks,
    conclude=_conclude,
)
