"""Learn from your mistakes: the board stops before each mistake of a reviewed game, and the player looks for better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.interface.web.pages.display_names import side_name
from flipdrop.interface.web.pages.review_panel import mistakes_of
from flipdrop.interface.web.pages.value_texts import loss_text
from flipdrop.interface.web.pages.widgets import Button, card, div, set_class, text
from flipdrop.search.review import mark_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.pages.value_texts import Unit
    from flipdrop.interface.web.schemas import ReviewedMove, SessionView, SideName


class MistakeLesson:
    """The lesson; it reads the review and changes nothing but the board that is shown.

    :param side: whose mistakes
    :param on_show: called with the number of moves before a mistake, for the board to stop there
    :param on_preview: called with a move after which the board is to be shown
    :param on_end: called when the player ends the lesson
    """

    def __init__(
        self,
        t: Translator,
        view: SessionView,
        side: SideName,
        unit: Unit,
        *,
        on_show: Callable[[int], object],
        on_preview: Callable[[list[str]], object],
        on_end: Callable[[], object],
    ) -> None:
        self._t, self._unit = t, unit
        self._on_show, self._on_preview = on_show, on_preview
        self._side = side_name(t, view.kind, side)
        self._mistakes = [(ply, move) for ply, move in mistakes_of(view).items() if move.by == side]
        self._index = self._found = 0
        self._solved = False
        with card(t("lesson.title")):
            self._progress = text("", "fd-small fd-muted", test="lesson-progress")
            with div("fd-status", role="status") as self._status:
                self._message = text("", test="lesson-message")
            with div("fd-row wrap"):
                self._next = Button(t("lesson.next"), self._advance, icon="forward", kind="primary", test="lesson-next")
                self._solution = Button(t("lesson.solution"), self._solve, test="lesson-solution")
                Button(t("lesson.end"), on_end, kind="subtle", test="lesson-end")
        self._begin()

    @property
    def ply(self) -> int:
        """The number of moves before the current mistake."""
        return self._mistakes[self._index][0]

    @property
    def _mistake(self) -> ReviewedMove:
        return self._mistakes[self._index][1]

    def try_move(self, move: str) -> None:
        """Answers a move of the player."""
        t, mistake = self._t, self._mistake
        if self._solved or move not in mistake.losses:
            return
        loss, discs = mistake.losses[move], mistake.disc_losses.get(move)
        lost = loss_text(t, loss, discs, self._unit)
        if mark_of(loss, discs):
            key = "lesson.same" if move == mistake.move else "lesson.wrong"
            self._say(t(key, move=move, loss=lost), "warning")
            return
        self._found += 1
        is_best = move == mistake.best or (loss == 0 and not discs)
        self._answer(move, t("lesson.best", move=move) if is_best else t("lesson.good", move=move, loss=lost))

    def _begin(self) -> None:
        mistake, t = self._mistake, self._t
        self._solved = False
        self._progress.set_text(t("lesson.progress", number=self._index + 1, total=len(self._mistakes)))
        lost = loss_text(t, mistake.loss, mistake.lost_discs, self._unit)
        self._say(t("lesson.task", side=self._side, number=self.ply + 1, move=mistake.move, loss=lost), "")
        self._solution.set_visibility(True)
        self._next.set_visibility(False)
        self._on_show(self.ply)

    def _solve(self) -> None:
        self._answer(self._mistake.best, self._t("lesson.answer", best=self._mistake.best))

    def _answer(self, move: str, message: str) -> None:
        """Shows the board after a good move; the next mistake follows."""
        self._solved = True
        is_last = self._index + 1 == len(self._mistakes)
        if is_last:
            message += " " + self._t("lesson.done", found=self._found, total=len(self._mistakes))
        self._say(message, "result")
        self._solution.set_visibility(False)
        self._next.set_visibility(not is_last)
        self._on_preview([move])

    def _advance(self) -> None:
        if self._index + 1 < len(self._mistakes):
            self._index += 1
            self._on_preview([])
            self._begin()

    def _say(self, message: str, tone: str) -> None:
        self._message.set_text(message)
        for name in ("warning", "result"):
            set_class(self._status, name, name == tone)
