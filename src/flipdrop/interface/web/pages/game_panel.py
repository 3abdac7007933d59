"""What stands beside a board: who plays, how things are, and the moves of the game."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.interface.web.pages.error_messages import ErrorBanner
from flipdrop.interface.web.pages.error_messages import message_for as message_for
from flipdrop.interface.web.pages.pickers import player_description, player_title, side_name
from flipdrop.interface.web.pages.widgets import PLY_CLICKED, Button, disc_icon, div, raw_html, text, typed_handler
from flipdrop.interface.web.schemas import SIDE_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import SessionView, SideName
    from flipdrop.interface.web.sessions.session import Session

MARKS = {"?!": "doubtful", "?": "mistake", "??": "blunder"}
"""The marks of a review, and the classes that colour them."""

_LOW_TIME = 20.0  # seconds
_SCROLL = (
    "for (const list of document.querySelectorAll('.fd-moves')) {const here = list.querySelector('.selected');"
    "list.scrollTop = here ? here.offsetTop - list.clientHeight / 2 : 0}"
)


def move_text(t: Translator, name: str) -> str:
    """A move as people read it: its name, or the word for a pass."""
    return t("moves.pass") if name == "pass" else name


def player_name(t: Translator, view: SessionView, side: SideName) -> str:
    """Who plays a side: you, if you are the only person here."""
    seat = view.players[side]
    if seat.spec is None:
        alone = view.players["second" if side == "first" else "first"].spec is not None
        return t("player.you") if alone else side_name(t, view.kind, side)
    return player_title(t, seat.spec, seat.name)


class Players:
    """Both players: names, discs, clocks, whose turn it is."""

    def __init__(self, t: Translator, kind: str) -> None:
        self._t = t
        with div("fd-players"):
            self._rows = {side: self._row(side, kind) for side in SIDE_NAMES}

    def _row(self, side: str, kind: str) -> dict[str, Any]:
        with div("fd-player") as row:
            row._props["data-test"] = f"player-{side}"
            disc_icon(side, kind)
            with div("fd-grow"):
                with div("fd-row"):
                    name = text("", "fd-player-name")
                    dots = raw_html("<i></i><i></i><i></i>", "fd-dots")
                about = text("", "fd-player-about")
            clock = text("", "fd-clock")
            count = text("", "fd-count")
        return {"row": row, "name": name, "about": about, "dots": dots, "clock": clock, "count": count}

    def show(self, view: SessionView) -> None:
        """Shows a view."""
        for side, parts in self._rows.items():
            seat = view.players[side]
            name = player_name(self._t, view, side)
            colour = side_name(self._t, view.kind, side)
            parts["name"].set_text(name)
            about = player_description(self._t, seat.spec)
            parts["about"].set_text(" · ".join(part for part in (colour, about) if part and part != name))
            parts["about"].set_visibility(bool(parts["about"].text))
            parts["dots"].set_visibility(view.thinking == side)
            parts["count"].set_text(str(view.counts[side]) if view.kind == "othello" else "")
            parts["count"].set_visibility(view.kind == "othello")
            parts["row"].classes(**({"add": "turn"} if view.turn == side else {"remove": "turn"}))
        self.show_clock(None if view.clock is None else view.clock.remaining)

    def show_clock(self, remaining: Mapping[SideName, float] | None) -> None:
        """Shows the times alone: the seconds that each side has."""
        for side, parts in self._rows.items():
            label = parts["clock"]
            label.set_visibility(remaining is not None)
            if remaining is not None:
                label.set_text(_time(remaining[side]))
                label.classes(**({"add": "low"} if remaining[side] < _LOW_TIME else {"remove": "low"}))


class MoveList:
    """The moves of the record; a click on one shows the board after it.

    :param on_jump: called with the number of moves that are to be on the board
    """

    def __init__(self, t: Translator, on_jump: Callable[[int], object]) -> None:
        self._t = t
        self._shown: tuple[Any, ...] = ()
        self.element = raw_html("", "fd-moves", tag="div")
        self.element._props["data-test"] = "moves"
        self.element.on("click", typed_handler(on_jump, int), js_handler=PLY_CLICKED)

    def show(self, view: SessionView, marks: dict[int, str] | None = None) -> None:
        """Shows a view.

        :param marks: of a review, by the number of the move from 0
        """
        now = ([move.move for move in view.moves], view.cursor, marks)
        if now == self._shown:
            return
        self._shown = now
        rows: list[str] = []
        column = 0
        for ply, move in enumerate(view.moves):
            if move.by == "first" or ply == 0:
                rows.append(f'<span class="number">{sum(m.by == "first" for m in view.moves[:ply]) + 1}</span>')
                column = 0
            if move.by == "second" and column == 0:
                rows.append("<span></span>")
            rows.append(self._button(ply, move.move, view.cursor, (marks or {}).get(ply, "")))
            column = 1
        self.element.set_content("".join(rows))
        ui.run_javascript(_SCROLL)

    def _button(self, ply: int, name: str, cursor: int, mark: str) -> str:
        place = "selected" if ply == cursor - 1 else "later" if ply >= cursor else ""
        marked = f'<span class="fd-mark {MARKS[mark]}">{mark}</span>' if mark in MARKS else ""
        shown = escape(move_text(self._t, name))
        return f'<button type="button" class="{place}" data-ply="{ply + 1}">{shown}{marked}</button>'


def retry_button(t: Translator, session: Session) -> Button:
    """Lets a computer that has failed try again."""

    def retry() -> None:
        if session.error is not None:
            session.set_error(None)

    return Button(t("play.retry"), retry, kind="primary", test="retry")


class Status:
    """How things are, in a sentence; `element` has room for buttons beside it."""

    def __init__(self, t: Translator) -> None:
        self._t = t
        with div("fd-status") as self.element:
            self.element._props["role"] = "status"
            with div("fd-grow"):
                self._said = ErrorBanner(t, bad=False, test="status")

    def show(self, view: SessionView) -> None:
        """Shows a view."""
        sentence, tone = status(self._t, view)
        is_over = view.result is not None
        self._said.write(sentence, "" if is_over or view.error is None else view.error.message)
        self.element.classes(remove="result warning", add=tone)


def status(t: Translator, view: SessionView) -> tuple[str, str]:
    """How things are, in a sentence, and the class that colours it."""
    if view.result is not None:
        return _result(t, view), "result"
    if view.error:
        return message_for(t, view.error.kind, "game"), "warning"
    if view.cursor < len(view.moves):
        return t("status.back", move=view.cursor, moves=len(view.moves)), ""
    if view.turn is None:
        return t("status.over"), "result"
    name = player_name(t, view, view.turn)
    you = view.players[view.turn].spec is None and name == t("player.you")
    if view.must_pass:
        return (t("status.pass_you") if you else t("status.pass", name=name)), "warning"
    passed = ""
    if view.last is not None and view.last.passed:
        passed = t("status.passed", name=player_name(t, view, view.last.by))
    if view.paused and not you and not view.human_to_move:
        return t("status.paused"), ""
    if view.thinking is not None:
        key = "status.waiting" if view.waiting else "status.thinking"
        return passed + t(key, name=name), "warning" if passed else ""
    return passed + (t("status.you") if you else t("status.turn", name=name)), "warning" if passed else ""


def _result(t: Translator, view: SessionView) -> str:
    result = view.result
    assert result is not None
    if result.winner == "draw":
        return t("result.draw")
    winner = player_name(t, view, result.winner)
    you = winner == t("player.you")
    loser = player_name(t, view, "second" if result.winner == "first" else "first")
    if result.reason in ("resign", "time"):
        return t(f"result.{result.reason}", winner=winner, loser=loser)
    if result.margin is not None:
        counts = view.counts
        key = "result.you_discs" if you else "result.discs"
        more, less = max(counts.values()), min(counts.values())
        return t(key, winner=winner, more=more, less=less)
    return t("result.you" if you else "result.wins", winner=winner)


def _time(seconds: float) -> str:
    if seconds < 10:
        return f"0:0{seconds:.1f}"
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"
