"""Watch: any player against any player, at ``/watch`` and ``/watch/ID``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.game_panel import MoveList, Players, Status, retry_button
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.pickers import GamePicker, PlayerPicker, kind_of, side_name
from flipdrop.interface.web.pages.play import find_session
from flipdrop.interface.web.pages.session_view import SessionBinding, try_action
from flipdrop.interface.web.pages.urls import analysis_url
from flipdrop.interface.web.pages.widgets import Button, card, div, group, link_button, notify, set_href, slider, text
from flipdrop.interface.web.sessions.validation import parse_game
from flipdrop.interface.web.sessions.view import start_view, view_of

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.schemas import SessionView
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session

_PACES = (5.0, 3.0, 2.0, 1.5, 1.0, 0.7, 0.5, 0.3, 0.15, 0.0)
"""Seconds between two moves, slow to quick."""

_USUAL_PACE = 1.0
_USUAL_PLAYERS = ("level:4", "level:6")


def mount(manager: SessionManager) -> None:
    """Adds the pages."""

    @ui.page("/watch")
    def choose(request: Request, game: str = "othello", first: str = "", second: str = "") -> None:
        t = Translator.for_request(request)
        with page_layout(request, t, section="watch"):
            SpectatorSetupPage(
                manager, t, game=game, first=first or _USUAL_PLAYERS[0], second=second or _USUAL_PLAYERS[1]
            )

    @ui.page("/watch/{session_id}")
    def watch(request: Request, session_id: str) -> None:
        t = Translator.for_request(request)
        with page_layout(request, t, section="watch"):
            if session := find_session(manager, t, session_id, begin=("watch.new", "/watch")):
                SpectatorPage(t, session)


class SpectatorSetupPage:
    """The choices before a game that one watches."""

    def __init__(self, manager: SessionManager, t: Translator, *, game: str, first: str, second: str) -> None:
        self._manager, self._t = manager, t
        try:
            self._game: Game = parse_game(game)
        except FlipdropError:
            self._game = parse_game("othello")
        with div("fd-board-layout"):
            with div("fd-board-area"):
                self._board = Board(start_view(self._game), t, on_cell=self._forbid, active=False)
            with div("fd-sidebar"), card():
                text(t("watch.title"), "fd-title fd-no-margin", tag="h1")
                self._choice = GamePicker(t, self._game, self._set_game, on_forbid=self._set_forbidding)
                self._labels = []
                self._players = []
                for side, spec in (("first", first), ("second", second)):
                    with group(side_name(t, kind_of(self._game), side)) as labelled:
                        self._labels.append((side, labelled.default_slot.children[0]))
                        self._players.append(PlayerPicker(t, spec, people=False, test=side))
                Button(t("watch.start"), self._begin, icon="start", kind="primary large", test="start")

    def _set_game(self, game: Game) -> None:
        self._game = game
        self._board.show(start_view(self._game))
        for side, label in self._labels:
            if isinstance(label, ui.label):
                label.set_text(side_name(self._t, kind_of(game), side))

    def _set_forbidding(self, forbidding: bool) -> None:
        self._board.show(start_view(self._game), editing=forbidding)

    def _forbid(self, cell: int) -> None:
        self._choice.forbid(cell)

    def _begin(self) -> None:
        first, second = (player.spec for player in self._players)
        if not first or not second:
            notify(self._t("player.custom_empty"), bad=True)
            return

        def begin() -> None:
            session = self._manager.new(self._game.name, first=first, second=second, pace=_USUAL_PACE)
            ui.navigate.to(f"/watch/{session.id}")

        try_action(self._t, begin)


class SpectatorPage:
    """A game between two computers: speed, pause, step."""

    def __init__(self, t: Translator, session: Session) -> None:
        self._t, self._session = t, session
        view = view_of(session)
        with div("fd-board-layout"):
            with div("fd-board-area"):
                self._board = Board(view, t, on_step=self._step, on_undo=self._step, active=False, history=True)
            with div("fd-sidebar"):
                with card():
                    self._players = Players(t, view.kind)
                    self._status = Status(t)
                    with self._status.element:
                        self._retry = retry_button(t, session)
                    self._buttons(view)
                with card(t("moves.title")):
                    self._moves = MoveList(t, self._jump)
                with card(), div("fd-row wrap"):
                    self._analyse = link_button(t("play.analyse"), "/analyse", icon="analyse", test="analyse")
                    self._review = link_button(t("play.review"), "/analyse", icon="review", test="review")
                    link_button(t("watch.new"), "/watch", icon="new", test="new")
        self._binding = SessionBinding(session, self._show)

    def _buttons(self, view: SessionView) -> None:
        t = self._t
        with div("fd-row"):
            Button("", lambda: self._step("first"), icon="first", hint=t("step.first"), test="step-first")
            Button("", lambda: self._step(-1), icon="back", hint=t("step.back"), test="step-back")
            self._pause = Button(t("watch.pause"), self._toggle, icon="pause", kind="primary fd-grow", test="pause")
            Button("", lambda: self._step(1), icon="forward", hint=t("watch.step"), test="step-forward")
            Button("", lambda: self._step("last"), icon="last", hint=t("step.last"), test="step-last")
        with group(t("watch.speed")):
            nearest = min(range(len(_PACES)), key=lambda i: abs(_PACES[i] - view.pace))
            slider(nearest, self._set_pace, least=0, most=len(_PACES) - 1, test="speed", hint=t("watch.speed"))

    def _show(self, view: SessionView) -> None:
        self._board.show(view)
        self._players.show(view)
        self._status.show(view)
        self._retry.set_visibility(view.error is not None)
        still = view.paused or view.cursor < len(view.moves)
        self._pause.set_text(self._t("watch.resume" if still else "watch.pause"))
        self._pause.set_icon("start" if still else "pause")
        self._pause.enable(view.ending is None or view.cursor < len(view.moves))
        self._moves.show(view)
        set_href(self._analyse, analysis_url(self._session))
        set_href(self._review, analysis_url(self._session, review="1"))

    def _toggle(self) -> None:
        session = self._session
        if not session.is_at_end:
            session.jump(len(session.moves))
            session.pause(False)
        else:
            session.pause(not session.paused)

    def _set_pace(self, number: float) -> None:
        try_action(self._t, self._session.set_pace, _PACES[int(number)])

    def _jump(self, cursor: int) -> None:
        self._session.pause(True)
        try_action(self._t, self._session.jump, cursor)

    def _step(self, step: int | str) -> None:
        """Arrows: back in the record; forward in it, and at its end one move further."""
        session = self._session
        if step == 1 and session.is_at_end:
            if session.ending is None:
                session.step()
            return
        last = len(session.moves)
        target = {"first": 0, "last": last, -1: session.cursor - 1, 1: session.cursor + 1}.get(step, session.cursor)
        if 0 <= target <= last:
            self._jump(target)
