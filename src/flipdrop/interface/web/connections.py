"""Connections of the server: a limited number, and a limited time and size for the head of a request.

uvicorn waits for the rest of a request for ever, and accepts connections until the process has no file descriptors
left. The body of a request is limited by `middleware`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

if TYPE_CHECKING:
    import asyncio

    from flipdrop.interface.web.config import Limits

_MAX_HEAD = 64 * 1024  # bytes
_BUSY = "503 Service Unavailable", "too many open connections; try again later"
_LATE = "408 Request Timeout", "the request was not complete in time"
_LONG = "431 Request Header Fields Too Large", "the headers of this request are too long"


def limited_protocol(limits: Limits) -> type[asyncio.Protocol]:
    """uvicorn's HTTP protocol within the limits of a server."""

    class LimitedProtocol(AutoHTTPProtocol):  # type: ignore[valid-type, misc] # chosen by uvicorn at run time
        """A connection."""

        _timer: asyncio.TimerHandle | None = None
        _head = 0  # bytes of the head that is not complete yet

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            host = self.client[0] if self.client else None
            own = sum(other.client is not None and other.client[0] == host for other in self.connections)
            # A single address gets half of them, so that another one can connect.
            if len(self.connections) > limits.connections or own > max(1, limits.connections // 2):
                self._refuse(*_BUSY)
            else:
                self._wait_for_head()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_timer()
            super().connection_lost(exc)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.cycle is not None and not self.cycle.response_complete:
                self._stop_timer()
                self._head = 0
                return
            self._head += len(data)
            if self._head > _MAX_HEAD and not self.transport.is_closing():
                self._refuse(*_LONG)
            elif self._timer is None:
                self._wait_for_head()

        def handle_websocket_upgrade(self, *arguments: Any) -> None:
            self._stop_timer()
            self._head = -_MAX_HEAD  # from now on, another protocol receives the data
            super().handle_websocket_upgrade(*arguments)

        def _wait_for_head(self) -> None:
            if not self.transport.is_closing() and self._head >= 0:
                self._timer = self.loop.call_later(limits.request_seconds, self._refuse, *_LATE)

        def _stop_timer(self) -> None:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None

        def _refuse(self, status: str, reason: str) -> None:
            self._stop_timer()
            if not self.transport.is_closing():
                head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {len(reason)}\r\n"
                self.transport.write(f"{head}connection: close\r\n\r\n{reason}".encode())
                self.transport.close()

    return LimitedProtocol
