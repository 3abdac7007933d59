"""What can be wrong with a request to a session, besides what is wrong with moves, positions and players.

Pages say what went wrong in their own language, by the name of an error's class; the message, which is English, is the
detail. So a class of its own is for what a person is to be told differently.
"""

from __future__ import annotations

from flipdrop.errors import FlipdropError, NotationError, PlayerError
from flipdrop.interface.web.schemas import ErrorInfo

FAILURE = "Failure"
"""The kind of trouble that is nobody's mistake but the program's."""

_LONGEST = 500


class SessionError(FlipdropError):
    """Something that a session cannot do, or not now."""


class UnknownSession(SessionError):
    """A session that does not exist, or no longer."""


class TooBusy(SessionError):
    """A limit of the server is reached: of sessions, of searches that wait."""


class GameOver(SessionError):
    """The game is over, and this is for games that are not."""


class OutOfTurn(SessionError):
    """It is another's turn, or the board is no longer the one that this was meant for."""


class ClockRuns(SessionError):
    """With a clock a game stays as it was played."""


class OutOfRange(SessionError):
    """A number that is too small or too large."""


class BeyondLimits(PlayerError):
    """A player that wants more time, memory or threads than the server allows."""


class TooLong(NotationError):
    """A text that is longer than any that is read."""


def error_info(error: Exception, fallback: str) -> ErrorInfo:
    """An error as views show it; `fallback` replaces the message of an error of the program itself."""
    if isinstance(error, FlipdropError):
        return ErrorInfo(kind=type(error).__name__, message=str(error)[:_LONGEST])
    return ErrorInfo(kind=FAILURE, message=fallback)
