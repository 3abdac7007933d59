"""What the experiments of report R1 share: its weights of D, its opponent, and the rule for a depth not stated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.experiments.conclusions import side_of
from flipdrop.experiments.experiment import Conclusion
from flipdrop.experiments.tasks import MatchTask

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flipdrop.experiments.experiment import Results, Values

DEPTH = 2
"""How far the minimax players look ahead. The report says "a small depth" of its fitness games, and nothing else."""
DEPTHS = (1, 2, 3)
"""Depths of the opponent of the tree searches, which the report does not state."""
OPPONENT = "D(15,6,-8,-6,4,4)"
BEST_BY_HAND = "D(15,6,-10,-4,8,8)"
START = ("D(5,5,-10,-4,4,4)", "D(15,6,-8,-4,2,2)", "D(13,5,-9,-3,3,3)", "D(15,3,-6,-6,4,2)", "D(10,8,-7,-4,3,5)")

TWO_GAMES = "report, two games"
RULE_OF_DEPTHS = (
    "confirmed if the pooled 95% interval lies above 0.5 at every depth of the opponent, refuted if it lies below at "
    "every depth, else not decided, since the report does not state the depth"
)


def minimax(evaluation: str, depth: int = DEPTH) -> str:
    """The spec of a player of R1: alpha-beta, which has minimax's values and takes less time.

    As in the report's program the evaluation scores every position for the searcher, with the searcher's own moves.
    """
    return f"alphabeta:depth={depth},evaluation={evaluation},perspective=searcher"


def short(vector: str) -> str:
    """``D(15,6,-8,-6,4,4)`` as ``(15,6,−8,−6,4,4)``."""
    return vector.removeprefix("D").replace("-", "−")


def weights(vector: str) -> str:
    """``(15,6,−8,−6,4,4)`` as ``D(15,6,-8,-6,4,4)``."""
    return f"D{vector.replace('−', '-')}"


def against_depths(
    players: Mapping[str, str], depths: Sequence[int], *, games: int, estimate: Mapping[str, float]
) -> list[MatchTask]:
    """Matches of players against minimax of several depths, with openings of their own so that they can be pooled.

    :param players: specs by the names of rows
    :param estimate: seconds of a game by the names of rows
    """
    return [
        MatchTask(
            f"{row} against depth {depth}",
            spec,
            minimax(OPPONENT, depth),
            games=games,
            own_openings=True,
            estimate=estimate[row] * games,
        )
        for depth in depths
        for row, spec in players.items()
    ]


def by_depth(results: Results) -> dict[int, dict[str, Values]]:
    """The matches of `against_depths` by depth and row."""
    found: dict[int, dict[str, Values]] = {}
    for key in results:
        row, depth = key.split(" against depth ")
        found.setdefault(int(depth), {})[row] = results[key]
    return found


def at_every_depth(intervals: Sequence[Sequence[float | None]], boundary: float = 0.5) -> Conclusion:
    """By `RULE_OF_DEPTHS`, of one interval for each depth."""
    sides = {side_of(interval, boundary) for interval in intervals}
    if sides == {1}:
        return Conclusion.CONFIRMED
    return Conclusion.REFUTED if sides == {-1} else Conclusion.UNDECIDED
