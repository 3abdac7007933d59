"""A page that reads the store periodically, off the event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.pages.widgets import notify_error

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from flipdrop.interface.web.i18n import Translator

POLL_FAST = 1.0  # s, while something runs
POLL_SLOW = 5.0  # s, otherwise: the command line may resume the event
_FIRST_POLL = 0.7  # s; after this the page is sent without results


async def try_in_thread(
    t: Translator, action: Callable[..., Any], *arguments: Any, threads: Executor | None = None
) -> Any:
    """Calls `action` off the event loop; None, and a notification, if it raises."""
    try:
        return await asyncio.get_running_loop().run_in_executor(threads, action, *arguments)
    except (FlipdropError, OSError) as error:
        notify_error(t, error)
    return None


class PolledPage:
    """A page that reads the store periodically: often while something runs, otherwise seldom."""

    def __init__(self, t: Translator) -> None:
        self.t = t
        self._timer: ui.timer | None = None
        self._is_running = self._is_closed = False
        self._load_error = ""
        ui.context.client.on_delete(self._close)

    def load(self) -> Any:
        """Reads the store, off the event loop."""
        raise NotImplementedError

    def show(self, found: Any) -> bool:
        """Paints the result of `load`; returns whether it is expected to change soon."""
        raise NotImplementedError

    async def begin(self) -> None:
        """Polls now, if that does not delay the page, and then until the page is closed."""
        shown = True
        try:
            async with asyncio.timeout(_FIRST_POLL):  # not wait_for, whose task could not show an error on the page
                await self.poll()
        except TimeoutError:
            shown = False
        self._timer = ui.timer(POLL_FAST, self.poll, immediate=not shown)
        self._set_interval(self._is_running or not shown)

    async def poll(self) -> None:
        try:
            found = await asyncio.to_thread(self.load)
        except FlipdropError as error:
            if str(error) != self._load_error and not self._is_closed:
                notify_error(self.t, error)
            self._load_error, self._is_running = str(error), False
        else:
            if self._is_closed:
                return
            self._load_error, self._is_running = "", self.show(found)
        self._set_interval(self._is_running)

    def _close(self) -> None:
        self._is_closed = True

    def _set_interval(self, running: bool) -> None:
        if self._timer is not None:
            self._timer.interval = POLL_FAST if running else POLL_SLOW
