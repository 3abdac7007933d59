"""The parts of an analysis beside the board: evaluation bar, ranked moves with their lines, evaluation, tree."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from flipdrop.evaluation import definitions_for_game
from flipdrop.interface.web.pages.charts import number_text, tree_picture, typographic_minus
from flipdrop.interface.web.pages.value_texts import FORMATS
from flipdrop.interface.web.pages.widgets import (
    HOVER_EVENTS,
    LINE_HOVERED,
    Button,
    clickable_html,
    data_clicked,
    div,
    raw_html,
    select,
    set_class,
    text,
    typed_handler,
)
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.pages.value_texts import Unit
    from flipdrop.interface.web.schemas import AnalysisView, EvaluationView, SessionView

_MAX_TERMS = 12
_MAX_CHANGES = 3  # terms whose change is said in words


class EvaluationBar:
    """The lead of the first side as a bar, with a number."""

    def __init__(self, t: Translator, kind: str) -> None:
        with div(f"fd-eval-bar fd-{kind}", title=t("analysis.bar"), test="bar") as self._frame:
            self._bar = div(tag="i")
            self._number = text("", "fd-bar-text", tag="span", test="bar-text")

    def show(self, lead: float | None, number: str) -> None:
        """Shows a lead of -1 .. 1; None leaves the bar as it is."""
        if lead is not None:
            self._bar.style(f"height: {50 + 50 * lead:.1f}%")
            set_class(self._number, "below", lead >= 0)
        self._number.set_text(number)

    def set_blank(self, blank: bool) -> None:
        """Hides or shows the lead."""
        set_class(self._frame, "fd-blank", blank)


class MovesPanel:
    """Every move with its value, best first; lines of the best; depth, nodes and time of the search.

    :param on_line: called with the names of the moves of a line up to the clicked one
    :param on_hover: called with the names of the moves up to the one below the mouse; with none when it leaves
    :param on_deeper: called to continue the search
    """

    def __init__(
        self,
        t: Translator,
        *,
        on_line: Callable[[list[str]], object],
        on_hover: Callable[[list[str]], object],
        on_deeper: Callable[[], object],
    ) -> None:
        self._t, self._on_hover = t, on_hover
        self._shown_for = ""
        self._hovering = False

        def choose(line: str) -> None:
            on_line(line.split())

        self._moves = clickable_html(data_clicked("line"), choose, str, "fd-move-ranking", test="ranked")
        self._lines = clickable_html(data_clicked("line"), choose, str, "fd-field", test="lines")
        for html in (self._moves, self._lines):
            for event in HOVER_EVENTS:
                html.on(event, typed_handler(self._hover, str), js_handler=LINE_HOVERED)
        with div("fd-row"):
            self._search = raw_html("", "fd-field fd-grow", tag="div")
            self._deeper = Button(t("engine.deeper"), on_deeper, icon="deeper", kind="subtle", test="deeper")

    def _hover(self, line: str) -> None:
        self._hovering = bool(line)
        self._on_hover(line.split())

    def show(self, view: SessionView, unit: Unit) -> None:
        analysis = view.analysis
        values = {"t": self._t, "analysis": analysis, "unit": unit, **FORMATS}
        # Lines stay as they are below the mouse, unless the board changes.
        if not self._hovering or self._shown_for != view.board:
            self._hovering, self._shown_for = False, view.board
            self._moves.set_content(render("move_ranking", **values))
            # A line of one move says no more than the list of moves.
            lines = [move for move in analysis.moves if len(move.line) > 1] if analysis else []
            self._lines.set_content(render("lines", lines=lines, **values))
        self._search.set_content(render("search_info", info=self._search_info(view), **values))
        is_open = analysis is not None and analysis.done and analysis.error is None and not analysis.proven
        self._deeper.set_visibility(is_open and not view.over)

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
            self._depth(analysis): analysis.depth if not (analysis.proven and analysis.from_book) else 0,
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
    :param on_preview: called with the move after which the board is to be shown; with none for the board as it is
    """

    def __init__(
        self,
        t: Translator,
        game: Game,
        on_change: Callable[[], object],
        on_preview: Callable[[list[str]], object],
    ) -> None:
        self._t, self._on_change, self._on_preview = t, on_change, on_preview
        self._move = ""
        self._view: SessionView | None = None
        names = [definition.name for definition in definitions_for_game(game)]
        self.evaluation = "D" if "D" in names else names[0]
        text(t("terms.hint"), "fd-small fd-muted")
        options = {name: t(f"evaluation.{name}") for name in names}
        select(options, self.evaluation, self._on_evaluation, test="evaluation", hint=t("terms.evaluation"))
        self._html = clickable_html(data_clicked("move"), self._on_move, str, "fd-field fd-spaced")

    def _on_evaluation(self, name: str) -> None:
        self.evaluation = name
        self._on_change()

    def _on_move(self, move: str) -> None:
        self._move = "" if move == self._move else move
        if self._view is not None:
            self.show(self._view)
        self._on_preview([self._move] if self._move else [])

    def clear_choice(self) -> None:
        """Shows the terms of the board as it is."""
        self._move = ""

    def show(self, view: SessionView, _: Unit = "discs") -> None:
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
        if len(terms) > _MAX_TERMS:  # a pattern network has hundreds
            terms = sorted(terms, key=lambda term: -abs(term.contribution))[:_MAX_TERMS]
        values = {"found": found, "ranked": ranked, "selected": self._move, "shown": shown, "terms": terms}
        values["changes"] = self._changes(found) if self._move else ""
        self._html.set_content(
            render("terms", t=self._t, evaluation=self.evaluation, signed=_signed, minus=typographic_minus, **values)
        )

    def _changes(self, found: EvaluationView) -> str:
        """In words, where the chosen move differs most from the average of all moves."""
        t = self._t
        totals: dict[str, float] = defaultdict(float)
        for score in found.moves.values():
            for term in score.terms:
                totals[term.name] += term.contribution / len(found.moves)
        changes = {term.name: term.contribution - totals[term.name] for term in found.moves[self._move].terms}
        largest = sorted((name for name in changes if abs(changes[name]) > 1e-9), key=lambda name: -abs(changes[name]))
        parts = [
            t(
                "terms.gain" if changes[name] > 0 else "terms.cost",
                term=t.get(f"term.{name}", name),
                meaning=t.get(f"meaning.{self.evaluation}.{name}", name),
                points=f"{abs(changes[name]):.3g}",
            )
            for name in largest[:_MAX_CHANGES]
        ]
        return t("terms.changes", move=self._move, parts=t("terms.and").join(parts)) if parts else ""


class TreePanel:
    """The most visited part of a Monte Carlo search tree.

    :param on_start: called to start a Monte Carlo search
    """

    def __init__(self, t: Translator, on_start: Callable[[], object]) -> None:
        with div("fd-field") as self._none:
            text(t("tree.none"), "fd-small fd-muted")
            Button(t("tree.start"), on_start, kind="primary", test="tree-start")
        with div("fd-field") as self._some:
            self._tree = raw_html("", "fd-tree", tag="div", test="tree")
            text(t("tree.hint"), "fd-small fd-muted")

    def show(self, view: SessionView, _: Unit) -> None:
        analysis = view.analysis
        is_tree = analysis is not None and analysis.method == "mcts"
        self._none.set_visibility(not is_tree)
        self._some.set_visibility(is_tree)
        if analysis is not None and analysis.tree:
            self._tree.set_content(tree_picture(analysis.tree))


def _signed(number: float) -> str:
    return typographic_minus(f"{number:+.3g}") if number else "0"
