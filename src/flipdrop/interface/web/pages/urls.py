"""URLs of analyses; the query holds the whole position."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from flipdrop.games import write_transcript

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.sessions.session import Session


def analysis_url(session: Session, **more: str) -> str:
    """The analysis of a session's record at its cursor.

    :param more: ``method``, ``review`` as in `analyse`; empty ones are left out
    """
    start = session.positions[0]
    moves = write_transcript(start, session.moves)
    query = {"position": moves} if start == session.game.start() else {"position": start.board, "moves": moves}
    if not session.is_at_end:
        query["at"] = str(session.cursor)
    encoded = urlencode({name: value for name, value in (query | more).items() if value}, quote_via=quote, safe="/")
    return analysis_start_url(session.game) + (f"?{encoded}" if encoded else "")


def analysis_start_url(game: Game) -> str:
    return f"/analyse/{quote(game.name, safe=':,=')}"
