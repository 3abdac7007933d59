"""Puzzles at ``/puzzles?game=GAME&seed=N``: find the one winning move. Without a seed they are the puzzles of the day.

With ``source=games`` they come from games that were played: in this browser, and in the arena of this server.

The browser keeps the streak: the days in a row on which a set of the day was solved.
"""

from __future__ import annotations

import asyncio
import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from fastapi import Request  # noqa: TC002 - read at run time
from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import game as game_of
from flipdrop.games.records import GameRecord
from flipdrop.interface.web.pages.board import Board
from flipdrop.interface.web.pages.display_names import side_name
from flipdrop.interface.web.pages.game_panel import player_name
from flipdrop.interface.web.pages.layout import page_layout
from flipdrop.interface.web.pages.my_games import on_my_games, send_my_games
from flipdrop.interface.web.pages.urls import position_analysis_url
from flipdrop.interface.web.pages.widgets import (
    Button,
    SegmentedControl,
    card,
    div,
    notify_error,
    raw_html,
    set_class,
    text,
    typed_handler,
)
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.sessions.puzzle_service import NoPuzzle
from flipdrop.interface.web.sessions.session import name_of_side
from flipdrop.interface.web.sessions.view import move_view, position_view, view_of
from flipdrop.interface.web.templating import render
from flipdrop.search.puzzles import GAMES, LEVELS

if TYPE_CHECKING:
    from flipdrop.games import Position
    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import LastMove
    from flipdrop.interface.web.services import Services
    from flipdrop.interface.web.sessions.session import Session
    from flipdrop.search.puzzles import Puzzle

_MAX_GAMES = 500  # of the arena that are searched for puzzles
REPLY_SECONDS = 0.7
"""Time between a move of the player and the reply."""
_MAX_STREAK = 10**12
_EVENT = "flipdrop-streak"
_KEY = "flipdrop-puzzles"
# The streak as it is today: it ends if yesterday's set was not solved. A solved set counts once a day.
_STREAK = (
    "{let kept = {}; try {kept = JSON.parse(localStorage.getItem('KEY') ?? '{}')} catch {};"
    "let days = DAY - kept.day <= 1 ? kept.days : 0;"
    "if (SOLVED && kept.day !== DAY) {days = (days || 0) + 1;"
    "localStorage.setItem('KEY', JSON.stringify({day: DAY, days}))} emitEvent('EVENT', days || 0)}"
)


def mount(services: Services) -> None:
    @ui.page("/puzzles")
    def puzzles(request: Request, game: str = "othello", seed: str = "", source: str = "") -> None:
        with page_layout(request, section="puzzles") as t:
            number = int(seed) if seed.isascii() and seed.isdigit() and len(seed) <= 12 else None
            PuzzlePage(services, t, game if game in GAMES else GAMES[0], number, played=source == "games")


class PuzzlePage:
    """A set of puzzles, one after the other.

    :param seed: of the set; None for that of the day
    :param played: whether they come from games that were played
    """

    def __init__(self, services: Services, t: Translator, game: str, seed: int | None, *, played: bool) -> None:
        self._services, self._t, self._game = services, t, game_of(game)
        self._day = datetime.now(UTC).date()
        self._played = played
        self._is_daily = seed is None and not played
        self._records: list[GameRecord] | None = None
        self._seed = self._day.toordinal() if seed is None else seed
        self._puzzle: Puzzle | None = None
        self._position: Position = self._game.start()
        self._last: LastMove | None = None
        self._number = self._found = 0
        self._states = [""] * len(LEVELS)
        self._has_given_up = False
        with div("fd-board-layout"):
            with div("fd-board-area"):
                self._board = Board(position_view(self._position), t, on_move=self._on_move)
            with div("fd-sidebar"):
                self._build_panel(game)
        ui.on(_EVENT, typed_handler(self._show_streak, int))
        on_my_games(self._on_my_games)
        ui.context.client.on_connect(self._on_connect)

    def _build_panel(self, game: str) -> None:
        t = self._t
        with card():
            title = t("puzzles.daily", day=self._day.isoformat()) if self._is_daily else t("puzzles.set")
            text(title, "fd-title fd-no-margin", tag="h1")
            names = {name: t(f"puzzles.game.{name}") for name in GAMES}
            source = "games" if self._played else ""
            SegmentedControl(names, game, lambda name: _open(name, source), test="puzzle-game")
            sources = {source: t(f"puzzles.source.{source or 'made'}") for source in ("", "games")}
            SegmentedControl(sources, source, lambda source: _open(game, source), test="puzzle-source")
            self._steps = raw_html("", tag="div", test="puzzle-steps")
            with div("fd-status", role="status") as self._status:
                self._message = text("", test="puzzle-message")
            with div("fd-row wrap"):
                self._next = Button(t("lesson.next"), self._advance, icon="forward", kind="primary", test="puzzle-next")
                self._answer = Button(t("lesson.solution"), self._show_answer, test="puzzle-answer")
                self._analyse = Button(t("play.analyse"), href="/analyse", icon="analyse", test="puzzle-analyse")
            self._origin = text("", "fd-small fd-muted", test="puzzle-origin")
            self._streak = text("", "fd-small fd-muted", test="puzzle-streak")
            new = _url(game, source, secrets.randbelow(10**6))
            self._new = Button(t("puzzles.more"), href=new, icon="new", test="puzzle-more")
            text(t("puzzles.hint"), "fd-small fd-muted")
        self._show_buttons(solved=False)

    async def _on_connect(self) -> None:
        self._send_streak(solved=False)
        if self._puzzle is None and self._played and self._records is None:
            send_my_games()
        elif self._puzzle is None:
            await self._load()

    async def _on_my_games(self, ids: list[str]) -> None:
        """Collects the games that were played in this browser and in the arena."""
        if not self._played or self._records is not None:
            return
        self._records = [_record_of(self._t, session) for session in self._services.sessions.stored(ids)]
        results = self._services.jobs.results
        try:
            self._records += await asyncio.to_thread(results.played_games, self._game.name, _MAX_GAMES)
        except FlipdropError as error:
            notify_error(self._t, error)
        await self._load()

    async def _load(self) -> None:
        """Finds the current puzzle and shows it."""
        self._say(self._t("puzzles.making"))
        try:
            self._puzzle = await self._find()
        except NoPuzzle:
            self._say(self._t("puzzles.none", level=LEVELS[self._number]), "warning")
            self._states[self._number] = "wrong"
            self._show_buttons(solved=True)
            self._answer.set_visibility(False)
            self._analyse.set_visibility(False)
            self._show(active=False)
            return
        except FlipdropError as error:
            notify_error(self._t, error)
            return
        self._position, self._last, self._found = self._puzzle.position, None, 0
        self._origin.set_text(self._t("puzzles.origin", game=self._puzzle.origin) if self._puzzle.origin else "")
        side = side_name(self._t, self._game.family, name_of_side(self._position.to_move))
        self._say(self._t("puzzles.task", side=side))
        self._analyse.set_href(position_analysis_url(self._position))
        self._show_buttons(solved=False)
        self._show()

    async def _find(self) -> Puzzle:
        puzzles, level = self._services.puzzles, LEVELS[self._number]
        if self._records is not None:
            return await puzzles.puzzle_in_games(self._records, self._game, seed=self._seed, level=level)
        return await puzzles.puzzle(self._game, seed=self._seed, number=self._number, level=level)

    def _show(self, *, active: bool = True) -> None:
        self._board.show(position_view(self._position, self._last, id=f"puzzle {self._number}"), active=active)
        steps = render("puzzle_steps", states=self._states, current=self._number, t=self._t)
        self._steps.set_content(steps)

    def _show_buttons(self, *, solved: bool) -> None:
        is_last = self._number + 1 == len(LEVELS)
        self._next.set_visibility(solved and not is_last)
        self._answer.set_visibility(not solved)
        self._analyse.set_visibility(solved)
        self._new.set_visibility(solved and is_last)

    async def _on_move(self, name: str) -> None:
        puzzle = self._puzzle
        if puzzle is None or self._found >= len(puzzle.line) or self._position.is_over:
            return
        move = self._position.parse_move(name)
        if move != puzzle.line[self._found]:
            self._states[self._number] = "wrong"
            self._say(self._t("puzzles.wrong", move=name), "warning")
            self._show()
            return
        self._play(move)
        if self._found == len(puzzle.line):
            self._states[self._number] = self._states[self._number] or "solved"
            self._end(self._t("puzzles.solved"))
            return
        self._say(self._t("puzzles.right", move=name))
        self._show(active=False)
        await asyncio.sleep(REPLY_SECONDS)
        if self._puzzle is puzzle and self._found % 2:
            self._play(puzzle.line[self._found])
            self._show()

    def _play(self, move: int) -> None:
        self._last = move_view(self._position, move)
        self._position = self._position.play(move)
        self._found += 1

    def _show_answer(self) -> None:
        """Plays the rest of the line."""
        if self._puzzle is not None:
            line = " ".join(self._puzzle.names)
            for move in self._puzzle.line[self._found :]:
                self._play(move)
            self._states[self._number] = "wrong"
            self._has_given_up = True
            self._end(self._t("puzzles.answer", line=line))

    def _end(self, message: str) -> None:
        is_last = self._number + 1 == len(LEVELS)
        if is_last:
            solved = self._states.count("solved")
            message += " " + self._t("puzzles.done", solved=solved, total=len(LEVELS))
            self._send_streak(solved=self._is_daily and not self._has_given_up)
        self._say(message, "result" if self._states[self._number] == "solved" else "")
        self._show_buttons(solved=True)
        self._show(active=False)

    async def _advance(self) -> None:
        self._number = min(self._number + 1, len(LEVELS) - 1)
        self._puzzle = None
        await self._load()

    def _say(self, message: str, tone: str = "") -> None:
        self._message.set_text(message)
        for name in ("warning", "result"):
            set_class(self._status, name, name == tone)

    def _send_streak(self, *, solved: bool) -> None:
        script = _STREAK.replace("KEY", _KEY).replace("EVENT", _EVENT).replace("SOLVED", str(solved).lower())
        ui.run_javascript(script.replace("DAY", str(self._day.toordinal())))

    def _show_streak(self, days: int) -> None:
        self._streak.set_text(self._t("puzzles.streak", days=days) if 0 < days < _MAX_STREAK else "")


def _record_of(t: Translator, session: Session) -> GameRecord:
    """A game of this browser, with the names of its players."""
    view = view_of(session)
    first, second = (player_name(t, view, side) for side in SIDE_NAMES)
    return GameRecord(session.positions[0], session.moves, first=first, second=second)


def _open(game: str, source: str) -> None:
    ui.navigate.to(_url(game, source))


def _url(game: str, source: str, seed: int | None = None) -> str:
    fields = {"game": game, "source": source, "seed": "" if seed is None else str(seed)}
    return "/puzzles?" + urlencode({name: value for name, value in fields.items() if value})
