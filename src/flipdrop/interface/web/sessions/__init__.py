"""Sessions: games, their clocks and their analysis. The pages and the JSON API share them."""

from flipdrop.interface.web.sessions.errors import SessionError, TooBusy, UnknownSession
from flipdrop.interface.web.sessions.manager import SessionManager
from flipdrop.interface.web.sessions.session import Session
from flipdrop.interface.web.sessions.view import board_view, view_of

__all__ = ["Session", "SessionError", "SessionManager", "TooBusy", "UnknownSession", "board_view", "view_of"]
