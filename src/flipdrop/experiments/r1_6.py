"""R1.6: for whom an evaluation scores the leaves of a search: for the searcher, as R1 does, or for the side to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.experiments.conclusions import bonferroni_level, side_of
from flipdrop.experiments.experiment import Conclusion, Finding, Results, Size, declared
from flipdrop.experiments.formatting import score
from flipdrop.experiments.measures import score_interval
from flipdrop.experiments.presentation import ELO, SCORE, table_and_picture
from flipdrop.experiments.r1 import BEST_BY_HAND, OPPONENT, minimax, short
from flipdrop.experiments.tasks import MatchTask
from flipdrop.reporting.formatting import listed, number

if TYPE_CHECKING:
    from flipdrop.experiments.tasks import Task

SEARCHER = "perspective=searcher"
VECTORS = (BEST_BY_HAND, OPPONENT)
GAMES: dict[Size, dict[int, int]] = {
    "quick": {1: 60, 2: 60, 3: 40},
    "full": {1: 2000, 2: 2000, 3: 2000, 4: 600, 5: 600},
}
"""Games by depth."""
SECONDS = {1: 0.0004, 2: 0.0006, 3: 0.0018, 4: 0.007, 5: 0.03}  # a game, about
PLAYOUTS = f"mcts:iterations=200,playout=depth,depth=15,evaluation={OPPONENT},reward=evaluation,solver=no,{SEARCHER}"
"""The tree search of a row of R1.3."""
PLAYOUT_GAMES: dict[Size, int] = {"quick": 40, "full": 1000}
TREE = "tree search with short playouts"


def _key(vector: str, depth: int) -> str:
    return f"{short(vector)}, depth {depth}"


def _tasks(size: Size) -> list[Task]:
    specs = {_key(v, d): (minimax(v, d), n, SECONDS[d]) for v in VECTORS for d, n in GAMES[size].items()}
    specs[TREE] = PLAYOUTS, PLAYOUT_GAMES[size], 0.006
    return [
        MatchTask(key, spec, spec.replace(f",{SEARCHER}", ""), games=games, estimate=seconds * games)
        for key, (spec, games, seconds) in specs.items()
    ]


def _conclude(results: Results) -> Finding:
    odd = [_key(vector, depth) for vector in VECTORS for depth in GAMES[results.size] if depth % 2]
    even = [_key(vector, depth) for vector in VECTORS for depth in GAMES[results.size] if depth % 2 == 0]
    level = bonferroni_level(len(odd))
    sides = {key: side_of(score_interval(results[key], level), 0.5) for key in odd}
    names = {1: "the searcher's way is stronger", -1: "the side to move's way is stronger", 0: "no difference is seen"}
    found = "; ".join(f"{key}: {score(results[key])}, {names[side]}" for key, side in sides.items())
    return Finding(
        conclusion=Conclusion.ANSWERED if 0 not in sides.values() else Conclusion.OPEN,
        headline="At odd depths scoring leaves for the searcher scores "
        + listed([number(results[key]["score"]) for key in odd])
        + " against scoring them for the side to move.",
        rule="Answered, for each depth, if the intervals of all odd depths and both weights exclude 0.5 (each at the "
        f"level {number(100 * level, 2)}%), else still open. Even depths do not count: there both are nearly the same.",
        text=(
            "D counts the moves of one side. After an even number of plies the searcher is to move, so that both ways "
            "count its moves, and differ only where a side had to pass. Scores of R1's way at even depths: "
            + "; ".join(f"{key}: {score(results[key])}" for key in even)
            + f". After an odd number R1 counts the moves that the searcher would have, the usual way those of the "
            f"opponent, as a loss. Scores of R1's way at odd depths: {found}.",
            f"In the tree search of R1.3, with playouts of 15 plies and D's value as reward, R1's way scores "
            f"{score(results[TREE])}.",
        ),
        **table_and_picture(
            "perspective",
            "Leaves scored for the searcher against leaves scored for the side to move",
            "player",
            {key: results[key] for key in results},
            SCORE | ELO,
        ),
    )


EXPERIMENT = declared("R1.6", _tasks, _conclude)
