"""R1.1: weights from the genetic algorithm, by population and generations, against weights set by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flipdrop.arena.seeds import derive_seed
from flipdrop.evaluation import Evaluation, Weights
from flipdrop.experiments.conclusions import RULE_OF_SIDES, bonferroni_level, by_side, in_some_case, overall, side_of
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, Values, declared, printed
from flipdrop.experiments.formatting import discs
from flipdrop.experiments.measures import ReportedGames, mean, mean_score, score_interval, wilson
from flipdrop.experiments.presentation import claims_table, interval_picture, table
from flipdrop.experiments.r1 import DEPTH, OPPONENT, START, minimax
from flipdrop.experiments.tasks import OPENINGS, MeasureTask, Task, TaskContext, play_match
from flipdrop.games import game as game_of
from flipdrop.learning.genetic import TournamentGA, genome
from flipdrop.players.option_types import format_evaluation
from flipdrop.reporting.formatting import between, listed, number, seconds, with_interval

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flipdrop.reporting.figures import Picture
    from flipdrop.reporting.tables import Table

REPORTED = {
    (int(population), int(generations)): ReportedGames.of(*games)
    for row, *games in printed("R1.1")
    for population, generations in [row.removeprefix("p").split("/g")]
}
DIGITS = 4  # of a weight, in the spec of the player that is measured
OPERATORS = "distinct parents, both children, survivors do not breed"  # part of the settings: other ones, other results

STARTS = {"random": (), "given": START}
"""The first population, of which the report says that it was random or given; it is filled up with random vectors."""

# Population: generations at which the best is measured, runs, and games of each measurement. A run of 80 generations
# has been one of 30 and one of 50. The last of the full size is what the report wished for and could not afford.
PLANS: dict[Size, dict[int, tuple[tuple[int, ...], int, int]]] = {
    "quick": {5: ((1, 10), 3, 60), 20: ((1, 10), 3, 60)},
    "full": {
        5: ((1, 5, 10, 20, 30), 12, 400),
        10: ((1, 5, 10, 20, 30, 50), 12, 400),
        20: ((1, 5, 10, 20, 30, 50, 80), 12, 400),
        30: ((1, 10, 30, 80, 150, 300), 3, 2000),
    },
}
LARGEST = 20  # population of the report; a larger one is the wish
SMALLEST, EARLY = 5, 10  # the claim's worst: population and generations
DEEPER = (3, 4)  # depths of the opponent that the last weights of the largest population meet beside `DEPTH`


def _key(population: int, start: str) -> str:
    return f"p{population}, {start} start"


def _tasks(size: Size) -> list[Task]:
    tasks: list[Task] = []
    for start, vectors in STARTS.items():
        for population, (generations, runs, games) in PLANS[size].items():
            if population > LARGEST and start != "random":
                continue
            more = population == LARGEST
            parameters = {
                "kind": "learner",
                "learner": "tournament-ga",
                "population": population,
                "generations": list(generations),
                "runs": runs,
                "start": list(vectors) or "random",
                "depth": DEPTH,
                "first": "alphabeta with the best weights of each run",
                "second": minimax(OPPONENT),
                "deeper": [minimax(OPPONENT, depth) for depth in DEEPER] if more else [],
                "last_against_earlier": more,
                "games": games,
                "openings": OPENINGS,
                "digits": DIGITS,
                "operators": OPERATORS,
                "algorithm": _learner(0, population, DEPTH, vectors).settings,
            }
            matches = (2 * len(generations) + 10) if more else len(generations)
            cost = runs * (0.0002 * population**2 * generations[-1] + 0.0004 * games * matches)
            tasks.append(MeasureTask(_key(population, start), parameters=parameters, measure=_evolve, estimate=cost))
    return tasks


def _learner(seed: int, population: int, depth: int, vectors: Sequence[str], threads: int = 1) -> TournamentGA:
    """The report's algorithm before its first generation; its games search as `minimax` does."""
    game = game_of("othello")
    genes = genome("D", game)
    settings = {"population": population, "depth": depth, "benchmark_every": 0}
    learner = TournamentGA(game, genes, seed=seed, start=genes.vectors_of(vectors), threads=threads, **settings)
    learner.fitness_games.search = replace(learner.fitness_games.search, perspective="searcher")
    return learner


def _evolve(task: MeasureTask, context: TaskContext) -> Values:
    """All runs of a population: the best weights at each of the generations, and what they score."""
    parameters = task.parameters
    vectors = [] if parameters["start"] == "random" else parameters["start"]
    runs: list[Values] = []
    for run in range(parameters["runs"]):
        seed = derive_seed(context.seed, "R1.1", run)
        learner = _learner(seed, parameters["population"], parameters["depth"], vectors, context.threads)
        points: list[Values] = []
        for generation in range(1, parameters["generations"][-1] + 1):
            learner.step()
            context.report_progress(
                (run + generation / parameters["generations"][-1]) / parameters["runs"],
                f"run {run + 1}, {learner.status}",
            )
            if generation in parameters["generations"]:
                points.append({"generation": generation} | _measured(task, context, learner.weights, run))
        last = points[-1]["player"]
        earlier = points[:-1] if parameters["last_against_earlier"] else []
        runs.append(
            {
                "points": points,
                "deeper": [_match(task, context, last, other, run) for other in parameters["deeper"]],
                "earlier": [_match(task, context, last, point["player"], run) for point in earlier],
                "learning_games": learner.games,
            }
        )
    games = sum(match["games"] for run in runs for match in run["points"] + run["deeper"] + run["earlier"])
    return {"runs": runs, "games": games}


def _match(task: MeasureTask, context: TaskContext, first: str, second: str, run: int) -> Values:
    """A match. Every run has openings of its own, so that the spread of the runs holds the luck of the games too."""
    seed = derive_seed(context.seed, "openings", run)
    values = play_match(context, first, second, games=task.parameters["games"], seed=seed)
    kept = ("games", "wins", "draws", "losses", "pairs", "score", "margin")
    sides = {side: values[side]["margin"] for side in ("as_first", "as_second")}
    return {name: values[name] for name in kept} | sides


def _measured(task: MeasureTask, context: TaskContext, weights: Weights, run: int) -> Values:
    """A vector against the report's opponent: from many openings, and in the report's own two games."""
    digits = task.parameters["digits"]
    rounded = Weights(weights.evaluation, [float(f"{weight:.{digits}g}") for weight in weights.vector])
    spec, against = minimax(format_evaluation(Evaluation(rounded))), task.parameters["second"]
    two = play_match(context, spec, against, games=2, seed=context.seed, openings="start")
    margins = [two["as_first"]["margin"], two["as_second"]["margin"]]
    return {"player": spec, "two_games": margins} | _match(task, context, spec, against, run)


Points = dict[int, dict[int, list[Values]]]
"""What all runs measured, by population and generation."""


def _points(results: Results, start: str) -> Points:
    found: Points = {}
    for population, (generations, *_) in PLANS[results.size].items():
        if _key(population, start) in results.done:
            runs = results[_key(population, start)]["runs"]
            found[population] = {
                generation: [run["points"][place] for run in runs] for place, generation in enumerate(generations)
            }
    return found


def _scores(points: list[Values]) -> list[float]:
    return [point["score"] for point in points]


def _conclude(results: Results) -> Finding:
    found = {start: _points(results, start) for start in STARTS}
    last = max(found["random"][LARGEST])
    sentences, conclusions, strict, late_means, early_means = [], [], [], {}, {}
    level = bonferroni_level(2 * len(STARTS))
    for start in STARTS:
        late, early = _scores(found[start][LARGEST][last]), _scores(found[start][SMALLEST][EARLY])
        wins, winning = mean_score(late)
        gains = [one - other for one, other in zip(late, early, strict=True)]
        gain, gaining = mean(gains)
        late_means[start], early_means[start] = wins, mean_score(early)[0]
        conclusions += [by_side(winning, 0.5), by_side(gaining, 0.0)]
        strict += [by_side(mean_score(late, level)[1], 0.5), by_side(mean(gains, level)[1], 0.0)]
        sentences.append(
            f"From a {start} first population the best weights of population {LARGEST} after {last} generations score "
            f"{with_interval(wins, winning)} against `{OPPONENT}`, on average over {len(late)} runs; those of "
            f"population {SMALLEST} after {EARLY} score {with_interval(*mean_score(early))}. The difference is "
            f"{with_interval(gain, gaining)}."
        )
    is_theirs = (LARGEST, last) in REPORTED  # the quick size ends long before
    both = overall(conclusions, strict) if is_theirs else Conclusion.UNDECIDED
    claims = {
        "Small populations and few generations lose to the original weights": _small_populations(found),
        "The weights win at equal depth and lose to the original at a larger depth": _on_deeper(results),
        "The best of the last generation need not be better than earlier ones": _last_generation(results),
        "A given first population converges sooner, but into a local optimum; a random one takes longer and avoids "
        "it": _first_populations(found, is_theirs),
    }
    return Finding(
        conclusion=both,
        headline=f"From a random start p{LARGEST}/g{last} scores {number(late_means['random'])} against the weights "
        f"set by hand, p{SMALLEST}/g{EARLY} {number(early_means['random'])}.",
        rule=f"Two claims: p{LARGEST}/g{last} beats the hand-set weights (mean score over runs above 0.5), and it is "
        f"better than p{SMALLEST}/g{EARLY} (difference above 0). Each is {RULE_OF_SIDES}; both must hold, from a "
        f"random first population and from the given one, at depth {DEPTH}, which the report does not state. One of "
        f"the four suffices to refute it, so there the level is {number(100 * level, 2)}%. Intervals are Student's t "
        "over runs, so they cover the luck of the algorithm and that of the games."
        + ("" if is_theirs else f" The report has no p{LARGEST}/g{last}: this size decides nothing."),
        underpowered="the report's 2 games are too few to decide",
        text=(
            " ".join(sentences),
            _on_two_games([point for start in STARTS for point in found[start][LARGEST][last]]),
            *_largest_population(results, found["random"]),
        ),
        tables=(claims_table(claims), *(_table(start, points) for start, points in found.items())),
        pictures=tuple(_picture(start, points) for start, points in found.items()),
    )


def _small_populations(found: Mapping[str, Points]) -> tuple[Conclusion, str]:
    """Whether the smallest population with the fewest generations loses, from each first population."""
    scores = {start: _scores(points[SMALLEST][EARLY]) for start, points in found.items()}
    level = bonferroni_level(len(scores))
    at_95, strict = (
        [by_side(mean_score(of, one)[1], 0.5, claimed=-1) for of in scores.values()] for one in (0.95, level)
    )
    reason = listed([f"{with_interval(*mean_score(of))} from the {start} one" for start, of in scores.items()])
    return overall(at_95, strict), (
        f"by first population, p{SMALLEST}/g{EARLY} scores {reason}; one of the two suffices to refute it (level "
        f"{number(100 * level, 1)}%)"
    )


def _on_deeper(results: Results) -> tuple[Conclusion, str]:
    """The last weights of the largest population against the original at its own depth and at larger ones."""
    runs = [run for start in STARTS for run in results[_key(LARGEST, start)]["runs"]]
    equal = mean_score([run["points"][-1]["score"] for run in runs])
    deeper = [mean_score([run["deeper"][n]["score"] for run in runs]) for n in range(len(DEEPER))]
    conclusion = overall([by_side(equal[1], 0.5), by_side(deeper[0][1], 0.5, claimed=-1)])
    at = listed(
        [f"{with_interval(*one)} against depth {d}" for d, one in zip((DEPTH, *DEEPER), (equal, *deeper), strict=True)]
    )
    return conclusion, f"at depth {DEPTH} they score {at}, over {len(runs)} runs; depth {DEEPER[0]} decides"


def _last_generation(results: Results) -> tuple[Conclusion, str]:
    """Whether in some run the best of an earlier generation beats that of the last."""
    runs = [run for start in STARTS for run in results[_key(LARGEST, start)]["runs"]]
    matches = [match for run in runs for match in run["earlier"]]
    level = bonferroni_level(len(matches))
    sides = [side_of(score_interval(match, level), 0.5) for match in matches]
    worse = sum(any(match["score"] < 0.5 for match in run["earlier"]) for run in runs)
    return in_some_case(sides, claimed=-1), (
        f"in {sides.count(-1)} of {len(matches)} matches the best of an earlier generation beats that of the last "
        f"beyond doubt (level {number(100 * level, 2)}%), in {sides.count(1)} it loses; in {worse} of {len(runs)} runs "
        "it scores more than 0.5 in one of them"
    )


def _first_populations(found: Mapping[str, Points], is_theirs: bool) -> tuple[Conclusion, str]:
    """Whether the given first population is ahead early, and the random one in the end."""
    last = max(found["random"][LARGEST])

    def lead(ahead: str, behind: str, generation: int) -> tuple[float, tuple[float | None, float | None]]:
        both = (_scores(found[start][LARGEST][generation]) for start in (ahead, behind))
        return mean([one - other for one, other in zip(*both, strict=True)])

    sooner, later = lead("given", "random", EARLY), lead("random", "given", last)
    parts = [by_side(interval, 0.0) for _, interval in (sooner, later)]
    return overall(parts) if is_theirs else Conclusion.UNDECIDED, (
        f"with p{LARGEST} the given one is ahead by {with_interval(*sooner)} after {EARLY} generations, the random one "
        f"by {with_interval(*later)} after {last}"
    )


def _on_two_games(points: list[Values]) -> str:
    """What the report's way of measuring says of the last weights of the largest population."""
    swept = sum(min(point["two_games"]) > 0 for point in points)
    lost = sum(max(point["two_games"]) < 0 for point in points)
    scores = _scores(points)
    return (
        "The report measured each vector by two games from the start position, which players without chance repeat "
        f"exactly. Even two wins leave a score from {between(wilson(1.0, 2))} possible: of our {len(points)} last "
        f"vectors of p{LARGEST}, {swept} win both of these games and {lost} lose both, while their scores over "
        f"{points[0]['games']:,} games lie between {number(min(scores))} and {number(max(scores))}."
    )


def _largest_population(results: Results, found: Points) -> list[str]:
    """What became of the run that the report could not afford, if it was made."""
    wish = max(found)
    if wish == LARGEST:
        return []
    done = results.done[_key(wish, "random")]
    last, games = max(found[wish]), [run["learning_games"] for run in done.values["runs"]]
    return [
        "The report wished for a population of 30 to 50 and hundreds of generations, and expected at least a week. "
        f"A population of {wish} and {last} generations score "
        f"{with_interval(*mean_score(_scores(found[wish][last])))}, over {len(games)} runs of "
        f"{sum(games) / len(games):,.0f} games, {seconds(done.seconds / len(games))} each."
    ]


def _table(start: str, found: Points) -> Table:
    def mean_discs(points: list[Values]) -> str:
        means = [sum(point[side] for point in points) / len(points) for side in ("as_first", "as_second")]
        return ", ".join(discs({"margin": margin}) for margin in means)

    def swept(points: list[Values]) -> str:
        return f"{sum(min(point['two_games']) > 0 for point in points)} of {len(points)}"

    return table(
        f"Best weights against the hand-set ones, {start} first population; discs as first and as second player",
        "",
        {(population, generation): points for population, of in found.items() for generation, points in of.items()},
        {
            "report": REPORTED,
            "mean discs": mean_discs,
            "score (95%)": lambda points: with_interval(*mean_score(_scores(points))),
            "runs × games": lambda points: f"{len(points)} × {points[0]['games']:,}",
            "win the report's two games": swept,
        },
        lambda row: f"p{row[0]}/g{row[1]}",
    )


def _picture(start: str, found: Points) -> Picture:
    def mean_discs(points: list[Values]) -> Values:
        value, interval = mean([32 + point["margin"] / 2 for point in points])
        return {"discs": value, "discs_interval": interval}

    printed_discs: dict[str, dict[int, float]] = {}
    for (population, generation), games in REPORTED.items():
        if generation in found.get(population, {}):
            discs_of_two = sum(mine for mine, _ in games.discs) / 2
            printed_discs.setdefault(f"population {population}", {})[generation] = discs_of_two
    return interval_picture(
        f"generations-{start}",
        f"Mean discs of the best weights against the hand-set ones over generations, {start} first population, with "
        "95% intervals over runs. Diamonds are the report's means of two games.",
        {f"population {n}": {generation: mean_discs(of) for generation, of in found[n].items()} for n in found},
        place_label="generations",
        value_label="mean discs of 64",
        value="discs",
        even_at=(32,),
        limits=None,
        reported=printed_discs,
        log=True,
    )


EXPERIMENT = declared("R1.1", _tasks, _conclude)
