"""Watch: any player against any player, at ``/watch`` and ``/watch/ID``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.interface.web.agents.library import agents_by_name
from flipdrop.interface.web.pages.display_names import side_name
from flipdrop.interface.web.pages.game_setup import GameSetup, find_session
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.player_picker import PlayerPicker
from flipdrop.interface.web.pages.session_view import SessionPage, try_action
from flipdrop.interface.web.pages.widgets import Button, div, group, slider, text
from flipdrop.interface.web.schemas import SIDE_NAMES

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import SessionView
    from flipdrop.interface.web.sessions.manager import SessionManager

_PACES = (5.0, 3.0, 2.0, 1.5, 1.0, 0.7, 0.5, 0.3, 0.15, 0.0)
"""Seconds between two moves, slow to quick."""

_DEFAULT_PACE = 1.0
_DEFAULT_PLAYERS = ("level:4", "level:6")


def mount(manager: SessionManager) -> None:
    @ui.page("/watch")
    def set_up(request: Request, game: str = "othello", first: str = "", second: str = "") -> None:
        specs = (first or _DEFAULT_PLAYERS[0], second or _DEFAULT_PLAYERS[1])
        with page_layout(request, section="watch") as t:
            SpectatorSetupPage(manager, t, game=game, specs=specs)

    @ui.page("/watch/{session_id}")
    def watch(request: Request, session_id: str) -> None:
        with page_layout(request, section="watch", heading=True) as t:
            if session := find_session(manager, t, session_id, restart=("watch.new", "/watch")):
                SpectatorPage(t, session, history=True)


class SpectatorSetupPage(GameSetup):
    """The players of a game between computers."""

    section = "watch"

    def __init__(self, manager: SessionManager, t: Translator, *, game: str, specs: tuple[str, str]) -> None:
        self._specs = specs
        super().__init__(manager, t, game)

    def build_players(self) -> None:
        self._labels, self._players = [], []
        agents = agents_by_name(self.manager.config)
        for side, spec in zip(SIDE_NAMES, self._specs, strict=True):
            with div("fd-field"):
                self._labels.append(text("", "fd-label", tag="span"))
                picker = PlayerPicker(self.t, spec, game=self.picker.game, agents=agents, people=False, test=side)
                self._players.append(picker)

    def show_sides(self, game: Game) -> None:
        for side, label, player in zip(SIDE_NAMES, self._labels, self._players, strict=True):
            label.set_text(side_name(self.t, game.family, side))
            player.set_game(game)

    def start(self, move: str | None = None) -> None:  # noqa: ARG002 - its board is never active
        first, second = (player.spec for player in self._players)
        self.open_session(first, second, pace=_DEFAULT_PACE)


class SpectatorPage(SessionPage):
    """A game between computers: pause, step, speed."""

    def build_controls(self, view: SessionView) -> None:
        t = self.t
        with div("fd-row"):
            self.step_button("first")
            self.step_button("back")
            self._pause = Button(t("watch.pause"), self._toggle, icon="pause", kind="primary fd-grow", test="pause")
            self.step_button("forward", hint=t("watch.step"))
            self.step_button("last")
        with group(t("watch.speed")):
            nearest = min(range(len(_PACES)), key=lambda i: abs(_PACES[i] - view.pace))
            slider(nearest, self._set_pace, least=0, most=len(_PACES) - 1, test="speed", hint=t("watch.speed"))

    def build_links(self) -> None:
        Button(self.t("watch.new"), href="/watch", icon="new", test="new")

    def show(self, view: SessionView) -> None:
        self.paint(view)
        at_end = view.cursor == len(view.moves)
        is_still = view.paused or not at_end
        self._pause.set_text(self.t("watch.resume" if is_still else "watch.pause"))
        self._pause.set_icon("start" if is_still else "pause")
        self._pause.set_enabled(view.ending is None or not at_end)

    def _toggle(self) -> None:
        session = self.session
        if not session.is_at_end:
            session.jump(len(session.moves))
            session.pause(False)
        else:
            session.pause(not session.paused)

    def _set_pace(self, number: int) -> None:
        try_action(self.t, self.session.set_pace, _PACES[number])

    def jump(self, cursor: int) -> None:
        self.session.pause(True)
        super().jump(cursor)

    def undo(self, step: int) -> None:
        self.step(step)

    def step(self, step: int | str) -> None:
        """Steps through the record; at its end, a step forward lets a computer make one move."""
        session = self.session
        if step != 1 or not session.is_at_end:
            super().step(step)
        elif session.ending is None:
            session.step()
