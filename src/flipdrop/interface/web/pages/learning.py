"""Learning: runs of learners. All of them at ``/learning``, each at ``/learning/KEY``.

They run in processes of their own, and write their curves into the store, from which these pages read them. As those of
the arena, the pages are loaded when somebody wants to see them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.arena import RESPONSE_TIMEOUT, load, unknown
from flipdrop.interface.web.pages.layout import page_layout

if TYPE_CHECKING:
    from flipdrop.interface.web.sessions.manager import SessionManager


def mount(manager: SessionManager) -> None:
    """Adds the pages."""

    @ui.page("/learning", response_timeout=RESPONSE_TIMEOUT)
    async def learning(request: Request) -> None:
        await load("run_page")
        from flipdrop.interface.web.pages.job_ui import job_context
        from flipdrop.interface.web.pages.run_page import RunList

        t = Translator.for_request(request)
        with page_layout(request, t, section="learning"):
            await RunList(job_context(manager), t).begin()

    @ui.page("/learning/{key}", response_timeout=RESPONSE_TIMEOUT)
    async def learner(request: Request, key: str) -> None:
        await load("run_page")
        from flipdrop.interface.web.pages.job_ui import job_context
        from flipdrop.interface.web.pages.run_page import RunPage

        context, t = job_context(manager), Translator.for_request(request)
        with page_layout(request, t, section="learning"):
            try:
                first = await asyncio.to_thread(lambda: context.results.run(key, context.jobs.all()))
            except FlipdropError:
                unknown(t, "learning")
                return
            await RunPage(context, t, first).begin()
