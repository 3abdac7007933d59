"""SessionBinding a session: a page shows every change as soon as it happens, but lets people see each move."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.pages.error_messages import notify_error
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import SessionView
    from flipdrop.interface.web.sessions.session import Session

MOVE_SECONDS = 0.45
"""How long a move is seen before the computer's answer to it is shown, however quick that was."""

_PROGRESS_SECONDS = 0.12  # between two pictures of a search that makes progress


class SessionBinding:
    """Calls `show` with the view of a session, now and after its changes, as long as the page is open.

    :param delay_replies: whether answers of computers wait until the move before them has been seen
    """

    def __init__(self, session: Session, show: Callable[[SessionView], object], *, delay_replies: bool = False) -> None:
        self.session = session
        self._show = show
        self._delay_replies = delay_replies
        self._shown = view_of(session)
        self._shown_at = self._moved_at = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None
        self._client = ui.context.client
        self._stop = session.subscribe(self._changed)
        self._client.on_delete(self.close)
        self.refresh()

    @property
    def view(self) -> SessionView:
        """What is shown."""
        return self._shown

    def refresh(self) -> None:
        """Shows the session as it is."""
        self._cancel()
        view = view_of(self.session)
        now = time.monotonic()
        if view.cursor != self._shown.cursor:
            self._moved_at = now
        self._shown, self._shown_at = view, now
        with self._client:
            self._show(view)

    def close(self) -> None:
        """Follows no longer."""
        self._cancel()
        self._stop()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _changed(self, session: Session) -> None:
        delay = self._delay(session)
        if delay <= 0:
            self.refresh()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(delay, self.refresh)

    def _delay(self, session: Session) -> float:
        now = time.monotonic()
        if session.cursor == self._shown.cursor:  # a search makes progress, a clock starts: often, and never urgent
            if session.thinking is None and self._shown.thinking is None and not session.is_over:
                return self._shown_at + _PROGRESS_SECONDS - now
            return 0.0
        mover = session.positions[session.cursor - 1].to_move if session.cursor else None
        answered = mover is not None and mover not in session.people and session.cursor > self._shown.cursor
        return self._moved_at + MOVE_SECONDS - now if self._delay_replies and answered else 0.0


def try_action(t: Translator, act: Callable[..., object], *arguments: object) -> bool:
    """Does something that a person asked for; if it cannot be done, says why. True if it was done."""
    try:
        act(*arguments)
    except FlipdropError as error:
        notify_error(t, error)
        return False
    return True
