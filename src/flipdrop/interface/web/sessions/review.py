"""The review of a game: the cost of every move, from the last to the first, since endings are proven soonest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.interface.web.schemas import ReviewedMove, ReviewView
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.interface.web.sessions.value_display import describe_value, scale_of
from flipdrop.kernel import Side
from flipdrop.search import Minimax, SearchReport, Solver
from flipdrop.search.analyse import best_evaluation, prove

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.games.history import GameHistory
    from flipdrop.interface.web.config import Limits
    from flipdrop.interface.web.schemas import SideName
    from flipdrop.interface.web.sessions.value_display import WinProbabilityScale

DEFAULT_SECONDS = 0.25  # for each move
MOST_SECONDS = 3.0
_MARKS = ((0.25, "??"), (0.12, "?"), (0.06, "?!"))
_SEVERITY = 5.0  # a move that loses a fifth of the win probability has an accuracy of 100 exp(-1) = 37%


@dataclass
class Reviewer:
    """Reviews one game.

    :param seconds: for each move
    """

    history: GameHistory
    seconds: float
    limits: Limits

    def __post_init__(self) -> None:
        evaluation = best_evaluation(self.history.game)
        self._scale: WinProbabilityScale = scale_of(evaluation)
        self._search = Minimax(
            evaluation=evaluation, all_moves=True, seconds=self.seconds, table=min(16, self.limits.megabytes)
        )
        self._solver = Solver(moves=True, line=False, seconds=self.seconds, table=self.limits.megabytes)
        self._entries: list[ReviewedMove | None] = [None] * len(self.history)
        self._graph: list[float | None] = [None] * (len(self.history) + 1)

    def run(self, show: Callable[[ReviewView], object]) -> ReviewView:
        """Reviews the game. `show` receives intermediate results and may raise to end the review."""
        if self.history.position.is_over:
            self._graph[-1] = float(self.history.position.result or 0)
        for number in range(len(self.history) - 1, -1, -1):
            show(self.shown())
            self._entries[number] = self._entry(number, lambda _: show(self.shown()))
        return self.shown().model_copy(update={"done": True})

    def shown(self) -> ReviewView:
        """The results so far."""
        return ReviewView(
            moves=list(self._entries),
            graph=list(self._graph),
            accuracy={"first": self._accuracy("first"), "second": self._accuracy("second")},
            reviewed=sum(entry is not None for entry in self._entries),
            total=len(self.history),
        )

    def _entry(self, number: int, watch: Callable[[object], object]) -> ReviewedMove:
        position, move = self.history.positions[number], self.history.moves[number]
        report = self._report(position, watch)
        values = {entry.move: entry for entry in report.moves}
        played, best = values[move], values[report.best]
        forced = len(position.legal_moves) == 1
        top, own = (describe_value(report.value_of(entry), self._scale) for entry in (best, played))
        loss = 0.0 if forced or move == report.best else max(0.0, top.win_probability - own.win_probability)
        sign = 1 if position.to_move == Side.FIRST else -1
        self._graph[number] = round(sign * (2 * top.win_probability - 1), 4)
        if self._graph[number + 1] is None:  # the last position of an unfinished game
            self._graph[number + 1] = round(sign * (2 * own.win_probability - 1), 4)
        return ReviewedMove(
            move=position.move_name(move),
            by=name_of_side(position.to_move),
            best=position.move_name(report.best),
            loss=round(loss, 4),
            mark=next((mark for least, mark in _MARKS if loss >= least), ""),
            forced=forced,
            played_value=own,
            best_value=top,
        )

    def _report(self, position: Position, watch: Callable[[object], object]) -> SearchReport:
        solution = prove(self._solver, position, budget=self.seconds / 2, progress=watch)
        if solution is not None and solution.proven and solution.exact:
            return SearchReport.from_solution(solution)
        return self._search.search(position, progress=watch)

    def _accuracy(self, side: SideName) -> float | None:
        shares = [
            math.exp(-_SEVERITY * entry.loss)
            for entry in self._entries
            if entry is not None and entry.by == side and not entry.forced
        ]
        return round(100 * sum(shares) / len(shares), 1) if shares else None
