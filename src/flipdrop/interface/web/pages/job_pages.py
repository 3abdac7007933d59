"""What the arena and learning share: the list of all events or runs, and the page about one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from nicegui import ui

from flipdrop.games import game as game_of
from flipdrop.interface.web.jobs.manager import STOPPING
from flipdrop.interface.web.pages.polled_page import PolledPage, try_in_thread
from flipdrop.interface.web.pages.result_texts import FORMATS
from flipdrop.interface.web.pages.widgets import (
    Button,
    ErrorBanner,
    card,
    confirm,
    copy_button,
    div,
    notify,
    raw_html,
    text,
)
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.service import JobService
    from flipdrop.interface.web.schemas import EventView, RunView

_MAX_LISTED = 60


class ListPage(PolledPage):
    """A list of events or runs, and beside it the forms that start one.

    :cvar item: ``data-test`` of an item
    :cvar hidden_states: states without a badge
    """

    section: ClassVar[str]
    item: ClassVar[str]
    hidden_states: ClassVar[tuple[str, ...]] = ("ended",)

    def __init__(self, jobs: JobService, t: Translator, game: Game) -> None:
        super().__init__(t)
        self.jobs = jobs
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

    def __init__(self, jobs: JobService, t: Translator, first: EventView | RunView) -> None:
        super().__init__(t)
        self.jobs = jobs
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
            await try_in_thread(self.t, self.jobs.manager.stop, self._job.id, threads=STOPPING)
            self._stop.set_enabled(True)
            await self.poll()

    async def _on_resume(self) -> None:
        if self._job is not None:
            await try_in_thread(self.t, self.jobs.manager.resume, self._job.id)
            await self.poll()

    def _on_delete(self) -> None:
        job, t = self._job, self.t
        if job is None:
            return

        def delete() -> bool:
            self.jobs.manager.delete(job.id)
            return True

        async def on_confirm() -> None:
            if await try_in_thread(t, delete):
                ui.navigate.to(f"/{self.section}")

        hint = t("job.delete_model" if self.section == "learning" else "job.delete_games")
        confirm(t("job.delete_sure"), t("job.delete"), on_confirm, cancel=t("job.cancel"), hint=hint, test="delete")
