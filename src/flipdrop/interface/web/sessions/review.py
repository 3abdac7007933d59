"""The review of a game: what every move cost, from the last to the first, for endings can be proven soonest.

It is shown as a dictionary, which is the view's ``review``:

=============  =========================================================================================================
``moves``      for each move of the record null, or: ``move``, ``by``, ``best`` (the best move's name), ``loss`` (of the
               chance to win, 0 to 1), ``mark`` (``""``, ``?!``, ``?``, ``??``), ``forced``, ``played`` and ``top``:
               the values of the move and of the best one, see `value_display`
``graph``      for each position of the record, the first too, null or -1 .. 1 for the first side
``accuracy``   for ``first`` and ``second``, percent, null if it had no choice
``reviewed``   moves that are done
``total``      moves of the record
``done``       whether all are
``error``    why it ended early, or null; ``error_kind`` is the name of the error's class
=============  =========================================================================================================
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.interface.web.sessions.analysis import describe_move_value
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.interface.web.sessions.value_display import scale_of
from flipdrop.kernel import Side
from flipdrop.search import Minimax, Solver
from flipdrop.search.analysis import best_evaluation
from flipdrop.search.proofs import estimate_solve_seconds, from_book, solution_report

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.games import Position
    from flipdrop.interface.web.config import Limits
    from flipdrop.interface.web.sessions.value_display import WinProbabilityScale
    from flipdrop.search import SearchReport

DEFAULT_SECONDS = 0.25  # for each move
MOST_SECONDS = 3.0
_MARKS = ((0.25, "??"), (0.12, "?"), (0.06, "?!"))
_SEVERITY = 5.0  # a move that gives away a fifth of the chances is describe_value 100 exp(-1) = 37 %


@dataclass
class Reviewer:
    """Reviews one game.

    :param positions: all its positions
    :param moves: its moves, one fewer
    :param seconds: for each of them
    """

    positions: Sequence[Position]
    moves: Sequence[int]
    seconds: float
    limits: Limits

    def __post_init__(self) -> None:
        evaluation = best_evaluation(self.positions[0].game)
        self._scale: WinProbabilityScale = scale_of(evaluation)
        self._search = Minimax(
            evaluation=evaluation, all_moves=True, seconds=self.seconds, table=min(16, self.limits.megabytes)
        )
        self._solver = Solver(moves=True, line=False, seconds=self.seconds, table=self.limits.megabytes)
        self._entries: list[dict[str, Any] | None] = [None] * len(self.moves)
        self._graph: list[float | None] = [None] * len(self.positions)

    def run(self, show: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The review; what is known so far is shown again and again, and `show` may raise to end it."""
        if self.positions[-1].is_over:
            self._graph[-1] = float(self.positions[-1].result or 0)
        for number in range(len(self.moves) - 1, -1, -1):
            show(self.shown())
            self._entries[number] = self._entry(number, lambda _: show(self.shown()))
        return self.shown() | {"done": True}

    def shown(self) -> dict[str, Any]:
        """What is known so far."""
        return {
            "moves": list(self._entries),
            "graph": list(self._graph),
            "accuracy": {name_of_side(side): self._accuracy(name_of_side(side)) for side in Side},
            "reviewed": sum(entry is not None for entry in self._entries),
            "total": len(self.moves),
            "done": False,
            "error": None,
            "error_kind": None,
        }

    def _entry(self, number: int, watch: Callable[[object], object]) -> dict[str, Any]:
        position, move = self.positions[number], self.moves[number]
        report = self._report(position, watch)
        values = {entry.move: entry for entry in report.moves}
        played, best = values[move], values[report.best]
        forced = len(position.legal_moves) == 1
        top, own = (describe_move_value(report, entry, self._scale) for entry in (best, played))
        loss = 0.0 if forced or move == report.best else max(0.0, top["chance"] - own["chance"])
        place = 2 * top["chance"] - 1
        self._graph[number] = round(place if position.to_move == Side.FIRST else -place, 4)
        if self._graph[number + 1] is None:  # the end of a game that was not played out
            place = 2 * own["chance"] - 1
            self._graph[number + 1] = round(place if position.to_move == Side.FIRST else -place, 4)
        return {
            "move": position.move_name(move),
            "by": name_of_side(position.to_move),
            "best": position.move_name(report.best),
            "loss": round(loss, 4),
            "mark": next((mark for least, mark in _MARKS if loss >= least), ""),
            "forced": forced,
            "played": own,
            "top": top,
        }

    def _report(self, position: Position, watch: Callable[[object], object]) -> SearchReport:
        known = from_book(position)
        if known is not None:
            return known
        if 2 * estimate_solve_seconds(position) < self.seconds:
            solution = self._solver.solve(position, progress=watch)
            if solution.proven and solution.exact and len(solution.moves) == len(position.legal_moves):
                return solution_report(solution)
        return self._search.search(position, progress=watch)

    def _accuracy(self, side: str) -> float | None:
        worths = [
            math.exp(-_SEVERITY * entry["loss"])
            for entry in self._entries
            if entry is not None and entry["by"] == side and not entry["forced"]
        ]
        return round(100 * sum(worths) / len(worths), 1) if worths else None
