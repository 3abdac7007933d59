"""Q7: which evaluation is the best at equal time: A, B, C, D, Seven or a pattern network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.experiments.conclusions import bonferroni_level, by_side, overall
from flipdrop.experiments.equal_time import FAIR, RULE_OF_TIME, farthest, favours, ratio
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.presentation import claims_table, table
from flipdrop.experiments.tournaments import (
    RATING,
    cross_table,
    finite_interval,
    match_key,
    matches_between,
    ratings,
    ratings_picture,
    round_robin,
    timings_against,
)
from flipdrop.reporting.formatting import listed, number, with_interval

if TYPE_CHECKING:
    from flipdrop.experiments.tasks import Task

# Nodes for a move that take the same time: what a node costs is mostly its evaluation.
NODES = {"A": 28_000, "B": 24_800, "B@positive": 25_500, "C": 22_300, "D": 24_200, "Seven": 20_000, "patterns": 14_800}
REFERENCE = "Seven"  # whose time the others' is compared with
MEANINGS = {
    "A": "A: discs",
    "B": "B: R2's squares",
    "B@positive": "B: R3's squares",
    "C": "C",
    "D": "D",
    "Seven": "Seven",
    "patterns": "pattern network",
}
SHARE: dict[Size, float] = {"quick": 0.1, "full": 1.0}  # of the nodes above
GAMES: dict[Size, int] = {"quick": 4, "full": 120}
PAIRS: dict[Size, int] = {"quick": 1, "full": 5}


def _players(size: Size) -> dict[str, str]:
    return {
        MEANINGS[name]: f"iterative:nodes={round(SHARE[size] * nodes)},evaluation={name}"
        for name, nodes in NODES.items()
    }


def _tasks(size: Size) -> list[Task]:
    players = _players(size)
    estimate = 0.35 * PAIRS[size] * SHARE[size]
    return [
        *round_robin(players, games=GAMES[size], estimate=0.078 * SHARE[size]),
        *timings_against(MEANINGS[REFERENCE], players, pairs=PAIRS[size], estimate=estimate),
    ]


def _d_against_others(results: Results) -> tuple[Conclusion, str]:
    """Whether R1's D beats each of its other evaluations."""
    others = [MEANINGS[name] for name in ("A", "B", "C")]
    matches = [results[match_key(other, MEANINGS["D"])] for other in others]
    level = bonferroni_level(len(matches))
    scores = listed([f"{score(match)} by {other}" for match, other in zip(matches, others, strict=True)])
    conclusion = overall(
        [by_side(match["score_interval"], 0.5, claimed=-1) for match in matches],
        [by_side(score_interval(match, level), 0.5, claimed=-1) for match in matches],
    )
    return conclusion, (
        f"the scores against it are {scores}; confirmed if all lie below 0.5, refuted if one lies above (level "
        f"{number(100 * level, 2)}%). R1 does not print its square table"
    )


def _conclude(results: Results) -> Finding:
    names = list(MEANINGS.values())
    found = ratings(matches_between(results, names))
    order = [rating.name for rating in found.players]
    best, second = order[:2]
    lead = found.difference(best, second)
    level = bonferroni_level(len(names) - 1)
    is_clear = ratings(matches_between(results, names), level=level).difference(best, second).interval[0] > 0
    timed = [name for name in names if name != MEANINGS[REFERENCE]]
    text = (
        f"The best is {best}, {with_interval(lead.elo, finite_interval(lead.interval), 0)} Elo ahead of "
        f"{second}. "
        f"The order is {listed(order)}; from last to first it is {number(found[best].elo - found[order[-1]].elo, 0)} "
        "Elo.",
        "All search alike, by iterative deepening with a table, and differ in nothing but the evaluation and in the "
        "nodes that they can afford: "
        + listed([f"{NODES[name]:,} with {meaning}" for name, meaning in MEANINGS.items()])
        + (" (a tenth of that here)" if results.size == "quick" else "")
        + f". Of the times of a move divided by that of {REFERENCE}, the one farthest from 1 is "
        f"{number(farthest(results, timed))} (up to {number(FAIR)} counts as equal).",
    )
    is_favoured = best in timed and favours(results, best) > 0
    return Finding(
        conclusion=Conclusion.ANSWERED if is_clear and not is_favoured else Conclusion.OPEN,
        headline=f"The best evaluation at equal time is {best}, {number(lead.elo, 0)} Elo ahead of {second}.",
        rule="Answered if the interval of the best one's lead over the second lies above 0, else still open. Any of "
        f"the others might be the best, so its level is {number(100 * level, 2)}%. {RULE_OF_TIME}.",
        text=text,
        tables=(
            claims_table({"D has a clear advantage over R1's A, B and C": _d_against_others(results)}),
            table(
                "Round robin at equal time",
                "evaluation",
                {rating.name: rating for rating in found.players},
                {"player": _players(results.size)}
                | RATING
                | {f"time of a move / {REFERENCE}'s (95%)": {name: ratio(results, name) for name in timed}},
            ),
            cross_table("Score of the row against the column", results, order),
        ),
        pictures=(ratings_picture("evaluations", "Elo at equal time, their mean at 0, with 95% intervals.", found),),
    )


EXPERIMENT = declared("Q7", _tasks, _conclude)
