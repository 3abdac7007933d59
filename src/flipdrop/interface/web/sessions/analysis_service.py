"""Live analyses of the boards of sessions, and reviews of their records."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from flipdrop.errors import FlipdropError
from flipdrop.evaluation import evaluation as evaluation_of
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.interface.web.schemas import AnalysisView, ReviewView
from flipdrop.interface.web.sessions.analysis import (
    DEFAULT_SECONDS,
    MAX_DEPTH,
    MAX_LINES,
    METHODS,
    AnalysisSettings,
    IdleAnalyses,
    PositionAnalysis,
)
from flipdrop.interface.web.sessions.errors import OutOfRange, SessionError, TooBusy, error_info
from flipdrop.interface.web.sessions.reviewer import MAX_REVIEW_SECONDS, Reviewer
from flipdrop.interface.web.validation import parse_evaluation, parse_player
from flipdrop.search.book import shipped_book
from flipdrop.search.review import REVIEW_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.sessions.search_queue import SearchQueue, SearchTask
    from flipdrop.interface.web.sessions.session import Session

_MAX_TABLES = 8  # of analyses that wait for their next round
_INTERVAL = 0.12  # s between two intermediate results
_log = logging.getLogger(__name__)

V = TypeVar("V", AnalysisView, ReviewView)


@dataclass
class _LiveAnalysis:
    """An analysis that is turned on, and that of the position on the board now."""

    settings: AnalysisSettings
    current: PositionAnalysis | None = None
    task: SearchTask | None = None


def preload(_: object) -> None:
    """Reads the networks and the opening books, which then stay in memory."""
    evaluation_of("patterns")
    for game in (OthelloGame(), ConnectFourGame()):
        shipped_book(game)


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
        self._idle = IdleAnalyses(_MAX_TABLES)
        self._reviews: dict[str, tuple[SearchTask, tuple[int, ...]]] = {}

    def start(
        self,
        session: Session,
        method: str = "search",
        *,
        evaluation: str | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        threads: int = 1,
        lines: int = 1,
        infinite: bool = False,
    ) -> None:
        """Turns the analysis of a session on, or changes how it is done; see `AnalysisSettings`."""
        session.check_alive()
        if method not in METHODS:
            parse_player(method, session.game, self._config)
        if seconds is not None and not 0 < seconds <= self._limits.seconds:
            raise OutOfRange(f"{seconds!r} seconds; an analysis takes up to {self._limits.seconds:g}")
        for name, value, most in (
            ("depth", depth, MAX_DEPTH),
            ("threads", threads, self._limits.threads),
            ("lines", lines, MAX_LINES),
        ):
            if value is not None and not 1 <= value <= most:
                raise OutOfRange(f"{name} {value}; it is 1 to {most}")
        shown = parse_evaluation(evaluation, session.game)
        self._cancel(session)
        self._live[session.id] = _LiveAnalysis(
            AnalysisSettings(method, shown, seconds or DEFAULT_SECONDS, depth, threads, lines, infinite)
        )
        self.sync(session)

    def go_deeper(self, session: Session) -> None:
        """Starts another round of the analysis of the board, unless one runs or everything is proven."""
        session.check_alive()
        live = self._live.get(session.id)
        if live is not None and live.current is not None and live.task is None and not live.current.is_complete:
            self._search(session, live)

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
        if review is not None and review[1] != session.game_history.moves:
            review[0].cancel()
            del self._reviews[session.id]
            session.set_review(None)
        live = self._live.get(session.id)
        if live is None or (live.current is not None and live.current.position == session.position):
            return
        if live.task is not None:
            live.task.cancel()
        settings = live.settings
        if settings.evaluation is not None and not settings.evaluation.supports(session.game):
            live.settings = settings = replace(settings, evaluation=None)
        live.current = PositionAnalysis(session.position, settings, self._config)
        self._search(session, live)

    def review(self, session: Session, *, seconds: float | None = None, opening: int = 0) -> None:
        """Reviews the record of a session.

        :param opening: moves at the beginning that no player has chosen
        """
        session.check_alive()
        history = session.game_history
        if not history.moves:
            raise SessionError("there is no move to review")
        if seconds is not None and not 0 < seconds <= MAX_REVIEW_SECONDS:
            raise OutOfRange(f"{seconds!r} seconds for each move; a review takes up to {MAX_REVIEW_SECONDS:g}")
        before = self._reviews.pop(session.id, None)
        if before is not None:
            before[0].cancel()
        reviewer = Reviewer(history, seconds or REVIEW_SECONDS, self._limits, opening)
        task = self._submit(session, reviewer.run, reviewer.shown(), session.set_review)
        if task is not None:
            self._reviews[session.id] = task, history.moves

    def _search(self, session: Session, live: _LiveAnalysis) -> None:
        """Queues the next round of a live analysis; further rounds follow by themselves if it is infinite."""
        current = live.current
        assert current is not None

        def ended(failed: bool) -> None:
            live.task = None
            if not failed and current.goes_on and live.current is current and self._live.get(session.id) is live:
                self._search(session, live)

        def run(show: Callable[[AnalysisView], object], limit: float | None) -> AnalysisView:
            with self._idle.running(current):
                return current.run(show, limit)

        blank = current.blank.model_copy(update={"done": False})
        live.task = self._submit(session, run, blank, session.set_analysis, on_end=ended)

    def _cancel(self, session: Session) -> None:
        live = self._live.pop(session.id, None)
        if live is not None and live.task is not None:
            live.task.cancel()

    def _submit(
        self,
        session: Session,
        work: Callable[[Callable[[V], object], float | None], V],
        blank: V,
        publish: Callable[[V], object],
        *,
        on_end: Callable[[bool], object] = lambda _: None,
    ) -> SearchTask | None:
        """Queues a search whose intermediate results are published at most every `_INTERVAL` seconds.

        :param on_end: called with whether the search failed before its result is published, unless it was cancelled
        """
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

            return work(show, task.share)

        def failed(error: Exception) -> V:
            info = error_info(error, f"the {what} failed; see the log")
            return blank.model_copy(update={"done": True, "error": info})

        def done(result: V, error: Exception | None) -> None:
            if error is not None and not isinstance(error, FlipdropError):
                _log.error("the %s of session %s failed", what, session.id, exc_info=error)
            on_end(error is not None)
            publish(result if error is None else failed(error))

        try:
            owner = f"{session.id}/{what}"
            task = self._queue.submit(owner, search, client=session.client, on_done=done, low_priority=True)
        except TooBusy as error:
            publish(failed(error))
            return None
        publish(blank)
        return task
