"""Arena: matches, tournaments and ladders. All of them at ``/arena``, each at ``/arena/KEY``, games below that.

They run in processes of their own (`jobs`), and the pages read the store: closing the page, or the server, stops
nothing. What was begun on the command line is here as well.

The statistics of the arena take half a second to load, so these pages are loaded when somebody wants to see them, and
not when the server starts.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import game as game_of
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.widgets import card, link_button

if TYPE_CHECKING:
    from flipdrop.interface.web.sessions.manager import SessionManager

RESPONSE_TIMEOUT = 30.0
"""Seconds that a page may take to be made, on a machine whose cores are all at work."""


def mount(manager: SessionManager) -> None:
    """Adds the pages."""

    @ui.page("/arena", response_timeout=RESPONSE_TIMEOUT)
    async def arena(request: Request, game: str = "othello") -> None:
        await load("event_list")
        from flipdrop.interface.web.pages.event_list import EventList
        from flipdrop.interface.web.pages.job_ui import job_context

        t = Translator.for_request(request)
        with page_layout(request, t, section="arena"):
            await EventList(job_context(manager), t, _known_game(game)).begin()

    @ui.page("/arena/{key}", response_timeout=RESPONSE_TIMEOUT)
    async def event_page(request: Request, key: str) -> None:
        await load("event_page")
        from flipdrop.interface.web.pages.event_page import PAGES, TournamentPage
        from flipdrop.interface.web.pages.job_ui import job_context

        context, t = job_context(manager), Translator.for_request(request)
        with page_layout(request, t, section="arena"):
            try:
                first = await asyncio.to_thread(lambda: context.results.event(key, context.jobs.all()))
            except FlipdropError:
                unknown(t, "arena")
                return
            await PAGES.get(first.kind, TournamentPage)(context, t, first).begin()

    @ui.page("/arena/{key}/{event}/{number}", response_timeout=RESPONSE_TIMEOUT)
    async def replay(request: Request, key: str, event: int, number: int) -> None:
        await load("game_viewer")
        from flipdrop.interface.web.pages.game_viewer import GameViewer
        from flipdrop.interface.web.pages.job_ui import job_context

        context, t = job_context(manager), Translator.for_request(request)
        with page_layout(request, t, section="arena"):
            try:
                record, line, goes_on = await asyncio.to_thread(lambda: context.results.record(event, number))
            except FlipdropError:
                unknown(t, "arena")
                return
            GameViewer(t, key, record, line, goes_on=goes_on)


async def load(page: str) -> None:
    """Loads a module of pages, if nobody has yet, without keeping others waiting."""
    await asyncio.to_thread(importlib.import_module, f"flipdrop.interface.web.pages.{page}")


def unknown(t: Translator, place: str) -> None:
    """Says that there is nothing at this address."""
    with card(t("job.unknown")):
        link_button(t(f"nav.{place}"), f"/{place}", icon=place, kind="primary")


def _known_game(name: str) -> str:
    try:
        return game_of(name[:40]).name
    except FlipdropError:
        return "othello"
