"""A picker of a game, the size of its board and the blocked cell."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.widgets import SegmentedControl, Switch, div, group, number_slider, text
from flipdrop.interface.web.sessions.view import position_view
from flipdrop.interface.web.validation import parse_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game, Position
    from flipdrop.interface.web.i18n import Translator

_BOARDS: dict[str, dict[str, Game]] = {
    "othello": {str(size): OthelloGame(size) for size in (8, 6, 4)},
    "connect4": {f"{columns}x{rows}": ConnectFourGame(columns, rows) for columns, rows in ((7, 6), (8, 8), (10, 10))},
}
"""The boards that each game offers; the first is the default."""

_MIN_LENGTH, _MAX_LENGTH = 4, 12  # columns and rows of Connect Four


def game_or_othello(name: str) -> Game:
    """The game that a URL names; Othello if there is no such game."""
    try:
        return parse_game(name)
    except FlipdropError:
        return OthelloGame(8)


class GamePicker(ui.element):
    """Picks a game, the size of its board, and the blocked cell of Connect Four.

    :param on_change: called with the game after every change
    :param board: shows the game, and sends its clicks on cells to `toggle_blocked`; without it, a small board of the
        picker's own appears while the blocked cell is picked
    :param can_move: whether a move on the board is allowed
    :param position: that is shown instead of the game's start, until another game or board is picked
    """

    def __init__(
        self,
        t: Translator,
        game: Game,
        on_change: Callable[[Game], object],
        *,
        board: Board | None = None,
        can_move: Callable[[], bool] = lambda: False,
        position: Position | None = None,
    ) -> None:
        super().__init__("div")
        self.classes("fd-field fd-spaced")
        self.game, self.position = game, position
        self._t, self._on_change, self._board, self._can_move = t, on_change, board, can_move
        self._blocking = False
        with self:
            with group(t("setup.game")):
                kinds = {kind: t(f"game.{kind}") for kind in ("othello", "connect4")}
                SegmentedControl(kinds, game.family, self._set_kind, test="game")
            with group(t("setup.board")):
                self._sizes = SegmentedControl({}, "", self._set_size, test="size")
            self._custom_size = div("fd-field")
            self._blocked_row = div("fd-row apart")
            self._own_board = div("fd-picker")
            self._own_board.set_visibility(False)
        self._show_sizes()

    def show_board(self) -> None:
        """Paints the game, and whether moves or a blocked cell can be made on the board."""
        view = position_view(self.game.start() if self.position is None else self.position)
        if self._board is not None:
            self._board.show(view, editing=self._blocking, active=not self._blocking and self._can_move())
            return
        self._own_board.clear()
        self._own_board.set_visibility(self._blocking)
        if self._blocking:
            with self._own_board:
                Board(view, self._t, on_cell=self.toggle_blocked, editing=True, keyboard=False)

    def toggle_blocked(self, cell: int) -> None:
        """Blocks a cell, or frees it again."""
        if isinstance(self.game, ConnectFourGame) and 0 <= cell < self.game.columns * self.game.rows:
            name = self.game.cell_name(cell)
            blocked = None if name == self.game.forbidden else name
            if self._board is not None and blocked is not None:
                self._blocking = False  # the next click is a move; the switch frees the cell again
            self._set_game(ConnectFourGame(self.game.columns, self.game.rows, blocked))
            self._show_blocked_hint()

    def _set_game(self, game: Game) -> None:
        self.game, self.position = game, None
        self._on_change(game)
        self.show_board()

    def _set_kind(self, kind: str) -> None:
        self.game = next(iter(_BOARDS[kind].values()))
        self._show_sizes()
        self._set_game(self.game)

    def _set_size(self, size: str) -> None:
        self._custom_size.clear()
        if size == "custom":
            self._show_custom_size()
        else:
            self._set_board(_BOARDS[self.game.family][size])

    def _set_board(self, game: Game) -> None:
        self.game = game
        self._show_blocked_row()
        self._set_game(game)

    def _show_sizes(self) -> None:
        """The boards of the game; the sizes of Connect Four can be any."""
        boards = {name: (game.columns, game.rows) for name, game in _BOARDS[self.game.family].items()}
        options = {name: f"{columns}×{rows}" for name, (columns, rows) in boards.items()}
        if isinstance(self.game, ConnectFourGame):
            options["custom"] = self._t("setup.custom")
        sizes = (name for name, size in boards.items() if size == (self.game.columns, self.game.rows))
        self._sizes.set_options(options, next(sizes, "custom"))
        self._custom_size.clear()
        if self._sizes.value == "custom":
            self._show_custom_size()
        self._show_blocked_row()

    def _show_custom_size(self) -> None:
        """Sliders for columns and rows."""

        def change(name: str, length: int) -> None:
            lengths = {"columns": self.game.columns, "rows": self.game.rows, name: length}
            self._set_board(ConnectFourGame(lengths["columns"], lengths["rows"]))

        with self._custom_size:
            for name in ("columns", "rows"):
                label, length = self._t(f"setup.{name}"), getattr(self.game, name)
                number_slider(label, length, partial(change, name), least=_MIN_LENGTH, most=_MAX_LENGTH, test=name)

    def _show_blocked_row(self) -> None:
        """A switch for the blocked cell of Connect Four."""
        self._blocked_row.clear()
        self._blocking = False
        if not isinstance(self.game, ConnectFourGame):
            return

        def switch(on: bool) -> None:
            self._blocking = on
            self._set_game(self.game if on else ConnectFourGame(self.game.columns, self.game.rows))
            self._show_blocked_hint()

        with self._blocked_row:
            with div():
                text(self._t("setup.blocked"), "fd-label")
                self._blocked_hint = text("", "fd-small fd-muted", test="blocked-hint")
            Switch(self.game.forbidden is not None, switch, hint=self._t("setup.blocked"), test="forbid")
        self._show_blocked_hint()

    def _show_blocked_hint(self) -> None:
        assert isinstance(self.game, ConnectFourGame)
        self._blocked_hint.set_text(self._t("setup.blocked_hint") if self._blocking else self.game.forbidden or "")
