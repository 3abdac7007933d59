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
from flipdrop.interface.web.pages.game_picker import game_or_othello
from flipdrop.interface.web.pages.layout import RESPONSE_TIMEOUT, page_layout
from flipdrop.interface.web.pages.widgets import Button, card

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.service import JobService


def mount(jobs: JobService) -> None:
    _mount_section(jobs, "arena", "Event", "othello")
    _mount_section(jobs, "learning", "Run", "othello6")

    @ui.page("/arena/{key}/{event}/{number}", response_timeout=RESPONSE_TIMEOUT)
    async def game(request: Request, key: str, event: int, number: int) -> None:
        pages = await _import("game_viewer")
        with page_layout(request, section="arena", heading=True) as t:
            found = await _load_or_not_found(t, "arena", lambda: jobs.results.record(event, number))
            if found is not None:
                record, row, has_next = found
                pages.GameViewer(t, key, record, row, has_next=has_next)


def _mount_section(jobs: JobService, section: str, name: str, default_game: str) -> None:
    """Adds the list of a section and the pages of its items.

    :param name: of the items: ``EventList`` and ``EventPage`` are the pages of the module `section`
    """

    @ui.page(f"/{section}", response_timeout=RESPONSE_TIMEOUT)
    async def list_page(request: Request, game: str = default_game) -> None:
        pages = await _import(section)
        with page_layout(request, section=section) as t:
            await getattr(pages, f"{name}List")(jobs, t, game_or_othello(game)).begin()

    @ui.page(f"/{section}/{{key}}", response_timeout=RESPONSE_TIMEOUT)
    async def item_page(request: Request, key: str) -> None:
        pages = await _import(section)
        with page_layout(request, section=section) as t:
            find = getattr(jobs.results, name.lower())
            first = await _load_or_not_found(t, section, lambda: find(key))
            if first is not None:
                await getattr(pages, f"{name}Page")(jobs, t, first).begin()


async def _import(name: str) -> Any:
    """Imports a module of pages off the event loop."""
    return await asyncio.to_thread(importlib.import_module, f"flipdrop.interface.web.pages.{name}")


async def _load_or_not_found(t: Translator, section: str, load: Callable[[], Any]) -> Any:
    """The result of `load`; if it raises, None, and the page says that there is nothing at this URL."""
    try:
        return await asyncio.to_thread(load)
    except FlipdropError:
        with card(t("job.unknown")):
            Button(t(f"nav.{section}"), href=f"/{section}", icon=section, kind="primary")
    return None
