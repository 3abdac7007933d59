"""Analyse: what every move is worth, why, and what a whole game was worth, at ``/analyse/GAME?position=...``.

The address says everything: ``position`` is a transcript or a board string, ``moves`` the moves after a board string,
``at`` how many moves are on the board, ``method`` how it is analysed, and ``review`` whether the game is reviewed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import read_transcript
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.analysis_panels import EvaluationPanel, MovesPanel, ReviewPanel, TreePanel, marks_of
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.error_messages import ErrorBanner
from flipdrop.interface.web.pages.game_panel import MoveList
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.pickers import GamePicker, game_title
from flipdrop.interface.web.pages.position_editor import PositionEditor, copy_dialog, paste_dialog
from flipdrop.interface.web.pages.session_view import SessionBinding, try_action
from flipdrop.interface.web.pages.urls import analysis_start_url, analysis_url
from flipdrop.interface.web.pages.widgets import Button, SegmentedControl, Switch, card, div, text, text_input
from flipdrop.interface.web.sessions.analysis import METHODS
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.schemas import SessionView
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session

PANELS = ("moves", "why", "tree", "game")


def mount(manager: SessionManager) -> None:
    """Adds the pages."""

    @ui.page("/analyse")
    def analyse_any(request: Request) -> None:
        _page(manager, request, "othello")

    @ui.page("/analyse/{game}")
    def analyse(request: Request, game: str) -> None:
        _page(manager, request, game)


def _page(manager: SessionManager, request: Request, game: str) -> None:
    t = Translator.for_request(request)
    asked = request.query_params
    trouble: FlipdropError | None = None
    try:
        session = _session(manager, game, asked.get("position", ""), asked.get("moves", ""), asked.get("at", ""))
    except FlipdropError as error:
        trouble = error
        session = manager.new("othello", keep=False)
    with page_layout(request, t, section="analyse", title=game_title(t, session.game)):
        if trouble is not None:
            ErrorBanner(t).show(trouble)
        AnalysisPage(manager, t, session, method=asked.get("method", "search"), review=asked.get("review") == "1")


def _session(manager: SessionManager, game: str, position: str, moves: str, at: str) -> Session:
    session = manager.new(game, position=position, keep=False)
    if moves:
        start = session.positions[-1]
        session.restart(start, read_transcript(start, moves[: manager.limits.text])[0])
    if at.isascii() and at.isdigit() and len(at) < 4:
        session.jump(min(int(at), len(session.moves)))
    return session


class AnalysisPage:
    """The board, its analysis, and the tools."""

    def __init__(self, manager: SessionManager, t: Translator, session: Session, *, method: str, review: bool) -> None:
        self._manager, self._t, self._session = manager, t, session
        self._method, self._custom = (method, "") if method in METHODS else ("custom", method)
        self._on, self._here = True, False
        self._wants_review, self._reviewing = review, False
        self._panel = "game" if review else "moves"
        self._editor: PositionEditor | None = None
        view = view_of(session)
        with div("fd-board-layout"):
            with div("fd-board-area"), div("fd-board-column"):
                self._bar_and_board(view)
                self._tools()
            with div("fd-sidebar") as self._side:
                self._setting = div("fd-slot")
                with card() as self._findings:
                    self._controls()
                    self._panels(view)
                with card(t("moves.title")):
                    self._moves = MoveList(t, self._jump)
                    self._no_moves = text(t("analysis.try"), "fd-muted fd-small")
        self._binding = SessionBinding(session, self._show)
        client = ui.context.client
        # Nothing is searched for somebody who only fetched the page, or has left it.
        client.on_connect(self._begin)
        client.on_disconnect(self._leave)
        client.on_delete(lambda: manager.remove(session))

    def _begin(self) -> None:
        """Begins to search, or begins again after the connection was lost."""
        self._here = True
        if self._session.moves and self._wants_review:
            self._start_review()
        else:
            self._analyse()

    def _leave(self) -> None:
        """Searches no more. A review that was not done begins again when somebody is back."""
        self._here = self._reviewing = False
        self._manager.stop_analysis(self._session)

    # What there is to see.

    def _bar_and_board(self, view: SessionView) -> None:
        with div(
            "fd-board-area fd-full"
        ):  # the board is not in a box of its own, so that the bar stands right beside it
            with div(f"fd-eval-bar fd-{view.kind}") as bar:
                bar._props |= {"title": self._t("analysis.bar"), "data-test": "bar"}
                self._fill = div(tag="i")
            self._board = Board(
                view,
                self._t,
                on_move=self._play,
                on_cell=self._cell,
                on_step=self._step,
                on_undo=self._step,
                active=True,
                scores=True,
                history=True,
            )

    def _tools(self) -> None:
        t = self._t
        with div("fd-row wrap fd-toolbar"):
            self._stepper("first", "first")
            self._stepper("back", -1)
            self._stepper("forward", 1)
            self._stepper("last", "last")
            self._pass = Button(t("play.pass"), lambda: self._play("pass"), kind="primary", test="pass")
            div("fd-grow")
            Button(t("tools.game"), self._ask_game, icon="new", test="tool-game")
            Button(t("tools.paste"), self._ask_paste, icon="paste", test="tool-paste")
            Button(t("tools.set_up"), self._set_up, icon="edit", test="tool-set-up")
            Button(t("tools.copy"), self._ask_copy, icon="copy", test="tool-copy")

    def _stepper(self, name: str, step: int | str) -> None:
        Button("", lambda: self._step(step), icon=name, hint=self._t(f"step.{name}"), test=f"step-{name}")

    def _controls(self) -> None:
        t = self._t
        with div("fd-row apart"):
            text(t("analysis.title"), "fd-heading", tag="h2")
            Switch(True, self._turn, hint=t("analysis.title"), test="analysis-on")
        methods = {method: t(f"method.{method}") for method in (*METHODS, "custom")}
        self._methods = SegmentedControl(methods, self._method, self._set_method, test="method")
        with div("fd-row") as self._custom_row:
            text_input(self._custom, self._write_custom, placeholder="level:8", test="custom", on_enter=self._analyse)
            Button(t("method.go"), self._analyse, test="custom-go")
        self._custom_row.set_visibility(self._method == "custom")

    def _panels(self, view: SessionView) -> None:
        t = self._t
        self._tabs = SegmentedControl(
            {panel: t(f"panel.{panel}") for panel in PANELS},
            self._panel,
            self._set_panel,
            classes="fd-tabs fd-inner",
            test="panels",
        )
        self._bodies = {}
        for panel in PANELS:
            with div("fd-field fd-spaced") as body:
                self._bodies[panel] = body
                match panel:
                    case "moves":
                        self._ranked = MovesPanel(t, self._play)
                    case "why":
                        self._evaluation_panel = EvaluationPanel(t, self._session.game, self._set_evaluation)
                    case "tree":
                        self._tree = TreePanel(t, self._want_tree)
                    case "game":
                        self._review = ReviewPanel(t, view.kind, self._start_review, self._jump)
        self._set_panel(self._panel)

    def _show(self, view: SessionView) -> None:
        analysis = view.analysis
        if analysis is not None and analysis.position != view.board:  # of the board before
            view = view.model_copy(update={"analysis": None})
        if self._editor is None:
            self._board.show(view, visits=self._method == "mcts", active=not view.over, editing=False)
        if self._reviewing and (view.review is None or view.review.done):
            self._wants_review = self._reviewing = False
            self._analyse()
        self._pass.set_visibility(view.must_pass)
        ahead = _ahead(view)
        if ahead is not None:
            self._fill.style(f"height: {50 + 50 * ahead:.1f}%")
        self._show_panel(view)
        self._moves.show(view, marks_of(view))
        self._no_moves.set_visibility(not view.moves)
        self._show_address()

    def _show_panel(self, view: SessionView) -> None:
        match self._panel:
            case "moves":
                self._ranked.show(view)
            case "why":
                self._evaluation_panel.show(view)
            case "tree":
                self._tree.show(view)
            case "game":
                self._review.show(view)

    def _show_address(self) -> None:
        """The position is in the address, so that it can be sent, and survives everything."""
        method = self._custom if self._method == "custom" else self._method
        address = analysis_url(self._session, method="" if method == "search" else method)
        if address != getattr(self, "_address", None):
            self._address = address
            ui.run_javascript(f"history.replaceState(history.state, '', {json.dumps(address)})")

    # What people do.

    def _play(self, move: str) -> None:
        shown = self._binding.view.cursor
        if not try_action(self._t, lambda: self._session.play(move, cursor=shown)):
            self._binding.refresh()

    def _jump(self, cursor: int) -> None:
        try_action(self._t, self._session.jump, cursor)

    def _step(self, step: int | str) -> None:
        cursor, last = self._session.cursor, len(self._session.moves)
        target = {"first": 0, "last": last, -1: cursor - 1, 1: cursor + 1}.get(step, cursor)
        if self._editor is None and 0 <= target <= last:
            self._session.jump(target)

    def _turn(self, on: bool) -> None:
        self._on = on
        if on:
            self._analyse()
        else:
            self._wants_review = self._reviewing = False
            self._manager.stop_analysis(self._session)

    def _analyse(self) -> None:
        if self._reviewing or not self._here:
            return
        method = self._custom.strip() if self._method == "custom" else self._method
        if self._on and method:
            try_action(
                self._t,
                lambda: self._manager.analyse(self._session, method, evaluation=self._evaluation_panel.evaluation),
            )

    def _set_method(self, method: str) -> None:
        self._method = method
        self._custom_row.set_visibility(method == "custom")
        self._analyse()

    def _write_custom(self, spec: str) -> None:
        self._custom = spec

    def _want_tree(self) -> None:
        self._methods.set("mcts")
        self._set_method("mcts")

    def _set_evaluation(self, evaluation: str) -> None:
        self._evaluation_panel.evaluation = evaluation
        self._analyse()

    def _set_panel(self, panel: str) -> None:
        self._panel = panel
        for name, body in self._bodies.items():
            body.set_visibility(name == panel)
        if hasattr(self, "_binding"):
            self._binding.refresh()

    def _start_review(self) -> None:
        """Reviews the game; the analysis waits meanwhile, for both would take longer than one after the other."""
        self._reviewing = False
        self._manager.stop_analysis(self._session)
        self._wants_review = self._reviewing = try_action(self._t, self._manager.review, self._session)
        if self._reviewing:
            self._binding.refresh()  # it may have ended already, if there was no room for it
        else:
            self._analyse()

    # Other positions.

    def _ask_game(self) -> None:
        t = self._t
        chosen = {"game": self._session.game}
        with ui.dialog(value=True) as dialog, ui.card().classes("fd-dialog"):
            text(t("tools.game_title"), "fd-heading")
            GamePicker(t, self._session.game, lambda game: chosen.update(game=game))
            with div("fd-row"):
                Button(t("tools.game_start"), lambda: _go(chosen["game"]), kind="primary", test="game-start")
                Button(t("editor.cancel"), dialog.close, kind="subtle")
        dialog.on("hide", lambda _: dialog.delete())

    def _ask_paste(self) -> None:
        paste_dialog(self._t, self._paste)

    def _paste(self, pasted: str) -> None:
        """Takes what was pasted for this game, or else for the other one."""
        try:
            self._take(pasted)
        except FlipdropError:
            other = "connect4" if self._session.game.name.startswith("othello") else "othello"
            try:
                session = self._manager.new(other, position=pasted, keep=False)
            except FlipdropError:
                pass
            else:
                ui.navigate.to(analysis_url(session))
                self._manager.remove(session)
                return
            raise

    def _take(self, position: str) -> None:
        """Puts a position on the board; one of another board has a page of its own."""
        before = self._session.game
        session = self._manager.new(before.name, position=position, keep=False)
        if session.game != before:
            ui.navigate.to(analysis_url(session))
        else:
            self._session.restart(session.positions[0], session.moves)
        self._manager.remove(session)

    def _ask_copy(self) -> None:
        async def show() -> None:
            origin = await ui.run_javascript("location.origin")
            copy_dialog(self._t, self._session, f"{origin}{analysis_url(self._session)}")

        ui.timer(0.0, show, once=True)

    def _set_up(self) -> None:
        self._end_setting()
        self._findings.set_visibility(False)
        with self._setting:
            self._editor = PositionEditor(
                self._t,
                view_of(self._session),
                on_change=lambda view: self._board.show(view, editing=True, active=False),
                on_done=self._set,
                on_cancel=self._end_setting,
            )

    def _cell(self, cell: int) -> None:
        if self._editor is not None:
            self._editor.click(cell)

    def _set(self, board: str) -> None:
        self._take(board)
        self._end_setting()

    def _end_setting(self) -> None:
        self._setting.clear()
        self._editor = None
        self._findings.set_visibility(True)
        self._binding.refresh()


def _ahead(view: SessionView) -> float | None:
    """How far the first side is ahead, -1 .. 1: as the analysis says, or else the review."""
    analysis, review = view.analysis, view.review
    if analysis is not None and (analysis.moves or (analysis.done and view.over)):
        return float(analysis.bar)
    known = review.graph[view.cursor] if review is not None and view.cursor < len(review.graph) else None
    return None if known is None else float(known)


def _go(game: Game) -> None:
    ui.navigate.to(analysis_start_url(game))
