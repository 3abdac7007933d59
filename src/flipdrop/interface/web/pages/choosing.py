"""Choosing a game and its board, and who plays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.games import ConnectFourGame, OthelloGame
from flipdrop.interface.web.pages.board import Board, start_view
from flipdrop.interface.web.pages.parts import Choice, Switch, box, entry, field, group, slider, text
from flipdrop.players import LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
    from flipdrop.interface.web.pages.words import Words

USUAL_LEVEL = 3
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


def side_name(words: Words, kind: str, side: str) -> str:
    """What a side is called: black, white, red, yellow."""
    return words(f"side.{kind}.{side}")


def game_title(words: Words, game: Game) -> str:
    """``Connect Four 9×10``, in the language of the page."""
    title = f"{words(f'game.{kind_of(game)}')} {game.columns}×{game.rows}"
    if isinstance(game, ConnectFourGame) and game.forbidden:
        return words("game.forbidden", title=title, cell=game.forbidden)
    return title


def player_title(words: Words, spec: str | None, name: str = "") -> str:
    """What a player is called: a level by its name, others by their own."""
    if spec is None:
        return name or words("player.person")
    if (level := level_of(spec)) is not None:
        return words("player.level", number=level)
    return name or spec


def player_about(words: Words, spec: str | None) -> str:
    """A few words about a player, where there are any."""
    level = level_of(spec)
    return "" if level is None else words(f"level.{level}")


class GameChoice(ui.element):
    """Chooses a game, the size of its board, and the forbidden cell of Connect Four.

    :param on_change: called after every change, with the game
    :param on_forbid: called when somebody wants to choose a forbidden cell, or no longer, if there is a board on the
        page that tells `forbid` which one; otherwise a small board appears below
    """

    def __init__(
        self,
        words: Words,
        game: Game,
        on_change: Callable[[Game], object],
        *,
        on_forbid: Callable[[bool], object] | None = None,
    ) -> None:
        super().__init__("div")
        self.classes("fd-field fd-loose")
        self.game = game
        self._words, self._on_change, self._on_forbid = words, on_change, on_forbid
        kinds = {kind: words(f"game.{kind}") for kind in ("othello", "connect4")}
        with self:
            with group(words("setup.game")):
                Choice(kinds, kind_of(game), self._choose_kind, test="game")
            with group(words("setup.board")):
                self._sizes = Choice({}, "", self._choose_size, test="size")
            self._own = box("fd-field")
            self._forbid = box("fd-row apart")
            self._picker = box("fd-picker")
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
        elif size == "own":
            self._offer_own()
        else:
            columns, rows = map(int, size.split("x"))
            self._own.clear()
            self._set(ConnectFourGame(columns, rows))
            self._offer_forbidden()

    def _set(self, game: Game) -> None:
        self.game = game
        self._on_change(game)

    def _offer(self) -> None:
        """Shows the sizes that suit the game."""
        self._own.clear()
        if isinstance(self.game, OthelloGame):
            self._sizes.offer(_OTHELLO_SIZES, str(self.game.columns))
        else:
            size = f"{self.game.columns}x{self.game.rows}"
            known = size in _CONNECT4_SIZES
            self._sizes.offer(_CONNECT4_SIZES | {"own": self._words("setup.own")}, size if known else "own")
            if not known:
                self._offer_own()
        self._offer_forbidden()

    def _offer_own(self) -> None:
        """Sliders for columns and rows."""
        self._own.clear()
        with self._own:
            for name in ("columns", "rows"):
                with field(""), box("fd-row"):
                    text(self._words(f"setup.{name}"), "fd-label fd-measure", tag="span")
                    label = text(str(getattr(self.game, name)), "fd-number fd-measure-value")

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
                        hint=self._words(f"setup.{name}"),
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
            hint.set_text(self._words("setup.forbid_hint") if on else "")
            if not on and isinstance(self.game, ConnectFourGame) and self.game.forbidden:
                self._set(ConnectFourGame(self.game.columns, self.game.rows))

        with self._forbid:
            with box():
                text(self._words("setup.forbid"), "fd-label")
                hint = text("", "fd-small fd-soft")
            forbidden = isinstance(self.game, ConnectFourGame) and self.game.forbidden is not None
            Switch(forbidden, turn, hint=self._words("setup.forbid"), test="forbid")

    def _pick(self, on: bool) -> None:
        """A small board to choose the cell on."""
        self._picker.clear()
        self._picker.set_visibility(on)
        if on:
            with self._picker:
                Board(start_view(self.game), self._words, on_cell=self.forbid, editing=True, keyboard=False)


class PlayerChoice(ui.element):
    """Chooses who plays: a level, any player by its spec, or a person.

    :param spec: who is chosen at first; None for a person
    """

    def __init__(
        self,
        words: Words,
        spec: str | None,
        on_change: Callable[[], object] | None = None,
        *,
        people: bool = True,
        test: str = "opponent",
    ) -> None:
        super().__init__("div")
        self.classes("fd-field")
        self._words, self._on_change, self._test = words, on_change, test
        level = level_of(spec, plain=True)
        self.level = level or USUAL_LEVEL
        self.own = "" if spec is None or level else spec
        self.how = "person" if spec is None else "level" if level else "spec"
        options = {"level": words("player.computer"), "spec": words("player.own")}
        with self:
            Choice(options | ({"person": words("player.person")} if people else {}), self.how, self._choose, test=test)
            self._body = box("fd-field")
        self._show()

    @property
    def spec(self) -> str | None:
        """Who is chosen; None for a person, empty if somebody has yet to be written down."""
        return {"person": None, "level": f"level:{self.level}", "spec": self.own.strip()}[self.how]

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
                with box("fd-row apart"):
                    title = text(self._words("player.level", number=self.level), "fd-strong")
                    about = text(self._words(f"level.{self.level}"), "fd-small fd-soft fd-number")

                def change(value: float) -> None:
                    self.level = int(value)
                    title.set_text(self._words("player.level", number=self.level))
                    about.set_text(self._words(f"level.{self.level}"))
                    self._changed()

                slider(
                    self.level,
                    change,
                    least=min(LEVELS),
                    most=max(LEVELS),
                    test=f"{self._test}-level",
                    hint=self._words("player.level_hint"),
                )
            elif self.how == "spec":

                def write(spec: str) -> None:
                    self.own = spec
                    self._changed()

                entry(self.own, write, placeholder="mcts:iterations=2000", test=f"{self._test}-spec")
                text(self._words("player.own_hint"), "fd-small fd-soft")
