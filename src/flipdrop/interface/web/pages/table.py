"""What stands beside a board: who plays, how things are, and the moves of the game."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from nicegui import ui

from flipdrop.interface.web.pages.choosing import player_about, player_title, side_name
from flipdrop.interface.web.pages.parts import PLY_CLICKED, Button, box, drawing, heard, text, token
from flipdrop.interface.web.pages.troubles import TroubleNote
from flipdrop.interface.web.pages.troubles import sentence as trouble_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from flipdrop.interface.web.pages.words import Words
    from flipdrop.interface.web.sessions.session import Session

SIDES = ("first", "second")
MARKS = {"?!": "doubtful", "?": "mistake", "??": "blunder"}
"""The marks of a review, and the classes that colour them."""

_LOW_TIME = 20.0  # seconds
_SCROLL = (
    "for (const list of document.querySelectorAll('.fd-moves')) {const here = list.querySelector('.here');"
    "list.scrollTop = here ? here.offsetTop - list.clientHeight / 2 : 0}"
)


def move_text(words: Words, name: str) -> str:
    """A move as people read it: its name, or the word for a pass."""
    return words("moves.pass") if name == "pass" else name


def player_name(words: Words, view: dict[str, Any], side: str) -> str:
    """Who plays a side: you, if you are the only person here."""
    seat = view["players"][side]
    if seat["spec"] is None:
        alone = view["players"]["second" if side == "first" else "first"]["spec"] is not None
        return words("player.you") if alone else side_name(words, view["kind"], side)
    return player_title(words, seat["spec"], seat["name"])


class Players:
    """Both players: names, discs, clocks, whose turn it is."""

    def __init__(self, words: Words, kind: str) -> None:
        self._words = words
        with box("fd-players"):
            self._rows = {side: self._row(side, kind) for side in SIDES}

    def _row(self, side: str, kind: str) -> dict[str, Any]:
        with box("fd-player") as row:
            row._props["data-test"] = f"player-{side}"
            token(side, kind)
            with box("fd-grow"):
                with box("fd-row"):
                    name = text("", "fd-player-name")
                    dots = drawing("<i></i><i></i><i></i>", "fd-dots")
                about = text("", "fd-player-about")
            clock = text("", "fd-clock")
            count = text("", "fd-count")
        return {"row": row, "name": name, "about": about, "dots": dots, "clock": clock, "count": count}

    def show(self, view: dict[str, Any]) -> None:
        """Shows a view."""
        for side, parts in self._rows.items():
            seat = view["players"][side]
            name = player_name(self._words, view, side)
            colour = side_name(self._words, view["kind"], side)
            parts["name"].set_text(name)
            about = player_about(self._words, seat["spec"])
            parts["about"].set_text(" · ".join(part for part in (colour, about) if part and part != name))
            parts["about"].set_visibility(bool(parts["about"].text))
            parts["dots"].set_visibility(view["thinking"] == side)
            parts["count"].set_text(str(view["counts"][side]) if view["kind"] == "othello" else "")
            parts["count"].set_visibility(view["kind"] == "othello")
            parts["row"].classes(**({"add": "turn"} if view["turn"] == side else {"remove": "turn"}))
        self.show_clock(view["clock"])

    def show_clock(self, clock: Mapping[str, Any] | None) -> None:
        """Shows the times alone: the seconds that each side has."""
        for side, parts in self._rows.items():
            label = parts["clock"]
            label.set_visibility(clock is not None)
            if clock is not None:
                label.set_text(_time(clock[side]))
                label.classes(**({"add": "low"} if clock[side] < _LOW_TIME else {"remove": "low"}))


class MoveList:
    """The moves of the record; a click on one shows the board after it.

    :param on_jump: called with the number of moves that are to be on the board
    """

    def __init__(self, words: Words, on_jump: Callable[[int], object]) -> None:
        self._words = words
        self._shown: tuple[Any, ...] = ()
        self.element = drawing("", "fd-moves", tag="div")
        self.element._props["data-test"] = "moves"
        self.element.on("click", heard(on_jump, int), js_handler=PLY_CLICKED)

    def show(self, view: dict[str, Any], marks: dict[int, str] | None = None) -> None:
        """Shows a view.

        :param marks: of a review, by the number of the move from 0
        """
        now = ([move["move"] for move in view["moves"]], view["cursor"], marks)
        if now == self._shown:
            return
        self._shown = now
        rows: list[str] = []
        column = 0
        for ply, move in enumerate(view["moves"]):
            if move["by"] == "first" or ply == 0:
                rows.append(f'<span class="number">{sum(m["by"] == "first" for m in view["moves"][:ply]) + 1}</span>')
                column = 0
            if move["by"] == "second" and column == 0:
                rows.append("<span></span>")
            rows.append(self._button(ply, move["move"], view["cursor"], (marks or {}).get(ply, "")))
            column = 1
        self.element.set_content("".join(rows))
        ui.run_javascript(_SCROLL)

    def _button(self, ply: int, name: str, cursor: int, mark: str) -> str:
        place = "here" if ply == cursor - 1 else "later" if ply >= cursor else ""
        marked = f'<span class="fd-mark {MARKS[mark]}">{mark}</span>' if mark in MARKS else ""
        shown = escape(move_text(self._words, name))
        return f'<button type="button" class="{place}" data-ply="{ply + 1}">{shown}{marked}</button>'


def retry_button(words: Words, session: Session) -> Button:
    """Lets a computer that has failed try again."""

    def retry() -> None:
        if session.error is not None:
            session.set_error(None)

    return Button(words("play.retry"), retry, kind="main", test="retry")


class Status:
    """How things are, in a sentence; `element` has room for buttons beside it."""

    def __init__(self, words: Words) -> None:
        self._words = words
        with box("fd-status") as self.element:
            self.element._props["role"] = "status"
            with box("fd-grow"):
                self._said = TroubleNote(words, bad=False, test="status")

    def show(self, view: dict[str, Any]) -> None:
        """Shows a view."""
        sentence, tone = status(self._words, view)
        is_over = view["result"] is not None
        self._said.write(sentence, "" if is_over else view["error"] or "")
        self.element.classes(remove="loud pass", add=tone)


def status(words: Words, view: dict[str, Any]) -> tuple[str, str]:
    """How things are, in a sentence, and the class that colours it."""
    if view["result"] is not None:
        return _result(words, view), "loud"
    if view["error"]:
        return trouble_sentence(words, view["error_kind"], "game"), "pass"
    if view["cursor"] < len(view["moves"]):
        return words("status.back", move=view["cursor"], moves=len(view["moves"])), ""
    if view["turn"] is None:
        return words("status.over"), "loud"
    name = player_name(words, view, view["turn"])
    you = view["players"][view["turn"]]["spec"] is None and name == words("player.you")
    if view["pass"]:
        return (words("status.pass_you") if you else words("status.pass", name=name)), "pass"
    passed = ""
    if view["last"] is not None and view["last"]["passed"]:
        passed = words("status.passed", name=player_name(words, view, view["last"]["by"]))
    if view["paused"] and not you and not view["person"]:
        return words("status.paused"), ""
    if view["thinking"] is not None:
        key = "status.waiting" if view["waiting"] else "status.thinking"
        return passed + words(key, name=name), "pass" if passed else ""
    return passed + (words("status.you") if you else words("status.turn", name=name)), "pass" if passed else ""


def _result(words: Words, view: dict[str, Any]) -> str:
    result = view["result"]
    if result["winner"] == "draw":
        return words("result.draw")
    winner = player_name(words, view, result["winner"])
    you = winner == words("player.you")
    loser = player_name(words, view, "second" if result["winner"] == "first" else "first")
    if result["reason"] in ("resign", "time"):
        return words(f"result.{result['reason']}", winner=winner, loser=loser)
    if result["margin"] is not None:
        counts = view["counts"]
        key = "result.you_discs" if you else "result.discs"
        more, less = max(counts.values()), min(counts.values())
        return words(key, winner=winner, more=more, less=less)
    return words("result.you" if you else "result.wins", winner=winner)


def _time(seconds: float) -> str:
    if seconds < 10:
        return f"0:0{seconds:.1f}"
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"
