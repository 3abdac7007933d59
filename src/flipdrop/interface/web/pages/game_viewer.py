"""The page of one game of the arena, move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.interface.web.pages.display_names import short_player_name
from flipdrop.interface.web.pages.session_view import SessionPage
from flipdrop.interface.web.pages.widgets import Button, ErrorBanner, div, text
from flipdrop.interface.web.schemas import PlayerView
from flipdrop.interface.web.sessions.session import Session

if TYPE_CHECKING:
    from flipdrop.games.records import GameRecord
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import GameRow
    from flipdrop.interface.web.schemas import SessionView

_PACE = 0.7  # s per move


class GameViewer(SessionPage):
    """The board, the moves, and buttons that step through them.

    :param key: of the event, in URLs
    :param has_next: whether the next game of the event has been played
    """

    def __init__(self, t: Translator, key: str, record: GameRecord, row: GameRow, *, has_next: bool) -> None:
        self._key, self._row, self._has_next = key, row, has_next
        self.opening_plies = row.opening_plies
        self._timer = ui.timer(_PACE, self._advance, active=False)
        specs = (record.first, record.second)
        first, second = (PlayerView(spec=spec, name=short_player_name(t, spec)) for spec in specs)
        session = Session("replay", record.start, record.moves, players=(first, second), kept=False)
        session.jump(0)
        text(f"‹ {t('replay.back')}", "fd-back-link", tag="a", href=f"/arena/{key}")
        super().__init__(t, session, title=t("replay.title", number=row.number + 1), history=True)

    def build_controls(self, _: SessionView) -> None:
        t = self.t
        if self._row.termination:
            ErrorBanner(t).write(t("replay.forfeited"), self._row.termination)
        with div("fd-row"):
            self.step_button("first")
            self.step_button("back")
            self._play = Button(
                "", self._toggle, icon="start", kind="primary", hint=t("replay.play"), test="replay-play"
            )
            self.step_button("forward")
            self.step_button("last")

    def build_links(self) -> None:
        for name, step, exists in (("previous", -1, self._row.number > 0), ("next", 1, self._has_next)):
            if exists:
                target = f"/arena/{self._key}/{self._row.event}/{self._row.number + step}"
                Button(self.t(f"replay.{name}"), href=target, kind="subtle", test=f"replay-{name}")

    def step(self, step: int | str) -> None:
        self._set_playing(False)
        super().step(step)

    def _toggle(self) -> None:
        if self.session.is_at_end and not self._timer.active:
            self.session.jump(0)
        self._set_playing(not self._timer.active)

    def _advance(self) -> None:
        super().step(1)
        if self.session.is_at_end:
            self._set_playing(False)

    def _set_playing(self, playing: bool) -> None:
        self._timer.active = playing
        self._play.set_icon("pause" if playing else "start")
