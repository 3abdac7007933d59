"""R5.1: a depth-4 search with weights from R5's genetic algorithm, or set by hand, against random play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.evaluation import Evaluation
from flipdrop.experiments.experiment import Claim, Experiment, Finding, Picture, Table, Verdict
from flipdrop.experiments.parts import MatchPart, MeasuredPart
from flipdrop.experiments.plots import COLOURS, legend, panel, with_bars
from flipdrop.experiments.words import between, listed, number, score, wilson, wins_draws_losses
from flipdrop.games import game as game_of
from flipdrop.learning.genetic import PositionsGA, genome
from flipdrop.players.evaluations import write_evaluation

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

    from flipdrop.experiments.experiment import Results, Size, Values
    from flipdrop.experiments.parts import Part, Work

GENETIC, BY_HAND = "genetic", "by hand"
REPORTED = {GENETIC: {10: 0.8, 20: 0.85, 100: 0.79}, BY_HAND: {10: 1.0, 20: 0.85, 100: 0.75}}
LARGEST = 100
EQUAL = "Seven(1/1/1/1/1/1/1)"
"""Instead of the report's weights by hand, which it does not print."""
DEPTH = 4
SHALLOW = (1, 2)
POSITIONS, GENERATIONS = 20, 30
GAMES: dict[Size, int] = {"quick": 60, "full": 3000}
RUNS: dict[Size, int] = {"quick": 1, "full": 3}


def _player(evaluation: str, depth: int = DEPTH) -> str:
    return f"alphabeta:depth={depth},evaluation={evaluation}"


def _parts(size: Size, seed: int) -> list[Part]:
    games = GAMES[size]

    def against_random(key: str, first: str, needs: dict[str, Part] | None = None) -> MatchPart:
        return MatchPart(
            key=key,
            first=first,
            second="random",
            games=games,
            openings="start",
            seed=seed,
            estimate=0.0017 * games,
            needs=needs or {},
        )

    parts: list[Part] = [
        against_random(GENETIC, _player("Seven.R5")),
        against_random(BY_HAND, _player(EQUAL)),
        *(against_random(f"{GENETIC}, depth {depth}", _player("Seven.R5", depth)) for depth in SHALLOW),
        MatchPart(
            key="each other",
            first=_player("Seven.R5"),
            second=_player(EQUAL),
            games=games,
            seed=seed,
            estimate=0.003 * games,
        ),
    ]
    for run in range(RUNS[size]):
        asked = {"kind": "genetic algorithm of R5", "run": run, "positions": POSITIONS, "generations": GENERATIONS}
        evolved = MeasuredPart(key=f"run {run + 1}", seed=seed, asked=asked, measure=evolve, estimate=2)
        parts += [evolved, against_random(f"weights of run {run + 1}", _player("{ga[weights]}"), {"ga": evolved})]
    return parts


def evolve(part: MeasuredPart, work: Work) -> Values:
    """The report's algorithm: 30 generations on each of 20 positions from random play, and the mean of the winners."""
    game = game_of("othello")
    learner = PositionsGA(
        game,
        genome("Seven", game),
        generations=part.asked["generations"],
        seed=part.seed + part.asked["run"],
        every=0,
        threads=work.threads,
    )
    for position in range(part.asked["positions"]):
        learner.step()
        work.tell((position + 1) / part.asked["positions"], learner.doing[:60])
    return {"weights": write_evaluation(Evaluation(learner.weights)), "genes": learner.genes}


def _conclude(results: Results) -> Finding:
    ours = {GENETIC: results[GENETIC], BY_HAND: results[BY_HAND]}
    theirs = {name: wilson(shares[LARGEST], LARGEST) for name, shares in REPORTED.items()}
    far = {
        name: values["score_interval"][0] > theirs[name][1] or values["score_interval"][1] < theirs[name][0]
        for name, values in ours.items()
    }
    runs = {key: results[key] for key in results if key.startswith("weights of run")}
    direct = results["each other"]
    better = {1: "the genetic weights are better", -1: "equal weights are better", 0: "neither is seen to be better"}
    side = (direct["score_interval"][0] > 0.5) - (direct["score_interval"][1] < 0.5)
    shallow = listed([f"{score(results[f'{GENETIC}, depth {depth}'])} at depth {depth}" for depth in SHALLOW])
    fresh = listed([score(values) for values in runs.values()])
    text = (
        f"Against random moves depth {DEPTH} scores {score(ours[GENETIC])} with the report's genetic weights and "
        f"{score(ours[BY_HAND])} with all seven weights equal. The report's {LARGEST} games say "
        f"{between(theirs[GENETIC])} and {between(theirs[BY_HAND])}, 95% intervals. "
        + (
            "A program that searches 4 plies with these terms does not lose every fifth game to random moves: the "
            "report's must have done something else. "
            if all(far.values())
            else ""
        )
        + f"Even a shallow search does better than the report's: {shallow}.",
        f"The algorithm run anew, {POSITIONS} positions of {GENERATIONS} generations, leads to scores of {fresh}. "
        f"Against each other at depth {DEPTH}, the report's weights score {score(direct)} against equal ones: "
        f"{better[side]}. Random moves are an opponent against whom such a difference cannot be seen.",
    )
    return Finding(
        verdict=Verdict.REFUTED if any(far.values()) else Verdict.CONFIRMED,
        headline=f"Depth {DEPTH} with R5's weights scores {number(ours[GENETIC]['score'], 3)} against random moves, "
        f"not {number(REPORTED[GENETIC][LARGEST])}.",
        rule=f"Refuted if one of the two 95% intervals of the score lies outside of what the report's {LARGEST} games "
        "leave open (Wilson's interval), confirmed if both overlap with it.",
        text=text,
        tables=(_table(results),),
        pictures=(
            Picture(
                "random",
                "Score against random moves: the report's games with Wilson's intervals, and ours.",
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
        words=(1, 2),
    )


def _draw(canvas: Canvas, results: Results) -> None:
    axes = panel(canvas, across="", up="score against random moves")
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
        ours = results[name]
        at = [len(shares) + 0.16 * (2 * place - 1)]
        with_bars(
            axes, at, [ours["score"]], [ours["score_interval"]], label=f"here, {name}", colour=colour, joined=False
        )
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
    parts=_parts,
    conclude=_conclude,
)
