"""Values of an analysis as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from flipdrop.interface.web.error_messages import localise_detail, message_for
from flipdrop.interface.web.pages.charts import number_text, typographic_minus
from flipdrop.interface.web.pages.game_panel import MARKS, move_text, opposite

if TYPE_CHECKING:
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import SessionView, SideName, ValueView

Unit = Literal["discs", "win"]
"""The unit of values in Othello: discs, or win chance in percent. In Connect Four ``discs`` has no effect."""


def value_text(t: Translator, value: ValueView, unit: Unit = "discs") -> str:
    """A value as people read it; in words if it is proven."""
    if unit == "win":
        return value.percent
    if value.outcome is None:
        return typographic_minus(value.text)
    if value.outcome == "draw":
        return t("value.draw")
    if value.margin is not None:
        return t(f"value.{value.outcome}_by", discs=abs(value.margin))
    if value.moves is not None:
        return t(f"value.{value.outcome}_in", moves=value.moves)
    return t(f"value.{value.outcome}")


def lead_text(t: Translator, kind: str, turn: SideName, value: ValueView, unit: Unit = "discs") -> str:
    """Which side leads, and by how much: ``Black +4``, ``White 73%``, ``Red wins in 5``."""
    ahead = value.win_probability >= 0.5
    if value.outcome == "draw":
        return t("value.draw")
    if unit == "discs" and value.moves is not None:
        amount = t("value.win_in", moves=value.moves)
    elif unit == "discs" and value.discs is not None:
        if round(value.discs) == 0:
            return t("value.even")
        amount = f"+{abs(round(value.discs))}"
    else:
        amount = f"{100 * max(value.win_probability, 1 - value.win_probability):.0f}%" if not value.proven else "100%"
    return t("value.lead", side=t(f"side.{kind}.{turn if ahead else opposite(turn)}"), value=amount)


def loss_text(t: Translator, loss: float, discs: float | None, unit: Unit) -> str:
    """What a move loses against the best: ``6 discs``, or ``12%`` of win chance."""
    if unit == "discs" and discs is not None:
        return t("review.discs_1" if round(discs) == 1 else "review.discs", count=round(discs))
    return t("review.percent", count=round(100 * loss))


def view_lead(view: SessionView) -> float | None:
    """The lead of the first side, -1 .. 1, from the analysis, or else from the review."""
    analysis, review = view.analysis, view.review
    if analysis is not None and (analysis.moves or (analysis.done and view.over)):
        return analysis.bar
    if review is None or view.branch is not None or view.cursor >= len(review.graph):
        return None
    return review.graph[view.cursor]


def bar_number(value: ValueView, unit: Unit) -> str:
    """The lead of the side that is ahead, in few characters."""
    if unit == "discs" and value.moves is not None:
        return f"#{value.moves}"
    if unit == "discs" and value.discs is not None:
        return f"+{abs(round(value.discs))}" if round(value.discs) else "0"
    best = max(value.win_probability, 1 - value.win_probability)
    return "100" if value.proven and value.outcome != "draw" else f"{100 * best:.0f}"


FORMATS = {
    "marks": MARKS,
    "localise_detail": localise_detail,
    "message_for": message_for,
    "move_text": move_text,
    "number_text": number_text,
    "value_text": value_text,
}
"""Functions that the templates use."""
