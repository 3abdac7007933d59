"""All sessions of a server: create, find, evict, delete; after every change save, search and analyse."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections import OrderedDict
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flipdrop.errors import StoreError, quoted
from flipdrop.interface.web.clients import current_client
from flipdrop.interface.web.sessions.analysis_service import AnalysisService, preload
from flipdrop.interface.web.sessions.clock import SessionClock
from flipdrop.interface.web.sessions.computer_moves import ComputerMoves
from flipdrop.interface.web.sessions.engine_pool import EnginePool
from flipdrop.interface.web.sessions.errors import NotSaved, TooBusy, UnknownSession
from flipdrop.interface.web.sessions.search_queue import SearchQueue
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.sessions.store import SessionStore
from flipdrop.interface.web.validation import parse_clock, parse_game, parse_player, parse_position

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.schemas import SessionSummary

_ID_BYTES = 9
_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")
_RETRY = 5.0  # s until the end of a game on time that could not be saved is tried again
_CLOCK_SLACK = 0.02  # s from the fall of a clock until the game ends
_PRELOAD_DELAY = 1.5  # s
_PRUNE_INTERVAL = 50  # opened sessions
_log = logging.getLogger(__name__)


@dataclass
class _Entry:
    """A session in memory."""

    session: Session
    computers: ComputerMoves
    saved_version: int
    saved: dict[str, Any] | None = None
    """The state in the file; None before the first one is written."""
    failure: NotSaved | None = None
    """Why the last change was not saved."""
    clock_timer: asyncio.TimerHandle | None = None

    def cancel(self) -> None:
        self.computers.cancel()
        if self.clock_timer is not None:
            self.clock_timer.cancel()


class SessionManager:
    """All sessions of a server. All methods are called on the event loop and return at once."""

    def __init__(self, config: ServerConfig) -> None:
        self.config = config
        self.limits = config.limits
        self._store = SessionStore(config.sessions_file)
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._preloading: asyncio.TimerHandle | None = None
        self._opened = 0
        self.search_queue = SearchQueue(at_once=self.limits.searches, max_waiting=self.limits.waiting, post=self._post)
        self.engines = EnginePool(config)
        self.analysis = AnalysisService(self.search_queue, config, post=self._post)

    def start(self) -> None:
        """Starts on the running event loop; networks and the opening book load after the first page."""
        self._loop = asyncio.get_running_loop()
        self._preloading = self._loop.call_later(
            _PRELOAD_DELAY,
            lambda: self.search_queue.submit("preload", preload, on_done=lambda *_: None, low_priority=True),
        )

    def shutdown(self, timeout: float = 1.0) -> bool:
        """Shuts down; sessions are already saved. True if all searches ended within `timeout` seconds."""
        if self._preloading is not None:
            self._preloading.cancel()
        for entry in self._entries.values():
            entry.cancel()
        self._entries.clear()
        ended = self.search_queue.close(timeout)
        self.engines.close(timeout)
        self._store.close()
        return ended

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
        branching: bool = False,
    ) -> Session:
        """Creates a session.

        :param first: the spec of the first side's player, None for a person
        :param position: a transcript, a board string or a GGF game
        :param clock: the time control in seconds, such as ``300``, ``300+2`` or ``60/move``
        :param pace: the least seconds between two moves of computers
        :param keep: whether the session is saved and listed
        :param seed: seed of the computers' random choices; random by default
        :param branching: whether a move before the end of the record opens a variation
        """
        start, moves = parse_position(position, parse_game(game), self.limits)
        control = parse_clock(clock, self.limits)
        session = Session(
            secrets.token_urlsafe(_ID_BYTES),
            start,
            moves,
            players=(parse_player(first, start.game, self.config), parse_player(second, start.game, self.config)),
            clock=None if control is None else SessionClock.of(str(control)),
            pace=pace,
            paused=paused,
            seed=secrets.randbelow(10**6) if seed is None else seed,
            kept=keep,
            branching=branching,
        )
        self._add(session, is_saved=False)
        return session

    def find(self, id_: str) -> Session:
        entry = self._entries.get(id_)
        if entry is not None:
            self._entries.move_to_end(id_)
            return entry.session
        session = self._store.read(id_) if _ID.fullmatch(id_) else None
        if session is None:
            raise UnknownSession(f"there is no session {quoted(id_, 40)}; it may have been deleted")
        self._add(session, is_saved=True)
        return session

    def recent(self, limit: int = 20) -> list[SessionSummary]:
        """The sessions that changed last, newest first."""
        return self._store.recent(limit)

    def stored(self, ids: Sequence[str]) -> list[Session]:
        """The sessions with these ids that exist, for reading: those outside memory are not loaded into it."""
        found = []
        for id_ in ids:
            entry = self._entries.get(id_)
            session = entry.session if entry is not None else self._store.read(id_) if _ID.fullmatch(id_) else None
            if session is not None:
                found.append(session)
        return found

    def remove(self, session: Session) -> None:
        """Deletes a session."""
        try:
            self._store.delete(session.id)
        except StoreError as error:
            raise NotSaved(str(error)) from error
        self._evict(session.id)
        session.mark_deleted()

    def set_players(self, session: Session, first: str | None, second: str | None) -> None:
        players = (parse_player(first, session.game, self.config), parse_player(second, session.game, self.config))
        entry = self._entries.get(session.id)
        if entry is not None:
            entry.computers.cancel()
        session.set_players(*players)

    def set_up(self, session: Session, position: str, game: str | None = None) -> None:
        """Replaces the game of a session by a pasted position or game."""
        kind = session.game if game is None else parse_game(game)
        start, moves = parse_position(position, kind, self.limits)
        if start.game != session.game:
            for player in session.players:
                parse_player(player.spec, start.game, self.config)
        session.restart(start, moves)

    def _post(self, call: Callable[[], object]) -> None:
        """Calls something on the event loop, from any thread."""
        if self._loop is None:
            raise RuntimeError("the session manager was not started")
        self._loop.call_soon_threadsafe(call)

    def _add(self, session: Session, *, is_saved: bool) -> None:
        self._ensure_capacity()
        computers = ComputerMoves(session, self.search_queue, self.engines)
        saved_version = session.record_version if is_saved else -1
        session.client = current_client()
        self._entries[session.id] = _Entry(session, computers, saved_version)
        if is_saved:
            self._entries[session.id].saved = session.to_json()
        session.attach(self._on_change)
        failure = self._entries[session.id].failure
        if failure is not None and not is_saved:
            self._evict(session.id)
            session.mark_deleted()
            raise failure

    def _evict(self, id_: str) -> None:
        """Removes a session from memory."""
        entry = self._entries.pop(id_, None)
        if entry is not None:
            entry.cancel()
            self.analysis.stop(entry.session)
            self.engines.forget(id_)

    def _ensure_capacity(self) -> None:
        """Evicts unwatched sessions, idle ones first, and prunes the store from time to time.

        A computer's turn in an evicted session is cancelled; it starts again when a client asks for the session.
        """
        for busy in (False, True):
            for id_, entry in list(self._entries.items()):
                if len(self._entries) < self.limits.open_sessions:
                    break
                if not entry.session.is_watched and (entry.computers.turn is not None) == busy:
                    self._evict(id_)
        if len(self._entries) >= 2 * self.limits.open_sessions:
            raise TooBusy(f"{len(self._entries)} sessions are being watched; try again later")
        self._opened += 1
        if self._opened % _PRUNE_INTERVAL == 0:
            try:
                self._store.prune(self.limits.stored_sessions)
            except StoreError:
                _log.exception("old sessions could not be deleted")

    def _on_change(self, session: Session) -> None:
        entry = self._entries.get(session.id)
        if entry is None or entry.session is not session:
            return
        if session.kept and entry.saved_version != session.record_version:
            entry.saved_version = session.record_version
            self._save(entry)
        entry.computers.update()
        self._watch_clock(entry)
        self.analysis.sync(session)

    def _save(self, entry: _Entry) -> None:
        """Saves a session, or takes back the change that cannot be saved."""
        session = entry.session
        try:
            self._store.write(session)
        except StoreError as error:
            if entry.failure is None:
                _log.error("session %s could not be saved: %s", session.id, error)
            entry.failure = NotSaved(str(error))
            if entry.saved is not None:
                session.roll_back(entry.saved, entry.failure)
        else:
            entry.saved, entry.failure = session.to_json(), None

    def _check_time(self, session: Session) -> None:
        with suppress(NotSaved):  # the next change tries again
            session.check_time()

    def _watch_clock(self, entry: _Entry) -> None:
        """Sets the timer that ends the game when the running clock falls."""
        clock = entry.session.clock
        if entry.clock_timer is not None:
            entry.clock_timer.cancel()
            entry.clock_timer = None
        if clock is not None and clock.running is not None and self._loop is not None:
            delay = clock.left[clock.running] + (_CLOCK_SLACK if entry.failure is None else _RETRY)
            entry.clock_timer = self._loop.call_later(delay, self._check_time, entry.session)
