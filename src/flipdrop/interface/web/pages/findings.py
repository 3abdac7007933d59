"""What an analysis has found, as panels beside the board: moves, reasons, the tree, the review."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from flipdrop.evaluation import definitions_for_game
from flipdrop.interface.web.pages.charts import compact, score_graph, tree_picture
from flipdrop.interface.web.pages.choosing import side_name
from flipdrop.interface.web.pages.parts import (
    MOVE_CLICKED,
    PLY_CLICKED,
    Button,
    box,
    drawing,
    heard,
    select,
    text,
    token,
)
from flipdrop.interface.web.pages.table import MARKS, move_text
from flipdrop.interface.web.pages.troubles import TroubleNote

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Game
    from flipdrop.interface.web.pages.words import Words

View = dict[str, Any]

_MOST_TERMS = 12


def worth_text(words: Words, found: dict[str, Any]) -> str:
    """What a move is worth, in words where it is proven."""
    if found["outcome"] is None:
        return str(found["text"])
    if found["outcome"] == "draw":
        return words("worth.draw")
    if found["margin"] is not None:
        return words(f"worth.{found['outcome']}_by", discs=abs(found["margin"]))
    if found["moves"] is not None:
        return words(f"worth.{found['outcome']}_in", moves=found["moves"])
    return words(f"worth.{found['outcome']}")


class RankedMoves:
    """Every move with its worth, best first; the line that is expected; what the search took."""

    def __init__(self, words: Words, on_move: Callable[[str], object]) -> None:
        self._words = words
        self._list = drawing("", "fd-ranked", tag="div")
        self._list._props["data-test"] = "ranked"
        self._list.on("click", heard(on_move, str), js_handler=MOVE_CLICKED)
        self._line_label = text(words("analysis.line"), "fd-label")
        self._line = drawing("", "fd-pv", tag="div")
        self._facts = text("", "fd-small fd-soft fd-number")
        self._facts._props["data-test"] = "facts"
        self._trouble = TroubleNote(words, "analysis")

    def show(self, view: View) -> None:
        """Shows a view."""
        analysis = view["analysis"]
        found = analysis["moves"] if analysis else []
        most = max((move["visits"] for move in found), default=0)
        self._list.set_content("".join(self._row(move, most) for move in found))
        line = analysis["line"] if analysis else []
        self._line.set_content("".join(f"<span>{escape(move_text(self._words, move))}</span>" for move in line))
        self._line_label.set_visibility(bool(line))
        self._facts.set_text(self._said(view))
        self._trouble.follow(analysis)

    def _row(self, move: dict[str, Any], most: int) -> str:
        best = "best" if move["best"] else ""
        value = escape(("≤ " if move.get("bound") else "") + worth_text(self._words, move))
        shown = f'<span class="fd-proof {move["outcome"]}">{value}</span>' if move["proven"] else value
        name = escape(move_text(self._words, move["move"]))
        visits = compact(move["visits"]) if most else ""
        return (
            f'<button type="button" class="move {best}" data-move="{escape(move["move"])}">{name}</button>'
            f'<div class="fd-meter"><i style="width:{100 * move["chance"]:.1f}%"></i></div>'
            f'<span class="value">{shown}</span><span class="visits">{visits}</span>'
        )

    def _said(self, view: View) -> str:
        words, analysis = self._words, view["analysis"]
        if analysis is None:
            return words("analysis.over") if view["over"] else words("analysis.off")
        if analysis["trouble"]:
            return ""
        if view["over"]:
            return words("analysis.over")
        facts = [words("analysis.proven")] if analysis["proven"] else []
        if analysis["note"]:
            facts.append(words.get(f"analysis.note.{analysis['note']}", analysis["note"]))
        if analysis["depth"]:
            facts.append(words("analysis.depth", depth=analysis["depth"]))
        if analysis["nodes"]:
            key = "analysis.simulations" if analysis["method"] == "mcts" else "analysis.positions"
            facts.append(words(key, count=compact(analysis["nodes"])))
        if analysis["seconds"]:
            facts.append(words("analysis.seconds", seconds=f"{analysis['seconds']:.1f}"))
        if not analysis["done"]:
            facts.append(words("analysis.going_on"))
        return " · ".join(facts)


class Reasons:
    """Why an evaluation likes a position, or a move: term by term.

    :param on_evaluation: called when another evaluation is chosen
    """

    def __init__(self, words: Words, game: Game, on_evaluation: Callable[[str], object]) -> None:
        self._words = words
        self._move = ""
        self._view: View | None = None
        names = [definition.name for definition in definitions_for_game(game)]
        self.evaluation = "D" if "D" in names else names[0]
        text(words("why.hint"), "fd-small fd-soft")
        with box("fd-row"):
            options = {name: words(f"evaluation.{name}") for name in names}
            select(options, self.evaluation, on_evaluation, test="evaluation", hint=words("why.evaluation"))
        self._choice = drawing("", "fd-pv fd-choosable", tag="div")
        self._choice._props["data-test"] = "why-moves"
        self._choice.on("click", heard(self._choose, str), js_handler=MOVE_CLICKED)
        self._table = drawing("", "fd-terms", tag="div")
        self._table._props["data-test"] = "terms"

    def _choose(self, move: str) -> None:
        self._move = "" if move == self._move else move
        if self._view is not None:
            self.show(self._view)

    def show(self, view: View) -> None:
        """Shows a view."""
        self._view = view
        found = view["analysis"]["evaluation"] if view["analysis"] else None
        if found is None:
            self._choice.set_content("")
            self._table.set_content("")
            return
        if self._move not in found["moves"]:
            self._move = ""
        ranked = sorted(found["moves"], key=lambda move: -found["moves"][move]["score"])
        chips = [("", self._words("why.now"), found["score"])]
        chips += [(move, move, found["moves"][move]["score"]) for move in ranked]
        self._choice.set_content(
            "".join(
                f'<span data-move="{escape(move)}" class="{"here" if move == self._move else ""}">{escape(name)} '
                f"<b>{_signed(score)}</b></span>"
                for move, name, score in chips
            )
        )
        shown = found["moves"][self._move] if self._move else found
        self._table.set_content(self._terms(shown))

    def _terms(self, shown: dict[str, Any]) -> str:
        terms = shown["terms"]
        if len(terms) > _MOST_TERMS:  # of a network with many patterns: those that matter most here
            terms = sorted(terms, key=lambda term: -abs(term["contribution"]))[:_MOST_TERMS]
        largest = max((abs(term["contribution"]) for term in terms), default=0) or 1
        rows = []
        for term in terms:
            share = 50 * abs(term["contribution"]) / largest
            side = f"right:50%;width:{share:.1f}%" if term["contribution"] < 0 else f"left:50%;width:{share:.1f}%"
            minus = "minus" if term["contribution"] < 0 else ""
            name = self._words.get(f"term.{term['name']}", term["name"])
            meaning = self._words.get(f"meaning.{self.evaluation}.{term['name']}", "")
            rows.append(
                f'<span title="{escape(meaning)}">{escape(name)}</span>'
                f'<span class="fd-soft">{term["feature"]:.4g} × {term["weight"]:.4g}</span>'
                f'<div class="fd-balance"><i class="{minus}" style="{side}"></i></div>'
                f'<span class="value">{_signed(term["contribution"])}</span>'
            )
        rows.append(
            f'<span class="sum">{escape(self._words("why.sum"))}</span><span></span><span></span>'
            f'<span class="sum value">{_signed(shown["score"])}</span>'
        )
        return "".join(rows)


class Tree:
    """The most visited part of a search tree.

    :param on_wanted: called when somebody wants a tree search, which alone has a tree
    """

    def __init__(self, words: Words, on_wanted: Callable[[], object]) -> None:
        with box("fd-field") as self._none:
            text(words("tree.none"), "fd-small fd-soft")
            Button(words("tree.start"), on_wanted, kind="main", test="tree-start")
        with box("fd-field") as self._some:
            self._picture = drawing("", "fd-tree", tag="div")
            self._picture._props["data-test"] = "tree"
            text(words("tree.hint"), "fd-small fd-soft")

    def show(self, view: View) -> None:
        """Shows a view."""
        analysis = view["analysis"]
        is_tree = analysis is not None and analysis["method"] == "mcts"
        self._none.set_visibility(not is_tree)
        self._some.set_visibility(is_tree)
        if is_tree and analysis["tree"]:
            self._picture.set_content(tree_picture(analysis["tree"]))


class Review:
    """The review of the whole game: graph, accuracy, and what should have been played.

    :param on_review: called when the review is wanted
    :param on_jump: called with the number of moves that are to be on the board
    """

    def __init__(
        self, words: Words, kind: str, on_review: Callable[[], object], on_jump: Callable[[int], object]
    ) -> None:
        self._words, self._kind = words, kind
        with box("fd-field") as self._none:
            text(words("review.hint"), "fd-small fd-soft")
            self._start = Button(words("review.start"), on_review, icon="review", kind="main", test="review-start")
        with box("fd-field fd-loose") as self._some:
            self._graph = drawing("", "fd-graph", tag="div")
            self._graph._props["data-test"] = "graph"
            self._graph.on("click", heard(on_jump, int), js_handler=PLY_CLICKED)
            with box("fd-row"):
                self._accuracy = {side: self._number(side) for side in ("first", "second")}
            self._progress = text("", "fd-small fd-soft")
            self._trouble = TroubleNote(words, "review")
            self._list = drawing("", "fd-errors", tag="div")
            self._list._props["data-test"] = "errors"
            self._list.on("click", heard(on_jump, int), js_handler=PLY_CLICKED)

    def _number(self, side: str) -> Any:
        with box("fd-grow fd-row"):
            token(side, self._kind)
            with box():
                label = text("", "fd-review-score")
                label._props["data-test"] = f"accuracy-{side}"
                text(self._words("review.accuracy"), "fd-small fd-soft")
        return label

    def show(self, view: View) -> None:
        """Shows a view."""
        review = view["review"]
        self._none.set_visibility(review is None)
        self._some.set_visibility(review is not None)
        self._start.enable(bool(view["moves"]))
        if review is None:
            return
        marks = marks_of(view)
        self._graph.set_content(score_graph(review["graph"], view["cursor"], marks))
        for side, label in self._accuracy.items():
            accuracy = review["accuracy"][side]
            label.set_text("–" if accuracy is None else f"{accuracy:.0f}%")
        going_on = self._words("review.going_on", done=review["reviewed"], total=review["total"])
        clean = "" if marks or review["trouble"] else self._words("review.clean")
        self._progress.set_text(clean if review["done"] else going_on)
        self._progress.set_visibility(bool(self._progress.text))
        self._trouble.follow(review)
        rows = [self._error(ply, review["moves"][ply]) for ply in marks]
        self._list.set_content("".join(rows))

    def _error(self, ply: int, entry: dict[str, Any]) -> str:
        words = self._words
        played, best = worth_text(words, entry["played"]), worth_text(words, entry["top"])
        said = words("review.better", best=entry["best"], worth=best)
        colour = f'<span class="fd-token little fd-{self._kind} {entry["by"]}"></span>'
        title = escape(side_name(words, self._kind, entry["by"]))
        return (
            f'<button type="button" data-ply="{ply}" title="{title}">{colour}<b>{ply + 1}. {escape(entry["move"])}</b>'
            f'<span class="fd-mark {MARKS[entry["mark"]]}">{entry["mark"]}</span>'
            f"<span>{escape(played)}</span><span>{escape(said)}</span></button>"
        )


def _signed(number: float) -> str:
    return f"{number:+.3g}" if number else "0"


def marks_of(view: View) -> dict[int, str]:
    """The marks of a review by the number of the move from 0."""
    review = view["review"]
    if review is None or len(review["moves"]) != len(view["moves"]):
        return {}
    return {ply: entry["mark"] for ply, entry in enumerate(review["moves"]) if entry is not None and entry["mark"]}
