"""The manager: all sessions, the computers that play in them, and what is kept of them.

It subscribes to every session. After each change it keeps the session, lets the computer whose turn it is think, lets
the analysis follow the board, and sets the timer that ends a game whose clock falls.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError, StoreError, quoted
from flipdrop.interface.web.sessions.analysis_service import AnalysisService, preload
from flipdrop.interface.web.sessions.clock import SessionClock
from flipdrop.interface.web.sessions.engine_pool import EnginePool
from flipdrop.interface.web.sessions.errors import OutOfRange, TooBusy, UnknownSession, error_info
from flipdrop.interface.web.sessions.search_queue import SearchQueue
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.sessions.store import SessionStore
from flipdrop.interface.web.sessions.validation import parse_game, parse_player, parse_position

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.schemas import SessionSummary
    from flipdrop.interface.web.sessions.search_queue import SearchTask
    from flipdrop.kernel import Side

_ID_BYTES = 9
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_SLACK = 0.02  # s after a clock has fallen, until it is looked at
_READ_AFTER = 1.5  # s
_RETRY = 0.5  # s after which a computer that found the queue full asks again
_log = logging.getLogger(__name__)


@dataclass
class _Turn:
    """A computer's turn: of which side, in which position of the record, and what is under way."""

    side: Side
    position: Position
    pace: float
    timer: asyncio.TimerHandle | None = None
    task: SearchTask | None = None

    def cancel(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.task is not None:
            self.task.cancel()


@dataclass
class _Entry:
    """A session in memory, and what the manager does for it."""

    session: Session
    saved: int = 0
    turn: _Turn | None = None
    moved: float = field(default_factory=time.monotonic)
    """When a computer moved last, or the session was opened."""
    clock_timer: asyncio.TimerHandle | None = None

    def cancel(self) -> None:
        if self.turn is not None:
            self.turn.cancel()
        if self.clock_timer is not None:
            self.clock_timer.cancel()


class SessionManager:
    """All sessions of a server. Everything is called on its event loop, and returns at once."""

    def __init__(self, config: ServerConfig) -> None:
        self.config = config
        self.limits = config.limits
        self._store = SessionStore(config.sessions_file)
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._created = 0
        self.search_queue = SearchQueue(at_once=self.limits.searches, most_waiting=self.limits.waiting, post=self._post)
        self.engines = EnginePool(config)
        self.analyses = AnalysisService(self.search_queue, config, post=self._post)

    def start(self) -> None:
        """Begins, within the event loop. What takes a second to read is read after the first page and before it is
        asked for."""
        self._loop = asyncio.get_running_loop()
        self._reading = self._loop.call_later(
            _READ_AFTER, lambda: self.search_queue.submit("preload", preload, done=lambda *_: None, low_priority=True)
        )

    def shutdown(self, timeout: float = 1.0) -> bool:
        """Ends: what is kept is in the file. True if no search is running any more after so many seconds."""
        if self._reading is not None:
            self._reading.cancel()
        for entry in self._entries.values():
            entry.cancel()
        self._entries.clear()  # no change is kept from now on
        ended = self.search_queue.close(timeout)
        self.engines.close(timeout)
        self._store.close()
        return ended

    # Sessions.

    def new(
        self,
        game: str = "othello",
        *,
        first: str | None = None,
        second: str | None = None,
        position: str = "",
        clock: str | None = None,
        pace: float = 0.0,
        paused: bool = False,
        keep: bool = True,
        seed: int | None = None,
    ) -> Session:
        """A new session.

        :param game: its name
        :param first: the spec of the first side's player, None for a person
        :param position: a transcript, a board string, a game in GGF
        :param clock: ``300`` or ``300+2``: seconds for each side, and for each move
        :param pace: the least seconds between two moves of computers
        :param keep: whether it outlives the server, and is listed
        :param seed: of the computers' random choices; a fresh one unless said
        """
        start, moves = parse_position(position, parse_game(game), self.limits)
        kind = start.game
        specs = [parse_player(spec, kind, self.limits, allow_code=self.config.allow_code) for spec in (first, second)]
        if not 0 <= pace <= 60:
            raise OutOfRange(f"pace {pace!r}; it is 0 to 60 seconds")
        session = Session(
            secrets.token_urlsafe(_ID_BYTES),
            start,
            moves,
            players=(specs[0], specs[1]),
            clock=None if clock is None or not clock.strip() else SessionClock.of(clock.strip()[:40]),
            pace=pace,
            paused=paused,
            seed=secrets.randbelow(10**6) if seed is None else seed,
            kept=keep,
        )
        self._ensure_capacity()
        self._add(session)
        return session

    def find(self, id_: str) -> Session:
        """The session with this id."""
        entry = self._entries.get(id_)
        if entry is not None:
            self._entries.move_to_end(id_)
            return entry.session
        session = self._store.read(id_) if _ID.fullmatch(id_) else None
        if session is None:
            raise UnknownSession(f"there is no session {quoted(id_, 40)}; it may have been forgotten")
        self._ensure_capacity()
        self._add(session, saved=True)
        return session

    def recent(self, limit: int = 20) -> list[SessionSummary]:
        """The sessions that were touched last, newest first."""
        return self._store.recent(limit)

    def remove(self, session: Session) -> None:
        """Forgets a session for good."""
        self._evict(session.id)
        self._store.delete(session.id)
        session.mark_deleted()

    def set_players(self, session: Session, first: str | None, second: str | None) -> None:
        """Lets others play on."""
        one, two = (
            parse_player(spec, session.game, self.limits, allow_code=self.config.allow_code) for spec in (first, second)
        )
        entry = self._entries.get(session.id)
        if entry is not None:
            self._cancel_turn(entry)
        session.set_players(one, two)

    def set_up(self, session: Session, position: str, game: str | None = None) -> None:
        """Replaces the game of a session by what somebody has pasted or set up."""
        kind = session.game if game is None else parse_game(game)
        start, moves = parse_position(position, kind, self.limits)
        if start.game != session.game:
            for slot in session.players:
                parse_player(slot.spec, start.game, self.limits, allow_code=self.config.allow_code)
        session.restart(start, moves)

    # Analysis.

    def analyse(
        self,
        session: Session,
        method: str = "search",
        *,
        evaluation: str | None = None,
        seconds: float | None = None,
    ) -> None:
        """Analyses what is on the board, now and after every change.

        :param method: ``search``, ``mcts``, or the spec of a player that reports values
        """
        self.analyses.start(session, method, evaluation=evaluation, seconds=seconds)

    def stop_analysis(self, session: Session) -> None:
        """Ends the analysis."""
        self.analyses.stop(session)

    def review(self, session: Session, seconds: float | None = None) -> None:
        """Reviews every move of the record; the view's ``review`` grows."""
        self.analyses.review(session, seconds=seconds)

    # Within.

    def _post(self, what: Callable[[], object]) -> None:
        if self._loop is None:
            raise RuntimeError("the manager is not open")
        self._loop.call_soon_threadsafe(what)

    def _add(self, session: Session, *, saved: bool = False) -> None:
        self._entries[session.id] = _Entry(session, saved=session.record_version if saved else 0)
        session.subscribe(self._on_change)
        self._on_change(session)

    def _evict(self, id_: str) -> None:
        entry = self._entries.pop(id_, None)
        if entry is not None:
            entry.cancel()
            self.analyses.stop(entry.session)
            self.engines.forget(id_)

    def _ensure_capacity(self) -> None:
        """Leaves sessions that nobody looks at to the file, and lets the file forget the oldest.

        First those in which nothing happens. A computer's turn in one of the others is given up with it; it comes again
        with the next one who asks for the session.
        """
        for busy in (False, True):
            for id_, entry in list(self._entries.items()):
                if len(self._entries) < self.limits.open_sessions:
                    break
                if not entry.session.is_watched and (entry.turn is not None) == busy:
                    self._evict(id_)
        if len(self._entries) >= 2 * self.limits.open_sessions:
            raise TooBusy(f"people look at {len(self._entries)} sessions already; try again later")
        self._created += 1
        if self._created % 50 == 0:
            try:
                self._store.prune(self.limits.stored_sessions)
            except StoreError:
                _log.exception("old sessions could not be forgotten")

    def _on_change(self, session: Session) -> None:
        entry = self._entries.get(session.id)
        if entry is None or entry.session is not session:
            return
        if session.kept and entry.saved != session.record_version:
            entry.saved = session.record_version
            try:
                self._store.write(session)
            except StoreError:
                _log.exception("session %s could not be kept", session.id)
        self._let_computer_move(entry)
        self._watch_clock(entry)
        self.analyses.sync(session)

    def _watch_clock(self, entry: _Entry) -> None:
        clock = entry.session.clock
        if entry.clock_timer is not None:
            entry.clock_timer.cancel()
            entry.clock_timer = None
        if clock is not None and clock.running is not None and self._loop is not None:
            entry.clock_timer = self._loop.call_later(clock.left[clock.running] + _SLACK, entry.session.check_time)

    def _let_computer_move(self, entry: _Entry) -> None:
        session = entry.session
        side = session.computer_to_move
        turn = entry.turn
        pace = 0.0 if session.pending_steps else session.pace
        # The very position, not an equal one: another game may have come to the same board by other moves.
        is_same = turn is not None and turn.side == side and turn.position is session.positions[-1]
        if turn is not None and is_same and (turn.task is not None or turn.pace == pace):
            return
        self._cancel_turn(entry)
        if side is None:
            session.set_thinking(None)
            return
        entry.turn = turn = _Turn(side, session.positions[-1], pace)
        delay = entry.moved + pace - time.monotonic() if pace else 0.0
        if delay > 0 and self._loop is not None:
            turn.timer = self._loop.call_later(delay, self._ask, entry, turn)
            session.set_thinking(None)
        else:
            self._ask(entry, turn)

    def _cancel_turn(self, entry: _Entry) -> None:
        if entry.turn is not None:
            turn, entry.turn = entry.turn, None
            turn.cancel()

    def _ask(self, entry: _Entry, turn: _Turn) -> None:
        """Lets a computer think about its move."""
        session = entry.session
        if entry.turn is not turn:
            return
        try:
            turn.task = self.search_queue.submit(
                session.id,
                self.engines.work(session, turn.side),
                began=lambda: session.set_thinking(turn.side),
                done=lambda move, error: self._answered(entry, turn, move, error),
            )
        except TooBusy:
            if self._loop is not None:
                turn.timer = self._loop.call_later(_RETRY, self._ask, entry, turn)
        session.set_thinking(turn.side, waiting=True)

    def _answered(self, entry: _Entry, turn: _Turn, move: int | None, error: Exception | None) -> None:
        if entry.turn is not turn:
            return
        entry.turn = None
        session = entry.session
        entry.moved = time.monotonic()
        if error is not None or move is None:
            if not isinstance(error, FlipdropError):
                _log.error("a computer failed in session %s", session.id, exc_info=error)
            session.set_error(error_info(error or RuntimeError(), "the computer failed; see the log"))
            return
        session.check_time()
        if session.computer_to_move == turn.side:
            session.thinking, session.waiting = None, False
            try:
                session.push(move)
            except FlipdropError as wrong:
                session.set_error(error_info(wrong, ""))
