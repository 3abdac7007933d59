"""Bringing a position to the board and taking it away: setting it up by hand, pasting, copying."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games.records import GameRecord, encode_games
from flipdrop.interface.web.pages.error_messages import ErrorBanner
from flipdrop.interface.web.pages.pickers import side_name
from flipdrop.interface.web.pages.widgets import (
    Button,
    SegmentedControl,
    card,
    div,
    field,
    group,
    notify,
    text,
    text_input,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import CellState, DisplayedBoard, SessionView, SideName
    from flipdrop.interface.web.sessions.session import Session

_MARKS = {"": "-", "first": "X", "second": "O", "forbidden": "#"}
_SIDES = {"first": "X", "second": "O"}


class PositionEditor:
    """A position that is being set up: a brush, cells, and whose turn it is.

    :param on_change: called with the view to draw, after every change
    :param on_done: called with the board string; an error of it is shown and the work goes on
    :param on_cancel: called when nothing is to be changed
    """

    def __init__(
        self,
        t: Translator,
        view: SessionView,
        *,
        on_change: Callable[[DisplayedBoard], object],
        on_done: Callable[[str], object],
        on_cancel: Callable[[], object],
    ) -> None:
        cleared: dict[str, object] = {"analysis": None, "legal": [], "last": None, "winning_line": [], "over": False}
        self._view: DisplayedBoard = view.model_copy(update=cleared)
        self._on_change, self._on_done, self._on_cancel = on_change, on_done, on_cancel
        self._brush: Literal["", "first", "second"] = "first"
        self._turn: SideName = view.turn or "first"
        kind = view.kind
        sides = {side: side_name(t, kind, side) for side in ("first", "second")}
        with card(t("editor.title")) as self.element:
            text(t(f"editor.hint.{kind}"), "fd-small fd-muted")
            with group(t("editor.brush")):
                SegmentedControl(sides | {"": t("editor.empty")}, self._brush, self._set_brush, test="brush")
            if kind == "othello":  # in Connect Four the number of discs says whose turn it is
                with group(t("editor.turn")):
                    SegmentedControl(sides, self._turn, self._set_turn, test="turn")
            self._trouble = ErrorBanner(t)
            with div("fd-row wrap"):
                Button(t("editor.done"), self._done, kind="primary", test="setting-done")
                Button(t("editor.clear"), self._clear, test="setting-clear")
                Button(t("editor.cancel"), on_cancel, kind="subtle", test="setting-cancel")
        self._show(view.cells)

    def click(self, cell: int) -> None:
        """Does with a cell what the brush says."""
        cells = list(self._view.cells)
        if not 0 <= cell < len(cells):
            return
        if self._view.kind == "connect4":
            self._drop(cell % self._view.columns)
        else:
            cells[cell] = "" if cells[cell] == self._brush else self._brush
            self._show(cells)

    def _drop(self, column: int) -> None:
        """Discs rest on each other: one is added on top of a column, or taken from there."""
        cells, columns = list(self._view.cells), self._view.columns
        stack = [cell for cell in range(column, len(cells), columns) if cells[cell] != "forbidden"]
        free = [cell for cell in stack if not cells[cell]]
        if self._brush and free:
            cells[free[-1]] = self._brush
        elif not self._brush and len(free) < len(stack):
            cells[stack[len(free)]] = ""
        self._show(cells)

    def _set_brush(self, brush: str) -> None:
        self._brush = "first" if brush == "first" else "second" if brush == "second" else ""

    def _set_turn(self, turn: str) -> None:
        self._turn = "second" if turn == "second" else "first"

    def _clear(self) -> None:
        cells: list[CellState] = ["forbidden" if mark == "forbidden" else "" for mark in self._view.cells]
        if self._view.kind == "othello":  # the four in the centre are there from the start
            middle, columns = self._view.rows // 2, self._view.columns
            for row in (middle - 1, middle):
                for column in (middle - 1, middle):
                    cells[row * columns + column] = "second" if row == column else "first"
        self._show(cells)

    def _show(self, cells: list[CellState]) -> None:
        self._view = self._view.model_copy(update={"version": self._view.version + 1, "cells": cells})
        self._on_change(self._view)

    def _board(self) -> str:
        marks = "".join(_MARKS[mark] for mark in self._view.cells)
        if self._view.kind == "othello":
            return f"{marks} {_SIDES[self._turn]}"
        columns = self._view.columns
        rows = "/".join(marks[start : start + columns] for start in range(0, len(marks), columns))
        return f"{rows} {'X' if marks.count('X') == marks.count('O') else 'O'}"

    def _done(self) -> None:
        try:
            self._on_done(self._board())
        except FlipdropError as error:
            self._trouble.show(error)


def paste_dialog(t: Translator, on_paste: Callable[[str], object]) -> None:
    """Asks for a transcript, a board, a game in GGF or columns; an error is shown in the dialog."""
    pasted = {"text": ""}
    with ui.dialog(value=True) as dialog, ui.card().classes("fd-dialog"):
        text(t("paste.title"), "fd-heading")
        text(t("paste.hint"), "fd-small fd-muted")
        text_input("", lambda value: pasted.update(text=value), lines=5, placeholder="f5d6c3d3c4", test="paste-text")
        trouble = ErrorBanner(t)

        def take() -> None:
            try:
                on_paste(pasted["text"])
            except FlipdropError as error:
                trouble.show(error)
            else:
                dialog.close()

        with div("fd-row"):
            Button(t("paste.take"), take, kind="primary", test="paste-take")
            Button(t("editor.cancel"), dialog.close, kind="subtle")
    dialog.on("hide", lambda _: dialog.delete())


def copy_dialog(t: Translator, session: Session, address: str) -> None:
    """Shows a position in all notations, each to be copied."""
    texts = {"transcript": session.transcript, "board": session.position.board, "address": address}
    if session.game.name.startswith("othello"):
        record = GameRecord(session.positions[0], tuple(session.moves[: session.cursor]), place="flipdrop")
        texts["ggf"] = encode_games([record], "ggf").decode().strip()
    with ui.dialog(value=True) as dialog, ui.card().classes("fd-dialog"):
        text(t("copy.title"), "fd-heading")
        for name, content in texts.items():
            with field(""):
                text(t(f"copy.{name}"), "fd-label")
                with div("fd-row"):
                    text(content or "–", "fd-mono fd-grow fd-clip").props["data-test"] = f"copy-{name}"

                    def copy(content: str = content) -> None:
                        ui.clipboard.write(content)
                        notify(t("copy.copied"))

                    Button("", copy, icon="copy", hint=t("copy.copy"), test=f"copy-{name}-button")
        with div("fd-row"):
            Button(t("copy.close"), dialog.close, kind="primary")
    dialog.on("hide", lambda _: dialog.delete())
