"""The engine's part for Connect Four: settings of the kernel's engine, and reports of its analyses.

Values are proven scores, or expected scores from -1 to 1 by the evaluation ``parity``, whose unit is a hundredth of a
logit.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flipdrop.evaluation import evaluation
from flipdrop.kernel import ConnectFourEngine, ConnectFourEngineSettings
from flipdrop.search.report import MoveReport, SearchReport
from flipdrop.search.solver import estimate_solve_seconds
from flipdrop.search.values import encode_score

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.kernel import ConnectFourAnalysis, ConnectFourRankedMove

_LOGIT = 100  # the evaluation's unit is a hundredth of one
_PROOF_SHARE = 0.03  # nodes of the first attempts of proofs for one node of the search
_SOLVE_SHARE = 0.6  # of the limit, for a position that is expected to be solved in less
_NODES_PER_SECOND = 4e6  # of the solver, roughly


def make_connect_four_engine(megabytes: int) -> ConnectFourEngine:
    """The kernel's engine with the default weights of ``parity``."""
    weights = evaluation("parity").weights
    assert weights is not None
    return ConnectFourEngine(megabytes, list(weights.vector))


def connect_four_settings(
    position: Position,
    *,
    depth: int,
    nodes: int | None,
    seconds: float | None,
    threads: int,
    all_moves: bool,
    proofs: bool,
) -> ConnectFourEngineSettings:
    """The kernel's settings; `depth` 0 for no limit."""
    settings = ConnectFourEngineSettings()
    settings.limits.depth = depth
    settings.limits.nodes = nodes or 0
    settings.limits.seconds = seconds or 0.0
    settings.threads = threads
    settings.all_moves = all_moves
    settings.proof_share = _PROOF_SHARE if proofs else 0.0
    time = min(seconds or math.inf, math.inf if nodes is None else nodes / _NODES_PER_SECOND) * threads
    if proofs and math.isfinite(time) and estimate_solve_seconds(position) < _SOLVE_SHARE * time:
        settings.solve_share = _SOLVE_SHARE
    return settings


def connect_four_report(position: Position, found: ConnectFourAnalysis, *, all_moves: bool) -> SearchReport:
    """The analysis as a report.

    A proven score has the number of minimax; a proven win or loss of unknown length is 1 or -1, and a lost move that is
    not the best a bound. All other values are expected scores.

    :param all_moves: whether the search valued every move; if not, a win that it names for another move than the best
        may be the upper bound by which it discarded that move
    """

    def number(entry: ConnectFourRankedMove) -> float:
        if entry.lower == entry.upper:
            return encode_score(position, entry.lower)
        if entry.lower > 0:
            return 1.0
        if entry.upper < 0:
            return encode_score(position, entry.upper)
        return max(-0.999, min(0.999, math.tanh(entry.value / (2 * _LOGIT))))

    best = found.moves[0]

    def has_score(entry: ConnectFourRankedMove) -> bool:
        doubtful = not (all_moves or entry.exact or entry is best) and entry.lower > 0
        return entry.lower == entry.upper and not doubtful

    lost = best.upper < 0 and best.lower < best.upper
    value = -1.0 if lost else number(best)
    return SearchReport(
        position=position,
        best=best.move,
        value=value,
        line=tuple(found.line),
        moves=tuple(
            MoveReport(
                entry.move,
                value if entry is best else number(entry),
                0,
                exact=entry is best or has_score(entry) or (entry.exact and entry.upper >= 0),
                line=tuple(found.line) if entry is best else (),
            )
            for entry in found.moves
        ),
        nodes=found.nodes,
        depth=found.depth,
        seconds=found.seconds,
        proven=found.proven,
        solved=all(map(has_score, found.moves)),
        expected_score=True,
    )
