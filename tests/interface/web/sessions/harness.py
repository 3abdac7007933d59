"""A manager for tests: in a folder of its own, within an event loop, closed at the end."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from flipdrop.interface.web.config import Limits, ServerConfig
from flipdrop.interface.web.services import Services
from flipdrop.interface.web.sessions.manager import SessionManager

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from flipdrop.interface.web.sessions.session import Session

TIMEOUT = 30.0  # s: for machines that are busy


@asynccontextmanager
async def running_manager(
    folder: Path, *, allow_code: bool = False, limits: Limits | None = None
) -> AsyncIterator[SessionManager]:
    manager = SessionManager(
        ServerConfig(store=folder / "games.db", allow_code=allow_code, limits=limits or Limits(searches=2))
    )
    manager.start()
    try:
        yield manager
    finally:
        assert manager.shutdown(TIMEOUT)


@asynccontextmanager
async def running_services(folder: Path) -> AsyncIterator[Services]:
    services = Services(ServerConfig(store=folder / "games.db", limits=Limits(searches=2)))
    services.start()
    try:
        yield services
    finally:
        assert services.shutdown(TIMEOUT)


async def play_out(session: Session) -> None:
    """A person who plays the first legal move until the game is over."""
    while not session.is_over:
        await until(lambda: session.is_over or session.computer_to_move is None)
        if not session.is_over:
            session.play(session.position.move_name(session.position.legal_moves[0]), cursor=session.cursor)


async def until(condition: Callable[[], object]) -> None:
    """Waits until a condition holds."""
    end = time.monotonic() + TIMEOUT
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        await asyncio.sleep(0.005)
