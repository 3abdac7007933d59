"""Routes of the arena: the list at ``/arena``, an event at ``/arena/KEY``, a game at ``/arena/KEY/EVENT/NUMBER``.

Events run in processes of their own (`flipdrop.interface.web.jobs`), and the pages read the store: closing the page or
the server stops nothing, and events of the command line are shown, too.

The statistics of the arena take half a second to import, so the pages are imported with the first request.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Any

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import game as game_of
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.widgets import card, link_button

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.pages.job_ui import JobContext
    from flipdrop.interface.web.sessions.manager import SessionManager

RESPONSE_TIMEOUT = 30.0  # s to make a page, on a machine whose cores are all busy


def mount(manager: SessionManager) -> None:
    """Adds the routes."""

    @ui.page("/arena", response_timeout=RESPONSE_TIMEOUT)
    async def event_list(request: Request, game: str = "othello") -> None:
        pages = await import_pages("event_list")
        t = Translator.for_request(request)
        with page_layout(request, t, section="arena"):
            await pages.EventList(job_context(manager), t, _known_game(game)).begin()

    @ui.page("/arena/{key}", response_timeout=RESPONSE_TIMEOUT)
    async def event(request: Request, key: str) -> None:
        pages = await import_pages("event_page")
        context, t = job_context(manager), Translator.for_request(request)
        with page_layout(request, t, section="arena"):
            first = await load_or_not_found(t, "arena", lambda: context.results.event(key))
            if first is not None:
                await pages.PAGES.get(first.kind, pages.TournamentPage)(context, t, first).begin()

    @ui.page("/arena/{key}/{event}/{number}", response_timeout=RESPONSE_TIMEOUT)
    async def game(request: Request, key: str, event: int, number: int) -> None:
        pages = await import_pages("game_viewer")
        context, t = job_context(manager), Translator.for_request(request)
        with page_layout(request, t, section="arena"):
            found = await load_or_not_found(t, "arena", lambda: context.results.record(event, number))
            if found is not None:
                record, row, has_next = found
                pages.GameViewer(t, key, record, row, has_next=has_next)


async def import_pages(name: str) -> Any:
    """Imports a module of pages off the event loop."""
    return await asyncio.to_thread(importlib.import_module, f"flipdrop.interface.web.pages.{name}")


def job_context(manager: SessionManager) -> JobContext:
    from flipdrop.interface.web.pages import job_ui

    return job_ui.job_context(manager)


async def load_or_not_found(t: Translator, section: str, load: Callable[[], Any]) -> Any:
    """What `load` returns; if it raises, None, and the page says that there is nothing at this URL."""
    try:
        return await asyncio.to_thread(load)
    except FlipdropError:
        with card(t("job.unknown")):
            link_button(t(f"nav.{section}"), f"/{section}", icon=section, kind="primary")
    return None


def _known_game(name: str) -> str:
    try:
        return game_of(name[:40]).name
    except FlipdropError:
        return "othello"
