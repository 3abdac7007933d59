"""Play: setting up a game at ``/``, and the game at ``/play/ID``."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.game_panel import opposite
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.pickers import (
    DEFAULT_LEVEL,
    GamePicker,
    PlayerPicker,
    clock_title,
    game_or_othello,
    side_name,
)
from flipdrop.interface.web.pages.session_view import SessionPage, try_action
from flipdrop.interface.web.pages.widgets import (
    Button,
    SegmentedControl,
    card,
    confirm,
    div,
    group,
    link_button,
    notify,
    select,
    set_attributes,
    set_href,
    text,
)
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.sessions.errors import UnknownSession
from flipdrop.interface.web.sessions.view import start_view

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import SessionView
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session

_CLOCKS = ("", "60+1", "180+2", "300+3", "600+5", "1800")
_MOVE_SECONDS = (1, 5, 10, 30, 60, 120, 300, 600, 1800)  # clocks by the move, up to the server's limit
_CLOCK_TICK = 0.2  # seconds


def mount(manager: SessionManager) -> None:
    @ui.page("/")
    def set_up(
        request: Request, game: str = "othello", against: str = "", side: str = "first", clock: str = ""
    ) -> None:
        with page_layout(request, section="play") as t:
            NewGamePage(manager, t, game=game, against=against, side=side, clock=clock)

    @ui.page("/play/{session_id}")
    def play(request: Request, session_id: str) -> None:
        with page_layout(request, section="play") as t:
            if session := find_session(manager, t, session_id, restart=("play.new", "/")):
                GamePage(t, session)


def find_session(manager: SessionManager, t: Translator, id_: str, *, restart: tuple[str, str]) -> Session | None:
    """The session `id_`; if there is none, the page says so.

    :param restart: text and target of the link that the page offers then
    """
    try:
        return manager.find(id_)
    except UnknownSession:
        with card(t("play.unknown")):
            text(t("play.unknown_hint"), "fd-muted")
            link_button(t(restart[0]), restart[1], icon="new", kind="primary")
        return None


def clocks_up_to(longest: float) -> tuple[str, ...]:
    """The time controls that the page offers; those by the move go up to the longest search of the server.

    >>> clocks_up_to(20)[-4:]
    ('1/move', '5/move', '10/move', '20/move')
    """
    seconds = sorted({longest, *(choice for choice in _MOVE_SECONDS if choice < longest)})
    return (*_CLOCKS, *(f"{choice:g}/move" for choice in seconds))


class GameSetup:
    """The form for a new game beside its board; subclasses add the players.

    :param title: text key of the heading
    :param start: text key of the button
    """

    def __init__(self, manager: SessionManager, t: Translator, *, game: str, title: str, start: str) -> None:
        self.manager, self.t = manager, t
        self.game = game_or_othello(game)
        self._blocking = False
        with div("fd-board-layout"):
            with div("fd-board-area"):
                view = start_view(self.game)
                self._board = Board(view, t, on_move=self.start, on_cell=self._on_cell, active=False)
            with div("fd-sidebar"), card():
                text(t(title), "fd-title fd-no-margin", tag="h1")
                self._picker = GamePicker(t, self.game, self.set_game, on_blocking=self._set_blocking)
                self.build_players()
                Button(t(start), self.start, icon="start", kind="primary large", test="start")
                self.build_hint()
        self.show_board()

    @property
    def can_move(self) -> bool:
        """Whether a move on the board starts the game."""
        return False

    def build_players(self) -> None:
        raise NotImplementedError

    def build_hint(self) -> None:
        """Adds a text below the button."""

    def start(self, move: str | None = None) -> None:
        """Starts the game, with the first move if a person made one on the board."""
        raise NotImplementedError

    def set_game(self, game: Game) -> None:
        self.game = game
        self.show_board()

    def show_board(self) -> None:
        active = not self._blocking and self.can_move
        self._board.show(start_view(self.game), editing=self._blocking, active=active)

    def _set_blocking(self, blocking: bool) -> None:
        if blocking != self._blocking:
            self._blocking = blocking
            self.show_board()

    def _on_cell(self, cell: int) -> None:
        self._picker.toggle_blocked(cell)


class NewGamePage(GameSetup):
    """Opponent, side and clock of a new game."""

    def __init__(
        self, manager: SessionManager, t: Translator, *, game: str, against: str, side: str, clock: str
    ) -> None:
        self._clock = clock if clock in clocks_up_to(manager.limits.seconds) else ""
        self._side = side if side in (*SIDE_NAMES, "random") else "first"
        self._against = None if against == "person" else against or f"level:{DEFAULT_LEVEL}"
        super().__init__(manager, t, game=game, title="setup.title", start="setup.start")

    @property
    def can_move(self) -> bool:
        return self._side == "first" or self._opponent.spec is None

    def build_players(self) -> None:
        t = self.t
        with group(t("setup.opponent")):
            self._opponent = PlayerPicker(t, self._against, self._on_opponent)
        with group(t("setup.side")) as self._side_group:
            self._sides = SegmentedControl({}, "", self._set_side, test="side")
        with group(t("setup.clock")):
            clocks = {clock: clock_title(t, clock) for clock in clocks_up_to(self.manager.limits.seconds)}
            select(clocks, self._clock, self._set_clock, test="clock", hint=t("setup.clock"))
        self._show_sides()

    def build_hint(self) -> None:
        text(self.t("setup.move_hint"), "fd-small fd-muted")

    def set_game(self, game: Game) -> None:
        super().set_game(game)
        self._show_sides()

    def _show_sides(self) -> None:
        sides = {side: side_name(self.t, self.game.family, side) for side in SIDE_NAMES}
        self._sides.set_options(sides | {"random": self.t("setup.random")}, self._side)
        self._side_group.set_visibility(self._opponent.spec is not None)

    def _on_opponent(self) -> None:
        self._side_group.set_visibility(self._opponent.spec is not None)
        self.show_board()

    def _set_side(self, side: str) -> None:
        self._side = side
        self.show_board()

    def _set_clock(self, clock: str) -> None:
        self._clock = clock

    def start(self, move: str | None = None) -> None:
        side = random.choice(SIDE_NAMES) if self._side == "random" else self._side
        opponent = self._opponent.spec
        if opponent == "":
            notify(self.t("player.custom_empty"), bad=True)
            return
        first, second = (None, opponent) if side == "first" else (opponent, None)

        def start() -> None:
            session = self.manager.new(self.game.name, first=first, second=second, clock=self._clock or None)
            if move is not None:
                session.play(move)
            ui.navigate.to(f"/play/{session.id}")

        try_action(self.t, start)


class GamePage(SessionPage):
    """A game of a person."""

    def __init__(self, t: Translator, session: Session) -> None:
        super().__init__(t, session, delay_replies=True)
        if session.clock is not None:
            ui.timer(_CLOCK_TICK, self._tick)

    def build_controls(self, view: SessionView) -> None:
        t = self.t
        with self.status.element:
            self._pass = Button(t("play.pass"), lambda: self.play("pass"), kind="primary", test="pass")
            self._continue = Button(t("play.continue_here"), self._truncate, kind="primary", test="play-from-here")
        with div("fd-row fd-actions"):
            self._undo = Button("", lambda: self.undo(-1), icon="undo", hint=t("play.undo"), test="undo")
            self._redo = Button("", lambda: self.undo(1), icon="redo", hint=t("play.redo"), test="redo")
            self._resign = Button(t("play.resign"), self._ask_resign, icon="flag", test="resign")
            self._new = link_button(t("play.new"), _same_choices_url(view), icon="new", test="new")
        if view.clock is not None:
            set_attributes(self._undo, title=t("play.no_undo"))

    def show(self, view: SessionView) -> None:
        self.paint(view, active=view.human_to_move and not view.over)
        at_end = view.cursor == len(view.moves)
        self._pass.set_visibility(view.must_pass and view.human_to_move and at_end)
        self._continue.set_visibility(not at_end and view.clock is None)
        self._undo.set_enabled(view.can_undo)
        self._redo.set_enabled(view.can_redo)
        self._resign.set_enabled(view.ending is None)
        set_href(self._new, _same_choices_url(view))

    def _tick(self) -> None:
        clock = self.session.clock
        if clock is not None and clock.running is not None:
            self.players.show_clock(dict(zip(SIDE_NAMES, clock.left, strict=True)))

    def _truncate(self) -> None:
        try_action(self.t, self.session.truncate)

    def _ask_resign(self) -> None:
        t, resign = self.t, partial(try_action, self.t, self.session.resign)
        confirm(t("play.resign_sure"), t("play.resign"), resign, cancel=t("play.stay"), test="resign")


def _same_choices_url(view: SessionView) -> str:
    """A new game with the same choices."""
    people = [side for side in SIDE_NAMES if view.players[side].spec is None]
    side = people[0] if len(people) == 1 else "first"
    query = {"game": view.game, "against": view.players[opposite(side)].spec or "person", "side": side}
    return "/?" + urlencode(query | ({"clock": view.clock.control} if view.clock else {}))
