"""What the URL of an analysis names: ``/analyse/GAME?position=...``.

The URL holds everything: ``position`` is a transcript or a board string, ``moves`` the moves after a board string,
``at`` the number of moves on the board, ``line`` the moves on the board if they are a variation, ``method`` the search,
and ``review=1`` starts the review of the game. ``first`` and ``second`` are the names of the players, and ``opening``
is the number of moves at the beginning that the arena has chosen. Variations stand in parentheses: ``f5d6(f6e6)c3``.
`flipdrop.interface.web.pages.urls` writes these URLs.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from nicegui import ui

from flipdrop.errors import FlipdropError
from flipdrop.games import read_transcript, write_transcript
from flipdrop.games.variations import MoveTree
from flipdrop.interface.web.pages.widgets import typed_handler

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from flipdrop.games.records import GameRecord
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session

_MAX_NAME = 60  # characters of the name of a player
_URL_EVENT = "flipdrop-url"
_WATCH_HISTORY = f"addEventListener('popstate', () => emitEvent('{_URL_EVENT}', location.pathname + location.search))"


@dataclass(frozen=True)
class GameInfo:
    """What is known of a game beside its moves.

    :param first: the name of the first player; empty if unknown
    :param opening_plies: moves at the beginning that the arena has chosen, for which no player is to blame
    """

    first: str = ""
    second: str = ""
    opening_plies: int = 0

    @classmethod
    def from_query(cls, first: str = "", second: str = "", opening: str = "") -> GameInfo:
        """From parameters of a URL, which may hold anything."""
        plies = int(opening) if opening.isascii() and opening.isdigit() and len(opening) < 3 else 0
        return cls(first[:_MAX_NAME], second[:_MAX_NAME], plies)

    @property
    def names(self) -> dict[str, str]:
        return {"first": self.first, "second": self.second}

    def to_query(self) -> dict[str, str]:
        return {**self.names, "opening": str(self.opening_plies or "")}


@dataclass(frozen=True)
class AnalysisQuery:
    """The game, the variations and the board that a URL names."""

    game: str = "othello"
    position: str = ""
    moves: str = ""
    at: str = ""
    line: str = ""
    info: GameInfo = GameInfo()

    @classmethod
    def from_fields(cls, game: str, fields: Mapping[str, str]) -> AnalysisQuery:
        """From the game and the parameters of a URL, of which others are ignored."""
        board = {name: fields.get(name, "") for name in ("position", "moves", "at", "line")}
        info = {name: fields.get(name, "") for name in ("first", "second", "opening")}
        return cls(game, **board, info=GameInfo.from_query(**info))

    @classmethod
    def from_url(cls, url: str) -> AnalysisQuery:
        parts = urlsplit(url)
        game = unquote(parts.path.rpartition("/")[2])
        return cls.from_fields("othello" if game == "analyse" else game, dict(parse_qsl(parts.query)))

    @classmethod
    def of_record(cls, record: GameRecord) -> AnalysisQuery:
        moves, game = write_transcript(record.start, record.moves), record.start.game
        info = GameInfo.from_query(record.first, record.second)
        if record.start == game.start():
            return cls(game.name, moves, info=info)
        return cls(game.name, record.start.board, moves, info=info)

    def open_session(self, manager: SessionManager) -> Session:
        """A session that is not saved, with this game and board."""
        branches = has_variations(self.position)
        session = manager.new(self.game, position="" if branches else self.position, keep=False, branching=True)
        try:
            start = session.positions[-1 if self.moves else 0]
            tree = session.tree or MoveTree(start)
            if branches or self.moves:
                tree = MoveTree.from_text(start, (self.moves or self.position)[: manager.limits.text])
            path: Sequence[int] = tree.main_line
            if self.line:
                path = read_transcript(start, self.line[: manager.limits.text])[0]
                tree = tree.add(path)
            elif self.at.isascii() and self.at.isdigit() and len(self.at) < 4:
                path = path[: int(self.at)]
            session.load(tree, path, undoable=False)
        except FlipdropError:
            manager.remove(session)
            raise
        return session


def has_variations(text: str) -> bool:
    """Whether a text is a transcript with variations in parentheses; GGF begins its games with ``(;``."""
    return "(" in text and "(;" not in text


class BrowserHistory:
    """Keeps the URL of a page in step with its session, so that it can be shared and survives a reload.

    Every change of the game is a step of the browser's history: its Back button takes the change back.

    :param url: that the browser shows
    :param on_url: called with the path and the query after Back or Forward
    """

    def __init__(self, session: Session, url: str, on_url: Callable[[str], object]) -> None:
        self._session, self._url = session, url
        self._edits, self._is_restoring = session.edits, False
        ui.on(_URL_EVENT, typed_handler(on_url, str))
        ui.run_javascript(_WATCH_HISTORY)

    def show(self, url: str) -> None:
        if url != self._url:
            self._url = url
            is_new = self._session.edits != self._edits and not self._is_restoring
            change = "pushState" if is_new else "replaceState"
            ui.run_javascript(f"history.{change}(history.state, '', {json.dumps(url)})")
        self._edits = self._session.edits

    @contextmanager
    def restoring(self) -> Iterator[None]:
        """Inside, changes of the game come from the browser's history and add no step to it."""
        self._is_restoring = True
        try:
            yield
        finally:
            self._is_restoring = False
