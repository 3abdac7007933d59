"""Routes of learning: the list of runs at ``/learning``, a run at ``/learning/KEY``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.arena import RESPONSE_TIMEOUT, import_pages, job_context, load_or_not_found
from flipdrop.interface.web.pages.layout import page_layout

if TYPE_CHECKING:
    from flipdrop.interface.web.sessions.manager import SessionManager


def mount(manager: SessionManager) -> None:
    """Adds the routes."""

    @ui.page("/learning", response_timeout=RESPONSE_TIMEOUT)
    async def run_list(request: Request) -> None:
        pages = await import_pages("run_list")
        t = Translator.for_request(request)
        with page_layout(request, t, section="learning"):
            await pages.RunList(job_context(manager), t, "othello6").begin()

    @ui.page("/learning/{key}", response_timeout=RESPONSE_TIMEOUT)
    async def run(request: Request, key: str) -> None:
        pages = await import_pages("run_page")
        context, t = job_context(manager), Translator.for_request(request)
        with page_layout(request, t, section="learning"):
            first = await load_or_not_found(t, "learning", lambda: context.results.run(key))
            if first is not None:
                await pages.RunPage(context, t, first).begin()
