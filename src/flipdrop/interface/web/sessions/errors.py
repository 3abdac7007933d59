"""What can be wrong with a request to a session, besides what is wrong with moves, positions and players."""

from __future__ import annotations

from flipdrop.errors import FlipdropError


class SessionError(FlipdropError):
    """Something that a session cannot do, or not now."""


class UnknownSession(SessionError):
    """A session that does not exist, or no longer."""


class TooBusy(SessionError):
    """A limit of the server is reached: of sessions, of searches that wait."""
