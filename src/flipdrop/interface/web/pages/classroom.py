"""The pages of a class: ``/class`` to enter an agent, ``/class/standings`` for a projector, ``/class/agent/NAME`` about
one agent, and ``/class/teacher`` with the teacher's controls.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import game as game_of
from flipdrop.interface.web.agents.roster import LONGEST_NAME
from flipdrop.interface.web.agents.source import MAX_BYTES, AgentRefused
from flipdrop.interface.web.clients import client_key, is_teacher
from flipdrop.interface.web.jobs.service import BadNumber
from flipdrop.interface.web.pages import charts
from flipdrop.interface.web.pages.display_names import game_title
from flipdrop.interface.web.pages.game_picker import GamePicker
from flipdrop.interface.web.pages.layout import RESPONSE_TIMEOUT, page_layout
from flipdrop.interface.web.pages.polled_page import PolledPage, try_in_thread
from flipdrop.interface.web.pages.result_texts import FORMATS
from flipdrop.interface.web.pages.widgets import (
    Button,
    ErrorBanner,
    card,
    clickable_html,
    confirm,
    copy_button,
    data_clicked,
    div,
    field,
    notify_error,
    raw_html,
    select,
    set_attributes,
    set_class,
    text,
    text_input,
)
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nicegui.events import GenericEventArguments

    from flipdrop.games import Game
    from flipdrop.interface.web.classroom.results import AgentResults, ExportForm, Standings
    from flipdrop.interface.web.classroom.service import ClassroomService
    from flipdrop.interface.web.i18n import Translator

_SECONDS = ("0.1", "0.5", "1", "2", "5", "10")
_GAMES = ("4", "10", "20", "40", "100")
# Sends the bytes of the chosen file; an empty text without one, null for one that is too large.
_READ_FILE = (
    "() => {const file = document.querySelector('[data-test=file]').files[0]; if (!file) return emit('');"
    f"if (file.size > {MAX_BYTES}) return emit(null);"
    "const reader = new FileReader(); reader.onload = () => emit(reader.result.split(',')[1] ?? '');"
    "reader.readAsDataURL(file)}"
)
_FULL_SCREEN = (
    "() => document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()"
)
EXAMPLE = '''class MyAgent:
    """Plays the move that leaves the opponent the fewest moves."""

    def choose(self, position, clock):
        def replies(move):
            return len(position.play(move).legal_moves)

        return min(position.legal_moves, key=replies)
'''


def mount(service: ClassroomService) -> None:
    @ui.page("/class", response_timeout=RESPONSE_TIMEOUT)
    async def upload(request: Request) -> None:
        with page_layout(request, section="class") as t:
            await UploadPage(service, t).begin()

    @ui.page("/class/standings", response_timeout=RESPONSE_TIMEOUT)
    async def standings(request: Request) -> None:
        with page_layout(request, section="class", title=service.title) as t:
            await StandingsPage(service, t).begin()

    @ui.page("/class/agent/{name}", response_timeout=RESPONSE_TIMEOUT)
    async def agent(request: Request, name: str) -> None:
        with page_layout(request, section="class", title=name[:LONGEST_NAME]) as t:
            await AgentPage(service, t, name).begin()

    @ui.page("/class/teacher", response_timeout=RESPONSE_TIMEOUT)
    async def teacher(request: Request) -> None:
        with page_layout(request, section="class") as t:
            if is_teacher():
                await TeacherPage(service, t).begin()
            else:
                with card(t("class.teacher_only")):
                    text(t("class.teacher_link"), "fd-muted")
                    Button(t("class.back"), href="/class", icon="class", kind="primary")


def sent_code(sent: object) -> bytes:
    """The bytes that a browser has sent in Base64; None stands for a file that is too large."""
    if sent is None:
        raise AgentRefused(f"the file has more than {MAX_BYTES:,} bytes")
    try:
        return base64.b64decode(sent, validate=True) if isinstance(sent, str) else b""
    except (binascii.Error, ValueError):
        return b""


def agent_url(name: str) -> str:
    return f"/class/agent/{quote(name, safe='')}"


class ClassPage(PolledPage):
    """A page that shows results of the class and follows them."""

    def __init__(self, service: ClassroomService, t: Translator) -> None:
        super().__init__(t)
        self.service = service

    @contextmanager
    def header(self, title: str) -> Iterator[None]:
        """The title, the state of the class, the buttons that are made inside, and a line about the games."""
        with div("fd-page-header"):
            text(title, "fd-title", tag="h1")
            self._state = raw_html("")
            with div("buttons"):
                yield
            self._about = text("", "subtitle", test="about")

    def show_header(self, standings: Standings) -> None:
        """Shows the state, the game, the time for a move, and how far the round robin is."""
        t = self.t
        about = (
            game_title(t, game_of(standings.game)),
            t("class.seconds", seconds=f"{standings.seconds:g}"),
            t("class.games", games=f"{standings.games:,}", planned=f"{standings.planned:,}"),
        )
        self._about.set_text(" · ".join(about))
        self._state.set_content(render("class_state", t=t, state=standings.state))

    def standings_html(self, standings: Standings, *, large: bool = False, mine: frozenset[str] = frozenset()) -> str:
        """The table of the standings.

        :param mine: names that are marked
        """
        has_ladder = any(row.ladder is not None for row in standings.rows)
        values = {"standings": standings, "url": agent_url, "sparkline": charts.sparkline, "has_ladder": has_ladder}
        return render("class_standings", t=self.t, large=large, mine=mine, **values, **FORMATS)


class UploadPage(ClassPage):
    """A student's page: the form for an agent, and the standings."""

    def __init__(self, service: ClassroomService, t: Translator) -> None:
        super().__init__(service, t)
        self._client = ""
        self._values = {"name": "", "player": "", "file": ""}
        with div("fd-list-layout"):
            with div("fd-list"):
                with self.header(service.title):
                    Button(t("class.projector"), href="/class/standings", icon="watch", test="projector")
                    if is_teacher():
                        Button(t("class.controls"), href="/class/teacher", icon="settings", test="controls")
                with card():
                    self._table = raw_html("", "fd-scroll-x", tag="div", test="standings")
            with div("fd-sidebar"), card(t("class.your_agent")):
                self._build_form()

    def _build_form(self) -> None:
        t, values = self.t, self._values
        with field(t("class.name")):
            name = text_input("", partial(values.__setitem__, "name"), placeholder=t("class.name_hint"), test="name")
            set_attributes(name, maxlength=LONGEST_NAME)
        with field(t("class.file")):
            div("fd-file", tag="input", type="file", accept=".py", test="file")
        if self.service.files:
            with field(t("class.or_file")):
                files = {"": "–", **{name: name for name in self.service.files}}
                select(files, "", partial(values.__setitem__, "file"), test="folder-file", hint=t("class.or_file"))
        with div("fd-more", tag="details"):
            text(t("class.several"), tag="summary")
            with field(t("class.player")):
                text_input("", partial(values.__setitem__, "player"), placeholder="MyAgent", test="player")
        self._send = Button(t("class.send"), icon="start", kind="primary large", test="send")
        self._send.on("click", self._on_send, js_handler=_READ_FILE)
        self._banner = ErrorBanner(t, test="refused")
        with div("fd-banner good", role="status") as self._accepted:
            self._accepted_text = text("", test="accepted")
        self._accepted.set_visibility(False)
        text(t("class.check_hint"), "fd-small fd-muted")
        with div("fd-more", tag="details"):
            text(t("class.example"), tag="summary")
            text(t("class.example_hint"), "fd-small fd-muted")
            text(EXAMPLE, "fd-code fd-mono", tag="pre", tabindex="0")
            with div("fd-row"):
                copy_button(t, EXAMPLE, test="copy-example")
                save = partial(ui.download.content, EXAMPLE, "my_agent.py")
                Button(t("class.save_example"), save, icon="download", kind="subtle", test="save-example")

    async def _on_send(self, event: GenericEventArguments) -> None:
        """Checks the agent and takes it into the class, or shows why it was refused."""
        t, values = self.t, self._values
        self._banner.write("")
        self._accepted.set_visibility(False)
        code: bytes | str = values["file"]
        problem = ""
        if not values["name"].strip():
            problem = "class.no_name"
        elif event.args and code:
            problem = "class.both"
        elif event.args == "" and not code:
            problem = "class.no_file"
        if problem:
            self._banner.write(t(problem))
            return
        try:
            code = code or sent_code(event.args)
        except AgentRefused as error:
            self._banner.show(error)
            return
        client = "" if is_teacher() else client_key()
        submit = partial(self.service.submit, values["name"], code, player=values["player"], client=client)
        self._send.set_enabled(False)
        self._send.set_text(t("class.checking"))
        try:
            student = await asyncio.get_running_loop().run_in_executor(self.service.checks, submit)
        except (FlipdropError, OSError) as error:
            self._banner.show(error)
        else:
            self._client = client
            self._accepted.set_visibility(True)
            self._accepted_text.set_text(t("class.accepted", name=student.name, version=student.current.number))
            await self.poll()
        finally:
            self._send.set_enabled(True)
            self._send.set_text(t("class.send"))

    def load(self) -> tuple[Standings, frozenset[str]]:
        key = self._client or client_key()
        mine = (one.name for one in self.service.folder.read().present if key and one.client == key)
        return self.service.results.standings(), frozenset(mine)

    def show(self, found: tuple[Standings, frozenset[str]]) -> bool:
        standings, mine = found
        self.show_header(standings)
        self._table.set_content(self.standings_html(standings, mine=mine))
        return True


class StandingsPage(ClassPage):
    """The standings in large type."""

    def __init__(self, service: ClassroomService, t: Translator) -> None:
        super().__init__(service, t)
        with div("fd-projector"):
            with self.header(service.title):
                Button(t("class.full_screen"), js=_FULL_SCREEN, kind="subtle", test="full-screen")
            with card():
                self._table = raw_html("", "fd-scroll-x", tag="div", test="standings")
            with div("fd-join"):
                text(t("class.join"), tag="span")
                text(service.address, "fd-mono", tag="b", test="join")

    def load(self) -> Standings:
        return self.service.results.standings()

    def show(self, standings: Standings) -> bool:
        self.show_header(standings)
        self._table.set_content(self.standings_html(standings, large=True))
        return True


class AgentPage(ClassPage):
    """What one agent has played."""

    def __init__(self, service: ClassroomService, t: Translator, name: str) -> None:
        super().__init__(service, t)
        self._name = name
        text(f"‹ {t('class.back')}", "fd-back-link", tag="a", href="/class")
        with div("fd-page-header"):
            text(name[:LONGEST_NAME], "fd-title", tag="h1")
            self._about = text("", "subtitle")
        with div("fd-cards"):
            self._cards = {}
            for part in ("place", "versions", "opponents", "lost"):
                with card(t(f"class.card.{part}"), "" if part in ("place", "versions") else "whole") as made:
                    self._cards[part] = made, raw_html("", "fd-scroll-x", tag="div", test=f"agent-{part}")

    def load(self) -> AgentResults | None:
        return self.service.results.agent(self._name)

    def show(self, found: AgentResults | None) -> bool:
        if found is None:
            self._about.set_text(self.t("class.unknown"))
        for part, (made, content) in self._cards.items():
            made.set_visibility(found is not None)
            if found is not None:
                values = {"agent": found, "kind": game_of(found.game).family, "url": agent_url}
                content.set_content(render(f"class_{part}", t=self.t, **values, **FORMATS))
        return found is not None


class TeacherPage(ClassPage):
    """The controls of the class."""

    def __init__(self, service: ClassroomService, t: Translator) -> None:
        super().__init__(service, t)
        self._settings = service.folder.read().settings
        self._game: Game = game_of(self._settings.game)
        self._values = {"seconds": f"{self._settings.seconds:g}", "games": str(self._settings.games)}
        with div("fd-list-layout teacher"):
            with div("fd-list"):
                with self.header(t("class.controls_of", name=service.title)):
                    self._pause = Button("–", self._on_pause, icon="pause", kind="primary", test="pause")
                with card(t("class.students")):
                    text(t("class.join"), "fd-small fd-muted")
                    with div("fd-command"):
                        text(service.address, "fd-mono", tag="code", test="join")
                        copy_button(t, service.address, test="copy-join", kind="subtle")
                    with div("fd-row wrap"):
                        Button(t("class.projector"), href="/class/standings", icon="watch", test="projector")
                        Button(t("class.upload"), href="/class", icon="class", test="upload")
                        for form in ("csv", "json"):
                            save = partial(self._export, form)
                            Button(t(f"class.export_{form}"), save, icon="download", kind="subtle", test=f"save-{form}")
                with card(t("class.agents")):
                    self._agents = clickable_html(
                        data_clicked("remove"), self._on_remove, str, "fd-scroll-x", test="agents"
                    )
            with div("fd-sidebar"), card(t("class.settings")):
                self._build_settings()

    def _build_settings(self) -> None:
        t, values = self.t, self._values
        GamePicker(t, self._game, self._set_game)
        for name, choices in (("seconds", _SECONDS), ("games", _GAMES)):
            ordered = sorted({values[name], *choices}, key=float)
            texts = {choice: t(f"class.{name}_choice", number=choice) for choice in ordered}
            with field(label := t(f"class.{name}_label")):
                select(texts, values[name], partial(values.__setitem__, name), test=name, hint=label)
        Button(t("class.apply"), self._on_apply, kind="primary large", test="apply")
        text(t("class.apply_hint"), "fd-small fd-muted")

    def _set_game(self, game: Game) -> None:
        self._game = game

    async def _on_apply(self) -> None:
        if not is_teacher():
            return
        try:
            seconds, games = float(self._values["seconds"]), int(self._values["games"])
        except ValueError:
            notify_error(self.t, BadNumber(self._values["seconds"][:20]))
            return
        await try_in_thread(self.t, partial(self.service.set_up, game=self._game.name, seconds=seconds, games=games))
        await self.poll()

    async def _on_pause(self) -> None:
        if is_teacher():
            await try_in_thread(self.t, self.service.pause, not self._settings.paused)
            await self.poll()

    def _on_remove(self, name: str) -> None:
        t = self.t

        async def remove() -> None:
            if is_teacher():
                await try_in_thread(t, self.service.remove, name)
                await self.poll()

        question = t("class.remove_sure", name=name[:LONGEST_NAME])
        confirm(question, t("class.remove"), remove, cancel=t("job.cancel"), hint=t("class.remove_hint"), test="remove")

    async def _export(self, form: ExportForm) -> None:
        content = await try_in_thread(self.t, self.service.results.export, form)
        if content is not None:
            ui.download.content(content, f"{self.service.title}.{form}")

    def load(self) -> tuple[Any, Standings]:
        return self.service.folder.read().settings, self.service.results.standings()

    def show(self, found: tuple[Any, Standings]) -> bool:
        self._settings, standings = found
        paused = self._settings.paused
        self.show_header(standings)
        self._pause.set_text(self.t("class.resume" if paused else "class.pause"))
        self._pause.set_icon("start" if paused else "pause")
        set_class(self._pause, "primary", paused)
        self._agents.set_content(render("class_agents", t=self.t, standings=standings, url=agent_url, **FORMATS))
        return True
