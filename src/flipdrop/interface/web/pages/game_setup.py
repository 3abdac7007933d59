"""What playing and watching share: the form for a new game beside its board, and finding the game of a URL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from nicegui import ui

from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.game_picker import GamePicker, game_or_othello
from flipdrop.interface.web.pages.session_view import try_action
from flipdrop.interface.web.pages.widgets import Button, card, div, notify, text
from flipdrop.interface.web.sessions.errors import UnknownSession
from flipdrop.interface.web.sessions.view import position_view

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session


def find_session(manager: SessionManager, t: Translator, id_: str, *, restart: tuple[str, str]) -> Session | None:
    """The session `id_`; if there is none, the page says so.

    :param restart: text and target of the link that the page offers then
    """
    try:
        return manager.find(id_)
    except UnknownSession:
        with card(t("play.unknown"), "fd-notice"):
            text(t("play.unknown_hint"), "fd-muted")
            Button(t(restart[0]), href=restart[1], icon="new", kind="primary")
        return None


class GameSetup:
    """The form for a new game beside its board; subclasses add the players.

    :cvar section: of the navigation; texts and URLs of sessions begin with it
    """

    section: ClassVar[str]

    def __init__(self, manager: SessionManager, t: Translator, game: str, start: Position | None = None) -> None:
        self.manager, self.t = manager, t
        with div("fd-full") as self.root, div("fd-board-layout"):
            with div("fd-board-area"):
                first = game_or_othello(game) if start is None else start.game
                board = Board(position_view(first.start()), t, on_move=self.start, on_cell=self._on_cell)
            with div("fd-sidebar"):
                with card():
                    text(t(f"{self.section}.title"), "fd-title fd-no-margin", tag="h1")
                    self.picker = GamePicker(
                        t, first, self.show_sides, board=board, can_move=lambda: self.can_move, position=start
                    )
                    self.build_players()
                    Button(t(f"{self.section}.start"), self.start, icon="start", kind="primary large", test="start")
                    if self.section == "play":
                        text(t("setup.move_hint"), "fd-small fd-muted")
                self.build_lists()
        self.show_sides(first)
        self.picker.show_board()

    @property
    def can_move(self) -> bool:
        """Whether a move on the board starts the game."""
        return False

    def build_players(self) -> None:
        raise NotImplementedError

    def build_lists(self) -> None:
        """Adds cards below the form."""

    def show_sides(self, game: Game) -> None:
        """Names the sides as the game does."""
        raise NotImplementedError

    def start(self, move: str | None = None) -> None:
        """Starts the game, with the first move if a person made one on the board."""
        raise NotImplementedError

    def open_session(self, first: str | None, second: str | None, *, move: str | None = None, **options: Any) -> None:
        """Starts a session and shows it.

        :param options: of `SessionManager.new`
        """
        if "" in (first, second):
            notify(self.t("player.custom_empty"), bad=True)
            return

        def start() -> None:
            session = self.manager.new(self.picker.game.name, first=first, second=second, **options)
            if move is not None:
                session.play(move)
            self.show_session(session)

        try_action(self.t, start)

    def show_session(self, session: Session) -> None:
        """Goes to the page of a session."""
        ui.navigate.to(f"/{self.section}/{session.id}")

    def _on_cell(self, cell: int) -> None:
        self.picker.toggle_blocked(cell)
