"""The moves of a session's computers: turns, requests to the search queue, and the moves that come back."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.sessions.errors import TooBusy, error_info

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.interface.web.sessions.engine_pool import EnginePool
    from flipdrop.interface.web.sessions.search_queue import SearchQueue, SearchTask
    from flipdrop.interface.web.sessions.session import Session
    from flipdrop.kernel import Side

_RETRY = 0.5  # s until a computer that found the queue full asks again
_log = logging.getLogger(__name__)


@dataclass
class _Turn:
    """A computer's turn, with its timer (pace or retry) or its search."""

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


class ComputerMoves:
    """Moves for the computers of one session; `update` after every change of it."""

    def __init__(self, session: Session, queue: SearchQueue, engines: EnginePool) -> None:
        self.turn: _Turn | None = None
        self._session = session
        self._queue = queue
        self._engines = engines
        self._moved_at = time.monotonic()
        """When a computer moved last, or the session was opened."""

    def update(self) -> None:
        """Starts the turn of the computer to move; cancels an outdated turn."""
        session, turn = self._session, self.turn
        side = session.computer_to_move
        pace = 0.0 if session.pending_steps else session.pace
        # The same object, not an equal one: another game may have reached the same position by other moves.
        is_same = turn is not None and turn.side == side and turn.position is session.history.position
        if turn is not None and is_same and (turn.task is not None or turn.pace == pace):
            return
        self.cancel()
        if side is None:
            session.set_thinking(None)
            return
        self.turn = turn = _Turn(side, session.history.position, pace)
        delay = self._moved_at + pace - time.monotonic() if pace else 0.0
        if delay > 0:
            turn.timer = asyncio.get_running_loop().call_later(delay, self._ask, turn)
            session.set_thinking(None)
        else:
            self._ask(turn)

    def cancel(self) -> None:
        if self.turn is not None:
            turn, self.turn = self.turn, None
            turn.cancel()

    def _ask(self, turn: _Turn) -> None:
        session = self._session
        if self.turn is not turn:
            return
        try:
            turn.task = self._queue.submit(
                session.id,
                self._engines.work(session, turn.side),
                client=session.client,
                on_start=lambda: session.set_thinking(turn.side),
                on_wait=lambda: session.set_thinking(turn.side, waiting=True),
                on_done=lambda move, error: self._answered(turn, move, error),
            )
        except TooBusy:
            turn.timer = asyncio.get_running_loop().call_later(_RETRY, self._ask, turn)
        session.set_thinking(turn.side, waiting=turn.task is None or turn.task.is_queued)

    def _answered(self, turn: _Turn, move: int | None, error: Exception | None) -> None:
        if self.turn is not turn:
            return
        self.turn = None
        session = self._session
        self._moved_at = time.monotonic()
        if error is not None or move is None:
            if not isinstance(error, FlipdropError):
                _log.error("a computer failed in session %s", session.id, exc_info=error)
            session.set_error(error_info(error or RuntimeError(), "the computer failed; see the log"))
            return
        session.check_time()
        if session.computer_to_move == turn.side:
            try:
                session.push(move)
            except FlipdropError as wrong:
                session.set_error(error_info(wrong, ""))
