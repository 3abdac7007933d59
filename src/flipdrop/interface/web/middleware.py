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
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.exceptions import HTTPException

from flipdrop.interface.web.error_pages import error_body

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from flipdrop.interface.web.config import ServerConfig

COOKIE = "flipdrop-token"
CLIENT = "flipdrop.client"
"""The key of the `Client` in a request's scope."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
)
_LONGEST_HEADERS = 32 * 1024
_log = logging.getLogger(__name__)


@dataclass
class Client:
    """The client of a request. If it disconnects early, libraries raise errors that need no log entry."""

    has_disconnected: bool = False


class _TooLarge(HTTPException):
    """The body is too large. An HTTPException, since FastAPI takes any other for an unreadable body."""


class SecurityMiddleware:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, config: ServerConfig) -> None:
        self._app = app
        self._token = config.token
        self._most = config.limits.body
        self._too_large = f"a request can have at most {self._most} bytes"
        self._hosts = None if config.token else {*LOOPBACK, config.host}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        if self._token is not None and not any(map(self._is_token, (_bearer(headers), _cookie(headers)))):
            if scope["type"] == "http" and self._is_token(dict(_query(scope)).get("token", "")):
                await _answer(send, 303, b"", self._cookie_headers(scope))
            else:
                await _refuse(scope, receive, send, 401, "access token missing; open the link that the server printed")
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An HTTP request, with a limited body and errors without internals."""
        read, started = 0, False
        client = scope[CLIENT] = Client()

        async def limited() -> Message:
            nonlocal read
            message = await receive()
            client.has_disconnected = client.has_disconnected or message["type"] == "http.disconnect"
            read += len(message.get("body", b""))
            if read > self._most:
                raise _TooLarge(413, self._too_large)
            return message

        async def marked(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        try:
            await self._app(scope, limited, marked)
        except asyncio.CancelledError:  # uvicorn ends requests that outlast its graceful shutdown
            if not started:
                await _answer_error(scope, send, 503, "the server is shutting down")
        except _TooLarge:
            if not started:
                await _answer_error(scope, send, 413, self._too_large)
        except Exception:
            if not client.has_disconnected:
                _log.exception("%s %s failed", scope["method"], scope["path"])
            if not started:
                await _answer_error(scope, send, 500, "internal error; see the server log")

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        if sum(len(name) + len(value) for name, value in scope["headers"]) > _LONGEST_HEADERS:
            return 431, "the headers of this request are too long"
        host = headers.get(b"host", b"").decode("latin-1")
        if self._hosts is not None and _name_of(host) not in self._hosts:
            return 421, "this server answers only to the names of this machine, such as localhost"
        origin = headers.get(b"origin")
        if origin is not None and _netloc(origin.decode("latin-1")) != host.lower():
            return 403, "this request comes from another site"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length[:12]) > self._most:
            return 413, self._too_large
        return None

    def _is_token(self, given: str) -> bool:
        assert self._token is not None
        return hmac.compare_digest(given.encode("utf-8", "replace"), self._token.encode())

    def _cookie_headers(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """A redirect to the same address without the token, and a cookie with it."""
        rest = urlencode([(name, value) for name, value in _query(scope) if name != "token"])
        path = "/" + scope["raw_path"].decode("latin-1").split("?")[0].lstrip("/")
        target = path + (f"?{rest}" if rest else "")
        cookie = f"{COOKIE}={self._token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000"
        return [(b"location", target.encode("latin-1")), (b"set-cookie", cookie.encode())]


def _headers(scope: Scope) -> dict[bytes, bytes]:
    return {name.lower(): value for name, value in scope["headers"]}


def _name_of(host: str) -> str:
    """The name in ``name:port`` or ``[::1]:port``."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _netloc(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _query(scope: Scope) -> list[tuple[str, str]]:
    try:
        return parse_qsl(scope.get("query_string", b"").decode("latin-1"), max_num_fields=50)
    except ValueError:
        return []


def _bearer(headers: dict[bytes, bytes]) -> str:
    return headers.get(b"authorization", b"").decode("latin-1").removeprefix("Bearer ")


def _cookie(headers: dict[bytes, bytes]) -> str:
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return ""
    return cookies[COOKIE].value if COOKIE in cookies else ""


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    if scope["type"] == "http":
        await _answer_error(scope, send, status, why)
        return
    await receive()  # the request to connect
    await send({"type": "websocket.close", "code": 1008, "reason": why[:100]})


async def _answer_error(scope: Scope, send: Send, status: int, why: str) -> None:
    body, kind = error_body(scope, status, why)
    await _answer(send, status, body, [(b"content-type", kind)])


async def _answer(send: Send, status: int, body: bytes, headers: list[tuple[bytes, bytes]]) -> None:
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [length, *headers, *_HEADERS]})
    await send({"type": "http.response.body", "body": body})
