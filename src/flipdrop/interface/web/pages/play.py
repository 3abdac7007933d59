"""Play: choosing a game at ``/``, and the game itself at ``/play/ID``."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.game_panel import MoveList, Players, Status, retry_button
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.pickers import (
    DEFAULT_LEVEL,
    GamePicker,
    PlayerPicker,
    kind_of,
    side_name,
)
from flipdrop.interface.web.pages.session_view import SessionBinding, try_action
from flipdrop.interface.web.pages.urls import analysis_url
from flipdrop.interface.web.pages.widgets import (
    Button,
    SegmentedControl,
    card,
    div,
    group,
    link_button,
    notify,
    select,
    set_href,
    text,
)
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.sessions.errors import UnknownSession
from flipdrop.interface.web.sessions.validation import parse_game
from flipdrop.interface.web.sessions.view import start_view, view_of

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.schemas import SessionView
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session

_CLOCKS = ("", "60+1", "180+2", "300+3", "600+5", "1800")
_CLOCK_TICK = 0.2  # seconds


def mount(manager: SessionManager) -> None:
    """Adds the pages."""

    @ui.page("/")
    def choose(
        request: Request, game: str = "othello", against: str = "", side: str = "first", clock: str = ""
    ) -> None:
        t = Translator.for_request(request)
        with page_layout(request, t, section="play"):
            NewGamePage(manager, t, game=game, against=against, side=side, clock=clock)

    @ui.page("/play/{session_id}")
    def play(request: Request, session_id: str) -> None:
        t = Translator.for_request(request)
        with page_layout(request, t, section="play"):
            if session := find_session(manager, t, session_id, begin=("play.new", "/")):
                GamePage(manager, t, session)


def find_session(manager: SessionManager, t: Translator, session_id: str, *, begin: tuple[str, str]) -> Session | None:
    """The session of an address; if there is none, the page says so and offers to begin another."""
    try:
        return manager.find(session_id)
    except UnknownSession:
        with card(t("play.unknown")):
            text(t("play.unknown_hint"), "fd-muted")
            link_button(t(begin[0]), begin[1], icon="new", kind="primary")
        return None


class NewGamePage:
    """The choices before a game. The board is there already: a move on it begins the game."""

    def __init__(
        self, manager: SessionManager, t: Translator, *, game: str, against: str, side: str, clock: str
    ) -> None:
        self._manager, self._t = manager, t
        self._clock = clock if clock in _CLOCKS else ""
        self._side = side if side in ("first", "second", "random") else "first"
        try:
            self._game: Game = parse_game(game)
        except FlipdropError:
            self._game = parse_game("othello")
        self._forbidding = False
        self._opponent: PlayerPicker | None = None
        with div("fd-board-layout"):
            with div("fd-board-area"):
                self._board = Board(start_view(self._game), t, on_move=self._begin, on_cell=self._forbid, active=True)
            with div("fd-sidebar"), card():
                text(t("setup.title"), "fd-title fd-no-margin", tag="h1")
                self._choice = GamePicker(t, self._game, self._set_game, on_forbid=self._set_forbidding)
                with group(t("setup.opponent")):
                    spec = None if against == "person" else against or f"level:{DEFAULT_LEVEL}"
                    self._opponent = PlayerPicker(t, spec, self._opponent_changed)
                self._side_group = group(t("setup.side"))
                with self._side_group:
                    self._sides = SegmentedControl({}, "", self._set_side, test="side")
                with group(t("setup.clock")):
                    options = {clock: t(f"clock.{clock or 'none'}") for clock in _CLOCKS}
                    select(options, self._clock, self._set_clock, test="clock", hint=t("setup.clock"))
                Button(t("setup.start"), self._begin, icon="start", kind="primary large", test="start")
                text(t("setup.begin_hint"), "fd-small fd-muted")
        self._opponent_changed()
        self._show()

    @property
    def _spec(self) -> str | None:
        """The opponent; None for a person, or while it is not known yet; empty if it has yet to be written down."""
        return None if self._opponent is None else self._opponent.spec

    def _show(self) -> None:
        kind = kind_of(self._game)
        sides = {side: side_name(self._t, kind, side) for side in ("first", "second")}
        self._sides.offer(sides | {"random": self._t("setup.random")}, self._side)
        self._show_board()

    def _show_board(self) -> None:
        begins = self._side == "first" or self._spec is None
        self._board.show(start_view(self._game), editing=self._forbidding, active=begins and not self._forbidding)

    def _set_game(self, game: Game) -> None:
        self._game = game
        self._show()

    def _set_forbidding(self, forbidding: bool) -> None:
        self._forbidding = forbidding
        self._show_board()

    def _forbid(self, cell: int) -> None:
        self._choice.forbid(cell)

    def _set_side(self, side: str) -> None:
        self._side = side
        self._show_board()

    def _set_clock(self, clock: str) -> None:
        self._clock = clock if clock in _CLOCKS else ""

    def _opponent_changed(self) -> None:
        self._side_group.set_visibility(self._spec is not None)
        self._show_board()

    def _begin(self, move: str | None = None) -> None:
        """Begins the game, with a move on the board if one was made."""
        side = random.choice(("first", "second")) if self._side == "random" else self._side
        opponent = self._spec
        if opponent == "":  # which would be a person
            notify(self._t("player.custom_empty"), bad=True)
            return
        first, second = (None, opponent) if side == "first" else (opponent, None)

        def begin() -> None:
            session = self._manager.new(self._game.name, first=first, second=second, clock=self._clock or None)
            if move is not None:
                session.play(move)
            ui.navigate.to(f"/play/{session.id}")

        try_action(self._t, begin)


class GamePage:
    """A game: board, players, moves, and what one can do."""

    def __init__(self, manager: SessionManager, t: Translator, session: Session) -> None:
        self._manager, self._t, self._session = manager, t, session
        view = view_of(session)
        with div("fd-board-layout"):
            with div("fd-board-area"):
                self._board = Board(view, t, on_move=self._play, on_undo=self._step, active=False)
            with div("fd-sidebar"):
                with card():
                    self._players = Players(t, view.kind)
                    self._status = Status(t)
                    with self._status.element:
                        self._pass = Button(t("play.pass"), lambda: self._play("pass"), kind="primary", test="pass")
                        self._here = Button(t("play.here"), self._go_on, kind="primary", test="play-from-here")
                        self._retry = retry_button(t, session)
                    self._buttons()
                with card(t("moves.title")):
                    self._moves = MoveList(t, self._jump)
                    self._no_moves = text(t("moves.none"), "fd-muted fd-small")
                with card():
                    self._links()
        self._binding = SessionBinding(session, self._show, delay_replies=True)
        if session.clock is not None:
            ui.timer(_CLOCK_TICK, self._tick)

    def _buttons(self) -> None:
        t = self._t
        with div("fd-row"):
            self._undo = Button("", lambda: self._step(-1), icon="undo", hint=t("play.undo"), test="undo")
            self._redo = Button("", lambda: self._step(1), icon="redo", hint=t("play.redo"), test="redo")
            self._resign = Button(t("play.resign"), self._ask_resign, icon="flag", test="resign")
            div("fd-grow")
            self._again = link_button(t("play.new"), "/", icon="new", test="new")

    def _links(self) -> None:
        t = self._t
        with div("fd-row wrap"):
            self._analyse = link_button(t("play.analyse"), "/analyse", icon="analyse", test="analyse")
            self._review = link_button(t("play.review"), "/analyse", icon="review", test="review")

    def _show(self, view: SessionView) -> None:
        self._board.show(view, active=view.human_to_move and not view.over)
        self._players.show(view)
        self._status.show(view)
        at_end = view.cursor == len(view.moves)
        self._pass.set_visibility(view.must_pass and view.human_to_move and at_end)
        self._here.set_visibility(not at_end and view.clock is None)
        self._retry.set_visibility(view.error is not None)
        self._undo.enable(view.can_undo)
        self._redo.enable(view.can_redo)
        self._resign.enable(view.ending is None)
        self._moves.show(view)
        self._no_moves.set_visibility(not view.moves)
        set_href(self._analyse, analysis_url(self._session))
        set_href(self._review, analysis_url(self._session, review="1"))
        set_href(self._again, self._same_again(view))
        self._review.classes(**({"add": "primary"} if view.ending else {"remove": "primary"}))

    def _same_again(self, view: SessionView) -> str:
        """Where a new game with the same choices is."""
        people = [side for side, seat in view.players.items() if seat.spec is None]
        side = people[0] if len(people) == 1 else "first"
        against = view.players["second" if side == "first" else "first"].spec or "person"
        clock = {"clock": view.clock.control} if view.clock else {}
        return "/?" + urlencode({"game": view.game, "against": against, "side": side} | clock)

    def _tick(self) -> None:
        clock = self._session.clock
        if clock is not None and clock.running is not None:
            self._players.show_clock(dict(zip(SIDE_NAMES, clock.left, strict=True)))

    def _play(self, move: str) -> None:
        shown = self._binding.view.cursor
        if not try_action(self._t, lambda: self._session.play(move, cursor=shown)):
            self._binding.refresh()

    def _step(self, step: int) -> None:
        try_action(self._t, self._session.undo if step < 0 else self._session.redo)

    def _jump(self, cursor: int) -> None:
        try_action(self._t, self._session.jump, cursor)

    def _go_on(self) -> None:
        try_action(self._t, self._session.truncate)

    def _ask_resign(self) -> None:
        t = self._t
        with ui.dialog(value=True) as dialog, ui.card().classes("fd-dialog"):
            text(t("play.resign_sure"), "fd-heading")

            def resign() -> None:
                dialog.close()
                try_action(self._t, self._session.resign)

            with div("fd-row"):
                Button(t("play.resign"), resign, icon="flag", kind="primary", test="resign-yes")
                Button(t("play.stay"), dialog.close, test="resign-no")
        dialog.on("hide", lambda _: dialog.delete())
