"""Requests that no honest page makes: random ones, and some that have broken other servers."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

_PATIENCE = 60.0  # s
_SHORT_PATIENCE = 0.3
_METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "TRACE", "BREW", "get")
_SESSION = "/api/sessions/{id}"
_ROUTES: dict[str, tuple[str, ...]] = {
    "/api/sessions": ("game", "first", "second", "position", "clock", "pace", "paused", "keep", "seed"),
    _SESSION: (),
    f"{_SESSION}/moves": ("move", "cursor"),
    f"{_SESSION}/undo": (),
    f"{_SESSION}/redo": (),
    f"{_SESSION}/jump": ("cursor",),
    f"{_SESSION}/pace": ("paused", "pace"),
    f"{_SESSION}/step": (),
    f"{_SESSION}/players": ("first", "second"),
    f"{_SESSION}/position": ("position", "game"),
    f"{_SESSION}/analysis": ("method", "evaluation", "seconds"),
    f"{_SESSION}/review": ("seconds",),
    f"{_SESSION}/record": (),
    "/api/position": ("position", "game", "evaluation"),
    "/api/games": (),
    "/api/players": (),
    "/openapi.json": (),
}
"""What can be called, and what it takes."""
PAGES = ("/", "/analyse", "/analyse/othello", "/watch", "/arena", "/learning", "/experiments")
"""Where people look."""
_FIELDS = (
    *("game", "first", "second", "position", "clock", "pace", "paused", "keep", "seed", "move", "cursor", "side"),
    *("method", "evaluation", "seconds", "format", "after", "wait"),
)
_SPECS = (
    "level:3",
    "level:99",
    "random",
    "my_agent.py:MyAgent",
    "/etc/passwd",
    "../../x.py:Y",
    "gtp:sh -c 'touch /tmp/x'",
    "nboard[name=a]:rm -rf /",
    "mcts:iterations=999999999999999999999999999",
    "mcts:evaluation=/etc/passwd",
    "mcts:iterations=1e999",
    "table:model=/etc/shadow",
    "network:model=/dev/zero",
    "iterative:table=65536",
    "iterative:threads=1024,seconds=1e9",
    "flat:games=1000000000",
    "mcts:playouts=10000,seconds=30",
    "pattern:model=x.pattern",
    "iterative:evaluation=D(1e308/1e308/1e308/1e308/1e308/1e308)",
    "greedy:evaluation=evil.py:run",
)
_STRINGS = (
    "",
    "\x00",
    "\ud800",
    "A" * 5000,
    "f5",
    "pass",
    "4" * 200,
    "<script>alert(1)</script>",
    "'; DROP TABLE sessions; --",
    "{{7*7}}",
    "../../../etc/passwd",
    "connect4:99999999x99999999",
    "connect4:12x12,forbid=zz9",
    "othello",
    "f5d6c3",
    "(;GM[Othello]TY[8]BO[8 " + "-" * 64 + " *]B[F5];)",
    "(;GM[" * 500,
    "X" * 64 + " O",
    "-" * 64 + " X",
    "🎲" * 50,
    "300+2",
    "1e309",
    "nan",
    "D(nan,nan,nan,nan,nan,nan)",
    "search",
    "mcts",
    "%s%n%x",
)
_NUMBERS: tuple[Any, ...] = (0, -1, 1, 2**31, 2**63, 2**64, 10**400, 0.5, -0.0, 1e308, float("inf"), float("nan"), True)


_FITTING: dict[str, tuple[Any, ...]] = {
    "game": ("othello", "othello6", "connect4", "connect4:5x5,forbid=c3"),
    "first": (None, "random", "level:1", "mcts:iterations=50"),
    "second": (None, "greedy", "level:2", "iterative:depth=3"),
    "position": ("", "f5d6", "4453", "f5d6c3d3c4f4f6"),
    "clock": (None, "60", "60+1"),
    "pace": (0, 0.5, 60),
    "seed": (None, 7),
    "move": ("f5", "d6", "4", "pass", "c4"),
    "cursor": (0, 1, 2, 3),
    "method": ("search", "mcts", "level:3", "greedy"),
    "evaluation": (None, "D", "lines", "Seven.averaged"),
    "seconds": (0.05, 0.2),
}
"""What an honest client might send, so that others find sessions in every state."""


@dataclass(frozen=True)
class Attack:
    """The bytes of one request; a rough one may be none at all, so that no answer need come."""

    data: bytes
    rough: bool = False

    def send(self, host: str, port: int) -> bytes:
        """Sends it on a connection of its own: what comes back."""
        with socket.create_connection((host, port), timeout=_PATIENCE) as connection:
            answer = b""
            try:
                connection.sendall(self.data)
                connection.settimeout(_SHORT_PATIENCE if self.rough else _PATIENCE)
                while len(answer) < 2**20 and (part := connection.recv(65536)):
                    answer += part
            except TimeoutError:
                if not self.rough:
                    raise
            except ConnectionError:
                pass
            return answer


def attacks(chance: random.Random, count: int, id_: str) -> Iterator[Attack]:
    """`count` requests, some of them about the session `id_`."""
    kinds: tuple[tuple[int, Callable[[random.Random, str], bytes]], ...] = (
        (64, _call),
        (8, _page),
        (8, _path),
        (4, _headers),
        (4, _large),
        (4, _garbage),
        (8, _sockets),
    )
    makers = [maker for weight, maker in kinds for _ in range(weight)]
    for _ in range(count):
        maker = chance.choice(makers)
        yield Attack(maker(chance, id_), rough=maker in (_headers, _garbage, _sockets))


def _request(method: str, path: str, body: bytes = b"", *headers: str, host: str = "127.0.0.1") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"host: {host}", "connection: close", *headers]
    if body or method in ("POST", "PUT", "PATCH"):
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body


def _value(chance: random.Random, depth: int = 0) -> Any:
    match chance.randrange(10 if depth < 3 else 7):
        case 0 | 1:
            return chance.choice(_STRINGS)
        case 2:
            return chance.choice(_NUMBERS)
        case 3:
            return chance.choice(_SPECS)
        case 4:
            return None
        case 5:
            return chance.choice((True, False))
        case 6:
            return "".join(chr(chance.randrange(1, 0x2FF)) for _ in range(chance.randrange(20)))
        case 7 | 8:
            return [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
        case _:
            return {chance.choice(_FIELDS): _value(chance, depth + 1) for _ in range(chance.randrange(4))}


def _id(chance: random.Random) -> str:
    """Of a session that is not there."""
    return chance.choice(("%2e%2e", "a" * 3000, "%00", "\xff", "'%20OR%201=1", "null", "AAAAAAAAAAAA"))


def _call(chance: random.Random, id_: str) -> bytes:
    """A call of the API: most have the right fields, with values of any kind."""
    route, fields = chance.choice(tuple(_ROUTES.items()))
    method = chance.choice(("POST",) * 6 + ("GET", "DELETE"))
    known = id_ if chance.random() < 0.8 and not (method == "DELETE" and route == _SESSION) else _id(chance)
    route = route.replace("{id}", known)
    if chance.random() < 0.1:
        route += f"?{chance.choice(_FIELDS)}={chance.choice(('0', '-1', 'nan', '%ff', 'x'))}"
    names = fields if fields and chance.random() < 0.8 else _FIELDS
    honesty = chance.choice((0, 0.5, 0.9, 1))
    chosen = chance.sample(names, chance.randrange(min(4, len(names)) + 1))
    body: Any = {
        name: chance.choice(_FITTING.get(name, (True, False))) if chance.random() < honesty else _value(chance)
        for name in chosen
    }
    if chance.random() < 0.05:
        body = _value(chance)
    data = json.dumps(body).encode()
    if chance.random() < 0.03:
        data = data[: chance.randrange(len(data) + 1)]
    kind = chance.choice(("application/json",) * 20 + ("text/plain",))
    return _request(method, route, data, f"content-type: {kind}")


def _page(chance: random.Random, id_: str) -> bytes:
    route = chance.choice((*PAGES, "/play/{id}", "/watch/{id}", "/arena/{id}", "/learning/{id}")).replace(
        "{id}", id_ if chance.random() < 0.5 else _id(chance)
    )
    value = chance.choice(
        (
            *("", "f5d6", "%00", "%ff%fe", "x" * 2000, "%3Cscript%3E", "-1", "connect4:5x5", "%F0%9F%8E%B2"),
            "level:" + "9" * 5000,  # more digits than Python reads
        )
    )
    name = chance.choice(("position", "game", "against", "side", "clock", "at", "first", "second", "run", "event"))
    return _request("GET", f"{route}?{name}={value}")


def _path(chance: random.Random, _: str) -> bytes:
    parts = ("..", "%2e%2e", "etc", "passwd", "_nicegui", "3.18.0", "static", "components", "x.js", "%00", "api", "//")
    path = "/" + "/".join(chance.choice(parts) for _ in range(chance.randrange(1, 7)))
    return _request(chance.choice(_METHODS), path)


def _headers(chance: random.Random, id_: str) -> bytes:
    header = chance.choice(
        (
            "origin: http://evil.example",
            "origin: null",
            "cookie: " + "a=b; " * 3000,
            "cookie: flipdrop-token=\xff\xfe; =;;;",
            "authorization: Bearer " + "x" * 4000,
            "x-forwarded-host: evil.example",
            "content-length: -5",
            "content-length: 99999999999999999999",
            "transfer-encoding: chunked",
            "accept: text/markdown",
            "accept: text/html\r\naccept-language: zh\r\ncookie: flipdrop-language=\xff\xfe",
            "accept: text/html\r\naccept-language: " + ",;=-" * 500,
            "expect: 100-continue",
            "range: bytes=0-0,1-1,2-2",
            "upgrade: websocket",
        )
    )
    host = chance.choice(("127.0.0.1", "127.0.0.1", "evil.example", "[::1", "", "localhost:1"))
    path = chance.choice(("/", "/api/games", f"/api/sessions/{id_}"))
    return _request(chance.choice(("GET", "POST")), path, b"", header, host=host)


def _large(chance: random.Random, _: str) -> bytes:
    body = chance.choice(
        (b"[" * 60_000, b'{"position":"' + b"f5" * 40_000 + b'"}', b"\x00" * 200_000, b'"\\ud800"' * 5000)
    )
    return _request("POST", chance.choice(("/api/position", "/api/sessions")), body, "content-type: application/json")


def _garbage(chance: random.Random, _: str) -> bytes:
    if chance.random() < 0.5:
        return chance.randbytes(chance.randrange(1, 400))
    return chance.choice(
        (b"GET", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 50, b"GET " + b"/a" * 40_000 + b" HTTP/1.1\r\n\r\n")
    )


def _sockets(chance: random.Random, _: str) -> bytes:
    """What pages say to their server, said wrongly."""
    base = "/_nicegui_ws/socket.io/?EIO=4&transport="
    match chance.randrange(4):
        case 0:
            return _request("GET", base + chance.choice(("polling", "websocket", "x")) + "&client_id=x")
        case 1:
            return _request("POST", base + "polling&sid=" + chance.choice(("x", "..", "")), b'42["event",{}]')
        case 2:
            query = "&implicit_handshake=true&client_id=x&tab_id=y&document_id=z"
            return _request("GET", base + "polling" + chance.choice((query, "&implicit_handshake=true")))
        case _:
            upgrade = (
                "upgrade: websocket",
                "connection: upgrade",
                "sec-websocket-version: 13",
                "sec-websocket-key: eA==",
            )
            return _request("GET", base + "websocket", chance.randbytes(200), *upgrade)
