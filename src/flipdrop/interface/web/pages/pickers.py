"""Choosing a game and its board, and who plays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.widgets import SegmentedControl, Switch, div, field, group, slider, text, text_input
from flipdrop.interface.web.sessions.view import start_view
from flipdrop.players import LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator

DEFAULT_LEVEL = 3
_OTHELLO_SIZES = {"8": "8×8", "6": "6×6", "4": "4×4"}
_CONNECT4_SIZES = {"7x6": "7×6", "8x8": "8×8", "10x10": "10×10"}
_SMALLEST, _LARGEST = 4, 12  # columns and rows of Connect Four
_LEVEL = re.compile(r"level:(\d{1,3})(,.*)?", re.ASCII | re.DOTALL)


def level_of(spec: str | None, *, plain: bool = False) -> int | None:
    """The number of the level that a spec names; None if it names another player, or a level that is not there.

    :param plain: None as well if the spec says more than the level
    """
    found = _LEVEL.fullmatch(spec or "")
    if found is None or int(found[1]) not in LEVELS or (plain and found[2]):
        return None
    return int(found[1])


def kind_of(game: Game) -> str:
    """``othello`` or ``connect4``, as views call it."""
    return "othello" if isinstance(game, OthelloGame) else "connect4"


def side_name(t: Translator, kind: str, side: str) -> str:
    """What a side is called: black, white, red, yellow."""
    return t(f"side.{kind}.{side}")


def game_title(t: Translator, game: Game) -> str:
    """``Connect Four 9×10``, in the language of the page."""
    title = f"{t(f'game.{kind_of(game)}')} {game.columns}×{game.rows}"
    if isinstance(game, ConnectFourGame) and game.forbidden:
        return t("game.forbidden", title=title, cell=game.forbidden)
    return title


def player_title(t: Translator, spec: str | None, name: str = "") -> str:
    """What a player is called: a level by its name, others by their own."""
    if spec is None:
        return name or t("player.person")
    if (level := level_of(spec)) is not None:
        return t("player.level", number=level)
    return name or spec


def player_description(t: Translator, spec: str | None) -> str:
    """A few words about a player, where there are any."""
    level = level_of(spec)
    return "" if level is None else t(f"level.{level}")


class GamePicker(ui.element):
    """Chooses a game, the size of its board, and the forbidden cell of Connect Four.

    :param on_change: called after every change, with the game
    :param on_forbid: called when somebody wants to choose a forbidden cell, or no longer, if there is a board on the
        page that tells `forbid` which one; otherwise a small board appears below
    """

    def __init__(
        self,
        t: Translator,
        game: Game,
        on_change: Callable[[Game], object],
        *,
        on_forbid: Callable[[bool], object] | None = None,
    ) -> None:
        super().__init__("div")
        self.classes("fd-field fd-spaced")
        self.game = game
        self._t, self._on_change, self._on_forbid = t, on_change, on_forbid
        kinds = {kind: t(f"game.{kind}") for kind in ("othello", "connect4")}
        with self:
            with group(t("setup.game")):
                SegmentedControl(kinds, kind_of(game), self._choose_kind, test="game")
            with group(t("setup.board")):
                self._sizes = SegmentedControl({}, "", self._choose_size, test="size")
            self._custom = div("fd-field")
            self._forbid = div("fd-row apart")
            self._picker = div("fd-picker")
        self._offer()

    def forbid(self, cell: int) -> None:
        """Forbids a cell, or allows it again."""
        if isinstance(self.game, ConnectFourGame) and 0 <= cell < self.game.columns * self.game.rows:
            name = self.game.cell_name(cell)
            forbidden = None if name == self.game.forbidden else name
            self._set(ConnectFourGame(self.game.columns, self.game.rows, forbidden))
            for board in self._picker.default_slot.children:
                if isinstance(board, Board):
                    board.show(start_view(self.game))

    def _choose_kind(self, kind: str) -> None:
        self._set(OthelloGame(8) if kind == "othello" else ConnectFourGame())
        self._offer()

    def _choose_size(self, size: str) -> None:
        if isinstance(self.game, OthelloGame):
            self._set(OthelloGame(int(size)))
        elif size == "custom":
            self._offer_custom_size()
        else:
            columns, rows = map(int, size.split("x"))
            self._custom.clear()
            self._set(ConnectFourGame(columns, rows))
            self._offer_forbidden()

    def _set(self, game: Game) -> None:
        self.game = game
        self._on_change(game)

    def _offer(self) -> None:
        """Shows the sizes that suit the game."""
        self._custom.clear()
        if isinstance(self.game, OthelloGame):
            self._sizes.offer(_OTHELLO_SIZES, str(self.game.columns))
        else:
            size = f"{self.game.columns}x{self.game.rows}"
            known = size in _CONNECT4_SIZES
            self._sizes.offer(_CONNECT4_SIZES | {"custom": self._t("setup.custom")}, size if known else "custom")
            if not known:
                self._offer_custom_size()
        self._offer_forbidden()

    def _offer_custom_size(self) -> None:
        """Sliders for columns and rows."""
        self._custom.clear()
        with self._custom:
            for name in ("columns", "rows"):
                with field(""), div("fd-row"):
                    text(self._t(f"setup.{name}"), "fd-label fd-slider-label", tag="span")
                    label = text(str(getattr(self.game, name)), "fd-number fd-slider-value")

                    def change(value: float, name: str = name, label: ui.label = label) -> None:
                        label.set_text(str(int(value)))
                        columns = int(value) if name == "columns" else self.game.columns
                        rows = int(value) if name == "rows" else self.game.rows
                        self._set(ConnectFourGame(columns, rows))
                        self._offer_forbidden()

                    slider(
                        getattr(self.game, name),
                        change,
                        least=_SMALLEST,
                        most=_LARGEST,
                        test=name,
                        hint=self._t(f"setup.{name}"),
                    )

    def _offer_forbidden(self) -> None:
        """A switch for the forbidden cell of Connect Four."""
        self._forbid.clear()
        on_forbid = self._on_forbid or self._pick
        on_forbid(False)
        if not isinstance(self.game, ConnectFourGame):
            return

        def turn(on: bool) -> None:
            on_forbid(on)
            hint.set_text(self._t("setup.forbid_hint") if on else "")
            if not on and isinstance(self.game, ConnectFourGame) and self.game.forbidden:
                self._set(ConnectFourGame(self.game.columns, self.game.rows))

        with self._forbid:
            with div():
                text(self._t("setup.forbid"), "fd-label")
                hint = text("", "fd-small fd-muted")
            forbidden = isinstance(self.game, ConnectFourGame) and self.game.forbidden is not None
            Switch(forbidden, turn, hint=self._t("setup.forbid"), test="forbid")

    def _pick(self, on: bool) -> None:
        """A small board to choose the cell on."""
        self._picker.clear()
        self._picker.set_visibility(on)
        if on:
            with self._picker:
                Board(start_view(self.game), self._t, on_cell=self.forbid, editing=True, keyboard=False)


class PlayerPicker(ui.element):
    """Chooses who plays: a level, any player by its spec, or a person.

    :param spec: who is chosen at first; None for a person
    """

    def __init__(
        self,
        t: Translator,
        spec: str | None,
        on_change: Callable[[], object] | None = None,
        *,
        people: bool = True,
        test: str = "opponent",
    ) -> None:
        super().__init__("div")
        self.classes("fd-field")
        self._t, self._on_change, self._test = t, on_change, test
        level = level_of(spec, plain=True)
        self.level = level or DEFAULT_LEVEL
        self.custom = "" if spec is None or level else spec
        self.how = "person" if spec is None else "level" if level else "spec"
        options = {"level": t("player.computer"), "spec": t("player.custom")}
        with self:
            SegmentedControl(
                options | ({"person": t("player.two")} if people else {}), self.how, self._choose, test=test
            )
            self._body = div("fd-field")
        self._show()

    @property
    def spec(self) -> str | None:
        """Who is chosen; None for a person, empty if somebody has yet to be written down."""
        return {"person": None, "level": f"level:{self.level}", "spec": self.custom.strip()}[self.how]

    def _choose(self, how: str) -> None:
        self.how = how
        self._show()
        self._changed()

    def _changed(self) -> None:
        if self._on_change is not None:
            self._on_change()

    def _show(self) -> None:
        self._body.clear()
        with self._body:
            if self.how == "level":
                with div("fd-row apart"):
                    title = text(self._t("player.level", number=self.level), "fd-bold")
                    about = text(self._t(f"level.{self.level}"), "fd-small fd-muted fd-number")

                def change(value: float) -> None:
                    self.level = int(value)
                    title.set_text(self._t("player.level", number=self.level))
                    about.set_text(self._t(f"level.{self.level}"))
                    self._changed()

                slider(
                    self.level,
                    change,
                    least=min(LEVELS),
                    most=max(LEVELS),
                    test=f"{self._test}-level",
                    hint=self._t("player.level_hint"),
                )
            elif self.how == "spec":

                def write(spec: str) -> None:
                    self.custom = spec
                    self._changed()

                text_input(self.custom, write, placeholder="mcts:iterations=2000", test=f"{self._test}-spec")
                text(self._t("player.custom_hint"), "fd-small fd-muted")
