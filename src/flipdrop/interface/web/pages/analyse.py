"""Analyse: values of all moves, their reasons, and the review of a game, at ``/analyse/GAME?position=...``.

The URL holds everything: ``position`` is a transcript or a board string, ``moves`` the moves after a board string,
``at`` the number of moves on the board, ``method`` the search, and ``review=1`` starts the review of the game.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import read_transcript
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.analysis_panels import (
    EvaluationPanel,
    MovesPanel,
    ReviewPanel,
    TreePanel,
    mistakes_of,
)
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.game_panel import MoveList
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.pickers import GamePicker, game_title
from flipdrop.interface.web.pages.position_editor import PositionEditor, export_dialog, paste_dialog
from flipdrop.interface.web.pages.session_view import SessionActions, SessionBinding, try_action
from flipdrop.interface.web.pages.urls import analysis_start_url, analysis_url
from flipdrop.interface.web.pages.widgets import (
    Button,
    ErrorBanner,
    SegmentedControl,
    Switch,
    card,
    dialog,
    div,
    text,
    text_input,
)
from flipdrop.interface.web.sessions.analysis_service import METHODS
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from flipdrop.interface.web.schemas import SessionView
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session


def mount(manager: SessionManager) -> None:
    @ui.page("/analyse")
    @ui.page("/analyse/{game}")
    def analyse(
        request: Request,
        game: str = "othello",
        position: str = "",
        moves: str = "",
        at: str = "",
        method: str = "search",
        review: str = "",
    ) -> None:
        error: FlipdropError | None = None
        try:
            session = _open_session(manager, game, position, moves, at)
        except FlipdropError as found:
            error = found
            session = manager.new("othello", keep=False)
        title = game_title(Translator.for_request(request), session.game)
        with page_layout(request, section="analyse", title=title) as t:
            if error is not None:
                ErrorBanner(t).show(error)
            AnalysisPage(manager, t, session, method=method, review=review == "1")


def _open_session(manager: SessionManager, game: str, position: str, moves: str, at: str) -> Session:
    session = manager.new(game, position=position, keep=False)
    if moves:
        start = session.positions[-1]
        session.restart(start, read_transcript(start, moves[: manager.limits.text])[0])
    if at.isascii() and at.isdigit() and len(at) < 4:
        session.jump(min(int(at), len(session.moves)))
    return session


class AnalysisPage(SessionActions):
    """The board, its analysis, and the tools."""

    def __init__(self, manager: SessionManager, t: Translator, session: Session, *, method: str, review: bool) -> None:
        self._manager, self.t, self.session = manager, t, session
        self._method, self._custom = (method, "") if method in METHODS else ("custom", method)
        self._on, self._connected = True, False
        self._wants_review, self._reviewing = review, False
        self._editor: PositionEditor | None = None
        self._url = ""
        view = view_of(session)
        with div("fd-board-layout"):
            with div("fd-board-area"), div("fd-board-column"):
                self._build_board(view)
                self._build_tools()
            with div("fd-sidebar"):
                self._editor_slot = div("fd-slot")
                with card() as self._analysis_card:
                    self._build_controls()
                    self._build_panels()
                with card(t("moves.title")):
                    self._moves = MoveList(t, self.jump, empty=t("analysis.try"))
        self._select_panel("review" if review else "moves")
        self.binding = SessionBinding(session, self._show)
        client = ui.context.client
        # Searches run only while a browser is connected to the page.
        client.on_connect(self._on_connect)
        client.on_disconnect(self._on_disconnect)
        client.on_delete(lambda: manager.remove(session))

    def _on_connect(self) -> None:
        self._connected = True
        if self.session.moves and self._wants_review:
            self._start_review()
        else:
            self._analyse()

    def _on_disconnect(self) -> None:
        """Stops searching; an unfinished review starts again with the next connection."""
        self._connected = self._reviewing = False
        self._manager.analysis.stop(self.session)

    # Building

    def _build_board(self, view: SessionView) -> None:
        with div("fd-board-area fd-full"):  # bar and board in one container, so that the bar touches the board
            with div(f"fd-eval-bar fd-{view.kind}", title=self.t("analysis.bar"), test="bar"):
                self._bar = div(tag="i")
            self._board = Board(
                view,
                self.t,
                on_move=self.play,
                on_cell=self._on_cell,
                on_step=self.step,
                on_undo=self.step,
                active=True,
                scores=True,
                history=True,
            )

    def _build_tools(self) -> None:
        t = self.t
        with div("fd-row wrap fd-toolbar"):
            for name in ("first", "back", "forward", "last"):
                self.step_button(name)
            self._pass = Button(t("play.pass"), lambda: self.play("pass"), kind="primary", test="pass")
            div("fd-grow")
            Button(t("tools.game"), self._ask_game, icon="new", test="tool-game")
            Button(t("tools.paste"), lambda: paste_dialog(t, self._paste), icon="paste", test="tool-paste")
            Button(t("tools.set_up"), self._start_editing, icon="edit", test="tool-set-up")
            Button(t("tools.export"), self._export, icon="copy", test="tool-export")

    def _build_controls(self) -> None:
        t = self.t
        with div("fd-row apart"):
            text(t("analysis.title"), "fd-heading", tag="h2")
            Switch(True, self._switch, hint=t("analysis.title"), test="analysis-on")
        methods = {method: t(f"method.{method}") for method in (*METHODS, "custom")}
        self._methods = SegmentedControl(methods, self._method, self._set_method, test="method")
        with div("fd-row") as self._custom_row:
            text_input(self._custom, self._set_custom, placeholder="level:8", test="custom", on_enter=self._analyse)
            Button(t("method.go"), self._analyse, test="custom-go")
        self._custom_row.set_visibility(self._method == "custom")

    def _build_panels(self) -> None:
        t = self.t
        names = {name: t(f"panel.{name}") for name in ("moves", "evaluation", "tree", "review")}
        self._tabs = SegmentedControl(names, "", self._on_tab, classes="fd-tabs fd-inner", test="panels")
        self._bodies = {name: div("fd-field fd-spaced") for name in names}
        with self._bodies["moves"]:
            moves = MovesPanel(t, self.play)
        with self._bodies["evaluation"]:
            self._evaluation = EvaluationPanel(t, self.session.game, self._analyse)
        with self._bodies["tree"]:
            tree = TreePanel(t, self._start_tree_search)
        with self._bodies["review"]:
            review = ReviewPanel(t, self._start_review, self.jump)
        self._show_panel = {
            "moves": moves.show,
            "evaluation": self._evaluation.show,
            "tree": tree.show,
            "review": review.show,
        }

    # Painting

    def _show(self, view: SessionView) -> None:
        if view.analysis is not None and view.analysis.position != view.board:  # of the position before
            view = view.model_copy(update={"analysis": None})
        if self._editor is None:
            self._board.show(view, visits=self._method == "mcts", active=not view.over, editing=False)
        if self._reviewing and (view.review is None or view.review.done):
            self._wants_review = self._reviewing = False
            self._analyse()
        self._pass.set_visibility(view.must_pass)
        lead = _lead(view)
        if lead is not None:
            self._bar.style(f"height: {50 + 50 * lead:.1f}%")
        self._show_panel[self._tabs.value](view)
        self._moves.show(view, {ply: move.mark for ply, move in mistakes_of(view).items()})
        self._show_url()

    def _show_url(self) -> None:
        """Keeps the position in the URL, so that it can be shared and survives a reload."""
        method = {"search": "", "custom": self._custom}.get(self._method, self._method)
        url = analysis_url(self.session, method=method)
        if url != self._url:
            self._url = url
            ui.run_javascript(f"history.replaceState(history.state, '', {json.dumps(url)})")

    # Actions

    def step(self, step: int | str) -> None:
        if self._editor is None:
            super().step(step)

    def _switch(self, on: bool) -> None:
        self._on = on
        if on:
            self._analyse()
        else:
            self._wants_review = self._reviewing = False
            self._manager.analysis.stop(self.session)

    def _analyse(self) -> None:
        """Starts the analysis, if it is on and no review runs."""
        method = self._custom.strip() if self._method == "custom" else self._method
        if self._on and self._connected and method and not self._reviewing:
            analyse = partial(self._manager.analysis.start, evaluation=self._evaluation.evaluation)
            try_action(self.t, analyse, self.session, method)

    def _set_method(self, method: str) -> None:
        self._method = method
        self._custom_row.set_visibility(method == "custom")
        self._analyse()

    def _set_custom(self, spec: str) -> None:
        self._custom = spec

    def _start_tree_search(self) -> None:
        self._methods.set_value("mcts")
        self._set_method("mcts")

    def _select_panel(self, name: str) -> None:
        self._tabs.set_value(name)
        for panel, body in self._bodies.items():
            body.set_visibility(panel == name)

    def _on_tab(self, name: str) -> None:
        self._select_panel(name)
        self.binding.refresh()

    def _start_review(self) -> None:
        """Reviews the game; the analysis waits, since both at once would take longer than one after the other."""
        self._reviewing = False
        self._manager.analysis.stop(self.session)
        self._wants_review = self._reviewing = try_action(self.t, self._manager.analysis.review, self.session)
        if self._reviewing:
            self.binding.refresh()  # it may have ended at once, if the queue is full
        else:
            self._analyse()

    # Other positions

    def _ask_game(self) -> None:
        t = self.t
        with dialog(t("tools.game_title")) as opened:
            picker = GamePicker(t, self.session.game, lambda _: None)
            with div("fd-row"):
                open_game = lambda: ui.navigate.to(analysis_start_url(picker.game))  # noqa: E731
                Button(t("tools.game_start"), open_game, kind="primary", test="game-start")
                Button(t("editor.cancel"), opened.close, kind="subtle")

    def _paste(self, pasted: str) -> None:
        """Loads pasted text for this game, otherwise for the other one."""
        try:
            self._load(self.session.game.name, pasted)
        except FlipdropError as error:
            other = "connect4" if self.session.game.name.startswith("othello") else "othello"
            try:
                self._load(other, pasted)
            except FlipdropError:
                raise error from None

    def _load(self, game: str, position: str) -> None:
        """Puts a position on the board; a position of another board opens a page of its own."""
        session = self._manager.new(game, position=position, keep=False)
        if session.game != self.session.game:
            ui.navigate.to(analysis_url(session))
        else:
            self.session.restart(session.positions[0], session.moves)
        self._manager.remove(session)

    async def _export(self) -> None:
        origin = await ui.run_javascript("location.origin")
        export_dialog(self.t, self.session, f"{origin}{analysis_url(self.session)}")

    def _start_editing(self) -> None:
        self._stop_editing()
        self._analysis_card.set_visibility(False)
        with self._editor_slot:
            self._editor = PositionEditor(
                self.t,
                view_of(self.session),
                on_change=lambda view: self._board.show(view, editing=True, active=False),
                on_done=self._finish_editing,
                on_cancel=self._stop_editing,
            )

    def _on_cell(self, cell: int) -> None:
        if self._editor is not None:
            self._editor.click(cell)

    def _finish_editing(self, board: str) -> None:
        self._load(self.session.game.name, board)
        self._stop_editing()

    def _stop_editing(self) -> None:
        self._editor_slot.clear()
        self._editor = None
        self._analysis_card.set_visibility(True)
        self.binding.refresh()


def _lead(view: SessionView) -> float | None:
    """The lead of the first side, -1 .. 1, as the analysis or otherwise the review knows it."""
    analysis, review = view.analysis, view.review
    if analysis is not None and (analysis.moves or (analysis.done and view.over)):
        return analysis.bar
    return review.graph[view.cursor] if review is not None and view.cursor < len(review.graph) else None
