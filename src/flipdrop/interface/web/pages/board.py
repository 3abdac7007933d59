"""The board of a page, drawn by ``static/board.js``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.interface.web.pages.widgets import set_attributes, typed_handler
from flipdrop.interface.web.schemas import SIDE_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import DisplayedBoard, MoveAnalysis

_SENT = {"id", "version", "game", "kind", "columns", "rows", "cells", "turn", "over", "legal", "last", "winning_line"}
"""Fields of a view that board.js reads, besides the moves of the analysis."""


_SENT_OF_MOVE = {"move", "cell", "best", "value", "win_probability", "proven", "text", "visits"}


class Board(ui.element, component=Path(__file__).parent.parent / "static" / "board.js"):
    """A board; hand-made, since it is one SVG for mouse, touch and keyboard (click to paint: 30 ms).

    :param on_move: called with the name of a legal move
    :param on_cell: called with the number of a cell that was clicked while `editing`
    :param on_paint: called with the number of a cell over which the mouse was dragged while `editing`
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
        on_paint: Callable[[int], object] | None = None,
        on_step: Callable[[int | str], object] | None = None,
        on_undo: Callable[[int], object] | None = None,
        **options: bool,
    ) -> None:
        super().__init__()
        self.unit = "discs"
        """Unit of the values of an analysis: ``discs`` where the search counts discs, or ``win``."""
        labels: dict[str, object] = {
            name: t(f"board.{name}") for name in ("board", "move", "cell", "empty", "forbidden")
        }
        for family in ("othello", "connect4"):
            labels[family] = {side: t(f"side.{family}.{side}") for side in SIDE_NAMES}
        set_attributes(self, labels=labels, data_test="board")
        for event, callback, kind in (
            ("move", on_move, str),
            ("cell", on_cell, int),
            ("paint", on_paint, int),
            ("step", on_step, int | str),
            ("undo", on_undo, int),
        ):
            if callback is not None:
                self.on(event, typed_handler(callback, kind))
        self._paint(view, {}, options)

    def show(
        self,
        view: DisplayedBoard,
        *,
        numbers: Mapping[int, int] | None = None,
        hint: int | None = None,
        **options: bool,
    ) -> None:
        """Draws a view.

        :param numbers: numbers that are written on cells, such as those of the moves of a line
        :param hint: the cell of a move to try

        :param options: ``active``, a person may move; ``scores``, the analysis is written on the moves; ``visits``,
            with visits; ``editing``, any cell may be clicked; ``history``, arrow keys step through the record;
            ``keyboard``. Options that are left out stay as they were.
        """
        self._paint(view, numbers or {}, options)
        if self.props.get("hint") != hint:
            self.props["hint"] = hint

    def _paint(self, view: DisplayedBoard, numbers: Mapping[int, int], options: Mapping[str, bool]) -> None:
        sent = view.model_dump(include=_SENT)
        moves = view.analysis.moves if view.analysis else []
        sent["analysis"] = {"moves": [_sent_move(move, self.unit) for move in moves]}
        self.props.update({"view": sent, "numbers": dict(numbers), **options})


def _sent_move(move: MoveAnalysis, unit: str) -> dict[str, Any]:
    sent = move.model_dump(include=_SENT_OF_MOVE)
    return sent | {"text": move.percent} if unit == "win" else sent
