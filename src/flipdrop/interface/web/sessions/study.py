"""Studies: the analyses and reviews that sessions show, kept up with what is on their boards."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from flipdrop.errors import FlipdropError
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.interface.web.sessions.analysis import DEFAULT_SECONDS, METHODS, Question, analyse, nothing_known
from flipdrop.interface.web.sessions.entrance import read_evaluation, read_seat
from flipdrop.interface.web.sessions.errors import OutOfRange, SessionError, TooBusy, Trouble
from flipdrop.interface.web.sessions.review import DEFAULT_SECONDS as REVIEW_SECONDS
from flipdrop.interface.web.sessions.review import MOST_SECONDS as MOST_REVIEW_SECONDS
from flipdrop.interface.web.sessions.review import Reviewer
from flipdrop.search.book import shipped_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.evaluation import Evaluation
    from flipdrop.games import Position
    from flipdrop.interface.web.sessions.searching import Searching, Ticket
    from flipdrop.interface.web.sessions.session import Session
    from flipdrop.interface.web.sessions.settings import Settings

_INTERVAL = 0.12  # s between two pictures of an analysis
_log = logging.getLogger(__name__)


@dataclass
class _Study:
    """An analysis that is on, and the position that it is about now."""

    method: str
    evaluation: Evaluation | None
    seconds: float
    position: Position | None = None
    ticket: Ticket | None = None


def read_ahead(_: object) -> None:
    """Reads the networks and the opening book, which then stay in memory."""
    evaluation_of("patterns")
    shipped_book()


class Studies:
    """The analyses and reviews of all sessions."""

    def __init__(
        self, searching: Searching, settings: Settings, *, deliver: Callable[[Callable[[], object]], object]
    ) -> None:
        self._searching = searching
        self._settings = settings
        self._limits = settings.limits
        self._deliver = deliver
        self._studies: dict[str, _Study] = {}
        self._reviews: dict[str, tuple[Ticket, list[int]]] = {}

    def start(self, session: Session, method: str, *, evaluation: str | None, seconds: float | None) -> None:
        """Turns the analysis of a session on, or changes how it is done."""
        session.refuse_if_forgotten()
        if method not in METHODS:
            read_seat(method, session.game, self._limits, allow_code=self._settings.allow_code)
        if seconds is not None and not 0 < seconds <= self._limits.seconds:
            raise OutOfRange(f"{seconds!r} seconds; an analysis takes up to {self._limits.seconds:g}")
        study = _Study(method, read_evaluation(evaluation, session.game), seconds or DEFAULT_SECONDS)
        self._cancel(session)
        self._studies[session.id] = study
        self.follow(session)

    def stop(self, session: Session) -> None:
        """Turns it off, and ends a review. A review that was complete stays; one that never will be is not shown."""
        hidden: dict[str, None] = {}
        if session.id in self._studies:
            hidden["analysis"] = None
        self._cancel(session)
        review = self._reviews.pop(session.id, None)
        if review is not None:
            review[0].cancel()
            if session.review is not None and not session.review["done"]:
                hidden["review"] = None
        if hidden:
            session.show(**hidden)

    def follow(self, session: Session) -> None:
        """Analyses what is on the board, if that has changed; ends the review of a record that has."""
        review = self._reviews.get(session.id)
        if review is not None and review[1] != session.moves:
            review[0].cancel()
            del self._reviews[session.id]
            session.review = None
        study = self._studies.get(session.id)
        if study is None or study.position == session.position:
            return
        if study.ticket is not None:
            study.ticket.cancel()
        if study.evaluation is not None and not study.evaluation.supports(session.game):
            study.evaluation = None
        study.position = session.position
        question = Question(
            position=session.position,
            method=study.method,
            evaluation=study.evaluation,
            seconds=study.seconds,
            limits=self._limits,
            allow_code=self._settings.allow_code,
        )
        study.ticket = self._submit(session, "analysis", lambda show: analyse(question, show), self._blank(question))

    def review(self, session: Session, *, seconds: float | None) -> None:
        """Reviews the record of a session."""
        session.refuse_if_forgotten()
        if not session.moves:
            raise SessionError("there is no move to review")
        if seconds is not None and not 0 < seconds <= MOST_REVIEW_SECONDS:
            raise OutOfRange(f"{seconds!r} seconds for each move; a review takes up to {MOST_REVIEW_SECONDS:g}")
        before = self._reviews.pop(session.id, None)
        if before is not None:
            before[0].cancel()
        reviewer = Reviewer(list(session.line), list(session.moves), seconds or REVIEW_SECONDS, self._limits)
        moves = list(session.moves)
        ticket = self._submit(session, "review", reviewer.run, reviewer.shown())
        if ticket is not None:
            self._reviews[session.id] = ticket, moves

    def _blank(self, question: Question) -> dict[str, Any]:
        blank = {"method": question.method, "position": question.position.board, "evaluation": None}
        return blank | nothing_known()

    def _cancel(self, session: Session) -> None:
        study = self._studies.pop(session.id, None)
        if study is not None and study.ticket is not None:
            study.ticket.cancel()

    def _submit(
        self,
        session: Session,
        what: str,
        work: Callable[[Callable[[dict[str, Any]], object]], dict[str, Any]],
        blank: dict[str, Any],
    ) -> Ticket | None:
        """Asks for a search whose pictures go to the session, not more often than anybody can see."""

        def searched(ticket: Ticket) -> dict[str, Any]:
            shown_at = 0.0

            def show(known: dict[str, Any]) -> None:
                nonlocal shown_at
                ticket.check()
                now = time.monotonic()
                if now - shown_at >= _INTERVAL:
                    shown_at = now
                    self._deliver(partial(self._show, ticket, session, what, known))

            return work(show)

        def done(result: dict[str, Any] | None, error: Exception | None) -> None:
            if error is not None:
                if not isinstance(error, FlipdropError):
                    _log.error("the %s of session %s failed", what, session.id, exc_info=error)
                result = blank | {"done": True} | Trouble.of(error, f"the {what} failed; see the log").to_json()
            session.show(**{what: result})

        try:
            ticket = self._searching.submit(f"{session.id}/{what}", searched, done=done, lasting=True)
        except TooBusy as error:
            session.show(**{what: blank | {"done": True} | Trouble.of(error, "").to_json()})
            return None
        session.show(**{what: blank})
        return ticket

    @staticmethod
    def _show(ticket: Ticket, session: Session, what: str, known: dict[str, Any]) -> None:
        if not ticket.is_cancelled:
            session.show(**{what: known})
