"""The page of one game of the arena, move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.error_messages import ErrorBanner
from flipdrop.interface.web.pages.game_panel import MoveList, Players, Status
from flipdrop.interface.web.pages.job_ui import short_player_name
from flipdrop.interface.web.pages.session_view import SessionActions, SessionBinding
from flipdrop.interface.web.pages.urls import analysis_url
from flipdrop.interface.web.pages.widgets import Button, card, div, link_button, text
from flipdrop.interface.web.sessions.session import PlayerSlot, Session
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from flipdrop.games.records import GameRecord
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import GameRow
    from flipdrop.interface.web.schemas import SessionView

_PACE = 0.7  # s per move


class GameViewer(SessionActions):
    """The board, the moves, and buttons that step through them.

    :param key: of the event, in URLs
    :param has_next: whether the next game of the event has been played
    """

    def __init__(self, t: Translator, key: str, record: GameRecord, row: GameRow, *, has_next: bool) -> None:
        self.t = t
        first, second = (PlayerSlot(spec, short_player_name(t, spec)) for spec in (record.first, record.second))
        self.session = Session("replay", record.start, record.moves, players=(first, second), kept=False)
        self.session.jump(0)
        view = view_of(self.session)
        text(f"‹ {t('replay.back')}", "fd-back-link", tag="a", href=f"/arena/{key}")
        with div("fd-board-layout"):
            with div("fd-board-area"):
                self._board = Board(view, t, on_step=self.step, active=False, history=True, keyboard=True)
            with div("fd-sidebar"):
                with card(t("replay.title", number=row.number + 1)):
                    self._players = Players(t, record.game.family)
                    self._status = Status(t)
                    if row.termination:
                        ErrorBanner(t).write(t("replay.forfeited"), row.termination)
                    with div("fd-row"):
                        self.step_button("first")
                        self.step_button("back")
                        self._play = Button(
                            "", self._toggle, icon="start", kind="primary", hint=t("replay.play"), test="replay-play"
                        )
                        self.step_button("forward")
                        self.step_button("last")
                with card(t("moves.title")):
                    self._moves = MoveList(t, self.jump)
                with card(), div("fd-row wrap"):
                    link_button(t("play.analyse"), analysis_url(self.session), icon="analyse", test="analyse")
                    reviewed = analysis_url(self.session, review="1")
                    link_button(t("play.review"), reviewed, icon="review", test="review")
                    self._neighbours(key, row, has_next)
        self._timer = ui.timer(_PACE, self._advance, active=False)
        self.binding = SessionBinding(self.session, self._show)

    def _neighbours(self, key: str, row: GameRow, has_next: bool) -> None:
        for name, step, there in (("previous", -1, row.number > 0), ("next", 1, has_next)):
            if there:
                target = f"/arena/{key}/{row.event}/{row.number + step}"
                link_button(self.t(f"replay.{name}"), target, kind="subtle", test=f"replay-{name}")

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

    def _show(self, view: SessionView) -> None:
        self._board.show(view)
        self._players.show(view)
        self._moves.show(view)
        self._status.show(view)
