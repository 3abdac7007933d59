"""Shared by the pages of the arena and of learning: polling, lists, pages about one job, formats."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from markupsafe import Markup
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import game as game_of
from flipdrop.interface.web.agents.library import agent_name
from flipdrop.interface.web.jobs.manager import STOPPING
from flipdrop.interface.web.pages.charts import typographic_minus
from flipdrop.interface.web.pages.pickers import player_title
from flipdrop.interface.web.pages.widgets import (
    Button,
    ErrorBanner,
    card,
    confirm,
    copy_button,
    div,
    notify,
    notify_error,
    raw_html,
    text,
)
from flipdrop.interface.web.templating import render
from flipdrop.players import display_name
from flipdrop.reporting import formatting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Executor

    from flipdrop.arena.statistics import Games
    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.service import JobService
    from flipdrop.interface.web.schemas import EventView, RunView

POLL_FAST = 1.0  # s, while something runs
POLL_SLOW = 5.0  # s, otherwise: the command line may resume the event

_FIRST_POLL = 0.7  # s; after this the page is sent without results
_LONGEST_NAME = 48
_MAX_LISTED = 60
_BREAKS = re.compile("(?<=[:,])")
_MODEL = re.compile(r".*[=/]([^/=]+)\.(?:weights|pattern|table|onnx)")


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

    def __init__(self, context: JobService, t: Translator) -> None:
        self.context, self.t = context, t
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


class ListPage(PolledPage):
    """A list of events or runs, and beside it the forms that start one.

    :cvar item: ``data-test`` of an item
    :cvar hidden_states: states without a badge
    """

    section: ClassVar[str]
    item: ClassVar[str]
    hidden_states: ClassVar[tuple[str, ...]] = ("ended",)

    def __init__(self, context: JobService, t: Translator, game: Game) -> None:
        super().__init__(context, t)
        with div("fd-list-layout"):
            with div("fd-list"):
                text(t(f"nav.{self.section}"), "fd-title fd-no-margin", tag="h1")
                self._rows = raw_html("", "fd-list", tag="div")
            with div("fd-sidebar"), card():
                self.forms(game)

    def forms(self, game: Game) -> None:
        raise NotImplementedError

    def items(self) -> Sequence[EventView | RunView]:
        raise NotImplementedError

    def row(self, item: Any) -> dict[str, Any]:
        """An item off the event loop: ``title``, ``about``, and of its result ``caption``, ``value``, ``games``."""
        raise NotImplementedError

    def load(self) -> tuple[bool, str]:
        items = sorted(self.items(), key=lambda item: not item.is_running)
        rows = [(item, {"caption": "", "value": "", "games": None} | self.row(item)) for item in items[:_MAX_LISTED]]
        html = render("item_list", t=self.t, rows=rows, page=self, **FORMATS)
        return any(item.is_running for item in items), html

    def show(self, found: tuple[bool, str]) -> bool:
        self._rows.set_content(found[1])
        return found[0]


class JobPage(PolledPage):
    """A page about one event or run: title, state, buttons for its job, progress, cards, and the command line."""

    section: ClassVar[str]

    def __init__(self, context: JobService, t: Translator, first: EventView | RunView) -> None:
        super().__init__(context, t)
        self.key, self.game, self._job = first.key, game_of(first.game), first.job
        text(f"‹ {t(f'nav.{self.section}')}", "fd-back-link", tag="a", href=f"/{self.section}")
        with div("fd-page-header"):
            text(self.title(first), "fd-title", tag="h1")
            self._badge = raw_html("")
            with div("buttons") as self.buttons:
                self._stop = Button(t("job.stop"), self._on_stop, icon="stop", test="stop")
                self._resume = Button(t("job.resume"), self._on_resume, icon="start", test="resume")
                self._delete = Button(t("job.delete"), self._on_delete, kind="subtle", test="delete")
            self._subtitle = text("", "subtitle")
        self._error = ErrorBanner(t, test="job-error")
        with div("fd-cards"):
            with card(classes="whole") as self._progress_card:
                self._progress = raw_html("", tag="div")
            self.build(first)
            if first.job is not None and first.job.command:
                self._build_command(first.job.command)

    def title(self, summary: Any) -> str:
        raise NotImplementedError

    def build(self, first: Any) -> None:
        """Makes the cards between the progress and the command line."""
        raise NotImplementedError

    def show_job(self, summary: EventView | RunView, *, about: Sequence[str], progress: str, speed: str = "") -> bool:
        """Paints the header and the progress; returns whether the job runs.

        :param about: parts of the line below the title
        :param progress: games or time so far
        """
        self._job = job = summary.job
        self._badge.set_content(render("state_badge", t=self.t, state=summary.state))
        self._subtitle.set_text(" · ".join(about))
        self._stop.set_visibility(job is not None and job.is_running)
        self._resume.set_visibility(job is not None and job.can_resume)
        self._delete.set_visibility(job is not None and not job.is_running)
        error = job.error if job else ""
        self._error.write(self.t("job.failed") if error else "", error)
        self._progress_card.set_visibility(summary.is_running)
        if summary.is_running:
            self._progress.set_content(render("progress", done=progress, speed=speed, share=summary.share or 0))
        return summary.is_running

    def _build_command(self, command: str) -> None:
        with card(self.t("job.command"), "whole"), div("fd-command"):
            text(command, "fd-mono", tag="code")
            copy_button(self.t, command, test="copy-command", kind="subtle")

    async def _on_stop(self) -> None:
        if self._job is not None:
            self._stop.set_enabled(False)
            notify(self.t("job.stopping"))
            await try_in_thread(self.t, self.context.jobs.stop, self._job.id, threads=STOPPING)
            self._stop.set_enabled(True)
            await self.poll()

    async def _on_resume(self) -> None:
        if self._job is not None:
            await try_in_thread(self.t, self.context.jobs.resume, self._job.id)
            await self.poll()

    def _on_delete(self) -> None:
        job, t = self._job, self.t
        if job is None:
            return

        def delete() -> bool:
            self.context.jobs.delete(job.id)
            return True

        async def on_confirm() -> None:
            if await try_in_thread(t, delete):
                ui.navigate.to(f"/{self.section}")

        hint = t("job.delete_model" if self.section == "learning" else "job.delete_games")
        confirm(t("job.delete_sure"), t("job.delete"), on_confirm, cancel=t("job.cancel"), hint=hint, test="delete")


def short_player_name(t: Translator, spec: str) -> str:
    """A level by its title, a model by its file, an engine or agent by its name, others by their shortened spec."""
    if (agent := agent_name(spec)) is not None:
        name, version = agent
        return name if version in (None, 1) else f"{name} v{version}"
    if model := _MODEL.fullmatch(spec):
        return model[1]
    return formatting.shortened(player_title(t, display_name(spec)), _LONGEST_NAME)


def breakable_player_name(t: Translator, spec: str) -> Markup:
    """A player's name that a narrow column breaks between its options."""
    parts = _BREAKS.split(short_player_name(t, spec))
    return Markup("<wbr/>").join(parts)


def counts_text(t: Translator, games: Games) -> str:
    return t("arena.counts", won=games.wins, drawn=games.draws, lost=games.losses)


def elo(value: float) -> str:
    return typographic_minus(formatting.elo_text(value).replace("inf", "∞"))


def interval_text(ends: tuple[float, float]) -> str:
    return typographic_minus(formatting.interval_text(ends).replace("inf", "∞").replace(" to ", " … "))


def ago(t: Translator, moment: str) -> str:
    """How long ago an ISO 8601 time was; its date after a day."""
    then = datetime.fromisoformat(moment)
    seconds = (datetime.now(UTC) - then).total_seconds()
    if seconds < 60:
        return t("ago.now")
    if seconds < 3600:
        return t("ago.minutes", count=int(seconds // 60))
    if seconds < 86_400:
        return t("ago.hours", count=int(seconds // 3600))
    return then.date().isoformat()


def likelihood_text(share: float) -> str:
    """A likelihood of superiority, which is never certain.

    >>> likelihood_text(0.882), likelihood_text(0.99999), likelihood_text(0.0)
    ('88.2%', '> 99.9%', '< 0.1%')
    """
    if share > 0.9995:
        return "> 99.9%"
    return "< 0.1%" if share < 0.0005 else f"{100 * share:.1f}%"


FORMATS = {
    "ago": ago,
    "counts_text": counts_text,
    "elo": elo,
    "interval_text": interval_text,
    "likelihood_text": likelihood_text,
    "minus": typographic_minus,
    "player": short_player_name,
    "player_cell": breakable_player_name,
    "share_text": formatting.share_text,
}
"""Functions that the templates of the arena and of learning use."""
