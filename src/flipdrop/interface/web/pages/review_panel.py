"""The review of a game beside the board: graph, summary of both sides, mistakes, and the lesson that they make."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from flipdrop.interface.web.pages.analysis_query import GameInfo
from flipdrop.interface.web.pages.charts import score_graph
from flipdrop.interface.web.pages.display_names import side_name
from flipdrop.interface.web.pages.value_texts import FORMATS
from flipdrop.interface.web.pages.widgets import Button, clickable_html, data_clicked, div, field, select, text
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.templating import render
from flipdrop.search.review import MARK_LIMITS, REVIEW_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.pages.value_texts import Unit
    from flipdrop.interface.web.schemas import ReviewedMove, SessionView, SideName

_SECONDS = ("0.1", "0.25", "1", "3")  # for each move


class ReviewPanel:
    """The review of the game.

    :param on_start: called to start a review, with `seconds` for each move
    :param on_cancel: called when the running review is to end
    :param on_jump: called with the number of moves that the board is to show
    :param on_learn: called with the side whose mistakes are to become a lesson
    """

    def __init__(
        self,
        t: Translator,
        *,
        on_start: Callable[[], object],
        on_cancel: Callable[[], object],
        on_jump: Callable[[int], object],
        on_learn: Callable[[SideName], object],
    ) -> None:
        self._t, self._on_jump = t, on_jump
        self.game = GameInfo()
        self.seconds = REVIEW_SECONDS
        self._view: SessionView | None = None
        with div("fd-field fd-spaced") as self._none:
            self._hint = text("", "fd-small fd-muted", test="review-hint")
            with div("fd-row end") as self._settings:
                with field(t("review.seconds")):
                    times = {seconds: t("analysis.seconds", seconds=seconds) for seconds in _SECONDS}
                    select(times, f"{self.seconds:g}", self._set_seconds, test="review-seconds")
                self._start = Button(t("review.start"), on_start, icon="review", kind="primary", test="review-start")
        self._cancel = Button(t("review.cancel"), on_cancel, icon="stop", test="review-cancel")
        with div("fd-row wrap") as self._steps:
            for name in ("previous", "next"):
                icon = {"previous": "back", "next": "forward"}[name]
                Button(t(f"review.{name}"), partial(self._step, name), icon=icon, test=f"mistake-{name}")
        self._learn = div("fd-row wrap")
        with self._learn:
            self._lessons = {
                side: Button("–", partial(on_learn, side), icon="learning", test=f"learn-{side}") for side in SIDE_NAMES
            }
        self._html = clickable_html(data_clicked("ply", number=True), on_jump, int, "fd-field fd-spaced")

    def _set_seconds(self, seconds: str) -> None:
        self.seconds = float(seconds)

    def _step(self, name: str) -> None:
        """Shows the board before the next or the previous mistake."""
        view = self._view
        if view is None:
            return
        at, plies = view.game_cursor, sorted(mistakes_of(view))
        found = [ply for ply in plies if ply > at][:1] if name == "next" else [ply for ply in plies if ply < at][-1:]
        if found:
            self._on_jump(found[0])

    def show(self, view: SessionView, unit: Unit) -> None:
        self._view = view
        t, review, mistakes = self._t, view.review, mistakes_of(view)
        is_done = review is not None and review.done
        self._none.set_visibility(review is None or is_done)
        self._hint.set_text("" if is_done else t("review.hint" if view.game_moves else "review.empty"))
        self._hint.set_visibility(not is_done)
        self._settings.set_visibility(bool(view.game_moves))
        self._start.set_text(t("review.again" if is_done else "review.start"))
        self._cancel.set_visibility(review is not None and not is_done)
        self._steps.set_visibility(is_done and bool(mistakes))
        self._learn.set_visibility(is_done and bool(mistakes))
        for side, button in self._lessons.items():
            count = sum(move.by == side for move in mistakes.values())
            button.set_text(t("review.learn", side=side_name(t, view.kind, side), count=count))
            button.set_visibility(count > 0)
        self._html.set_visibility(review is not None)
        if review is not None:
            in_discs = unit == "discs" and any(discs is not None for discs in review.discs)
            graph = score_graph(
                review.discs if in_discs else review.graph,
                view.game_cursor,
                {ply: move.mark for ply, move in mistakes.items()},
                unit="discs" if in_discs else "win",
            )
            values = {
                "review": review,
                "mistakes": mistakes,
                "kind": view.kind,
                "graph": graph,
                "unit": unit,
                "names": self.game.names,
            }
            values |= {"cursor": view.cursor if view.branch is None else -1, "limits": MARK_LIMITS}
            self._html.set_content(render("review", t=t, **values, **FORMATS))


def mistakes_of(view: SessionView) -> dict[int, ReviewedMove]:
    """The moves that a review marks, by their number from 0."""
    review = view.review
    if review is None or len(review.moves) != len(view.game_moves):
        return {}
    return {ply: move for ply, move in enumerate(review.moves) if move is not None and move.mark}
