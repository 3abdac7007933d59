"""Routes of the arena and of learning.

``/arena`` lists the events, ``/arena/KEY`` shows one of them, and ``/arena/KEY/EVENT/NUMBER`` one of its games;
``/learning`` lists the learning runs, and ``/learning/KEY`` shows one of them.

Events and learners run in processes of their own (`flipdrop.interface.web.jobs`), and the pages read the store: closing
the page or the server stops nothing, and events of the command line are shown, too.

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
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.pickers import game_or_othello
from flipdrop.interface.web.pages.widgets import card, link_button

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.service import JobService
    from flipdrop.interface.web.sessions.manager import SessionManager

RESPONSE_TIMEOUT = 30.0  # s to make a page, on a machine whose cores are all busy


def mount(manager: SessionManager) -> None:
    @ui.page("/arena", response_timeout=RESPONSE_TIMEOUT)
    async def event_list(request: Request, game: str = "othello") -> None:
        pages, context = await _import_pages("arena", manager)
        with page_layout(request, section="arena") as t:
            await pages.EventList(context, t, game_or_othello(game)).begin()

    @ui.page("/arena/{key}", response_timeout=RESPONSE_TIMEOUT)
    async def event(request: Request, key: str) -> None:
        pages, context = await _import_pages("arena", manager)
        with page_layout(request, section="arena") as t:
            first = await _load_or_not_found(t, "arena", lambda: context.results.event(key))
            if first is not None:
                await pages.EventPage(context, t, first).begin()

    @ui.page("/arena/{key}/{event}/{number}", response_timeout=RESPONSE_TIMEOUT)
    async def game(request: Request, key: str, event: int, number: int) -> None:
        pages, context = await _import_pages("game_viewer", manager)
        with page_layout(request, section="arena") as t:
            found = await _load_or_not_found(t, "arena", lambda: context.results.record(event, number))
            if found is not None:
                record, row, has_next = found
                pages.GameViewer(t, key, record, row, has_next=has_next)

    @ui.page("/learning", response_timeout=RESPONSE_TIMEOUT)
    async def run_list(request: Request) -> None:
        pages, context = await _import_pages("learning", manager)
        with page_layout(request, section="learning") as t:
            await pages.RunList(context, t, game_of("othello6")).begin()

    @ui.page("/learning/{key}", response_timeout=RESPONSE_TIMEOUT)
    async def run(request: Request, key: str) -> None:
        pages, context = await _import_pages("learning", manager)
        with page_layout(request, section="learning") as t:
            first = await _load_or_not_found(t, "learning", lambda: context.results.run(key))
            if first is not None:
                await pages.RunPage(context, t, first).begin()


async def _import_pages(name: str, manager: SessionManager) -> tuple[Any, JobService]:
    """Imports a module of pages off the event loop; also returns the jobs and results of the server."""
    pages = await asyncio.to_thread(importlib.import_module, f"flipdrop.interface.web.pages.{name}")
    return pages, manager.jobs


async def _load_or_not_found(t: Translator, section: str, load: Callable[[], Any]) -> Any:
    """The result of `load`; if it raises, None, and the page says that there is nothing at this URL."""
    try:
        return await asyncio.to_thread(load)
    except FlipdropError:
        with card(t("job.unknown")):
            link_button(t(f"nav.{section}"), f"/{section}", icon=section, kind="primary")
    return None
