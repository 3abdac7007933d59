"""What an analysis has found, as panels beside the board: moves, reasons, the tree, the review."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from flipdrop.evaluation import definitions_for_game
from flipdrop.interface.web.pages.charts import compact, score_graph, tree_picture
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

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import MoveAnalysis, ReviewedMove, ScoreView, SessionView, ValueView

_MOST_TERMS = 12


def value_text(t: Translator, found: ValueView) -> str:
    """What a move is worth, in words where it is proven."""
    if found.outcome is None:
        return str(found.text)
    if found.outcome == "draw":
        return t("value.draw")
    if found.margin is not None:
        return t(f"value.{found.outcome}_by", discs=abs(found.margin))
    if found.moves is not None:
        return t(f"value.{found.outcome}_in", moves=found.moves)
    return t(f"value.{found.outcome}")


class MovesPanel:
    """Every move with its worth, best first; the line that is expected; what the search took."""

    def __init__(self, t: Translator, on_move: Callable[[str], object]) -> None:
        self._t = t
        self._list = raw_html("", "fd-move-ranking", tag="div")
        self._list._props["data-test"] = "ranked"
        self._list.on("click", typed_handler(on_move, str), js_handler=MOVE_CLICKED)
        self._line_label = text(t("analysis.line"), "fd-label")
        self._line = raw_html("", "fd-pv", tag="div")
        self._facts = text("", "fd-small fd-muted fd-number")
        self._facts._props["data-test"] = "facts"
        self._trouble = ErrorBanner(t, "analysis")

    def show(self, view: SessionView) -> None:
        """Shows a view."""
        analysis = view.analysis
        found = analysis.moves if analysis else []
        most = max((move.visits for move in found), default=0)
        self._list.set_content("".join(self._row(move, most) for move in found))
        line = analysis.line if analysis else []
        self._line.set_content("".join(f"<span>{escape(move_text(self._t, move))}</span>" for move in line))
        self._line_label.set_visibility(bool(line))
        self._facts.set_text(self._said(view))
        self._trouble.follow(analysis)

    def _row(self, move: MoveAnalysis, most: int) -> str:
        best = "best" if move.best else ""
        value = escape(("≤ " if move.bound else "") + value_text(self._t, move))
        shown = f'<span class="fd-proof {move.outcome}">{value}</span>' if move.proven else value
        name = escape(move_text(self._t, move.move))
        visits = compact(move.visits) if most else ""
        return (
            f'<button type="button" class="move {best}" data-move="{escape(move.move)}">{name}</button>'
            f'<div class="fd-meter"><i style="width:{100 * move.win_probability:.1f}%"></i></div>'
            f'<span class="value">{shown}</span><span class="visits">{visits}</span>'
        )

    def _said(self, view: SessionView) -> str:
        t, analysis = self._t, view.analysis
        if analysis is None:
            return t("analysis.over") if view.over else t("analysis.off")
        if analysis.error:
            return ""
        if view.over:
            return t("analysis.over")
        facts = [t("analysis.proven")] if analysis.proven else []
        if analysis.note:
            facts.append(t.get(f"analysis.note.{analysis.note}", analysis.note))
        if analysis.depth:
            facts.append(t("analysis.depth", depth=analysis.depth))
        if analysis.nodes:
            key = "analysis.simulations" if analysis.method == "mcts" else "analysis.positions"
            facts.append(t(key, count=compact(analysis.nodes)))
        if analysis.seconds:
            facts.append(t("analysis.seconds", seconds=f"{analysis.seconds:.1f}"))
        if not analysis.done:
            facts.append(t("analysis.going_on"))
        return " · ".join(facts)


class EvaluationPanel:
    """Why an evaluation likes a position, or a move: term by term.

    :param on_evaluation: called when another evaluation is chosen
    """

    def __init__(self, t: Translator, game: Game, on_evaluation: Callable[[str], object]) -> None:
        self._t = t
        self._move = ""
        self._view: SessionView | None = None
        names = [definition.name for definition in definitions_for_game(game)]
        self.evaluation = "D" if "D" in names else names[0]
        text(t("why.hint"), "fd-small fd-muted")
        with div("fd-row"):
            options = {name: t(f"evaluation.{name}") for name in names}
            select(options, self.evaluation, on_evaluation, test="evaluation", hint=t("why.evaluation"))
        self._choice = raw_html("", "fd-pv fd-clickable", tag="div")
        self._choice._props["data-test"] = "why-moves"
        self._choice.on("click", typed_handler(self._choose, str), js_handler=MOVE_CLICKED)
        self._table = raw_html("", "fd-terms", tag="div")
        self._table._props["data-test"] = "terms"

    def _choose(self, move: str) -> None:
        self._move = "" if move == self._move else move
        if self._view is not None:
            self.show(self._view)

    def show(self, view: SessionView) -> None:
        """Shows a view."""
        self._view = view
        found = view.analysis.evaluation if view.analysis else None
        if found is None:
            self._choice.set_content("")
            self._table.set_content("")
            return
        if self._move not in found.moves:
            self._move = ""
        ranked = sorted(found.moves, key=lambda move: -found.moves[move].score)
        chips = [("", self._t("why.now"), found.score)]
        chips += [(move, move, found.moves[move].score) for move in ranked]
        self._choice.set_content(
            "".join(
                f'<span data-move="{escape(move)}" class="{"selected" if move == self._move else ""}">{escape(name)} '
                f"<b>{_signed(score)}</b></span>"
                for move, name, score in chips
            )
        )
        shown = found.moves[self._move] if self._move else found
        self._table.set_content(self._terms(shown))

    def _terms(self, shown: ScoreView) -> str:
        terms = shown.terms
        if len(terms) > _MOST_TERMS:  # of a network with many patterns: those that matter most here
            terms = sorted(terms, key=lambda term: -abs(term.contribution))[:_MOST_TERMS]
        largest = max((abs(term.contribution) for term in terms), default=0) or 1
        rows = []
        for term in terms:
            share = 50 * abs(term.contribution) / largest
            side = f"right:50%;width:{share:.1f}%" if term.contribution < 0 else f"left:50%;width:{share:.1f}%"
            minus = "minus" if term.contribution < 0 else ""
            name = self._t.get(f"term.{term.name}", term.name)
            meaning = self._t.get(f"meaning.{self.evaluation}.{term.name}", "")
            rows.append(
                f'<span title="{escape(meaning)}">{escape(name)}</span>'
                f'<span class="fd-muted">{term.feature:.4g} × {term.weight:.4g}</span>'
                f'<div class="fd-signed-bar"><i class="{minus}" style="{side}"></i></div>'
                f'<span class="value">{_signed(term.contribution)}</span>'
            )
        rows.append(
            f'<span class="sum">{escape(self._t("why.sum"))}</span><span></span><span></span>'
            f'<span class="sum value">{_signed(shown.score)}</span>'
        )
        return "".join(rows)


class TreePanel:
    """The most visited part of a search tree.

    :param on_wanted: called when somebody wants a tree search, which alone has a tree
    """

    def __init__(self, t: Translator, on_wanted: Callable[[], object]) -> None:
        with div("fd-field") as self._none:
            text(t("tree.none"), "fd-small fd-muted")
            Button(t("tree.start"), on_wanted, kind="primary", test="tree-start")
        with div("fd-field") as self._some:
            self._picture = raw_html("", "fd-tree", tag="div")
            self._picture._props["data-test"] = "tree"
            text(t("tree.hint"), "fd-small fd-muted")

    def show(self, view: SessionView) -> None:
        """Shows a view."""
        analysis = view.analysis
        is_tree = analysis is not None and analysis.method == "mcts"
        self._none.set_visibility(not is_tree)
        self._some.set_visibility(is_tree)
        if analysis is not None and analysis.tree:
            self._picture.set_content(tree_picture(analysis.tree))


class ReviewPanel:
    """The review of the whole game: graph, accuracy, and what should have been played.

    :param on_review: called when the review is wanted
    :param on_jump: called with the number of moves that are to be on the board
    """

    def __init__(
        self, t: Translator, kind: str, on_review: Callable[[], object], on_jump: Callable[[int], object]
    ) -> None:
        self._t, self._kind = t, kind
        with div("fd-field") as self._none:
            text(t("review.hint"), "fd-small fd-muted")
            self._start = Button(t("review.start"), on_review, icon="review", kind="primary", test="review-start")
        with div("fd-field fd-spaced") as self._some:
            self._graph = raw_html("", "fd-score-graph", tag="div")
            self._graph._props["data-test"] = "graph"
            self._graph.on("click", typed_handler(on_jump, int), js_handler=PLY_CLICKED)
            with div("fd-row"):
                self._accuracy = {side: self._number(side) for side in SIDE_NAMES}
            self._progress = text("", "fd-small fd-muted")
            self._trouble = ErrorBanner(t, "review")
            self._list = raw_html("", "fd-mistakes", tag="div")
            self._list._props["data-test"] = "errors"
            self._list.on("click", typed_handler(on_jump, int), js_handler=PLY_CLICKED)

    def _number(self, side: str) -> Any:
        with div("fd-grow fd-row"):
            disc_icon(side, self._kind)
            with div():
                label = text("", "fd-review-score")
                label._props["data-test"] = f"accuracy-{side}"
                text(self._t("review.accuracy"), "fd-small fd-muted")
        return label

    def show(self, view: SessionView) -> None:
        """Shows a view."""
        review = view.review
        self._none.set_visibility(review is None)
        self._some.set_visibility(review is not None)
        self._start.enable(bool(view.moves))
        if review is None:
            return
        marks = marks_of(view)
        self._graph.set_content(score_graph(review.graph, view.cursor, marks))
        for side, label in self._accuracy.items():
            accuracy = review.accuracy[side]
            label.set_text("–" if accuracy is None else f"{accuracy:.0f}%")
        going_on = self._t("review.going_on", done=review.reviewed, total=review.total)
        clean = "" if marks or review.error else self._t("review.clean")
        self._progress.set_text(clean if review.done else going_on)
        self._progress.set_visibility(bool(self._progress.text))
        self._trouble.follow(review)
        rows = [self._error(ply, entry) for ply, entry in enumerate(review.moves) if entry is not None and ply in marks]
        self._list.set_content("".join(rows))

    def _error(self, ply: int, entry: ReviewedMove) -> str:
        t = self._t
        played, best = value_text(t, entry.played_value), value_text(t, entry.best_value)
        said = t("review.better", best=entry.best, worth=best)
        colour = f'<span class="fd-disc-icon small fd-{self._kind} {entry.by}"></span>'
        title = escape(side_name(t, self._kind, entry.by))
        return (
            f'<button type="button" data-ply="{ply}" title="{title}">{colour}<b>{ply + 1}. {escape(entry.move)}</b>'
            f'<span class="fd-mark {MARKS[entry.mark]}">{entry.mark}</span>'
            f"<span>{escape(played)}</span><span>{escape(said)}</span></button>"
        )


def _signed(number: float) -> str:
    return f"{number:+.3g}" if number else "0"


def marks_of(view: SessionView) -> dict[int, str]:
    """The marks of a review by the number of the move from 0."""
    review = view.review
    if review is None or len(review.moves) != len(view.moves):
        return {}
    return {ply: entry.mark for ply, entry in enumerate(review.moves) if entry is not None and entry.mark}
