"""Panels of an analysis beside the board: ranked moves, evaluation, tree, game review."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.evaluation import definitions_for_game
from flipdrop.interface.web.pages.charts import number_text, score_graph, tree_picture
from flipdrop.interface.web.pages.error_messages import ErrorBanner
from flipdrop.interface.web.pages.game_panel import MARKS, move_text
from flipdrop.interface.web.pages.pickers import side_name
from flipdrop.interface.web.pages.widgets import (
    MOVE_CLICKED,
    PLY_CLICKED,
    Button,
    disc_icon,
    div,
    raw_html,
    select,
    text,
    typed_handler,
)
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui import ui

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import ReviewedMove, ScoreView, SessionView, SideName, ValueView

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
        self._moves = raw_html("", "fd-move-ranking", tag="div", test="ranked")
        self._moves.on("click", typed_handler(on_move, str), js_handler=MOVE_CLICKED)
        self._line_label = text(t("analysis.line"), "fd-label")
        self._line = raw_html("", "fd-pv", tag="div")
        self._search_info = text("", "fd-small fd-muted fd-number", test="search-info")
        self._error = ErrorBanner(t, "analysis")

    def show(self, view: SessionView) -> None:
        analysis = view.analysis
        moves = analysis.moves if analysis else []
        rows = [
            {
                "move": move,
                "name": move_text(self._t, move.move),
                "value": ("≤ " if move.bound else "") + value_text(self._t, move),
                "visits": number_text(move.visits) if any(other.visits for other in moves) else "",
            }
            for move in moves
        ]
        self._moves.set_content(render("move_ranking", rows=rows))
        line = [move_text(self._t, name) for name in analysis.line] if analysis else []
        self._line.set_content(render("line", moves=line))
        self._line_label.set_visibility(bool(line))
        self._search_info.set_text(" · ".join(self._search_info_of(view)))
        self._error.show_info(analysis.error if analysis else None)

    def _search_info_of(self, view: SessionView) -> list[str]:
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
            t("analysis.depth", depth=analysis.depth): analysis.depth,
            t(nodes, count=number_text(analysis.nodes)): analysis.nodes,
            t("analysis.seconds", seconds=f"{analysis.seconds:.1f}"): analysis.seconds,
            t("analysis.searching"): not analysis.done,
        }
        return [part for part, known in parts.items() if known]


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
        self._moves = raw_html("", "fd-pv fd-clickable", tag="div", test="evaluated-moves")
        self._moves.on("click", typed_handler(self._on_move, str), js_handler=MOVE_CLICKED)
        self._terms = raw_html("", "fd-terms", tag="div", test="terms")

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
            self._moves.set_content("")
            self._terms.set_content("")
            return
        if self._move not in found.moves:
            self._move = ""
        ranked = sorted(found.moves, key=lambda move: -found.moves[move].score)
        chips = [("", self._t("terms.now"), _signed(found.score))]
        chips += [(move, move, _signed(found.moves[move].score)) for move in ranked]
        self._moves.set_content(render("evaluated_moves", chips=chips, selected=self._move))
        self._terms.set_content(self._render_terms(found.moves[self._move] if self._move else found))

    def _render_terms(self, shown: ScoreView) -> str:
        terms = shown.terms
        if len(terms) > _MOST_TERMS:  # a pattern network has hundreds
            terms = sorted(terms, key=lambda term: -abs(term.contribution))[:_MOST_TERMS]
        largest = max((abs(term.contribution) for term in terms), default=0) or 1
        rows = [
            {
                "name": self._t.get(f"term.{term.name}", term.name),
                "meaning": self._t.get(f"meaning.{self.evaluation}.{term.name}", ""),
                "product": f"{term.feature:.4g} × {term.weight:.4g}",
                "is_negative": term.contribution < 0,
                "percent": f"{50 * abs(term.contribution) / largest:.1f}",
                "contribution": _signed(term.contribution),
            }
            for term in terms
        ]
        return render("terms", rows=rows, total_label=self._t("terms.total"), total=_signed(shown.score))


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

    def __init__(
        self, t: Translator, kind: str, on_start: Callable[[], object], on_jump: Callable[[int], object]
    ) -> None:
        self._t, self._kind = t, kind
        with div("fd-field") as self._none:
            text(t("review.hint"), "fd-small fd-muted")
            self._start = Button(t("review.start"), on_start, icon="review", kind="primary", test="review-start")
        with div("fd-field fd-spaced") as self._some:
            self._graph = raw_html("", f"fd-score-graph fd-{kind}", tag="div", test="graph")
            with div("fd-row"):
                self._accuracy = {side: self._accuracy_of(side) for side in SIDE_NAMES}
            self._progress = text("", "fd-small fd-muted")
            self._error = ErrorBanner(t, "review")
            self._mistakes = raw_html("", "fd-mistakes", tag="div", test="errors")
        for clickable in (self._graph, self._mistakes):
            clickable.on("click", typed_handler(on_jump, int), js_handler=PLY_CLICKED)

    def _accuracy_of(self, side: SideName) -> ui.label:
        with div("fd-grow fd-row"):
            disc_icon(side, self._kind)
            with div():
                percent = text("", "fd-review-score", test=f"accuracy-{side}")
                text(self._t("review.accuracy"), "fd-small fd-muted")
        return percent

    def show(self, view: SessionView) -> None:
        t, review = self._t, view.review
        self._none.set_visibility(review is None)
        self._some.set_visibility(review is not None)
        self._start.set_enabled(bool(view.moves))
        if review is None:
            return
        mistakes = mistakes_of(view)
        marks = {ply: move.mark for ply, move in mistakes.items()}
        self._graph.set_content(score_graph(review.graph, view.cursor, marks))
        for side, percent in self._accuracy.items():
            accuracy = review.accuracy[side]
            percent.set_text("–" if accuracy is None else f"{accuracy:.0f}%")
        if not review.done:
            self._progress.set_text(t("review.progress", done=review.reviewed, total=review.total))
        else:
            self._progress.set_text("" if mistakes or review.error else t("review.clean"))
        self._progress.set_visibility(bool(self._progress.text))
        self._error.show_info(review.error)
        rows = [
            {
                "ply": ply,
                "move": move,
                "side": side_name(t, self._kind, move.by),
                "mark_class": MARKS[move.mark],
                "played": value_text(t, move.played_value),
                "better": t("review.better", best=move.best, value=value_text(t, move.best_value)),
            }
            for ply, move in mistakes.items()
        ]
        self._mistakes.set_content(render("mistakes", rows=rows, kind=self._kind))


def mistakes_of(view: SessionView) -> dict[int, ReviewedMove]:
    """The moves that a review marks, by their number from 0."""
    review = view.review
    if review is None or len(review.moves) != len(view.moves):
        return {}
    return {ply: move for ply, move in enumerate(review.moves) if move is not None and move.mark}


def _signed(number: float) -> str:
    return f"{number:+.3g}" if number else "0"
