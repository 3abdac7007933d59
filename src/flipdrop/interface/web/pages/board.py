"""The board of a page, drawn by ``static/board.js``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.interface.web.pages.widgets import set_attributes, typed_handler

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import DisplayedBoard

_SENT = {"id", "version", "game", "kind", "columns", "rows", "cells", "turn", "over", "legal", "last", "winning_line"}
"""Fields of a view that board.js reads, besides the moves of the analysis."""


class Board(ui.element, component=Path(__file__).parent.parent / "static" / "board.js"):
    """A board; hand-made, since it is one SVG for mouse, touch and keyboard (click to paint: 30 ms).

    :param on_move: called with the name of a legal move
    :param on_cell: called with the number of a cell that was clicked while `editing`
    :param on_step: arrow keys: -1, 1, ``first`` or ``last`` in the record
    :param on_undo: -1 for undo, 1 for redo
    :param options: see `show`
    """

    def __init__(
        self,
        view: DisplayedBoard,
        t: Translator,
        *,
        on_move: Callable[[str], object] | None = None,
        on_cell: Callable[[int], object] | None = None,
        on_step: Callable[[int | str], object] | None = None,
        on_undo: Callable[[int], object] | None = None,
        **options: bool,
    ) -> None:
        super().__init__()
        set_attributes(self, labels={"board": t("board.board"), "move": t("board.move")}, data_test="board")
        for event, callback, kind in (
            ("move", on_move, str),
            ("cell", on_cell, int),
            ("step", on_step, int | str),
            ("undo", on_undo, int),
        ):
            if callback is not None:
                self.on(event, typed_handler(callback, kind))
        self.show(view, **options)

    def show(self, view: DisplayedBoard, **options: bool) -> None:
        """Draws a view.

        :param options: ``active``, a person may move; ``scores``, the analysis is written on the moves; ``visits``,
            with visits; ``editing``, any cell may be clicked; ``history``, arrow keys step through the record;
            ``keyboard``. Options that are left out stay as they were.
        """
        sent = view.model_dump(include=_SENT)
        moves = view.analysis.moves if view.analysis else []
        sent["analysis"] = {"moves": [move.model_dump() for move in moves]}
        self.props.update({"view": sent, **options})
