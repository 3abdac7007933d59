"""The page of one game of the arena, move by move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.error_messages import ErrorBanner
from flipdrop.interface.web.pages.game_panel import MoveList, Players, Status
from flipdrop.interface.web.pages.job_ui import player_name
from flipdrop.interface.web.pages.urls import analysis_url
from flipdrop.interface.web.pages.widgets import Button, card, div, link_button, text
from flipdrop.interface.web.sessions.session import PlayerSlot, Session
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from flipdrop.games.records import GameRecord
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.jobs.repository import GameRow

_PACE = 0.7  # s per move


class GameViewer:
    """The board, the moves, and buttons that step through them.

    :param key: of the event, in URLs
    :param has_next: whether the next game of the event has been played
    """

    def __init__(self, t: Translator, key: str, record: GameRecord, row: GameRow, *, has_next: bool) -> None:
        self._t = t
        first, second = (PlayerSlot(spec, player_name(t, spec)) for spec in (record.first, record.second))
        self._session = Session("replay", record.start, record.moves, players=(first, second), kept=False)
        self._session.jump(0)
        view = view_of(self._session)
        text(f"‹ {t('replay.back')}", "fd-back-link", tag="a", href=f"/arena/{key}")
        with div("fd-board-layout"):
            with div("fd-board-area"):
                self._board = Board(view, t, on_step=self._on_step, active=False, history=True, keyboard=True)
            with div("fd-sidebar"):
                with card(t("replay.title", number=row.number + 1)):
                    self._players = Players(t, record.game.family)
                    self._status = Status(t)
                    if row.termination:
                        ErrorBanner(t).write(t("replay.forfeited"), row.termination)
                    self._buttons()
                with card(t("moves.title")):
                    self._moves = MoveList(t, self._jump)
                with card(), div("fd-row wrap"):
                    link_button(t("play.analyse"), analysis_url(self._session), icon="analyse", test="analyse")
                    reviewed = analysis_url(self._session, review="1")
                    link_button(t("play.review"), reviewed, icon="review", test="review")
                    self._neighbours(key, row, has_next)
        self._timer = ui.timer(_PACE, self._advance, active=False)
        self._show()

    def _buttons(self) -> None:
        t = self._t
        with div("fd-row"):
            for name, step in (("first", "first"), ("back", -1)):
                self._step_button(name, step)
            self._play = Button(
                "", self._toggle, icon="start", kind="primary", hint=t("replay.play"), test="replay-play"
            )
            for name, step in (("forward", 1), ("last", "last")):
                self._step_button(name, step)

    def _step_button(self, name: str, step: int | str) -> None:
        hint = self._t("replay.one_back" if name == "back" else f"replay.{name}")
        Button("", lambda: self._on_step(step), icon=name, hint=hint, test=f"replay-{name}")

    def _neighbours(self, key: str, row: GameRow, has_next: bool) -> None:
        for name, step, there in (("previous", -1, row.number > 0), ("next", 1, has_next)):
            if there:
                target = f"/arena/{key}/{row.event}/{row.number + step}"
                link_button(self._t(f"replay.{name}"), target, kind="subtle", test=f"replay-{name}")

    def _on_step(self, step: int | str) -> None:
        last = len(self._session.moves)
        target = {"first": 0, "last": last}.get(step, 0) if isinstance(step, str) else self._session.cursor + step
        self._timer.deactivate()
        self._jump(max(0, min(last, target)))

    def _jump(self, cursor: int) -> None:
        if 0 <= cursor <= len(self._session.moves):
            self._session.jump(cursor)
            self._show()

    def _toggle(self) -> None:
        if self._timer.active:
            self._timer.deactivate()
        else:
            if self._session.is_at_end:
                self._session.jump(0)
            self._timer.activate()
        self._show()

    def _advance(self) -> None:
        self._jump(self._session.cursor + 1)
        if self._session.is_at_end:
            self._timer.deactivate()
            self._show()

    def _show(self) -> None:
        view = view_of(self._session)
        self._board.show(view)
        self._players.show(view)
        self._moves.show(view)
        self._status.show(view)
        self._play.set_icon("pause" if self._timer.active else "start")
