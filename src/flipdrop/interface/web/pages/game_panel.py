"""Panels beside a board: players, status, moves, and links to the analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.interface.web.error_messages import localise_detail, message_for
from flipdrop.interface.web.pages.display_names import player_description, player_title, side_name
from flipdrop.interface.web.pages.widgets import (
    Button,
    ErrorBanner,
    clickable_html,
    div,
    raw_html,
    set_class,
    text,
)
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from nicegui.element import Element

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import RecordedMove, SessionView, SideName
    from flipdrop.interface.web.sessions.session import Session

MARKS = {"?!": "doubtful", "?": "mistake", "??": "blunder"}
"""The marks of a review, and their CSS classes."""

_MOVE_CLICKED = (
    "(event) => {const at = event.target.closest('[data-path],[data-ply]');"
    "if (at) emit(at.dataset.path ?? Number(at.dataset.ply))}"
)
_MAX_MOVES = 200  # of a line
_LOW_TIME = 20.0  # seconds
_SCROLL = (
    "for (const list of document.querySelectorAll('.fd-moves')) {const move = list.querySelector('.selected');"
    "list.scrollTop = move ? move.offsetTop - list.clientHeight / 2 : 0}"
)


def move_text(t: Translator, name: str) -> str:
    """The name of a move, with ``pass`` translated."""
    return t("moves.pass") if name == "pass" else name


def opposite(side: SideName) -> SideName:
    return "second" if side == "first" else "first"


def player_name(t: Translator, view: SessionView, side: SideName) -> str:
    """The name of a side's player; "You" for the only person."""
    player = view.players[side]
    if player.spec is None:
        alone = view.players[opposite(side)].spec is not None
        return t("player.you") if alone else side_name(t, view.kind, side)
    return player_title(t, player.spec, player.name)


class Players:
    """Both players: names, discs, clocks, side to move."""

    def __init__(self, t: Translator) -> None:
        self._t = t
        self._rows: dict[SideName, tuple[Element, ui.html, ui.label]] = {}
        with div("fd-players"):
            for side in SIDE_NAMES:
                with div("fd-player", test=f"player-{side}") as row:
                    self._rows[side] = row, raw_html("", "fd-player-info", tag="div"), text("", "fd-clock")

    def show(self, view: SessionView) -> None:
        for side, (row, info, _) in self._rows.items():
            name = player_name(self._t, view, side)
            description = player_description(self._t, view.players[side].spec)
            about = [part for part in (side_name(self._t, view.kind, side), description) if part and part != name]
            info.set_content(render("player", view=view, side=side, name=name, about=about))
            set_class(row, "turn", view.turn == side)
        self.show_clock(view.clock.remaining if view.clock else None)

    def show_clock(self, remaining: Mapping[SideName, float] | None) -> None:
        """Shows the seconds that each side has."""
        for side, (_, _, clock) in self._rows.items():
            clock.set_visibility(remaining is not None)
            if remaining is not None:
                clock.set_text(_time(remaining[side]))
                set_class(clock, "low", remaining[side] < _LOW_TIME)


class MoveList:
    """The moves of the record, and its variations below the moves that they replace.

    :param on_jump: called with the number of moves of the game up to the clicked one
    :param empty: a sentence that is shown before the first move
    :param on_line: called with the names of the moves up to the clicked one of a variation
    """

    def __init__(
        self,
        t: Translator,
        on_jump: Callable[[int], object],
        *,
        empty: str,
        on_line: Callable[[list[str]], object] | None = None,
    ) -> None:
        self._t, self._empty = t, empty
        self._on_jump, self._on_line = on_jump, on_line
        self._html = clickable_html(_MOVE_CLICKED, self._on_click, (int, str), "fd-moves", test="moves")

    def _on_click(self, clicked: int | str) -> None:
        if isinstance(clicked, int):
            self._on_jump(clicked)
        elif self._on_line is not None:
            self._on_line(clicked.split()[:_MAX_MOVES])

    def show(self, view: SessionView, marks: Mapping[int, str] | None = None, *, opening_plies: int = 0) -> None:
        """Shows the record of a view.

        :param marks: of a review, by the number of the move from 0
        :param opening_plies: moves at the beginning that are marked as an opening of the arena
        """
        content = render(
            "move_list",
            rows=_rows(view.game_moves),
            moves=view.game_moves,
            variations=view.variations,
            current=" ".join(move.move for move in view.moves[: view.cursor]),
            move_text=lambda name: move_text(self._t, name),
            cursor=view.game_cursor,
            on_game=view.branch is None,
            marks=marks or {},
            mark_classes=MARKS,
            opening_plies=opening_plies,
            opening_hint=self._t("moves.arena_opening", count=opening_plies) if opening_plies else "",
            empty=self._empty,
            opening=self._t("moves.opening", name=view.opening) if view.opening else "",
        )
        if content != self._html.content:
            self._html.set_content(content)
            ui.run_javascript(_SCROLL)


def _rows(moves: list[RecordedMove]) -> list[list[int | None]]:
    """The numbers of the moves in rows of the first side's and the second side's move."""
    rows: list[list[int | None]] = []
    for ply, move in enumerate(moves):
        if move.by == "first":
            rows.append([ply, None])
        elif rows and rows[-1][1] is None:
            rows[-1][1] = ply
        else:
            rows.append([None, ply])
    return rows


class Status:
    """A sentence about the state of the game; `element` has room for buttons beside it.

    :param session: whose computer may try again after an error
    """

    def __init__(self, t: Translator, session: Session) -> None:
        self._t, self._session = t, session
        with div("fd-status", role="status", aria_atomic="true") as self.element:
            self._last_move = text("", "fd-hidden", tag="span", test="announcement")
            with div("fd-grow"):
                self._banner = ErrorBanner(t, bad=False, test="status")
            self._retry = Button(t("play.retry"), self._on_retry, kind="primary", test="retry")

    def show(self, view: SessionView) -> None:
        message, tone = status_text(self._t, view)
        detail = localise_detail(self._t, view.error.message) if view.error and not view.result else ""
        self._banner.write(message, detail)
        self._last_move.set_text(announcement(self._t, view))
        self.element.classes(remove="result lost warning", add=tone)
        self._retry.set_visibility(view.error is not None)

    def _on_retry(self) -> None:
        if self._session.error is not None:
            self._session.set_error(None)


def announcement(t: Translator, view: SessionView) -> str:
    """The last move in words, for screen readers; empty before the first."""
    last = view.last
    if last is None:
        return ""
    name = player_name(t, view, last.by)
    if last.passed:
        return t("announce.passes", name=name) + ". "
    move = last.move if view.kind == "othello" else t("announce.column", column=last.move)
    you = name == t("player.you")
    said = t("announce.you", move=move) if you else t("announce.player", name=name, move=move)
    if last.flipped:
        said += t("announce.flipped_1" if len(last.flipped) == 1 else "announce.flipped", count=len(last.flipped))
    return said + ". "


def status_text(t: Translator, view: SessionView) -> tuple[str, str]:
    """A sentence about the state of the game, and its CSS class."""
    if view.result is not None:
        return _result(t, view), _result_tone(view)
    if view.error is not None:
        return message_for(t, view.error.kind, "game"), "warning"
    if view.cursor < len(view.moves):
        back = t("status.back", move=view.cursor, moves=len(view.moves))
        is_turn = view.human_to_move and view.turn is not None and player_name(t, view, view.turn) == t("player.you")
        return (t("status.you_back", back=back) if is_turn else back), ""
    if view.turn is None:
        return t("status.over"), "result"
    name = player_name(t, view, view.turn)
    you = view.players[view.turn].spec is None and name == t("player.you")
    if view.must_pass:
        return (t("status.pass_you") if you else t("status.pass", name=name)), "warning"
    if view.paused and not you and not view.human_to_move:
        return t("status.paused"), ""
    if view.thinking is not None:
        message = t("status.waiting" if view.waiting else "status.thinking", name=name)
    else:
        message = t("status.you") if you else t("status.turn", name=name)
    if view.last is not None and view.last.passed:
        return t("status.passed", name=player_name(t, view, view.last.by)) + message, "warning"
    return message, ""


def _result_tone(view: SessionView) -> str:
    """The CSS class of a result: a person's defeat does not look like a victory."""
    assert view.result is not None
    people = [side for side in SIDE_NAMES if view.players[side].spec is None]
    is_lost = len(people) == 1 and view.result.winner == opposite(people[0])
    return "lost" if is_lost else "result"


def _result(t: Translator, view: SessionView) -> str:
    result = view.result
    assert result is not None
    if result.winner == "draw":
        return t("result.draw")
    winner = player_name(t, view, result.winner)
    if result.reason in ("resign", "time"):
        return t(f"result.{result.reason}", winner=winner, loser=player_name(t, view, opposite(result.winner)))
    you = winner == t("player.you")
    if result.margin is not None:
        more, less = max(view.counts.values()), min(view.counts.values())
        return t("result.you_discs" if you else "result.discs", winner=winner, more=more, less=less)
    return t("result.you" if you else "result.wins", winner=winner)


def _time(seconds: float) -> str:
    if seconds < 10:
        return f"0:0{seconds:.1f}"
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"
