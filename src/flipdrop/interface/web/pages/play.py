"""Play: setting up a game at ``/``, and the game at ``/play/ID``."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar
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
    notify,
    select,
    set_attributes,
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
            Button(t(restart[0]), href=restart[1], icon="new", kind="primary")
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

    :cvar section: of the navigation; texts and URLs of sessions begin with it
    """

    section: ClassVar[str]

    def __init__(self, manager: SessionManager, t: Translator, game: str) -> None:
        self.manager, self.t = manager, t
        with div("fd-board-layout"):
            with div("fd-board-area"):
                first = game_or_othello(game)
                board = Board(start_view(first), t, on_move=self.start, on_cell=self._on_cell)
            with div("fd-sidebar"), card():
                text(t(f"{self.section}.title"), "fd-title fd-no-margin", tag="h1")
                self.picker = GamePicker(t, first, self.show_sides, board=board, can_move=lambda: self.can_move)
                self.build_players()
                Button(t(f"{self.section}.start"), self.start, icon="start", kind="primary large", test="start")
                if self.section == "play":
                    text(t("setup.move_hint"), "fd-small fd-muted")
        self.show_sides(first)
        self.picker.show_board()

    @property
    def can_move(self) -> bool:
        """Whether a move on the board starts the game."""
        return False

    def build_players(self) -> None:
        raise NotImplementedError

    def show_sides(self, game: Game) -> None:
        """Names the sides as the game does."""
        raise NotImplementedError

    def start(self, move: str | None = None) -> None:
        """Starts the game, with the first move if a person made one on the board."""
        raise NotImplementedError

    def open_session(self, first: str | None, second: str | None, *, move: str | None = None, **options: Any) -> None:
        """Starts a session and goes to its page.

        :param options: of `SessionManager.new`
        """
        if "" in (first, second):
            notify(self.t("player.custom_empty"), bad=True)
            return

        def start() -> None:
            session = self.manager.new(self.picker.game.name, first=first, second=second, **options)
            if move is not None:
                session.play(move)
            ui.navigate.to(f"/{self.section}/{session.id}")

        try_action(self.t, start)

    def _on_cell(self, cell: int) -> None:
        self.picker.toggle_blocked(cell)


class NewGamePage(GameSetup):
    """Opponent, side and clock of a new game."""

    section = "play"

    def __init__(
        self, manager: SessionManager, t: Translator, *, game: str, against: str, side: str, clock: str
    ) -> None:
        self._clocks = {control: clock_title(t, control) for control in clocks_up_to(manager.limits.seconds)}
        self._clock = clock if clock in self._clocks else ""
        self._side = side if side in (*SIDE_NAMES, "random") else "first"
        self._against = None if against == "person" else against or f"level:{DEFAULT_LEVEL}"
        super().__init__(manager, t, game)

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
            select(self._clocks, self._clock, self._set_clock, test="clock", hint=t("setup.clock"))

    def show_sides(self, game: Game) -> None:
        sides = {side: side_name(self.t, game.family, side) for side in SIDE_NAMES}
        self._sides.set_options(sides | {"random": self.t("setup.random")}, self._side)
        self._side_group.set_visibility(self._opponent.spec is not None)

    def _on_opponent(self) -> None:
        self._side_group.set_visibility(self._opponent.spec is not None)
        self.picker.show_board()

    def _set_side(self, side: str) -> None:
        self._side = side
        self.picker.show_board()

    def _set_clock(self, clock: str) -> None:
        self._clock = clock

    def start(self, move: str | None = None) -> None:
        side = random.choice(SIDE_NAMES) if self._side == "random" else self._side
        first, second = (None, self._opponent.spec) if side == "first" else (self._opponent.spec, None)
        self.open_session(first, second, move=move, clock=self._clock or None)


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
            self._new = Button(t("play.new"), href=_same_choices_url(view), icon="new", test="new")
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
        self._new.set_href(_same_choices_url(view))

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
