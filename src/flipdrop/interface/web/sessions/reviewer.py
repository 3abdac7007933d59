"""Reviews: the cost of every move of a game, from the last to the first, since endings are proven soonest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.interface.web.schemas import ReviewedMove, ReviewSummary, ReviewView
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.interface.web.sessions.view import describe_value
from flipdrop.kernel import Side
from flipdrop.search.review import ReviewSearch, SideSummary

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games.history import GameHistory
    from flipdrop.interface.web.config import Limits
    from flipdrop.interface.web.schemas import ValueView
    from flipdrop.search import review

MAX_REVIEW_SECONDS = 3.0


@dataclass
class Reviewer:
    """Reviews one game.

    :param seconds: for each move
    :param opening: moves at the beginning that no player has chosen: they have values, but no marks and no part in the
        summaries
    """

    history: GameHistory
    seconds: float
    limits: Limits
    opening: int = 0

    def __post_init__(self) -> None:
        self._searches = ReviewSearch(self.history.game, self.seconds, table=self.limits.megabytes)
        self._reviewed: dict[int, review.ReviewedMove] = {}
        self._entries: list[ReviewedMove | None] = [None] * len(self.history)
        self._graph: list[float | None] = [None] * (len(self.history) + 1)
        self._discs: list[float | None] = [None] * (len(self.history) + 1)

    def run(self, show: Callable[[ReviewView], object], _limit: float | None = None) -> ReviewView:
        """Reviews the game; after an interrupted call, the moves that are not reviewed yet.

        :param show: receives intermediate results and may raise to end the review
        """
        if self.history.position.is_over:
            self._graph[-1] = float(self.history.position.result or 0)
            self._discs[-1] = self.history.position.margin
        for number in range(len(self.history) - 1, -1, -1):
            if self._entries[number] is not None:
                continue
            show(self.shown())
            self._entries[number] = self._entry(number, lambda _: show(self.shown()))
        return self.shown().model_copy(update={"done": True})

    def shown(self) -> ReviewView:
        """The results so far."""
        first, second = self._summary(Side.FIRST), self._summary(Side.SECOND)
        return ReviewView(
            moves=list(self._entries),
            graph=list(self._graph),
            discs=list(self._discs),
            accuracy={"first": first.accuracy, "second": second.accuracy},
            summary={"first": _summary_view(first), "second": _summary_view(second)},
            reviewed=sum(entry is not None for entry in self._entries),
            total=len(self.history),
        )

    def _entry(self, number: int, watch: Callable[[object], object]) -> ReviewedMove:
        position, scale = self.history.positions[number], self._searches.scale
        found = self._searches.review_move(self.history, number, progress=watch)
        top, own = describe_value(found.best_value, scale), describe_value(found.value, scale)
        sign = 1 if position.to_move == Side.FIRST else -1
        self._set_graph(number, top, sign)
        if self._graph[number + 1] is None:  # the last position of an unfinished game
            self._set_graph(number + 1, own, sign)
        self._reviewed[number] = found
        return ReviewedMove(
            move=found.move,
            by=name_of_side(position.to_move),
            best=found.best,
            loss=found.loss,
            lost_discs=found.lost_discs,
            mark=found.mark if number >= self.opening else "",
            forced=found.forced,
            played_value=own,
            best_value=top,
            losses=found.losses,
            disc_losses=found.disc_losses,
        )

    def _set_graph(self, ply: int, value: ValueView, sign: int) -> None:
        """Sets the value of a position for the first side.

        :param sign: -1 if `value` is the second side's
        """
        self._graph[ply] = round(sign * (2 * value.win_probability - 1), 4)
        self._discs[ply] = None if value.discs is None else sign * value.discs

    def _summary(self, side: Side) -> SideSummary:
        name = self.history.game.sides[side]
        return SideSummary.of(
            one for number, one in self._reviewed.items() if one.side == name and number >= self.opening
        )


def _summary_view(summary: SideSummary) -> ReviewSummary:
    return ReviewSummary(
        doubtful=summary.inaccuracies,
        mistakes=summary.mistakes,
        blunders=summary.blunders,
        lost_discs=summary.lost_discs,
    )
