"""The client of a request: clients take turns with their searches.

A client is an address and, for browsers, a random cookie: people behind the same router are different clients. A
program that drops the cookie shares the turns of its address.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import HTTPConnection

CLIENT_COOKIE = "flipdrop-client"
_COOKIE = re.compile(r"[A-Za-z0-9_-]{12}")
_YEAR = 31_536_000  # s
_current: ContextVar[str] = ContextVar("flipdrop_client", default="")
_is_teacher: ContextVar[bool] = ContextVar("flipdrop_teacher", default=False)


def current_client() -> str:
    """The client of the request that is being answered; empty outside of requests."""
    return _current.get()


def client_key() -> str:
    """A short hash of the browser's cookie, or of the address without one, that may be stored."""
    address, _, cookie = _current.get().rpartition("/")
    return hashlib.sha256((cookie or address).encode()).hexdigest()[:24]


def is_teacher() -> bool:
    """Whether the request that is being answered comes from the teacher of the class."""
    return _is_teacher.get()


@contextmanager
def client_of(connection: HTTPConnection, *, teacher: bool = False) -> Iterator[None]:
    """Inside, and in all tasks that are started inside, the client of a connection is the current one."""
    address = connection.client.host if connection.client is not None else ""
    cookie = connection.cookies.get(CLIENT_COOKIE, "")
    before = _current.set(f"{address}/{cookie if _COOKIE.fullmatch(cookie) else ''}")
    was_teacher = _is_teacher.set(teacher)
    try:
        yield
    finally:
        _is_teacher.reset(was_teacher)
        _current.reset(before)


def new_cookie() -> str:
    """The header that makes a browser a client of its own."""
    return f"{CLIENT_COOKIE}={secrets.token_urlsafe(9)}; Path=/; HttpOnly; SameSite=Lax; Max-Age={_YEAR}"
