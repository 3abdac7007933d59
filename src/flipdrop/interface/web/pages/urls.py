"""URLs of analyses; the query holds the whole position."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from flipdrop.games import write_transcript

if TYPE_CHECKING:
    from flipdrop.games import Game, Position
    from flipdrop.interface.web.sessions.session import Session


def analysis_url(session: Session, **more: str) -> str:
    """The analysis of a session's record, with its variations, at its cursor.

    :param more: further parameters of `analyse`, such as ``method`` and ``review``; empty ones are left out
    """
    start = session.positions[0]
    moves = write_transcript(start, session.moves) if session.tree is None else session.tree.text
    query = {"position": moves} if start == session.game.start() else {"position": start.board, "moves": moves}
    if session.tree is not None and session.tree.branch_of(session.path) is not None:
        query["line"] = write_transcript(start, session.path)
    elif not session.is_at_end:
        query["at"] = str(session.cursor)
    encoded = urlencode({name: value for name, value in (query | more).items() if value}, quote_via=quote, safe="/")
    return analysis_start_url(session.game) + (f"?{encoded}" if encoded else "")


def position_analysis_url(position: Position) -> str:
    """The analysis of a position without a game."""
    return f"{analysis_start_url(position.game)}?{urlencode({'position': position.board}, quote_via=quote, safe='/')}"


def play_url(session: Session) -> str:
    """A new game from the position on the board."""
    start = session.positions[0]
    position = session.transcript if start == session.game.start() else session.position.board
    query = {"game": session.game.name, "position": position}
    return "/?" + urlencode({name: value for name, value in query.items() if value}, quote_via=quote, safe="/:,=")


def analysis_start_url(game: Game) -> str:
    return f"/analyse/{quote(game.name, safe=':,=')}"
