"""What can be wrong with a request to a session, besides what is wrong with moves, positions and players.

Pages say what went wrong in their own language, by the name of an error's class; the message, which is English, is the
detail. So a class of its own is for what a person is to be told differently.
"""

from __future__ import annotations

from dataclasses import dataclass

from flipdrop.errors import FlipdropError, NotationError, PlayerError

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


@dataclass(frozen=True)
class ErrorInfo:
    """Why something that a session wanted did not come: the kind, which pages translate, and the message."""

    kind: str
    message: str

    @classmethod
    def of(cls, error: Exception, otherwise: str) -> ErrorInfo:
        """What an error means to people. Those of the program itself tell them nothing: `otherwise` is said then."""
        if isinstance(error, FlipdropError):
            return cls(type(error).__name__, str(error)[:_LONGEST])
        return cls(FAILURE, otherwise)

    def to_json(self) -> dict[str, str]:
        """As views have it."""
        return {"error": self.message, "error_kind": self.kind}
