"""Sessions: games, their clocks, their analysis, without any page. The web page and the JSON API share them."""

from flipdrop.interface.web.sessions.errors import SessionError, TooBusy, UnknownSession
from flipdrop.interface.web.sessions.house import House
from flipdrop.interface.web.sessions.limits import Limits
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.sessions.settings import Settings
from flipdrop.interface.web.sessions.view import board_view, view_of

__all__ = [
    "House",
    "Limits",
    "Session",
    "SessionError",
    "Settings",
    "TooBusy",
    "UnknownSession",
    "board_view",
    "view_of",
]
