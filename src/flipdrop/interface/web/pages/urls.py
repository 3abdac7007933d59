"""Addresses that say everything about what is to be seen there."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from flipdrop.games import write_transcript

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.sessions.session import Session


def analysis_url(session: Session, **more: str) -> str:
    """Where the game of a session is analysed, with the same moves on the board.

    :param more: ``method``, ``review``: see `analyse`; what is empty is left out
    """
    start = session.positions[0]
    moves = write_transcript(start, session.moves)
    asked = {"position": moves} if start == session.game.start() else {"position": start.board, "moves": moves}
    if not session.is_at_end:
        asked["at"] = str(session.cursor)
    query = urlencode({name: value for name, value in (asked | more).items() if value}, quote_via=quote, safe="/")
    return analysis_start_url(session.game) + (f"?{query}" if query else "")


def analysis_start_url(game: Game) -> str:
    """Where a game is analysed from its start."""
    return f"/analyse/{quote(game.name, safe=':,=')}"
