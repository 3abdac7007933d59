"""Errors of sessions, besides those of moves, positions and players.

The pages translate an error by the name of its class, and show its English message as a detail. So every error that
people should read differently has a class of its own.
"""

from __future__ import annotations

from flipdrop.errors import FlipdropError, NotationError, PlayerError
from flipdrop.interface.web.schemas import ErrorInfo

FAILURE = "Failure"
"""The kind of a failure of the program itself."""

_LONGEST = 500


class SessionError(FlipdropError):
    """The session cannot do this, or not now."""


class UnknownSession(SessionError):
    """The session does not exist, or was deleted."""


class TooBusy(SessionError):
    """A limit of the server is reached, of sessions or of queued searches."""


class NotSaved(SessionError):
    """A change could not be saved, and was not made: the disk is full, or cannot be written."""


class GameOver(SessionError):
    """The game is over."""


class OutOfTurn(SessionError):
    """It is the opponent's turn, or the board has changed."""


class ClockRuns(SessionError):
    """The record of a timed game cannot change."""


class OutOfRange(SessionError):
    """A number is too small or too large."""


class BeyondLimits(PlayerError):
    """A player needs more time, memory or threads than the server allows."""


class TooLong(NotationError):
    """A text is too long."""


def error_info(error: Exception, fallback: str) -> ErrorInfo:
    """An error as views show it; `fallback` replaces the message of an error of the program itself."""
    if isinstance(error, FlipdropError):
        return ErrorInfo(kind=type(error).__name__, message=str(error)[:_LONGEST])
    return ErrorInfo(kind=FAILURE, message=fallback)
