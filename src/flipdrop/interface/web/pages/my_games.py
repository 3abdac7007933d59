"""My games: the games that were played in this browser, which remembers their ids.

Ids are kept in the browser, not on the server: any client that knows the id of a game can play in it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from nicegui import ui

from flipdrop.interface.web.pages.display_names import game_title
from flipdrop.interface.web.pages.game_panel import opposite, player_name, status_text
from flipdrop.interface.web.pages.result_texts import ago
from flipdrop.interface.web.pages.widgets import card, raw_html, typed_handler
from flipdrop.interface.web.schemas import SIDE_NAMES
from flipdrop.interface.web.sessions.view import view_of
from flipdrop.interface.web.templating import render

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.interface.web.i18n import Translator
    from flipdrop.interface.web.schemas import SideName
    from flipdrop.interface.web.sessions.manager import SessionManager
    from flipdrop.interface.web.sessions.session import Session

_KEY = "flipdrop-games"
_MAX_KEPT = 30
_MAX_SHOWN = 6
_EVENT = "flipdrop-my-games"
_READ = f"let ids = []; try {{ids = JSON.parse(localStorage.getItem('{_KEY}') ?? '[]')}} catch {{}};"
_SEND = f"{{{_READ} emitEvent('{_EVENT}', ids)}}"
_REMEMBER = (
    f"{{{_READ} localStorage.setItem('{_KEY}',"
    f" JSON.stringify([ID, ...ids.filter((id) => id !== ID)].slice(0, {_MAX_KEPT})))}}"
)


def remember_game(session: Session) -> None:
    """Lets the browser remember a game of the page that is being built."""
    ui.run_javascript(_REMEMBER.replace("ID", json.dumps(session.id)))


def on_my_games(handler: Callable[[list[str]], object]) -> None:
    """Calls the handler with the ids that the browser remembers, after `send_my_games`."""

    def handle(ids: list[object]) -> object:
        return handler([id_ for id_ in ids[:_MAX_KEPT] if isinstance(id_, str)])

    ui.on(_EVENT, typed_handler(handle, list))


def send_my_games() -> None:
    """Asks the browser which games it remembers."""
    ui.run_javascript(_SEND)


@dataclass(frozen=True)
class MyGame:
    """A game in the list."""

    id: str
    kind: str
    side: SideName
    title: str
    about: tuple[str, ...]
    is_open: bool


class MyGames:
    """The list; it appears after the browser has sent the ids that it remembers."""

    def __init__(self, manager: SessionManager, t: Translator) -> None:
        self._manager, self._t = manager, t
        with card(t("my_games.title")) as self._card:
            self._list = raw_html("", "fd-my-games", tag="div", test="my-games")
        self._card.set_visibility(False)
        on_my_games(self._show)
        send_my_games()

    def _show(self, ids: list[str]) -> None:
        if self._card.is_deleted:  # a game was started
            return
        games = [my_game(self._t, session) for session in self._manager.stored(ids)]
        games.sort(key=lambda game: not game.is_open)  # unfinished games first
        self._list.set_content(render("my_games", t=self._t, games=games[:_MAX_SHOWN]))
        self._card.set_visibility(bool(games))


def my_game(t: Translator, session: Session) -> MyGame:
    """A game as the list shows it."""
    view = view_of(session)
    people = [side for side in SIDE_NAMES if view.players[side].spec is None]
    side = people[0] if people else "first"
    opponent = t("player.kind.person") if len(people) == 2 else player_name(t, view, opposite(side))
    status = status_text(t, view)[0] if view.ending is not None else t("my_games.moves", count=len(view.moves))
    changed = ago(t, datetime.fromtimestamp(session.changed_at, UTC).isoformat())
    return MyGame(
        id=session.id,
        kind=view.kind,
        side=side,
        title=f"{game_title(t, session.game)} · {opponent}",
        about=(status, changed),
        is_open=view.ending is None,
    )
