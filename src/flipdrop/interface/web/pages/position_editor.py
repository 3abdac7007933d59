"""Setting up a position."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError
from flipdrop.games import game as game_of
from flipdrop.interface.web.pages.display_names import side_name
from flipdrop.interface.web.pages.widgets import (
    Button,
    ErrorBanner,
    SegmentedControl,
    card,
    div,
    group,
    text,
)
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.sessions.view import position_view

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import DisplayedBoard

_SYMMETRIES: dict[str, dict[str, Callable[[int, int, int], tuple[int, int]]]] = {
    "othello": {
        "rotate": lambda row, column, last: (last - column, row),
        "mirror": lambda row, column, last: (row, last - column),
    },
    "connect4": {"mirror": lambda row, column, last: (row, last - column)},
}
"""Changes of a whole board; see `PositionEditor`."""

_MARKS = {"": "-", "first": "X", "second": "O", "forbidden": "#"}


class PositionEditor:
    """Edits a position: a brush for the cells, and the side to move.

    :param on_change: called with the view after every change
    :param on_done: called with the board string; its error is shown and editing continues
    :param on_cancel: called when the position is to stay as it was
    """

    def __init__(
        self,
        t: Translator,
        view: DisplayedBoard,
        *,
        on_change: Callable[[DisplayedBoard], object],
        on_done: Callable[[str], object],
        on_cancel: Callable[[], object],
    ) -> None:
        removed: dict[str, object] = {"analysis": None, "legal": [], "last": None, "winning_line": [], "over": False}
        self._view = view.model_copy(update=removed)
        self._on_change, self._on_done = on_change, on_done
        sides: dict[str, str] = {side: side_name(t, view.kind, side) for side in SIDE_NAMES}
        with card(t("editor.title")):
            text(t(f"editor.hint.{view.kind}"), "fd-small fd-muted")
            with group(t("editor.brush")):
                self._brush = SegmentedControl(sides | {"": t("editor.empty")}, "first", test="brush")
            if view.kind == "othello":  # in Connect Four the disc counts decide the side to move
                with group(t("editor.turn")):
                    self._turn = SegmentedControl(sides, view.turn or "first", test="turn")
            self._error = ErrorBanner(t)
            with div("fd-row wrap"):
                Button(t("editor.done"), self._done, kind="primary", test="editor-done")
                Button(t("editor.clear"), self._clear, test="editor-clear")
                Button(t("editor.start"), self._set_start, test="editor-start")
                for name, order in _SYMMETRIES[view.kind].items():
                    Button(t(f"editor.{name}"), partial(self._transform, order), test=f"editor-{name}")
                Button(t("editor.cancel"), on_cancel, kind="subtle", test="editor-cancel")
        on_change(self._view)

    def click(self, cell: int) -> None:
        """Applies the brush to a cell, or removes what it has placed there."""
        cells = self._view.cells
        if 0 <= cell < len(cells):
            same = self._view.kind == "othello" and cells[cell] == self._brush.value
            self._place(cell, "" if same else self._brush.value)

    def paint(self, cell: int) -> None:
        """Applies the brush to a cell over which the mouse is dragged."""
        if 0 <= cell < len(self._view.cells):
            self._place(cell, self._brush.value)

    def _place(self, cell: int, mark: str) -> None:
        """Changes a cell; in Connect Four the top of its column, since discs rest on each other."""
        cells: list[str] = list(self._view.cells)
        if self._view.kind == "othello":
            cells[cell] = mark
        else:
            columns = self._view.columns
            stack = [at for at in range(cell % columns, len(cells), columns) if cells[at] != "forbidden"]
            free = [at for at in stack if not cells[at]]
            if mark and free:
                cells[free[-1]] = mark
            elif not mark and len(free) < len(stack):
                cells[stack[len(free)]] = ""
        self._set_cells(cells)

    def _clear(self) -> None:
        self._set_cells(["forbidden" if mark == "forbidden" else "" for mark in self._view.cells])

    def _set_start(self) -> None:
        self._set_cells(list(position_view(game_of(self._view.game).start()).cells))

    def _transform(self, source: Callable[[int, int, int], tuple[int, int]]) -> None:
        """Rotates or mirrors the board.

        :param source: of a row and a column after the change, and the last row: where its content was before
        """
        view = self._view
        size, columns = view.rows - 1, view.columns
        places = [
            source(row, column, size if view.kind == "othello" else columns - 1)
            for row in range(view.rows)
            for column in range(columns)
        ]
        self._set_cells([view.cells[row * columns + column] for row, column in places])

    def _set_cells(self, cells: list[str]) -> None:
        self._view = self._view.model_copy(update={"cells": cells, "version": self._view.version + 1})
        self._on_change(self._view)

    def _board_string(self) -> str:
        marks = "".join(_MARKS[mark] for mark in self._view.cells)
        if self._view.kind == "othello":
            return f"{marks} {_MARKS[self._turn.value]}"
        columns = self._view.columns
        rows = "/".join(marks[start : start + columns] for start in range(0, len(marks), columns))
        return f"{rows} {'X' if marks.count('X') == marks.count('O') else 'O'}"

    def _done(self) -> None:
        try:
            self._on_done(self._board_string())
        except FlipdropError as error:
            self._error.show(error)
