"""Live analyses of the boards of sessions, and reviews of their records."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from flipdrop.errors import FlipdropError
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.interface.web.schemas import AnalysisView, ReviewView
from flipdrop.interface.web.sessions.analysis import DEFAULT_SECONDS, METHODS, AnalysisSettings, analyse
from flipdrop.interface.web.sessions.errors import OutOfRange, SessionError, TooBusy, error_info
from flipdrop.interface.web.sessions.review import DEFAULT_SECONDS as REVIEW_SECONDS
from flipdrop.interface.web.sessions.review import MOST_SECONDS as MOST_REVIEW_SECONDS
from flipdrop.interface.web.sessions.review import Reviewer
from flipdrop.interface.web.validation import parse_evaluation, parse_player
from flipdrop.search.book import shipped_book

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.sessions.search_queue import SearchQueue, SearchTask
    from flipdrop.interface.web.sessions.session import Session

_INTERVAL = 0.12  # s between two pictures of an analysis
_log = logging.getLogger(__name__)

V = TypeVar("V", AnalysisView, ReviewView)


@dataclass
class _LiveAnalysis:
    """An analysis that is turned on, and the position that it is about now."""

    settings: AnalysisSettings
    position: Position | None = None
    task: SearchTask | None = None


def preload(_: object) -> None:
    """Reads the networks and the opening book, which then stay in memory."""
    evaluation_of("patterns")
    shipped_book()


class AnalysisService:
    """The analyses and reviews of all sessions."""

    def __init__(
        self, search_queue: SearchQueue, config: ServerConfig, *, post: Callable[[Callable[[], object]], object]
    ) -> None:
        self._queue = search_queue
        self._config = config
        self._limits = config.limits
        self._post = post
        self._live: dict[str, _LiveAnalysis] = {}
        self._reviews: dict[str, tuple[SearchTask, tuple[int, ...]]] = {}

    def start(
        self,
        session: Session,
        method: str = "search",
        *,
        evaluation: str | None = None,
        seconds: float | None = None,
    ) -> None:
        """Turns the analysis of a session on, or changes how it is done."""
        session.check_alive()
        if method not in METHODS:
            parse_player(method, session.game, self._config)
        if seconds is not None and not 0 < seconds <= self._limits.seconds:
            raise OutOfRange(f"{seconds!r} seconds; an analysis takes up to {self._limits.seconds:g}")
        shown = parse_evaluation(evaluation, session.game)
        self._cancel(session)
        self._live[session.id] = _LiveAnalysis(AnalysisSettings(method, shown, seconds or DEFAULT_SECONDS))
        self.sync(session)

    def stop(self, session: Session) -> None:
        """Turns the analysis off and ends a review. A complete review stays in view."""
        if session.id in self._live:
            self._cancel(session)
            session.set_analysis(None)
        review = self._reviews.pop(session.id, None)
        if review is not None:
            review[0].cancel()
            if session.review is not None and not session.review.done:
                session.set_review(None)

    def sync(self, session: Session) -> None:
        """Restarts the analysis if the board has changed, and ends the review if the record has."""
        review = self._reviews.get(session.id)
        if review is not None and review[1] != session.moves:
            review[0].cancel()
            del self._reviews[session.id]
            session.set_review(None)
        live = self._live.get(session.id)
        if live is None or live.position == session.position:
            return
        if live.task is not None:
            live.task.cancel()
        settings, position = live.settings, session.position
        if settings.evaluation is not None and not settings.evaluation.supports(session.game):
            live.settings = settings = replace(settings, evaluation=None)
        live.position = position
        live.task = self._submit(
            session,
            lambda show: analyse(position, settings, self._config, show),
            AnalysisView(method=settings.method, position=position.board),
            session.set_analysis,
        )

    def review(self, session: Session, *, seconds: float | None = None) -> None:
        """Reviews the record of a session."""
        session.check_alive()
        if not session.moves:
            raise SessionError("there is no move to review")
        if seconds is not None and not 0 < seconds <= MOST_REVIEW_SECONDS:
            raise OutOfRange(f"{seconds!r} seconds for each move; a review takes up to {MOST_REVIEW_SECONDS:g}")
        before = self._reviews.pop(session.id, None)
        if before is not None:
            before[0].cancel()
        reviewer = Reviewer(session.history, seconds or REVIEW_SECONDS, self._limits)
        task = self._submit(session, reviewer.run, reviewer.shown(), session.set_review)
        if task is not None:
            self._reviews[session.id] = task, session.moves

    def _cancel(self, session: Session) -> None:
        live = self._live.pop(session.id, None)
        if live is not None and live.task is not None:
            live.task.cancel()

    def _submit(
        self,
        session: Session,
        work: Callable[[Callable[[V], object]], V],
        blank: V,
        publish: Callable[[V], object],
    ) -> SearchTask | None:
        """Queues a search whose intermediate results are published at most every `_INTERVAL` seconds."""
        what = "analysis" if isinstance(blank, AnalysisView) else "review"

        def search(task: SearchTask) -> V:
            shown_at = 0.0

            def show(known: V) -> None:
                nonlocal shown_at
                task.check()
                now = time.monotonic()
                if now - shown_at >= _INTERVAL:
                    shown_at = now
                    self._post(lambda: None if task.is_cancelled else publish(known))

            return work(show)

        def failed(error: Exception) -> V:
            info = error_info(error, f"the {what} failed; see the log")
            return blank.model_copy(update={"done": True, "error": info})

        def done(result: V, error: Exception | None) -> None:
            if error is not None and not isinstance(error, FlipdropError):
                _log.error("the %s of session %s failed", what, session.id, exc_info=error)
            publish(result if error is None else failed(error))

        try:
            task = self._queue.submit(f"{session.id}/{what}", search, on_done=done, low_priority=True)
        except TooBusy as error:
            publish(failed(error))
            return None
        publish(blank)
        return task
