"""A session on a page: the binding that paints its changes, and the page with its board, players and moves."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.game_panel import MoveList, Players, Status, player_name
from flipdrop.interface.web.pages.urls import analysis_url
from flipdrop.interface.web.pages.widgets import Button, card, div, notify_error, set_class
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import SessionView
    from flipdrop.interface.web.sessions.session import Session

MOVE_SECONDS = 0.45
"""The least time between a person's move and the computer's reply on the board."""

_STEPS: dict[str, int | str] = {"first": "first", "back": -1, "forward": 1, "last": "last"}
_PROGRESS_SECONDS = 0.12  # between two paints of a search's progress


class SessionBinding:
    """Calls `show` with the view of a session now and after each change, but no faster than people can follow.

    :param delay_replies: whether replies of computers wait until the move before them was visible for `MOVE_SECONDS`
    """

    def __init__(self, session: Session, show: Callable[[SessionView], object], *, delay_replies: bool = False) -> None:
        self.session = session
        self._show = show
        self._delay_replies = delay_replies
        self._timer: asyncio.TimerHandle | None = None
        self._client = ui.context.client
        self._client.on_delete(session.subscribe(self._on_change))
        self._client.on_delete(self._cancel)
        self.view = view_of(session)
        """The view that was painted last."""
        self._painted_at = self._moved_at = time.monotonic()
        show(self.view)

    def refresh(self) -> None:
        """Paints the session as it is."""
        self._cancel()
        before, self.view = self.view, view_of(self.session)
        self._painted_at = time.monotonic()
        if self.view.cursor != before.cursor:
            self._moved_at = self._painted_at
        with self._client:
            self._show(self.view)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_change(self, session: Session) -> None:
        delay = self._delay(session)
        if delay <= 0:
            self.refresh()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(delay, self.refresh)

    def _delay(self, session: Session) -> float:
        now = time.monotonic()
        if session.cursor == self.view.cursor and session.position.board == self.view.board:
            # The progress of a search is frequent and not urgent.
            if session.thinking is None and self.view.thinking is None and not session.is_over:
                return self._painted_at + _PROGRESS_SECONDS - now
            return 0.0
        mover = session.positions[session.cursor - 1].to_move if session.cursor else None
        is_reply = mover is not None and mover not in session.people and session.cursor > self.view.cursor
        return self._moved_at + MOVE_SECONDS - now if self._delay_replies and is_reply else 0.0


def try_action(t: Translator, action: Callable[..., object], *arguments: object) -> bool:
    """Calls `action`; shows the error and returns False if it cannot be done."""
    try:
        action(*arguments)
    except FlipdropError as error:
        notify_error(t, error)
        return False
    return True


class SessionActions:
    """Actions on a session for the board, the move list and the buttons of a page."""

    t: Translator
    session: Session
    binding: SessionBinding

    def play(self, move: str) -> None:
        """Plays a move on the board that is shown; repaints if that is no longer the session's."""
        shown = self.binding.view.cursor
        if not try_action(self.t, lambda: self.session.play(move, cursor=shown)):
            self.binding.refresh()

    def jump(self, cursor: int) -> None:
        try_action(self.t, self.session.jump, cursor)

    def step(self, step: int | str) -> None:
        """Steps through the record: -1, 1, ``first`` or ``last``."""
        cursor, last = self.session.cursor, len(self.session.moves)
        target = {"first": 0, "last": last, -1: cursor - 1, 1: cursor + 1}.get(step, cursor)
        if 0 <= target <= last:
            try_action(self.t, self.session.jump, target)

    def step_button(self, name: str, *, hint: str = "") -> None:
        """A button that steps through the record.

        :param name: a key of `_STEPS`
        """
        step = partial(self.step, _STEPS[name])
        Button("", step, icon=name, hint=hint or self.t(f"step.{name}"), test=f"step-{name}")

    def undo(self, step: int) -> None:
        """Undo (-1) or redo (1)."""
        try_action(self.t, self.session.undo if step < 0 else self.session.redo)


class SessionPage(SessionActions):
    """A board beside players, status, moves and links; subclasses add their controls.

    :param title: of the first card
    :param delay_replies: see `SessionBinding`
    :param history: whether arrow keys step through the record
    """

    opening_plies = 0
    """Moves at the beginning that the arena has chosen, not the players."""

    def __init__(
        self, t: Translator, session: Session, *, title: str = "", delay_replies: bool = False, history: bool = False
    ) -> None:
        self.t, self.session = t, session
        view = view_of(session)
        with div("fd-board-layout"):
            with div("fd-board-area"):
                self.board = Board(view, t, on_move=self.play, on_step=self.step, on_undo=self.undo, history=history)
            with div("fd-sidebar"):
                with card(title):
                    self.players = Players(t)
                    self.status = Status(t, session)
                    self.build_controls(view)
                with card(t("moves.title")):
                    self._moves = MoveList(t, self.jump, empty=t("moves.none"))
                with card(), div("fd-row wrap"):
                    self._analyse = Button(t("play.analyse"), href="/analyse", icon="analyse", test="analyse")
                    self._review = Button(t("play.review"), href="/analyse", icon="review", test="review")
                    self.build_links()
        self.binding = SessionBinding(session, self.show, delay_replies=delay_replies)

    def build_controls(self, view: SessionView) -> None:
        """Adds buttons below the status."""

    def build_links(self) -> None:
        """Adds buttons beside the links to the analysis."""

    def show(self, view: SessionView) -> None:
        """Paints a view; subclasses call `paint` and update their controls."""
        self.paint(view)

    def paint(self, view: SessionView, *, active: bool = False, hint: int | None = None) -> None:
        """Paints the parts that all sessions have.

        :param active: whether a person may move on the board
        :param hint: the cell of a move to try
        """
        self.board.show(view, active=active, hint=hint)
        self.players.show(view)
        self.status.show(view)
        self._moves.show(view, opening_plies=self.opening_plies)
        game: dict[str, str] = {
            side: player_name(self.t, view, side) for side in SIDE_NAMES if view.players[side].spec is not None
        }
        game["opening"] = str(self.opening_plies or "")
        self._analyse.set_href(analysis_url(self.session, **game))
        self._review.set_href(analysis_url(self.session, review="1", **game))
        self._review.set_visibility(bool(view.moves))
        set_class(self._review, "primary", self.session.ending is not None)
