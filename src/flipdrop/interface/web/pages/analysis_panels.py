"""Panels of an analysis beside the board: ranked moves, evaluation, tree, game review."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.evaluation import definitions_for_game
from flipdrop.interface.web.error_messages import message_for
from flipdrop.interface.web.pages.charts import number_text, score_graph, tree_picture
from flipdrop.interface.web.pages.game_panel import MARKS, move_text
from flipdrop.interface.web.pages.widgets import (
    MOVE_CLICKED,
    PLY_CLICKED,
    Button,
    clickable_html,
    div,
    raw_html,
    select,
    text,
)
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import AnalysisView, ReviewedMove, SessionView, ValueView

_MOST_TERMS = 12


def value_text(t: Translator, value: ValueView) -> str:
    """A value as people read it; in words if it is proven."""
    if value.outcome is None:
        return value.text
    if value.outcome == "draw":
        return t("value.draw")
    if value.margin is not None:
        return t(f"value.{value.outcome}_by", discs=abs(value.margin))
    if value.moves is not None:
        return t(f"value.{value.outcome}_in", moves=value.moves)
    return t(f"value.{value.outcome}")


class MovesPanel:
    """Every move with its value, best first; the principal variation; depth, nodes and time of the search."""

    def __init__(self, t: Translator, on_move: Callable[[str], object]) -> None:
        self._t = t
        self._moves = clickable_html(MOVE_CLICKED, on_move, str, "fd-move-ranking", test="ranked")
        self._search = raw_html("", "fd-field", tag="div")

    def show(self, view: SessionView) -> None:
        values = {"t": self._t, "analysis": view.analysis, **_FORMATS}
        self._moves.set_content(render("move_ranking", **values))
        self._search.set_content(render("search_info", info=self._search_info(view), **values))

    def _search_info(self, view: SessionView) -> list[str]:
        t, analysis = self._t, view.analysis
        if view.over:
            return [t("analysis.over")]
        if analysis is None:
            return [t("analysis.off")]
        if analysis.error is not None:
            return []
        nodes = "analysis.simulations" if analysis.method == "mcts" else "analysis.positions"
        parts = {
            t("analysis.proven"): analysis.proven,
            t.get(f"analysis.note.{analysis.note}", analysis.note): analysis.note,
            self._depth(analysis): analysis.depth,
            t(nodes, count=number_text(analysis.nodes)): analysis.nodes,
            t("analysis.seconds", seconds=f"{analysis.seconds:.1f}"): analysis.seconds,
            t("analysis.searching"): not analysis.done,
        }
        return [part for part, known in parts.items() if known]

    def _depth(self, analysis: AnalysisView) -> str:
        if analysis.selectivity in (None, 100):
            return self._t("analysis.depth", depth=analysis.depth)
        return self._t("analysis.depth_at", depth=analysis.depth, percent=analysis.selectivity)


class EvaluationPanel:
    """The evaluation of the position, or after a move, term by term.

    :param on_change: called when another evaluation is chosen
    """

    def __init__(self, t: Translator, game: Game, on_change: Callable[[], object]) -> None:
        self._t, self._on_change = t, on_change
        self._move = ""
        self._view: SessionView | None = None
        names = [definition.name for definition in definitions_for_game(game)]
        self.evaluation = "D" if "D" in names else names[0]
        text(t("terms.hint"), "fd-small fd-muted")
        options = {name: t(f"evaluation.{name}") for name in names}
        select(options, self.evaluation, self._on_evaluation, test="evaluation", hint=t("terms.evaluation"))
        self._html = clickable_html(MOVE_CLICKED, self._on_move, str, "fd-field fd-spaced")

    def _on_evaluation(self, name: str) -> None:
        self.evaluation = name
        self._on_change()

    def _on_move(self, move: str) -> None:
        self._move = "" if move == self._move else move
        if self._view is not None:
            self.show(self._view)

    def show(self, view: SessionView) -> None:
        self._view = view
        found = view.analysis.evaluation if view.analysis else None
        if found is None:
            self._html.set_content("")
            return
        if self._move not in found.moves:
            self._move = ""
        ranked = sorted(found.moves, key=lambda move: -found.moves[move].score)
        shown = found.moves[self._move] if self._move else found
        terms = shown.terms
        if len(terms) > _MOST_TERMS:  # a pattern network has hundreds
            terms = sorted(terms, key=lambda term: -abs(term.contribution))[:_MOST_TERMS]
        values = {"found": found, "ranked": ranked, "selected": self._move, "shown": shown, "terms": terms}
        self._html.set_content(render("terms", t=self._t, evaluation=self.evaluation, signed=_signed, **values))


class TreePanel:
    """The most visited part of a Monte Carlo search tree.

    :param on_start: called when a Monte Carlo search is wanted
    """

    def __init__(self, t: Translator, on_start: Callable[[], object]) -> None:
        with div("fd-field") as self._none:
            text(t("tree.none"), "fd-small fd-muted")
            Button(t("tree.start"), on_start, kind="primary", test="tree-start")
        with div("fd-field") as self._some:
            self._tree = raw_html("", "fd-tree", tag="div", test="tree")
            text(t("tree.hint"), "fd-small fd-muted")

    def show(self, view: SessionView) -> None:
        analysis = view.analysis
        is_tree = analysis is not None and analysis.method == "mcts"
        self._none.set_visibility(not is_tree)
        self._some.set_visibility(is_tree)
        if analysis is not None and analysis.tree:
            self._tree.set_content(tree_picture(analysis.tree))


class ReviewPanel:
    """The review of the game: graph, accuracy, mistakes.

    :param on_start: called when the review is wanted
    :param on_jump: called with the number of moves that the board is to show
    """

    def __init__(self, t: Translator, on_start: Callable[[], object], on_jump: Callable[[int], object]) -> None:
        self._t = t
        with div("fd-field") as self._none:
            text(t("review.hint"), "fd-small fd-muted")
            self._start = Button(t("review.start"), on_start, icon="review", kind="primary", test="review-start")
        self._html = clickable_html(PLY_CLICKED, on_jump, int, "fd-field fd-spaced")

    def show(self, view: SessionView) -> None:
        review, mistakes = view.review, mistakes_of(view)
        self._none.set_visibility(review is None)
        self._start.set_enabled(bool(view.moves))
        self._html.set_visibility(review is not None)
        if review is not None:
            graph = score_graph(review.graph, view.cursor, {ply: move.mark for ply, move in mistakes.items()})
            values = {"review": review, "mistakes": mistakes, "kind": view.kind, "graph": graph}
            self._html.set_content(render("review", t=self._t, **values, **_FORMATS))


def mistakes_of(view: SessionView) -> dict[int, ReviewedMove]:
    """The moves that a review marks, by their number from 0."""
    review = view.review
    if review is None or len(review.moves) != len(view.moves):
        return {}
    return {ply: move for ply, move in enumerate(review.moves) if move is not None and move.mark}


def _signed(number: float) -> str:
    return f"{number:+.3g}" if number else "0"


_FORMATS = {
    "marks": MARKS,
    "message_for": message_for,
    "move_text": move_text,
    "number_text": number_text,
    "value_text": value_text,
}
"""Functions that the templates use."""
