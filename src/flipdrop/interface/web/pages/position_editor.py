"""Setting up a position, pasting one, and exporting one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError
from flipdrop.games.records import GameRecord, encode_games
from flipdrop.interface.web.pages.pickers import side_name
from flipdrop.interface.web.pages.widgets import (
    Button,
    ErrorBanner,
    SegmentedControl,
    card,
    copy_button,
    dialog,
    div,
    group,
    text,
    text_input,
)
from flipdrop.interface.web.schemas import SIDE_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import DisplayedBoard
    from flipdrop.interface.web.sessions.session import Session

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
                Button(t("editor.cancel"), on_cancel, kind="subtle", test="editor-cancel")
        on_change(self._view)

    def click(self, cell: int) -> None:
        """Applies the brush to a cell; in Connect Four to its column, since discs rest on each other."""
        cells: list[str] = list(self._view.cells)
        brush = self._brush.value
        if not 0 <= cell < len(cells):
            return
        if self._view.kind == "othello":
            cells[cell] = "" if cells[cell] == brush else brush
        else:
            columns = self._view.columns
            stack = [at for at in range(cell % columns, len(cells), columns) if cells[at] != "forbidden"]
            free = [at for at in stack if not cells[at]]
            if brush and free:
                cells[free[-1]] = brush
            elif not brush and len(free) < len(stack):
                cells[stack[len(free)]] = ""
        self._set_cells(cells)

    def _clear(self) -> None:
        cells = ["forbidden" if mark == "forbidden" else "" for mark in self._view.cells]
        if self._view.kind == "othello":  # every game has discs on the four centre squares
            middle, columns = self._view.rows // 2, self._view.columns
            for row in (middle - 1, middle):
                for column in (middle - 1, middle):
                    cells[row * columns + column] = "second" if row == column else "first"
        self._set_cells(cells)

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


def paste_dialog(t: Translator, on_paste: Callable[[str], object]) -> None:
    """Asks for moves, a board or a GGF game; an error of `on_paste` is shown in the dialog."""
    pasted = {"text": ""}
    with dialog(t("paste.title")) as opened:
        text(t("paste.hint"), "fd-small fd-muted")
        text_input("", lambda value: pasted.update(text=value), lines=5, placeholder="f5d6c3d3c4", test="paste-text")
        banner = ErrorBanner(t)

        def load() -> None:
            try:
                on_paste(pasted["text"])
            except FlipdropError as error:
                banner.show(error)
            else:
                opened.close()

        with div("fd-row"):
            Button(t("paste.load"), load, kind="primary", test="paste-load")
            Button(t("editor.cancel"), opened.close, kind="subtle")


def export_dialog(t: Translator, session: Session, url: str) -> None:
    """Shows a position in all notations, each with a button that copies it."""
    texts = {"transcript": session.transcript, "board": session.position.board, "url": url}
    if session.game.name.startswith("othello"):
        record = GameRecord(session.positions[0], tuple(session.moves[: session.cursor]), place="flipdrop")
        texts["ggf"] = encode_games([record], "ggf").decode().strip()

    with dialog(t("export.title")) as opened:
        for name, content in texts.items():
            with group(t(f"export.{name}")), div("fd-row"):
                text(content or "–", "fd-mono fd-grow fd-clip", test=f"copy-{name}")
                copy_button(t, content, test=f"copy-{name}-button")
        with div("fd-row"):
            Button(t("export.close"), opened.close, kind="primary")
