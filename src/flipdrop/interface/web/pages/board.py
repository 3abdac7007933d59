"""The board as an element of a page: `board.js` draws it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.interface.web.pages.widgets import typed_handler

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import DisplayedBoard

_SHOWN = {"id", "version", "game", "kind", "columns", "rows", "cells", "turn", "over", "legal", "last", "winning_line"}
"""What of a view the browser needs to draw it, besides the moves of the analysis."""


class Board(ui.element, component=Path(__file__).parent.parent / "static" / "board.js"):
    """A board that shows views and reports what a person does on it.

    :param on_move: a legal move was chosen, by its name
    :param on_cell: a cell was clicked while `editing`, by its number
    :param on_step: arrows: -1, 1, ``first`` or ``last`` in the record
    :param on_undo: -1 to take back, 1 to play again
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
        self._props["labels"] = {"board": t("board.board"), "move": t("board.move")}
        self._props["data-test"] = "board"
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
            with visits; ``editing``, any cell may be clicked; ``history``, arrows step through the record;
            ``keyboard``. What is left out stays as it was.
        """
        shown = view.model_dump(include=_SHOWN)
        if view.analysis is not None:
            shown["analysis"] = {"moves": [move.model_dump() for move in view.analysis.moves]}
        self._props["view"] = shown
        self._props.update(options)
        self.update()
