"""Analyse: what every move is worth, why, and what a whole game was worth, at ``/analyse/GAME?position=...``.

The address says everything: ``position`` is a transcript or a board string, ``moves`` the moves after a board string,
``at`` how many moves are on the board, ``method`` how it is analysed, and ``review`` whether the game is reviewed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import read_transcript
from flipdrop.interface.web.pages.addresses import analysis_link, analysis_start
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.choosing import GameChoice, game_title
from flipdrop.interface.web.pages.findings import RankedMoves, Reasons, Review, Tree, marks_of
from flipdrop.interface.web.pages.following import Following, attempt
from flipdrop.interface.web.pages.frame import frame
from flipdrop.interface.web.pages.parts import Button, Choice, Switch, box, card, entry, text
from flipdrop.interface.web.pages.setting_up import Workbench, copy_dialog, paste_dialog
from flipdrop.interface.web.pages.table import MoveList
from flipdrop.interface.web.pages.troubles import TroubleNote
from flipdrop.interface.web.pages.words import Words
from flipdrop.interface.web.sessions.analysis import METHODS
from flipdrop.interface.web.sessions.view import view_of

if TYPE_CHECKING:
    from flipdrop.games import Game
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
    words = Words.of(request)
    asked = request.query_params
    trouble: FlipdropError | None = None
    try:
        session = _session(manager, game, asked.get("position", ""), asked.get("moves", ""), asked.get("at", ""))
    except FlipdropError as error:
        trouble = error
        session = manager.new("othello", keep=False)
    with frame(request, words, here="analyse", title=game_title(words, session.game)):
        if trouble is not None:
            TroubleNote(words).show(trouble)
        Desk(manager, words, session, method=asked.get("method", "search"), review=asked.get("review") == "1")


def _session(manager: SessionManager, game: str, position: str, moves: str, at: str) -> Session:
    session = manager.new(game, position=position, keep=False)
    if moves:
        start = session.positions[-1]
        session.restart(start, read_transcript(start, moves[: manager.limits.text])[0])
    if at.isascii() and at.isdigit() and len(at) < 4:
        session.jump(min(int(at), len(session.moves)))
    return session


class Desk:
    """The board, its analysis, and the tools."""

    def __init__(self, manager: SessionManager, words: Words, session: Session, *, method: str, review: bool) -> None:
        self._manager, self._words, self._session = manager, words, session
        self._method, self._own = (method, "") if method in METHODS else ("own", method)
        self._on, self._here = True, False
        self._wants_review, self._reviewing = review, False
        self._panel = "game" if review else "moves"
        self._workbench: Workbench | None = None
        view = view_of(session)
        with box("fd-table"):
            with box("fd-stage"), box("fd-column-of-board"):
                self._bar_and_board(view)
                self._tools()
            with box("fd-side") as self._side:
                self._setting = box("fd-place")
                with card() as self._findings:
                    self._controls()
                    self._panels(view)
                with card(words("moves.title")):
                    self._moves = MoveList(words, self._jump)
                    self._no_moves = text(words("analysis.try"), "fd-soft fd-small")
        self._following = Following(session, self._show)
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

    def _bar_and_board(self, view: dict[str, Any]) -> None:
        with box("fd-stage fd-full"):  # the board is not in a box of its own, so that the bar stands right beside it
            with box(f"fd-bar fd-{view['kind']}") as bar:
                bar._props |= {"title": self._words("analysis.bar"), "data-test": "bar"}
                self._fill = box(tag="i")
            self._board = Board(
                view,
                self._words,
                on_move=self._play,
                on_cell=self._cell,
                on_step=self._step,
                on_undo=self._step,
                active=True,
                scores=True,
                history=True,
            )

    def _tools(self) -> None:
        words = self._words
        with box("fd-row wrap fd-toolbar"):
            self._stepper("first", "first")
            self._stepper("back", -1)
            self._stepper("forward", 1)
            self._stepper("last", "last")
            self._pass = Button(words("play.pass"), lambda: self._play("pass"), kind="main", test="pass")
            box("fd-grow")
            Button(words("tools.game"), self._ask_game, icon="new", test="tool-game")
            Button(words("tools.paste"), self._ask_paste, icon="paste", test="tool-paste")
            Button(words("tools.set_up"), self._set_up, icon="edit", test="tool-set-up")
            Button(words("tools.copy"), self._ask_copy, icon="copy", test="tool-copy")

    def _stepper(self, name: str, step: int | str) -> None:
        Button("", lambda: self._step(step), icon=name, hint=self._words(f"step.{name}"), test=f"step-{name}")

    def _controls(self) -> None:
        words = self._words
        with box("fd-row apart"):
            text(words("analysis.title"), "fd-heading", tag="h2")
            Switch(True, self._turn, hint=words("analysis.title"), test="analysis-on")
        methods = {method: words(f"method.{method}") for method in (*METHODS, "own")}
        self._methods = Choice(methods, self._method, self._set_method, test="method")
        with box("fd-row") as self._own_row:
            entry(self._own, self._write_own, placeholder="level:8", test="own", on_enter=self._analyse)
            Button(words("method.go"), self._analyse, test="own-go")
        self._own_row.set_visibility(self._method == "own")

    def _panels(self, view: dict[str, Any]) -> None:
        words = self._words
        self._tabs = Choice(
            {panel: words(f"panel.{panel}") for panel in PANELS},
            self._panel,
            self._set_panel,
            classes="fd-tabs fd-inner",
            test="panels",
        )
        self._bodies = {}
        for panel in PANELS:
            with box("fd-field fd-loose") as body:
                self._bodies[panel] = body
                match panel:
                    case "moves":
                        self._ranked = RankedMoves(words, self._play)
                    case "why":
                        self._reasons = Reasons(words, self._session.game, self._set_evaluation)
                    case "tree":
                        self._tree = Tree(words, self._want_tree)
                    case "game":
                        self._review = Review(words, view["kind"], self._start_review, self._jump)
        self._set_panel(self._panel)

    def _show(self, view: dict[str, Any]) -> None:
        analysis = view["analysis"]
        if analysis is not None and analysis["position"] != view["board"]:  # of the board before
            view = view | {"analysis": None}
        if self._workbench is None:
            self._board.show(view, visits=self._method == "mcts", active=not view["over"], editing=False)
        if self._reviewing and (view["review"] is None or view["review"]["done"]):
            self._wants_review = self._reviewing = False
            self._analyse()
        self._pass.set_visibility(view["pass"])
        ahead = _ahead(view)
        if ahead is not None:
            self._fill.style(f"height: {50 + 50 * ahead:.1f}%")
        self._show_panel(view)
        self._moves.show(view, marks_of(view))
        self._no_moves.set_visibility(not view["moves"])
        self._show_address()

    def _show_panel(self, view: dict[str, Any]) -> None:
        match self._panel:
            case "moves":
                self._ranked.show(view)
            case "why":
                self._reasons.show(view)
            case "tree":
                self._tree.show(view)
            case "game":
                self._review.show(view)

    def _show_address(self) -> None:
        """The position is in the address, so that it can be sent, and survives everything."""
        method = self._own if self._method == "own" else self._method
        address = analysis_link(self._session, method="" if method == "search" else method)
        if address != getattr(self, "_address", None):
            self._address = address
            ui.run_javascript(f"history.replaceState(history.state, '', {json.dumps(address)})")

    # What people do.

    def _play(self, move: str) -> None:
        shown = self._following.view["cursor"]
        if not attempt(self._words, lambda: self._session.play(move, cursor=shown)):
            self._following.show_now()

    def _jump(self, cursor: int) -> None:
        attempt(self._words, self._session.jump, cursor)

    def _step(self, step: int | str) -> None:
        cursor, last = self._session.cursor, len(self._session.moves)
        target = {"first": 0, "last": last, -1: cursor - 1, 1: cursor + 1}.get(step, cursor)
        if self._workbench is None and 0 <= target <= last:
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
        method = self._own.strip() if self._method == "own" else self._method
        if self._on and method:
            attempt(
                self._words, lambda: self._manager.analyse(self._session, method, evaluation=self._reasons.evaluation)
            )

    def _set_method(self, method: str) -> None:
        self._method = method
        self._own_row.set_visibility(method == "own")
        self._analyse()

    def _write_own(self, spec: str) -> None:
        self._own = spec

    def _want_tree(self) -> None:
        self._methods.set("mcts")
        self._set_method("mcts")

    def _set_evaluation(self, evaluation: str) -> None:
        self._reasons.evaluation = evaluation
        self._analyse()

    def _set_panel(self, panel: str) -> None:
        self._panel = panel
        for name, body in self._bodies.items():
            body.set_visibility(name == panel)
        if hasattr(self, "_following"):
            self._following.show_now()

    def _start_review(self) -> None:
        """Reviews the game; the analysis waits meanwhile, for both would take longer than one after the other."""
        self._reviewing = False
        self._manager.stop_analysis(self._session)
        self._wants_review = self._reviewing = attempt(self._words, self._manager.review, self._session)
        if self._reviewing:
            self._following.show_now()  # it may have ended already, if there was no room for it
        else:
            self._analyse()

    # Other positions.

    def _ask_game(self) -> None:
        words = self._words
        chosen = {"game": self._session.game}
        with ui.dialog(value=True) as dialog, ui.card().classes("fd-dialog"):
            text(words("tools.game_title"), "fd-heading")
            GameChoice(words, self._session.game, lambda game: chosen.update(game=game))
            with box("fd-row"):
                Button(words("tools.game_start"), lambda: _go(chosen["game"]), kind="main", test="game-start")
                Button(words("setting.cancel"), dialog.close, kind="quiet")
        dialog.on("hide", lambda _: dialog.delete())

    def _ask_paste(self) -> None:
        paste_dialog(self._words, self._paste)

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
                ui.navigate.to(analysis_link(session))
                self._manager.remove(session)
                return
            raise

    def _take(self, position: str) -> None:
        """Puts a position on the board; one of another board has a page of its own."""
        before = self._session.game
        session = self._manager.new(before.name, position=position, keep=False)
        if session.game != before:
            ui.navigate.to(analysis_link(session))
        else:
            self._session.restart(session.positions[0], session.moves)
        self._manager.remove(session)

    def _ask_copy(self) -> None:
        async def show() -> None:
            origin = await ui.run_javascript("location.origin")
            copy_dialog(self._words, self._session, f"{origin}{analysis_link(self._session)}")

        ui.timer(0.0, show, once=True)

    def _set_up(self) -> None:
        self._end_setting()
        self._findings.set_visibility(False)
        with self._setting:
            self._workbench = Workbench(
                self._words,
                view_of(self._session),
                on_change=lambda view: self._board.show(view, editing=True, active=False),
                on_done=self._set,
                on_cancel=self._end_setting,
            )

    def _cell(self, cell: int) -> None:
        if self._workbench is not None:
            self._workbench.click(cell)

    def _set(self, board: str) -> None:
        self._take(board)
        self._end_setting()

    def _end_setting(self) -> None:
        self._setting.clear()
        self._workbench = None
        self._findings.set_visibility(True)
        self._following.show_now()


def _ahead(view: dict[str, Any]) -> float | None:
    """How far the first side is ahead, -1 .. 1: as the analysis says, or else the review."""
    analysis, review = view["analysis"], view["review"]
    if analysis is not None and (analysis["moves"] or (analysis["done"] and view["over"])):
        return float(analysis["bar"])
    known = review["graph"][view["cursor"]] if review is not None and view["cursor"] < len(review["graph"]) else None
    return None if known is None else float(known)


def _go(game: Game) -> None:
    ui.navigate.to(analysis_start(game))
