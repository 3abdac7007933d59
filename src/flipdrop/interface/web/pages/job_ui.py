"""Shared by the pages of the arena and of learning: polling, headers, lists, formats."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from markupsafe import Markup
from nicegui import ui

from flipdrop.errors import FlipdropError, PlayerError, quoted
from flipdrop.interface.web.jobs.factory import JobFactory
from flipdrop.interface.web.jobs.manager import MAX_JOBS, JobManager
from flipdrop.interface.web.jobs.repository import ResultsRepository
from flipdrop.interface.web.pages.error_messages import ErrorBanner, notify_error
from flipdrop.interface.web.pages.pickers import player_title
from flipdrop.interface.web.pages.widgets import Button, card, dialog, div, notify, raw_html, text
from flipdrop.interface.web.sessions.validation import parse_player
from flipdrop.interface.web.templating import render
from flipdrop.reporting import formatting
from flipdrop.reporting.formatting import elo_text, shortened

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from concurrent.futures import Executor

    from flipdrop.arena.statistics import Games
    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.manager import Job
    from flipdrop.interface.web.jobs.repository import EventSummary, RunSummary
    from flipdrop.interface.web.sessions.manager import SessionManager

POLL_FAST = 1.0  # s, while something runs
POLL_SLOW = 5.0  # s, otherwise: the command line may resume the event

# Stopping a job can take minutes, and must not block the threads that poll.
_STOPPING = ThreadPoolExecutor(MAX_JOBS, thread_name_prefix="stopping")

_FIRST_POLL = 0.7  # s; after this the page is sent without results
_LONGEST_NAME = 48
_MAX_LISTED = 60
_MODEL = re.compile(r".*[=/]([^/=]+)\.(?:weights|pattern|table|onnx)")


class JobContext:
    """The jobs and results of a server."""

    def __init__(self, manager: SessionManager) -> None:
        self._config = config = manager.config
        self.jobs = JobManager(config.jobs_folder)
        self.results = ResultsRepository(config.store, self.jobs)
        self.factory = JobFactory(self.jobs, config.store, self._check_player)

    def _check_player(self, spec: str, game: Game) -> str:
        player = parse_player(spec, game, self._config)
        if player.spec is None:
            raise PlayerError(f"player {quoted(spec, 20)}; enter one, such as level:4 or mcts:iterations=800")
        return player.spec


@cache
def job_context(manager: SessionManager) -> JobContext:
    return JobContext(manager)


async def try_in_thread(
    t: Translator, action: Callable[..., Any], *arguments: Any, threads: Executor | None = None
) -> Any:
    """Calls `action` off the event loop; None, and a notification, if it raises."""
    try:
        return await asyncio.get_running_loop().run_in_executor(threads, action, *arguments)
    except (FlipdropError, OSError) as error:
        notify_error(t, error)
    return None


class Poller:
    """Calls `load` periodically off the event loop and passes its result to `show`.

    :param is_running: whether the result is expected to change soon, so that the next poll is early
    """

    def __init__(
        self, t: Translator, load: Callable[[], Any], show: Callable[[Any], object], is_running: Callable[[Any], bool]
    ) -> None:
        self._t = t
        self._load, self._show, self._is_running = load, show, is_running
        self._timer: ui.timer | None = None
        self._running = self._closed = False
        self._error = ""
        ui.context.client.on_delete(self._close)

    async def begin(self) -> None:
        """Polls now, if that does not delay the page, and then until the page is closed."""
        shown = True
        try:
            await asyncio.wait_for(self.poll(), _FIRST_POLL)
        except TimeoutError:
            shown = False
        self._timer = ui.timer(POLL_FAST, self.poll, immediate=not shown)
        self._set_interval(self._running or not shown)

    async def poll(self) -> None:
        try:
            found = await asyncio.to_thread(self._load)
        except FlipdropError as error:
            if str(error) != self._error and not self._closed:
                notify_error(self._t, error)
            self._error, self._running = str(error), False
            self._set_interval(False)
            return
        if self._closed:
            return
        self._error, self._running = "", self._is_running(found)
        self._set_interval(self._running)
        self._show(found)

    def _close(self) -> None:
        self._closed = True

    def _set_interval(self, running: bool) -> None:
        if self._timer is not None:
            self._timer.interval = POLL_FAST if running else POLL_SLOW


class ListPage:
    """A list of events or runs, and beside it the forms that start one."""

    section: ClassVar[str]
    empty_key: ClassVar[str]

    def __init__(self, context: JobContext, t: Translator, game: Game) -> None:
        self.context, self.t = context, t
        with div("fd-list-layout"):
            with div("fd-list"):
                text(t(f"nav.{self.section}"), "fd-title fd-no-margin", tag="h1")
                self._rows = raw_html("", "fd-list", tag="div")
            with div("fd-sidebar"), card():
                self.forms(game)

    async def begin(self) -> None:
        await Poller(self.t, self._poll, self._show, lambda found: found[0]).begin()

    def forms(self, game: Game) -> None:
        raise NotImplementedError

    def load(self) -> Sequence[EventSummary | RunSummary]:
        raise NotImplementedError

    def row(self, item: Any) -> dict[str, Any]:
        """The values of an item in item_list.html, off the event loop."""
        raise NotImplementedError

    def _poll(self) -> tuple[bool, list[dict[str, Any]]]:
        items = sorted(self.load(), key=lambda item: not item.is_running)
        return any(item.is_running for item in items), [self.row(item) for item in items[:_MAX_LISTED]]

    def _show(self, found: tuple[bool, list[dict[str, Any]]]) -> None:
        self._rows.set_content(render("item_list", rows=found[1], section=self.section, empty=self.t(self.empty_key)))


def short_player_name(t: Translator, spec: str) -> str:
    """A level by its title, a model by its file, others by their shortened spec."""
    if model := _MODEL.fullmatch(spec):
        return model[1]
    return shortened(player_title(t, spec), _LONGEST_NAME)


def counts_text(t: Translator, games: Games) -> str:
    return t("arena.counts", won=games.wins, drawn=games.draws, lost=games.losses)


def elo(value: float) -> str:
    return typographic_minus(elo_text(value).replace("inf", "∞"))


def interval_text(ends: tuple[float, float]) -> str:
    return typographic_minus(formatting.interval_text(ends).replace("inf", "∞").replace(" to ", " … "))


def typographic_minus(number: str) -> str:
    """With a minus sign that is as wide as a plus."""
    return number.replace("-", "−")


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


def state_badge(t: Translator, state: str) -> Markup:
    return Markup(render("state_badge", state=state, label=t(f"state.{state}")))


def properties(pairs: Sequence[tuple[str, str]]) -> Markup:
    """Names and values as a definition list."""
    return Markup(render("properties", pairs=pairs) if pairs else "")


def command_card(t: Translator, job: Job | None) -> None:
    """The command line of a job, with a button that copies it."""
    if job is None:
        return
    command = job.spec.command
    with card(t("job.command")) as made, div("fd-command"):
        made.classes("whole")
        text(command, "fd-mono", tag="code")

        def copy() -> None:
            ui.clipboard.write(command)
            notify(t("job.copied"))

        Button("", copy, icon="copy", kind="subtle", hint=t("job.copy"), test="copy-command")


class PageHeader:
    """The header of a page about one event or run: title, state, and buttons for its job.

    :param section: of the navigation, to which the page links back
    :param on_change: called after a job was stopped or resumed
    """

    def __init__(
        self, t: Translator, context: JobContext, title: str, section: str, on_change: Callable[[], Awaitable[None]]
    ) -> None:
        self._t, self._context, self._section, self._on_change = t, context, section, on_change
        self._job: Job | None = None
        text(f"‹ {t(f'nav.{section}')}", "fd-back-link", tag="a", href=f"/{section}")
        with div("fd-page-header"):
            text(title, "fd-title", tag="h1")
            self._badge = raw_html("")
            with div("buttons") as self.buttons:
                self._stop = Button(t("job.stop"), self._on_stop, icon="stop", test="stop")
                self._resume = Button(t("job.resume"), self._on_resume, icon="start", test="resume")
                self._delete = Button(t("job.delete"), self._on_delete, kind="subtle", test="delete")
            self._subtitle = text("", "subtitle")
        self._error = ErrorBanner(t, test="job-error")

    def show(self, job: Job | None, *, state: str, subtitle: str) -> None:
        self._job = job
        self._badge.set_content(state_badge(self._t, state))
        self._subtitle.set_text(subtitle)
        self._stop.set_visibility(job is not None and job.is_running)
        self._resume.set_visibility(job is not None and job.can_resume)
        self._delete.set_visibility(job is not None and not job.is_running)
        error = job.error if job else ""
        self._error.write(self._t("job.failed") if error else "", error)

    async def _on_stop(self) -> None:
        if self._job is not None:
            self._stop.set_enabled(False)
            notify(self._t("job.stopping"))
            await try_in_thread(self._t, self._context.jobs.stop, self._job.id, threads=_STOPPING)
            self._stop.set_enabled(True)
            await self._on_change()

    async def _on_resume(self) -> None:
        if self._job is not None:
            await try_in_thread(self._t, self._context.jobs.resume, self._job.id)
            await self._on_change()

    def _on_delete(self) -> None:
        if self._job is None:
            return
        job, t = self._job, self._t
        with dialog(t("job.delete_sure")) as opened:
            text(t("job.delete_model" if job.spec.is_learner else "job.delete_games"), "fd-muted")

            def delete() -> bool:
                self._context.jobs.delete(job.id)
                return True

            async def on_confirm() -> None:
                if await try_in_thread(t, delete):
                    ui.navigate.to(f"/{self._section}")
                opened.close()

            with div("fd-row"):
                Button(t("job.delete"), on_confirm, kind="primary", test="delete-yes")
                Button(t("job.cancel"), opened.close)
