"""R1.4: weight vectors of D against each other."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from flipdrop.experiments.conclusions import bonferroni_level, by_side, overall, side_of
from flipdrop.experiments.experiment import Claim, Experiment, Finding, Results, Size, Values
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import pooled, score_interval
from flipdrop.experiments.r1 import BEST_BY_HAND, DEPTH, OPPONENT, START, minimax
from flipdrop.experiments.tasks import MatchTask, MeasureTask, Task, TaskContext, play_match
from flipdrop.reporting.figures import Picture
from flipdrop.reporting.formatting import listed, number, with_interval
from flipdrop.reporting.plots import HEAT, INK, Canvas, plain
from flipdrop.reporting.tables import Table

VECTORS = (BEST_BY_HAND, OPPONENT, *START)
GAMES: dict[Size, dict[int, int]] = {"quick": {2: 60}, "full": {2: 2000, 4: 600}}
"""Games of each pair by depth."""
SECONDS = {2: 0.0006, 4: 0.006}  # a game, about


def _key(one: str, two: str, depth: int) -> str:
    return f"{one} against {two} at depth {depth}"


def _tasks(size: Size) -> list[Task]:
    matches: list[Task] = [
        MatchTask(
            _key(one, two, depth),
            minimax(one, depth),
            minimax(two, depth),
            games=games,
            own_openings=True,
            estimate=0.1 + SECONDS[depth] * games,
        )
        for depth, games in GAMES[size].items()
        for one, two in combinations(VECTORS, 2)
    ]
    parameters = {
        "kind": "match",
        "first": "each vector",
        "second": "each other",
        "vectors": list(VECTORS),
        "depth": DEPTH,
        "games": 2,
        "openings": "start",
    }
    return [*matches, MeasureTask("two games", parameters=parameters, measure=_two_games, estimate=0.3)]


def _two_games(task: MeasureTask, context: TaskContext) -> Values:
    """Every pair as the report measured it: two games from the start position."""
    found = {}
    parameters = task.parameters
    for one, two in combinations(parameters["vectors"], 2):
        specs = minimax(one, parameters["depth"]), minimax(two, parameters["depth"])
        match = play_match(
            context, *specs, games=parameters["games"], seed=context.seed, openings=parameters["openings"]
        )
        found[f"{one} {two}"] = match["score"]
    return {"scores": found, "games": parameters["games"] * len(found)}


def _of(results: Results, one: str, two: str, depth: int) -> Values:
    """A match as the first-named sees it."""
    if (key := _key(one, two, depth)) in results.done:
        return results[key]
    values = results[_key(two, one, depth)]
    low, high = values["score_interval"]
    return {
        "games": values["games"],
        "wins": values["losses"],
        "draws": values["draws"],
        "losses": values["wins"],
        "pairs": values["pairs"][::-1],
        "score": 1 - values["score"],
        "score_interval": [1 - high, 1 - low],
        "margin": -values["margin"],
    }


def _against_all(results: Results, vector: str, depth: int) -> Values:
    return pooled([_of(results, vector, other, depth) for other in VECTORS if other != vector])


def _depths(results: Results) -> list[int]:
    return list(GAMES[results.size])


def _name(vector: str) -> str:
    return vector.removeprefix("D").replace("-", "−")


def _conclude(results: Results) -> Finding:
    depths = _depths(results)
    of_best = {depth: _against_all(results, BEST_BY_HAND, depth) for depth in depths}
    matches = [_of(results, BEST_BY_HAND, other, depth) for depth in depths for other in VECTORS[1:]]
    level = bonferroni_level(len(matches))
    sides = [side_of(score_interval(match, level), 0.5) for match in matches]
    conclusion = overall(
        [by_side(match["score_interval"], 0.5) for match in matches],
        [by_side(score_interval(match, level), 0.5) for match in matches],
    )
    rankings = {depth: sorted(VECTORS, key=lambda v: -_against_all(results, v, depth)["score"]) for depth in depths}
    place = {depth: ranking.index(BEST_BY_HAND) + 1 for depth, ranking in rankings.items()}
    loses = sum(side == -1 for side in sides)
    together = listed([f"{score(values, 2)} at depth {depth}" for depth, values in of_best.items()])
    first = depths[0]
    return Finding(
        conclusion=conclusion,
        headline=f"{_name(BEST_BY_HAND)}, the report's best by hand, is number {place[first]} of {len(VECTORS)}: it "
        f"scores {number(of_best[first]['score'])} against the other vectors of the report.",
        rule="The claim is that (15,6,−10,−4,8,8) is the best of the report's vectors. It is confirmed if it beats "
        "every other one (95% interval above 0.5) at every depth, refuted if some other one beats it at some depth "
        f"(one of {len(matches)} suffices, so there the level is {number(100 * level, 2)}%), and else not decided.",
        text=(
            f"Against the other {len(VECTORS) - 1} vectors together {_name(BEST_BY_HAND)} scores {together}. In "
            f"{loses} of its {len(sides)} matches it is beaten beyond doubt. The best at depth {first} is "
            f"{_name(rankings[first][0])} with {score(_against_all(results, rankings[first][0], first), 2)}.",
            _on_two_games(results, first),
            "The report's thirteen pairs are not all known to us, so every two of the seven vectors that it names play "
            "each other.",
        ),
        tables=tuple(_table(results, depth, rankings[depth]) for depth in depths),
        pictures=(
            Picture(
                "vectors",
                "Score of each vector (row) against each other (column); blue wins, red loses. Ordered by the mean "
                f"score at depth {first}.",
                lambda canvas: _draw(canvas, results, rankings[first]),
                (11.0, 4.9) if len(depths) > 1 else (6.5, 4.9),
            ),
        ),
    )


def _on_two_games(results: Results, depth: int) -> str:
    """How often the report's two games name the winner of many."""
    pairs = list(combinations(VECTORS, 2))
    clear = [pair for pair in pairs if side_of(_of(results, *pair, depth)["score_interval"], 0.5)]
    two = results["two games"]["scores"]
    right = sum(
        np.sign(two[" ".join(pair)] - 0.5) == np.sign(_of(results, *pair, depth)["score"] - 0.5) for pair in clear
    )
    undecided = sum(two[" ".join(pair)] == 0.5 for pair in clear)
    return (
        f"Of the {len(pairs)} pairs, {len(clear)} are decided at depth {depth}. The report's way, two games from the "
        f"start position, names the better vector in {right} of these {len(clear)}, the worse one in "
        f"{len(clear) - right - undecided}, and none in {undecided}."
    )


def _table(results: Results, depth: int, ranking: list[str]) -> Table:
    rows = []
    for vector in ranking:
        values = _against_all(results, vector, depth)
        rows.append(
            (
                _name(vector),
                with_interval(values["score"], values["score_interval"], 3),
                with_interval(values["elo"], values["elo_interval"], 0),
                f"{number(32 + values['margin'] / 2, 1)}",
                f"{values['games']:,}",
            )
        )
    return Table(
        f"Each vector (corners, edges, X-squares, open edges, discs, mobility) against the other {len(ranking) - 1}, "
        f"depth {depth}",
        ("weights", "score (95%)", "Elo (95%)", "mean discs", "games"),
        tuple(rows),
    )


def _draw(canvas: Canvas, results: Results, ranking: list[str]) -> None:
    depths = _depths(results)
    names = [_name(vector) for vector in ranking]
    for place, depth in enumerate(depths, 1):
        axes = canvas.add_subplot(1, len(depths), place)
        cells = np.array([[np.nan if a == b else _of(results, a, b, depth)["score"] for b in ranking] for a in ranking])
        axes.imshow(cells, cmap=HEAT, vmin=0, vmax=1, aspect="auto")
        for (row, column), cell in np.ndenumerate(cells):
            if not np.isnan(cell):
                colour = "white" if abs(cell - 0.5) > 0.3 else "#111111"
                axes.text(column, row, f"{cell:.2f}", ha="center", va="center", fontsize=8.5, color=colour)
        plain(axes)
        axes.set_xticks(range(len(names)), names, rotation=35, ha="right", fontsize=8)
        axes.set_yticks(range(len(names)), names if place == 1 else [""] * len(names), fontsize=8)
        axes.set_title(f"depth {depth}", loc="left", color=INK, fontsize=10)


EXPERIMENT = Experiment(
    name="R1.4",
    title="Weight vectors of D against each other",
    question="Which of R1's hand-set weight vectors is the best?",
    claim=Claim(
        "R1",
        "After thirteen pairs of vectors had met with both colours, (15,6,−10,−4,8,8) was named the best version "
        "tuned by hand.",
    ),
    tasks=_tasks,
    conclude=_conclude,
)
