"""Security of all requests: host, origin, token and body size; errors without internals.

Another page in the same browser must not reach a server on this machine: neither by DNS rebinding (the ``Host`` header
must name this machine) nor across origins (the ``Origin`` header, if present, must be this server). Clients on other
machines need the token that the server prints when it starts.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response

from flipdrop.interface.web.clients import CLIENT_COOKIE, client_of, new_cookie
from flipdrop.interface.web.config import LOOPBACK
from flipdrop.interface.web.error_pages import error_response

if TYPE_CHECKING:
    from collections.abc import Mapping
    from urllib.parse import SplitResult

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from flipdrop.interface.web.config import ServerConfig

COOKIE = "flipdrop-token"
TEACHER_COOKIE = "flipdrop-teacher"
REQUEST_STATE = "flipdrop.request"
"""The key of the `RequestState` in a request's scope."""
_HEADERS = {"x-content-type-options": "nosniff", "x-frame-options": "DENY", "referrer-policy": "same-origin"}
_LONGEST_HEADERS = 32 * 1024
_TOO_SLOW = "the body of this request did not arrive in time"
_IN_PATHS = "/%:@!$&'()*+,;=-._~"
_log = logging.getLogger(__name__)


@dataclass
class RequestState:
    """The state of a request. If its client disconnects early, libraries raise errors that need no log entry."""

    has_disconnected: bool = False


class _TooLarge(HTTPException):
    """The body is too large. An HTTPException, since FastAPI takes any other for an unreadable body."""


class _TooSlow(HTTPException):
    """The body does not arrive in time."""


class SecurityMiddleware:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, config: ServerConfig) -> None:
        self._app = app
        self._token = config.token
        self._teacher_key = config.teacher_key
        self._most = config.limits.body
        self._seconds = config.limits.request_seconds
        self._too_large = f"a request can have at most {self._most} bytes"
        self._hosts = None if config.token else {*LOOPBACK, config.host}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        teacher = _is_same(connection.cookies.get(TEACHER_COOKIE, ""), self._teacher_key)
        with client_of(connection, teacher=teacher):
            await self._answer(connection, scope, receive, send)

    async def _answer(self, connection: HTTPConnection, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(connection)
        if refusal is None and self._token is not None and not self._has_token(connection):
            if scope["type"] == "http" and self._is_token(connection.query_params.get("token", "")):
                await self._redirect(connection, "token", COOKIE, self._token)(scope, receive, send)
                return
            refusal = 401, "access token missing; open the link that the server printed"
        is_key = _is_same(connection.query_params.get("teacher", ""), self._teacher_key)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        elif is_key:
            await self._redirect(connection, "teacher", TEACHER_COOKIE, self._teacher_key)(scope, receive, send)
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An HTTP request, with a limited body and errors without internals."""
        read, is_complete, is_refused, started = 0, False, False, False
        state = scope[REQUEST_STATE] = RequestState()
        is_new = CLIENT_COOKIE not in HTTPConnection(scope).cookies
        due = asyncio.get_running_loop().time() + self._seconds

        async def limited() -> Message:
            nonlocal read, is_complete, is_refused
            try:
                async with asyncio.timeout_at(None if is_complete else due):
                    message = await receive()
            except TimeoutError:
                is_refused = True
                raise _TooSlow(408, _TOO_SLOW) from None
            is_complete = is_complete or not message.get("more_body", False)
            state.has_disconnected = state.has_disconnected or message["type"] == "http.disconnect"
            read += len(message.get("body", b""))
            if read > self._most:
                is_refused = True
                raise _TooLarge(413, self._too_large)
            return message

        async def marked(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                headers.update(_HEADERS)
                if is_refused:  # the rest of the body is not waited for
                    headers["connection"] = "close"
                if is_new and headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", new_cookie())
            await send(message)

        try:
            await self._app(scope, limited, marked)
        except asyncio.CancelledError:  # uvicorn ends requests that outlast its graceful shutdown
            if not started:
                await _refuse(scope, receive, send, 503, "the server is shutting down")
        except (_TooLarge, _TooSlow) as error:
            if not started:
                await _refuse(scope, receive, send, error.status_code, str(error.detail), {"connection": "close"})
        except Exception:
            if not state.has_disconnected:
                _log.exception("%s %s failed", scope["method"], scope["path"])
            if not started:
                await _refuse(scope, receive, send, 500, "internal error; see the server log")

    def _refusal(self, connection: HTTPConnection) -> tuple[int, str] | None:
        headers = connection.headers
        if sum(len(name) + len(value) for name, value in headers.raw) > _LONGEST_HEADERS:
            return 431, "the headers of this request are too long"
        host = headers.get("host", "")
        if self._hosts is not None and _split(f"//{host}").hostname not in self._hosts:
            return 421, "this server answers only to the names of this machine, such as localhost"
        if "origin" in headers and _split(headers["origin"]).netloc.lower() != host.lower():
            return 403, "this request comes from another site"
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:12]) > self._most:
            return 413, self._too_large
        return None

    def _has_token(self, connection: HTTPConnection) -> bool:
        bearer = connection.headers.get("authorization", "").removeprefix("Bearer ")
        return self._is_token(bearer) or self._is_token(connection.cookies.get(COOKIE, ""))

    def _is_token(self, given: str) -> bool:
        assert self._token is not None
        return _is_same(given, self._token)

    @staticmethod
    def _redirect(connection: HTTPConnection, parameter: str, cookie_name: str, value: str) -> Response:
        """A redirect to the same address without the parameter, and a cookie with its value."""
        rest = urlencode([(name, given) for name, given in connection.query_params.multi_items() if name != parameter])
        # Browsers take '//host' and '/\\host' for another site, and drop tabs and line ends before they look.
        path = "/" + quote(connection.scope["raw_path"].decode("latin-1").split("?")[0], safe=_IN_PATHS).lstrip("/")
        cookie = f"{cookie_name}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
        return Response(None, 303, {"location": path + (f"?{rest}" if rest else ""), "set-cookie": cookie} | _HEADERS)


def _is_same(given: str, secret: str) -> bool:
    """Whether a client has presented a secret; never if there is none."""
    return bool(secret) and hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())


def _split(address: str) -> SplitResult:
    """The parts of a URL; empty ones if it is malformed."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


async def _refuse(
    scope: Scope, receive: Receive, send: Send, status: int, reason: str, headers: Mapping[str, str] = _HEADERS
) -> None:
    if scope["type"] == "http":
        await error_response(scope, status, reason, {**_HEADERS, **headers})(scope, receive, send)
        return
    await receive()  # the request to connect
    await send({"type": "websocket.close", "code": 1008, "reason": reason[:100]})
