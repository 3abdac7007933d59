"""Analyse: values of all moves, their reasons, and the review of a game, at ``/analyse/GAME?position=...``.

`flipdrop.interface.web.pages.analysis_query` describes the parameters.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games.pasted import link_fields
from flipdrop.interface.web.i18n import Translator
from flipdrop.interface.web.pages.analysis_controls import UNIT_COOKIE, AnalysisControls
from flipdrop.interface.web.pages.analysis_panels import EvaluationBar, EvaluationPanel, MovesPanel, TreePanel
from flipdrop.interface.web.pages.analysis_query import AnalysisQuery, BrowserHistory
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.display_names import game_title
from flipdrop.interface.web.pages.engine_options import COOKIE, EngineOptions
from flipdrop.interface.web.pages.game_panel import MoveList
from flipdrop.interface.web.pages.game_picker import GamePicker, game_or_othello
from flipdrop.interface.web.pages.import_export import export_dialog, import_dialog
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.lesson import MistakeLesson
from flipdrop.interface.web.pages.position_editor import PositionEditor
from flipdrop.interface.web.pages.review_panel import ReviewPanel, mistakes_of
from flipdrop.interface.web.pages.session_view import SessionActions, SessionBinding, try_action
from flipdrop.interface.web.pages.urls import analysis_start_url, analysis_url, play_url
from flipdrop.interface.web.pages.value_texts import bar_number, lead_text, view_lead
from flipdrop.interface.web.pages.widgets import Button, ErrorBanner, SegmentedControl, card, dialog, div
from flipdrop.interface.web.sessions.view import position_view, view_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.games import Position
    from flipdrop.interface.web.pages.analysis_query import GameInfo
    from flipdrop.interface.web.pages.value_texts import Unit
    from flipdrop.interface.web.schemas import SessionView, SideName
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session


_MAX_PREVIEWED = 60  # moves of a line


def mount(manager: SessionManager) -> None:
    @ui.page("/analyse")
    @ui.page("/analyse/{game}")
    def analyse(request: Request, game: str = "othello") -> None:
        query = AnalysisQuery.from_fields(game, request.query_params)
        error: FlipdropError | None = None
        try:
            session = query.open_session(manager)
        except FlipdropError as found:
            error = found
            session = manager.new(game_or_othello(game).name, keep=False, branching=True)
        title = game_title(Translator.for_request(request), session.game)
        with page_layout(request, section="analyse", title=title, heading=True) as t:
            if error is not None:
                ErrorBanner(t).show(error)
            AnalysisPage(manager, t, session, query, request, failed=error is not None)


class AnalysisPage(SessionActions):
    """The board, its analysis, and the tools.

    :param query: what the URL names; it keeps the names of the players while the game stays the same
    :param request: for the search method and the cookies with the options of the engine
    :param failed: whether the URL could not be read; it stays as it is until the board changes
    """

    def __init__(
        self,
        manager: SessionManager,
        t: Translator,
        session: Session,
        query: AnalysisQuery,
        request: Request,
        *,
        failed: bool,
    ) -> None:
        review = request.query_params.get("review") == "1"
        self._manager, self.t, self.session = manager, t, session
        self._connected = False
        self._wants_review, self._reviewing = review, False
        self._game = query.info
        self._editor: PositionEditor | None = None
        self._lesson: MistakeLesson | None = None
        self._previewed: Position | None = None  # the position whose line is shown on the board
        self._history = BrowserHistory(session, analysis_url(session) if failed else "", self._on_url)
        view = view_of(session)
        with div("fd-board-layout"):
            with div("fd-board-area"), div("fd-board-column"):
                self._build_board(view)
                self._build_tools()
            with div("fd-sidebar"):
                self._editor_slot = div("fd-slot")
                with card() as self._analysis_card:
                    self._build_controls(request)
                    self._build_panels()
                with card(t("moves.title")) as self._moves_card:
                    self._build_variation()
                    self._moves = MoveList(t, self.jump, empty=t("analysis.try"), on_line=self._show_line)
        self._set_game(query.info)
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
            self._bar = EvaluationBar(self.t, view.kind)
            self._board = Board(
                view,
                self.t,
                on_move=self.play,
                on_cell=self._on_cell,
                on_paint=self._on_paint,
                on_step=self.step,
                on_undo=self.undo,
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
            self._play_here = Button(t("tools.play"), href="/", icon="play", test="tool-play")
            Button(t("tools.game"), self._ask_game, icon="new", test="tool-game")
            ask = partial(import_dialog, t, self._paste, lambda record: self._load(AnalysisQuery.of_record(record)))
            Button(t("tools.paste"), ask, icon="paste", test="tool-paste")
            Button(t("tools.set_up"), self._start_editing, icon="edit", test="tool-set-up")
            Button(t("tools.export"), self._export, icon="copy", test="tool-export")

    def _build_variation(self) -> None:
        t = self.t
        with div("fd-row", test="variation-tools") as self._variation:
            Button(t("variation.back"), lambda: self._change(self.session.return_to_game), test="variation-back")
            div("fd-grow")
            for name, action in (
                ("promote", self.session.promote_variation),
                ("delete", self.session.delete_variation),
            ):
                change = partial(self._change, action)
                Button("", change, icon=name, hint=t(f"variation.{name}"), test=f"variation-{name}")

    def _build_controls(self, request: Request) -> None:
        self._controls = AnalysisControls(
            self.t,
            self.session.game,
            self._manager.limits,
            method=request.query_params.get("method", "search"),
            unit="win" if request.cookies.get(UNIT_COOKIE) == "win" else "discs",
            options=EngineOptions.from_cookie(request.cookies.get(COOKIE), self._manager.limits),
            on_change=self._analyse,
            on_switch=self._on_switch,
            on_unit=lambda: self.binding.refresh(),
        )

    def _build_panels(self) -> None:
        t = self.t
        names = {name: t(f"panel.{name}") for name in ("moves", "evaluation", "tree", "review")}
        self._tabs = SegmentedControl(names, "", self._on_tab, classes="fd-tabs fd-inner", test="panels")
        self._bodies = {name: div("fd-field fd-spaced") for name in names}
        with self._bodies["moves"]:
            moves = MovesPanel(t, on_line=self._play_line, on_hover=self._preview, on_deeper=self._go_deeper)
        with self._bodies["evaluation"]:
            self._evaluation = EvaluationPanel(t, self.session.game, self._analyse, self._preview)
        with self._bodies["tree"]:
            tree = TreePanel(t, self._controls.select_monte_carlo)
        with self._bodies["review"]:
            self._review = ReviewPanel(
                t, on_start=self._start_review, on_cancel=self._cancel_review, on_jump=self.jump, on_learn=self._learn
            )
        self._show_panel: dict[str, Callable[[SessionView, Unit], object]] = {
            "moves": moves.show,
            "evaluation": self._evaluation.show,
            "tree": tree.show,
            "review": self._review.show,
        }

    # Painting

    def _show(self, view: SessionView) -> None:
        if view.analysis is not None and view.analysis.position != view.board:  # of the position before
            view = view.model_copy(update={"analysis": None})
        if self._previewed is not None and self._previewed != self.session.position:
            self._previewed = None
        if self._editor is None and self._previewed is None:
            visits = self._controls.is_monte_carlo
            self._board.unit = self._controls.unit
            self._board.show(view, visits=visits, active=not view.over, editing=False, preview=False)
        if self._reviewing and (view.review is None or view.review.done):
            self._wants_review = self._reviewing = False
            self._analyse()
        self._pass.set_visibility(view.must_pass)
        self._play_here.set_href(play_url(self.session))
        self._play_here.set_visibility(not view.over)
        self._variation.set_visibility(view.branch is not None)
        self._show_lead(view)
        self._show_panel[self._tabs.value](view, self._controls.unit)
        marks = {ply: move.mark for ply, move in mistakes_of(view).items()}
        self._moves.show(view, marks, opening_plies=self._game.opening_plies)
        method = self._controls.method
        method = "" if method == "search" else method
        self._history.show(analysis_url(self.session, method=method, **self._game.to_query()))

    def _show_lead(self, view: SessionView) -> None:
        """Which side leads: the bar beside the board, its number, and a sentence."""
        value, unit = view.analysis.value if view.analysis else None, self._controls.unit
        self._bar.show(view_lead(view), bar_number(value, unit) if value else "")
        sentence = lead_text(self.t, view.kind, view.turn, value, unit) if value and view.turn else ""
        self._controls.lead.set_text(sentence)

    def _set_game(self, game: GameInfo) -> None:
        self._game = self._review.game = game

    def _on_url(self, url: str) -> None:
        """Shows the game that the URL names, after Back or Forward of the browser."""
        query = AnalysisQuery.from_url(url)
        try:
            found = query.open_session(self._manager)
        except FlipdropError:
            return
        if found.game == self.session.game and found.tree is not None:
            self._end_lesson()
            self._set_game(query.info)
            with self._history.restoring():
                self.session.load(found.tree, found.path)
        else:
            ui.navigate.to(url)
        self._manager.remove(found)

    # Actions

    @property
    def _is_busy(self) -> bool:
        """Whether a set-up or a lesson has the board."""
        return self._editor is not None or self._lesson is not None

    def play(self, move: str) -> None:
        if self._lesson is not None:
            self._lesson.try_move(move)
        else:
            super().play(move)

    def step(self, step: int | str) -> None:
        if not self._is_busy:
            super().step(step)

    def jump(self, cursor: int) -> None:
        """Shows the board after the first `cursor` moves of the game."""
        if not self._is_busy:
            self._go_to_ply(cursor)

    def _go_to_ply(self, cursor: int) -> None:
        moves = self.session.game_history.moves
        if self.session.tree is not None and 0 <= cursor <= len(moves):
            self._change(partial(self.session.go_to, moves[:cursor]))

    def undo(self, step: int) -> None:
        """Takes back the last change of the game or of a variation (-1), or repeats it (1)."""
        if not self._is_busy:
            self._change(self.session.undo_edit if step < 0 else self.session.redo_edit)

    def _show_line(self, moves: list[str]) -> None:
        self._change(partial(self.session.go_to, moves))

    def _play_line(self, moves: list[str]) -> None:
        """Plays the moves of a line that was clicked."""
        self._previewed = None
        self._change(partial(self.session.play_line, moves))

    def _preview(self, moves: list[str]) -> None:
        """Shows the board after moves of a line, with their numbers; without moves, the board of the session."""
        position, numbers = self.session.position, {}
        try:
            for number, name in enumerate(moves[:_MAX_PREVIEWED], 1):
                move = position.parse_move(name)
                cell = position.cell_of(move)
                position = position.play(move)
                if cell is not None:
                    numbers[cell] = number
        except FlipdropError:  # of a board that has changed since
            moves = []
        self._previewed = self.session.position if moves and self._editor is None else None
        if self._previewed is None:
            self.binding.refresh()
        else:
            view = position_view(position, id=self.session.id, version=self.session.version)
            self._board.show(view, numbers=numbers, active=False, preview=True)

    def _change(self, action: Callable[[], object]) -> None:
        try_action(self.t, action)

    def _on_switch(self, on: bool) -> None:
        if on:
            self._analyse()
        else:
            self._wants_review = self._reviewing = False
            self._manager.analysis.stop(self.session)

    def _analyse(self) -> None:
        """Starts the analysis, if it is on and no review runs."""
        controls = self._controls
        if controls.is_on and self._connected and controls.method and not self._reviewing and self._lesson is None:
            evaluation, options = self._evaluation.evaluation, controls.arguments
            analyse = partial(self._manager.analysis.start, evaluation=evaluation, **options)
            try_action(self.t, analyse, self.session, controls.method)

    def _go_deeper(self) -> None:
        try_action(self.t, self._manager.analysis.go_deeper, self.session)

    def _select_panel(self, name: str) -> None:
        self._tabs.set_value(name)
        for panel, body in self._bodies.items():
            body.set_visibility(panel == name)

    def _on_tab(self, name: str) -> None:
        self._select_panel(name)
        self._evaluation.clear_choice()
        self._preview([])

    def _start_review(self) -> None:
        """Reviews the game; the analysis waits, since both at once would take longer than one after the other."""
        self._reviewing = False
        self._manager.analysis.stop(self.session)
        opening = self._game.opening_plies
        review = partial(self._manager.analysis.review, self.session, seconds=self._review.seconds, opening=opening)
        self._wants_review = self._reviewing = try_action(self.t, review)
        if self._reviewing:
            self.binding.refresh()  # it may have ended at once, if the queue is full
        else:
            self._analyse()

    def _cancel_review(self) -> None:
        """Ends the review; the analysis starts again."""
        self._wants_review = self._reviewing = False
        self._manager.analysis.stop(self.session)
        self._analyse()

    def _learn(self, side: SideName) -> None:
        """Starts a lesson about the mistakes of a side; nothing on the page gives the answers away meanwhile."""
        self._end_lesson()
        self._manager.analysis.stop(self.session)
        for element in (self._analysis_card, self._moves_card):
            element.set_visibility(False)
        self._bar.set_blank(True)
        with self._editor_slot:
            self._lesson = MistakeLesson(
                self.t,
                view_of(self.session),
                side,
                self._controls.unit,
                on_show=self._go_to_ply,
                on_preview=self._preview,
                on_end=self._end_lesson,
            )

    def _end_lesson(self) -> None:
        if self._lesson is not None:
            self._lesson = self._previewed = None
            self._editor_slot.clear()
            for element in (self._analysis_card, self._moves_card):
                element.set_visibility(True)
            self._bar.set_blank(False)
            self._analyse()
            self.binding.refresh()

    # Other positions

    def _ask_game(self) -> None:
        t = self.t
        with dialog(t("tools.game_title")) as opened:
            picker = GamePicker(t, self.session.game, lambda _: None)
            with div("fd-row"):
                Button(
                    t("tools.game_start"),
                    lambda: ui.navigate.to(analysis_start_url(picker.game)),
                    kind="primary",
                    test="game-start",
                )
                Button(t("editor.cancel"), opened.close, kind="subtle")

    def _paste(self, pasted: str) -> None:
        """Loads pasted text for this game, otherwise for the other one; of a link of this page, all that it names."""
        linked = link_fields(pasted)
        if linked is not None and "/analyse/" in linked["path"]:
            self._load(AnalysisQuery.from_fields(linked["path"].rpartition("/")[2], linked))
            return
        try:
            self._load(AnalysisQuery(self.session.game.name, pasted))
        except FlipdropError as error:
            other = "connect4" if self.session.game.family == "othello" else "othello"
            try:
                self._load(AnalysisQuery(other, pasted))
            except FlipdropError:
                raise error from None

    def _load(self, query: AnalysisQuery) -> None:
        """Puts a game on the board; one on another board opens a page of its own."""
        session = query.open_session(self._manager)
        self._end_lesson()
        assert session.tree is not None
        if session.game != self.session.game:
            ui.navigate.to(analysis_url(session, **query.info.to_query()))
        else:
            self._set_game(query.info)
            self.session.load(session.tree, session.path)
        self._manager.remove(session)

    async def _export(self) -> None:
        origin = await ui.run_javascript("location.origin")
        export_dialog(self.t, self.session, f"{origin}{analysis_url(self.session, **self._game.to_query())}")

    def _start_editing(self) -> None:
        self._end_lesson()
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

    def _on_paint(self, cell: int) -> None:
        if self._editor is not None:
            self._editor.paint(cell)

    def _finish_editing(self, board: str) -> None:
        self._load(AnalysisQuery(self.session.game.name, board))
        self._stop_editing()

    def _stop_editing(self) -> None:
        self._editor_slot.clear()
        self._editor = None
        self._analysis_card.set_visibility(True)
        self.binding.refresh()
