"""Play: setting up a game at ``/``, and the game at ``/play/ID``."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games.history import GameHistory
from flipdrop.interface.web.agents.library import agents_by_name
from flipdrop.interface.web.pages.display_names import clock_title, side_name
from flipdrop.interface.web.pages.game_panel import opposite
from flipdrop.interface.web.pages.game_setup import GameSetup, find_session
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.my_games import MyGames, remember_game
from flipdrop.interface.web.pages.player_picker import DEFAULT_LEVEL, PlayerPicker
from flipdrop.interface.web.pages.session_view import SessionPage, try_action
from flipdrop.interface.web.pages.widgets import (
    Button,
    ErrorBanner,
    SegmentedControl,
    confirm,
    div,
    group,
    icon_svg,
    notify,
    raw_html,
    select,
    set_attributes,
    text,
)
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.validation import parse_game, parse_position

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import SessionView
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session

_CLOCKS = ("", "60+1", "180+2", "300+3", "600+5", "1800")
_MOVE_SECONDS = (1, 5, 10, 30, 60, 120, 300, 600, 1800)  # clocks by the move, up to the server's limit
_CLOCK_TICK = 0.2  # seconds
_HINT_SECONDS = 1.5
_RELOAD_ON_BACK = "addEventListener('popstate', () => location.reload())"
_SHOW_SOUND = (
    "document.querySelector('[data-test=sound]')"
    "?.setAttribute('aria-pressed', String(localStorage.getItem('flipdrop-sound') === '1'))"
)
_SOUND = (
    "() => {const on = localStorage.getItem('flipdrop-sound') !== '1';"
    f"localStorage.setItem('flipdrop-sound', on ? '1' : '0'); {_SHOW_SOUND}; emit(on)}}"
)


def mount(manager: SessionManager) -> None:
    @ui.page("/")
    def set_up(
        request: Request, game: str = "othello", against: str = "", side: str = "", clock: str = "", position: str = ""
    ) -> None:
        with page_layout(request, section="play") as t:
            start: Position | None = None
            try:
                start = _position(manager, game, position) if position else None
            except FlipdropError as error:
                ErrorBanner(t).show(error)
            NewGamePage(manager, t, game=game, against=against, side=side, clock=clock, position=position, start=start)

    @ui.page("/play/{session_id}")
    def play(request: Request, session_id: str) -> None:
        with page_layout(request, section="play", heading=True) as t:
            if session := find_session(manager, t, session_id, restart=("play.new", "/")):
                GamePage(manager, t, session)


def _position(manager: SessionManager, game: str, text: str) -> Position:
    """The position that a URL names."""
    return GameHistory.of(*parse_position(text, parse_game(game), manager.limits)).position


def clocks_up_to(longest: float) -> tuple[str, ...]:
    """The time controls that the page offers; those by the move go up to the longest search of the server.

    >>> clocks_up_to(20)[-4:]
    ('1/move', '5/move', '10/move', '20/move')
    """
    seconds = sorted({longest, *(choice for choice in _MOVE_SECONDS if choice < longest)})
    return (*_CLOCKS, *(f"{choice:g}/move" for choice in seconds))


class NewGamePage(GameSetup):
    """Opponent, side and clock of a new game."""

    section = "play"

    def __init__(
        self,
        manager: SessionManager,
        t: Translator,
        *,
        game: str,
        against: str,
        side: str,
        clock: str,
        position: str,
        start: Position | None,
    ) -> None:
        self._position = position
        to_move = SIDE_NAMES[0 if start is None else start.to_move]
        self._clocks = {control: clock_title(t, control) for control in clocks_up_to(manager.limits.seconds)}
        self._clock = clock if clock in self._clocks else ""
        self._side = side if side in (*SIDE_NAMES, "random") else to_move
        self._against = None if against == "person" else against or f"level:{DEFAULT_LEVEL}"
        super().__init__(manager, t, game, start)

    @property
    def can_move(self) -> bool:
        start = self.picker.position
        to_move = SIDE_NAMES[0 if start is None else start.to_move]
        is_over = start is not None and start.is_over
        return not is_over and (self._side == to_move or self._opponent.spec is None)

    def build_lists(self) -> None:
        MyGames(self.manager, self.t)

    def show_session(self, session: Session) -> None:
        """Shows the game in the same page: the first move is on the board at once, without loading another page."""
        self.root.clear()
        with self.root:
            text(self.t("nav.play"), "fd-hidden", tag="h1")
            GamePage(self.manager, self.t, session)
            ui.run_javascript(f"history.pushState(history.state, '', '/play/{session.id}');" + _RELOAD_ON_BACK)

    def build_players(self) -> None:
        t = self.t
        with group(t("setup.opponent")):
            agents = agents_by_name(self.manager.config)
            self._opponent = PlayerPicker(t, self._against, self._on_opponent, game=self.picker.game, agents=agents)
        with group(t("setup.side")) as self._side_group:
            self._sides = SegmentedControl({}, "", self._set_side, test="side")
        with group(t("setup.clock")):
            select(self._clocks, self._clock, self._set_clock, test="clock", hint=t("setup.clock"))

    def show_sides(self, game: Game) -> None:
        sides = {side: side_name(self.t, game.family, side) for side in SIDE_NAMES}
        self._opponent.set_game(game)
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
        position = "" if self.picker.position is None else self._position
        self.open_session(first, second, move=move, clock=self._clock or None, position=position)


class GamePage(SessionPage):
    """A game of a person."""

    def __init__(self, manager: SessionManager, t: Translator, session: Session) -> None:
        self._manager = manager
        self._hinted: int | None = None  # the number of moves on the board for which a hint was asked
        super().__init__(t, session, delay_replies=True)
        remember_game(session)
        if session.clock is not None:
            ui.timer(_CLOCK_TICK, self._tick)

    def build_controls(self, view: SessionView) -> None:
        t = self.t
        with self.status.element:
            self._pass = Button(t("play.pass"), lambda: self.play("pass"), kind="primary", test="pass")
            self._continue = Button(t("play.continue_here"), self._truncate, kind="primary", test="play-from-here")
            self._rematch = Button(t("play.rematch"), self._start_rematch, icon="rematch", test="rematch")
        with div("fd-row fd-actions"):
            self._undo = Button("", lambda: self.undo(-1), icon="undo", hint=t("play.undo"), test="undo")
            self._redo = Button("", lambda: self.undo(1), icon="redo", hint=t("play.redo"), test="redo")
            self._hint = Button("", self._ask_hint, icon="hint", hint=t("play.hint"), test="hint")
            with Button("", icon="sound_off", kind="fd-toggle", hint=t("play.sound"), test="sound") as sound:
                raw_html(icon_svg("sound"), "fd-row")
            ui.run_javascript(_SHOW_SOUND)
            sound.on(
                "click", lambda event: notify(t("play.sound_on" if event.args else "play.sound_off")), js_handler=_SOUND
            )
            self._resign = Button("", self._ask_resign, icon="flag", hint=t("play.resign"), test="resign")
            self._new = Button(t("play.new"), href=_same_choices_url(view), icon="new", test="new")
        if view.clock is not None:
            set_attributes(self._undo, title=t("play.no_undo"))

    def show(self, view: SessionView) -> None:
        if self._hinted is not None and self._hinted != view.cursor:
            self._hinted = None
            self._manager.analysis.stop(self.session)
        found = view.analysis if self._hinted is not None and view.analysis and view.analysis.done else None
        best = None if found is None else next((move for move in found.moves if move.best), None)
        self.paint(view, active=view.human_to_move and not view.over, hint=None if best is None else best.cell)
        at_end = view.cursor == len(view.moves)
        self._pass.set_visibility(view.must_pass and view.human_to_move and at_end)
        self._continue.set_visibility(not at_end and view.clock is None)
        self._rematch.set_visibility(view.result is not None)
        self._undo.set_enabled(view.can_undo)
        self._redo.set_enabled(view.can_redo)
        self._hint.set_enabled(view.human_to_move and not view.must_pass and self._hinted is None)
        self._resign.set_enabled(view.ending is None)
        self._new.set_href(_same_choices_url(view))

    def _ask_hint(self) -> None:
        """Searches the position and marks the best move on the board."""
        self._hinted = self.session.cursor
        seconds = min(_HINT_SECONDS, self._manager.limits.seconds)
        if not try_action(self.t, partial(self._manager.analysis.start, self.session, seconds=seconds)):
            self._hinted = None

    def _start_rematch(self) -> None:
        """Starts another game of the same players with swapped sides."""
        first, second = (player.spec for player in self.session.players)
        start, clock = self.session.positions[0], self.session.clock

        def start_game() -> None:
            session = self._manager.new(
                start.game.name,
                first=second,
                second=first,
                position="" if start == start.game.start() else start.board,
                clock=None if clock is None else clock.control,
            )
            ui.navigate.to(f"/play/{session.id}")

        try_action(self.t, start_game)

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
