"""What the pages of arena, learning and experiments share: where they take orders and read results, and their heads."""

from __future__ import annotations

import asyncio
import re
import shlex
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.arena.reports import tables
from flipdrop.arena.reports.tables import elo_text, shortened
from flipdrop.errors import FlipdropError, PlayerError, quoted
from flipdrop.interface.web.jobs.manager import MAX_JOBS, JobManager
from flipdrop.interface.web.jobs.repository import ARENA, ResultsRepository
from flipdrop.interface.web.jobs.spec import JobFactory, can_resume
from flipdrop.interface.web.pages.error_messages import ErrorBanner, notify_error
from flipdrop.interface.web.pages.pickers import player_title
from flipdrop.interface.web.pages.widgets import Button, div, notify, raw_html, text
from flipdrop.interface.web.sessions.validation import parse_player

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from concurrent.futures import Executor

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.manager import Job
    from flipdrop.interface.web.sessions.manager import SessionManager

POLL_FAST = 1.0
"""Seconds between two looks at what is running."""

POLL_SLOW = 5.0
"""Seconds between two looks at what is not: it may be resumed elsewhere."""

_STOPPING = ThreadPoolExecutor(MAX_JOBS, thread_name_prefix="stopping")
"""Who waits for a job to end, which can take minutes, does not keep the looks of other pages waiting."""

_FIRST_LOOK = 0.7  # s; what takes longer is shown as soon as it is there
_LONGEST_NAME = 48
_MODEL = re.compile(r".*[=/]([^/=]+)\.(?:weights|pattern|table|onnx)")
_HIDDEN = {"--store": 1, "--json": 0}  # options of a job's command that a person would not write, and their arguments


class JobContext:
    """Where a server's orders are taken and its results are read."""

    def __init__(self, manager: SessionManager) -> None:
        self.manager = manager
        settings = manager.config
        self.jobs = JobManager(settings.data / "jobs")
        self.results = ResultsRepository(settings.store)
        self.factory = JobFactory(self.jobs, settings.store, self._checked)

    def resume(self, job: Job) -> Job:
        """Goes on with a job, from its beginning if nothing of it is in the store."""
        begun = True
        if job.spec.kind in ARENA:
            begun = bool(self.results.event(job.id, [job]).events)
        return self.jobs.resume(job.id, from_beginning=not begun)

    def _checked(self, spec: str, game: Game) -> str:
        seat = parse_player(spec, game, self.manager.config)
        if seat.spec is None:
            raise PlayerError(f"player {quoted(spec, 20)}; name one, such as level:4 or mcts:iterations=800")
        return seat.spec


@cache
def job_context(manager: SessionManager) -> JobContext:
    """The context of a manager: always the same."""
    return JobContext(manager)


async def try_action(t: Translator, act: Callable[..., Any], *arguments: Any, threads: Executor | None = None) -> Any:
    """Does something off the event loop, and says why if it cannot be done. Returns None then.

    :param threads: where it is done, if not among all else
    """
    try:
        return await asyncio.get_running_loop().run_in_executor(threads, act, *arguments)
    except (FlipdropError, OSError) as error:
        notify_error(t, error)
    return None


class Poller:
    """Looks again and again, off the event loop, and shows what was found if it has changed.

    :param look: what there is to see
    :param show: shows it
    :param is_running: whether more is to be expected soon
    """

    def __init__(
        self, t: Translator, look: Callable[[], Any], show: Callable[[Any], object], is_running: Callable[[Any], bool]
    ) -> None:
        self._t = t
        self._look, self._show, self._is_running = look, show, is_running
        self._timer: ui.timer | None = None
        self._running = self._gone = False
        self._trouble = ""
        ui.context.client.on_delete(self._leave)

    async def begin(self) -> None:
        """Shows what there is, if that takes no longer than people like to wait, and goes on while the page is open."""
        shown = True
        try:
            await asyncio.wait_for(self.poll(), _FIRST_LOOK)
        except TimeoutError:
            shown = False
        self._timer = ui.timer(POLL_FAST, self.poll, immediate=not shown)
        self._set_pace(self._running or not shown)

    async def poll(self) -> None:
        """Looks now."""
        try:
            found = await asyncio.to_thread(self._look)
        except FlipdropError as error:
            if str(error) != self._trouble and not self._gone:  # said once is enough
                notify_error(self._t, error)
            self._trouble = str(error)
            self._running = False
            self._set_pace(False)
            return
        if self._gone:  # nobody looks at the page any more
            return
        self._trouble = ""
        self._running = self._is_running(found)
        self._set_pace(self._running)
        self._show(found)

    def _leave(self) -> None:
        self._gone = True

    def _set_pace(self, running: bool) -> None:
        if self._timer is not None:
            self._timer.interval = POLL_FAST if running else POLL_SLOW


def name_of(t: Translator, spec: str) -> str:
    """What a player is called in lists: a level by its name, a model by its file's, others by their shortened spec."""
    if model := _MODEL.fullmatch(spec):
        return model[1]
    return shortened(player_title(t, spec), _LONGEST_NAME)


def elo(value: float) -> str:
    """An Elo difference as pages show it."""
    return typographic_minus(elo_text(value).replace("inf", "∞"))


def interval_text(ends: tuple[float, float]) -> str:
    """Where an Elo difference is."""
    return typographic_minus(tables.interval_text(ends).replace("inf", "∞").replace(" to ", " … "))


def typographic_minus(number: str) -> str:
    """A number with a true typographic_minus, which is as wide as a plus."""
    return number.replace("-", "−")


def ago(t: Translator, moment: str | datetime) -> str:
    """When something was, as people say it."""
    then = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    seconds = (datetime.now(UTC) - then).total_seconds()
    if seconds < 60:
        return t("ago.now")
    if seconds < 3600:
        return t("ago.minutes", count=int(seconds // 60))
    if seconds < 86_400:
        return t("ago.hours", count=int(seconds // 3600))
    return then.date().isoformat()


def pill(t: Translator, state: str) -> str:
    """How a job is, as a small label."""
    label = escape(t(f"state.{state}"))
    return f'<span class="fd-pill {state}" data-test="state" data-state="{state}">{label}</span>'


def command_of(job: Job) -> str:
    """The command that does the same in a terminal."""
    arguments = list(job.spec.arguments)
    for option, count in _HIDDEN.items():
        if option in arguments:
            at = arguments.index(option)
            del arguments[at : at + 1 + count]
    if "--out" in arguments:
        file = arguments.index("--out") + 1
        arguments[file] = Path(arguments[file]).name
    cut = arguments.index("--")
    return shlex.join(["flipdrop", arguments[0], *arguments[cut + 1 :], *arguments[1:cut]])


def command_line(t: Translator, job: Job) -> None:
    """The command, with a button that copies it."""
    command = command_of(job)
    with div("fd-command"):
        text(command, "fd-mono", tag="code")

        def copy() -> None:
            ui.clipboard.write(command)
            notify(t("job.copied"))

        Button("", copy, icon="copy", kind="subtle", hint=t("job.copy"), test="copy-command")


class PageHeader:
    """The head of a page about one event or run: its title, its setting, how it is, and what one can do about it.

    :param on_change: called after a job was stopped or resumed
    """

    def __init__(
        self,
        t: Translator,
        context: JobContext,
        title: str,
        back: tuple[str, str],
        on_change: Callable[[], Awaitable[None]],
    ) -> None:
        self._t, self._context, self._on_change = t, context, on_change
        self._job: Job | None = None
        self._back = back[1]
        link = div("fd-back-link", tag="a")
        link._props["href"] = back[1]
        link._text = f"‹ {back[0]}"
        with div("fd-page-header"):
            text(title, "fd-title", tag="h1")
            self._pill = raw_html("")
            with div("buttons") as self.buttons:
                self._stop = Button(t("job.stop"), self._on_stop, icon="stop", test="stop")
                self._resume = Button(t("job.resume"), self._on_resume, icon="start", test="resume")
                self._forget = Button(t("job.delete"), self._on_forget, kind="subtle", test="delete")
            self._setting = text("", "subtitle")
        self._complaint = ErrorBanner(t, test="job-error")

    def show(self, job: Job | None, *, state: str, setting: str) -> None:
        """Shows how it is.

        :param state: to be shown if there is no job
        """
        self._job = job
        self._pill.set_content(pill(self._t, job.state if job else state))
        self._setting.set_text(setting)
        running = job is not None and job.is_running
        self._stop.set_visibility(running)
        self._resume.set_visibility(job is not None and can_resume(job))
        self._forget.set_visibility(job is not None and not running)
        complaint = job.error if job else ""
        self._complaint.write(self._t("job.failed") if complaint else "", complaint)

    async def _on_stop(self) -> None:
        if self._job is not None:
            self._stop.set_enabled(False)
            notify(self._t("job.stopping"))
            await try_action(self._t, self._context.jobs.stop, self._job.id, threads=_STOPPING)
            self._stop.set_enabled(True)
            await self._on_change()

    async def _on_resume(self) -> None:
        if self._job is not None:
            await try_action(self._t, self._context.resume, self._job)
            await self._on_change()

    async def _on_forget(self) -> None:
        if self._job is None:
            return
        job, t = self._job, self._t
        with ui.dialog(value=True) as dialog, ui.card().classes("fd-dialog"):
            text(t("job.delete_sure"), "fd-heading")
            learner = "model" in job.spec.metadata
            text(t("job.delete_model" if learner else "job.delete_games"), "fd-muted")

            def gone() -> bool:
                self._context.jobs.forget(job.id)
                return True

            async def forget() -> None:
                if await try_action(t, gone):
                    ui.navigate.to(self._back)
                dialog.close()

            with div("fd-row"):
                Button(t("job.delete"), forget, kind="primary", test="delete-yes")
                Button(t("job.cancel"), dialog.close)
        dialog.on("hide", lambda _: dialog.delete())
