"""The house: all sessions, the computers that play in them, and what is kept of them.

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
from typing import TYPE_CHECKING, Any

from flipdrop.errors import FlipdropError, StoreError, quoted
from flipdrop.interface.web.sessions.entrance import read_game, read_position, read_seat
from flipdrop.interface.web.sessions.errors import OutOfRange, TooBusy, Trouble, UnknownSession
from flipdrop.interface.web.sessions.keeping import Kept
from flipdrop.interface.web.sessions.searching import Searching
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.sessions.study import Studies, read_ahead
from flipdrop.interface.web.sessions.thinking import Thinkers
from flipdrop.interface.web.sessions.timing import SessionClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.interface.web.sessions.searching import Ticket
    from flipdrop.interface.web.sessions.settings import Settings
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
    ticket: Ticket | None = None

    def cancel(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.ticket is not None:
            self.ticket.cancel()


@dataclass
class _Room:
    """A session in memory, and what the house does for it."""

    session: Session
    saved: int = 0
    turn: _Turn | None = None
    moved: float = field(default_factory=time.monotonic)
    """When a computer moved last, or the session was opened."""
    clock_timer: asyncio.TimerHandle | None = None

    def leave(self) -> None:
        if self.turn is not None:
            self.turn.cancel()
        if self.clock_timer is not None:
            self.clock_timer.cancel()


class House:
    """All sessions of a server. Everything is called on its event loop, and returns at once."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.limits = settings.limits
        self._kept = Kept(settings.sessions_file)
        self._rooms: OrderedDict[str, _Room] = OrderedDict()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._created = 0
        self.searching = Searching(
            at_once=self.limits.searches, most_waiting=self.limits.waiting, deliver=self._deliver
        )
        self.thinkers = Thinkers(settings)
        self.studies = Studies(self.searching, settings, deliver=self._deliver)

    def open(self) -> None:
        """Begins, within the event loop. What takes a second to read is read after the first page and before it is
        asked for."""
        self._loop = asyncio.get_running_loop()
        self._reading = self._loop.call_later(
            _READ_AFTER, lambda: self.searching.submit("house", read_ahead, done=lambda *_: None, lasting=True)
        )

    def close(self, patience: float = 1.0) -> bool:
        """Ends: what is kept is in the file. True if no search is running any more after so many seconds."""
        if self._reading is not None:
            self._reading.cancel()
        for room in self._rooms.values():
            room.leave()
        self._rooms.clear()  # no change is kept from now on
        ended = self.searching.close(patience)
        self.thinkers.close(patience)
        self._kept.close()
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
        start, moves = read_position(position, read_game(game), self.limits)
        kind = start.game
        specs = [read_seat(spec, kind, self.limits, allow_code=self.settings.allow_code) for spec in (first, second)]
        if not 0 <= pace <= 60:
            raise OutOfRange(f"pace {pace!r}; it is 0 to 60 seconds")
        session = Session(
            secrets.token_urlsafe(_ID_BYTES),
            start,
            moves,
            seats=(specs[0], specs[1]),
            clock=None if clock is None or not clock.strip() else SessionClock.of(clock.strip()[:40]),
            pace=pace,
            paused=paused,
            seed=secrets.randbelow(10**6) if seed is None else seed,
            kept=keep,
        )
        self._make_room()
        self._admit(session)
        return session

    def find(self, id_: str) -> Session:
        """The session with this id."""
        room = self._rooms.get(id_)
        if room is not None:
            self._rooms.move_to_end(id_)
            return room.session
        session = self._kept.read(id_) if _ID.fullmatch(id_) else None
        if session is None:
            raise UnknownSession(f"there is no session {quoted(id_, 40)}; it may have been forgotten")
        self._make_room()
        self._admit(session, saved=True)
        return session

    def recent(self, limit: int = 20) -> list[dict[str, Any]]:
        """The sessions that were touched last, newest first."""
        return self._kept.recent(limit)

    def remove(self, session: Session) -> None:
        """Forgets a session for good."""
        self._leave(session.id)
        self._kept.forget(session.id)
        session.forget()

    def set_players(self, session: Session, first: str | None, second: str | None) -> None:
        """Lets others play on."""
        one, two = (
            read_seat(spec, session.game, self.limits, allow_code=self.settings.allow_code) for spec in (first, second)
        )
        room = self._rooms.get(session.id)
        if room is not None:
            self._cancel_turn(room)
        session.sit(one, two)

    def set_up(self, session: Session, position: str, game: str | None = None) -> None:
        """Replaces the game of a session by what somebody has pasted or set up."""
        kind = session.game if game is None else read_game(game)
        start, moves = read_position(position, kind, self.limits)
        if start.game != session.game:
            for seat in session.seats:
                read_seat(seat.spec, start.game, self.limits, allow_code=self.settings.allow_code)
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

        :param method: ``search``, ``mcts``, or the spec of a player that can say what moves are worth
        """
        self.studies.start(session, method, evaluation=evaluation, seconds=seconds)

    def stop_analysis(self, session: Session) -> None:
        """Ends the analysis."""
        self.studies.stop(session)

    def review(self, session: Session, seconds: float | None = None) -> None:
        """Reviews every move of the record; the view's ``review`` grows."""
        self.studies.review(session, seconds=seconds)

    # Within.

    def _deliver(self, what: Callable[[], object]) -> None:
        if self._loop is None:
            raise RuntimeError("the house is not open")
        self._loop.call_soon_threadsafe(what)

    def _admit(self, session: Session, *, saved: bool = False) -> None:
        self._rooms[session.id] = _Room(session, saved=session.record_version if saved else 0)
        session.subscribe(self._on_change)
        self._on_change(session)

    def _leave(self, id_: str) -> None:
        room = self._rooms.pop(id_, None)
        if room is not None:
            room.leave()
            self.studies.stop(room.session)
            self.thinkers.forget(id_)

    def _make_room(self) -> None:
        """Leaves sessions that nobody looks at to the file, and lets the file forget the oldest.

        First those in which nothing happens. A computer's turn in one of the others is given up with it; it comes again
        with the next one who asks for the session.
        """
        for busy in (False, True):
            for id_, room in list(self._rooms.items()):
                if len(self._rooms) < self.limits.open_sessions:
                    break
                if not room.session.is_watched and (room.turn is not None) == busy:
                    self._leave(id_)
        if len(self._rooms) >= 2 * self.limits.open_sessions:
            raise TooBusy(f"people look at {len(self._rooms)} sessions already; try again later")
        self._created += 1
        if self._created % 50 == 0:
            try:
                self._kept.forget_oldest(self.limits.kept_sessions)
            except StoreError:
                _log.exception("old sessions could not be forgotten")

    def _on_change(self, session: Session) -> None:
        room = self._rooms.get(session.id)
        if room is None or room.session is not session:
            return
        if session.kept and room.saved != session.record_version:
            room.saved = session.record_version
            try:
                self._kept.write(session)
            except StoreError:
                _log.exception("session %s could not be kept", session.id)
        self._let_computer_move(room)
        self._watch_clock(room)
        self.studies.follow(session)

    def _watch_clock(self, room: _Room) -> None:
        clock = room.session.clock
        if room.clock_timer is not None:
            room.clock_timer.cancel()
            room.clock_timer = None
        if clock is not None and clock.running is not None and self._loop is not None:
            room.clock_timer = self._loop.call_later(clock.left[clock.running] + _SLACK, room.session.check_time)

    def _let_computer_move(self, room: _Room) -> None:
        session = room.session
        side = session.computer_to_move
        turn = room.turn
        pace = 0.0 if session.steps else session.pace
        # The very position, not an equal one: another game may have come to the same board by other moves.
        is_same = turn is not None and turn.side == side and turn.position is session.line[-1]
        if turn is not None and is_same and (turn.ticket is not None or turn.pace == pace):
            return
        self._cancel_turn(room)
        if side is None:
            session.think(None)
            return
        room.turn = turn = _Turn(side, session.line[-1], pace)
        delay = room.moved + pace - time.monotonic() if pace else 0.0
        if delay > 0 and self._loop is not None:
            turn.timer = self._loop.call_later(delay, self._ask, room, turn)
            session.think(None)
        else:
            self._ask(room, turn)

    def _cancel_turn(self, room: _Room) -> None:
        if room.turn is not None:
            turn, room.turn = room.turn, None
            turn.cancel()

    def _ask(self, room: _Room, turn: _Turn) -> None:
        """Lets a computer think about its move."""
        session = room.session
        if room.turn is not turn:
            return
        try:
            turn.ticket = self.searching.submit(
                session.id,
                self.thinkers.work(session, turn.side),
                began=lambda: session.think(turn.side),
                done=lambda move, error: self._answered(room, turn, move, error),
            )
        except TooBusy:
            if self._loop is not None:
                turn.timer = self._loop.call_later(_RETRY, self._ask, room, turn)
        session.think(turn.side, waiting=True)

    def _answered(self, room: _Room, turn: _Turn, move: int | None, error: Exception | None) -> None:
        if room.turn is not turn:
            return
        room.turn = None
        session = room.session
        room.moved = time.monotonic()
        if error is not None or move is None:
            if not isinstance(error, FlipdropError):
                _log.error("a computer failed in session %s", session.id, exc_info=error)
            session.fail(Trouble.of(error or RuntimeError(), "the computer failed; see the log"))
            return
        session.check_time()
        if session.computer_to_move == turn.side:
            session.thinking, session.waiting = None, False
            try:
                session.place(move)
            except FlipdropError as wrong:
                session.fail(Trouble.of(wrong, ""))
