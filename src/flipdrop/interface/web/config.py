"""The configuration of a server, and the limits that keep it usable under many clients or one faulty one."""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003 - a field's type, which dataclasses and their readers look at
from urllib.parse import urlencode

from flipdrop.arena.store import default_path
from flipdrop.errors import StoreError
from flipdrop.workers import core_count

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names of this machine that no other machine reaches."""
_WILDCARDS = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Wildcard addresses, and the loopback address by which a local browser reaches them."""


_MAX_CONNECTIONS = 2000
_OTHER_DESCRIPTORS = 256


def _connections() -> int:
    """The most connections that leave file descriptors for stores, engines and jobs."""
    try:
        import resource
    except ImportError:  # not Unix
        return 500
    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if descriptors == resource.RLIM_INFINITY:
        return _MAX_CONNECTIONS
    return min(_MAX_CONNECTIONS, max(descriptors // 2, descriptors - _OTHER_DESCRIPTORS))


def own_address() -> str:
    """The address of this machine in its network; that of the loopback if there is no network."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # reserved for documentation; UDP sends nothing here
        return str(probe.getsockname()[0])
    return "127.0.0.1"


@dataclass(frozen=True)
class Limits:
    """The limits of a server.

    :param open_sessions: sessions in memory; above this, unwatched sessions are evicted to the file. While
        twice as many are watched, no other session is opened
    :param stored_sessions: sessions in the file; above this, the least recently changed are deleted
    :param searches: concurrent searches; analyses leave one of them to players
    :param waiting: queued searches; above this, new ones are refused
    :param seconds: the longest search, and the most seconds a move of a player's spec or of a clock
    :param move_timeout: seconds for a move of a player whose spec sets no limit, unless the clock sets one
    :param megabytes: the largest transposition table or search tree
    :param threads: the most threads of one search
    :param spec: the most characters of a player's spec
    :param text: the most characters of a position, a transcript or a pasted game
    :param body: the most bytes of a request
    :param request_seconds: in which a client has to send the head of a request, and in which its body
    :param connections: open connections, below the limit of file descriptors; one address may have half of them
    :param engines: external engines, and agents from files, that are kept alive
    """

    open_sessions: int = 500
    stored_sessions: int = 5000
    searches: int = field(default_factory=lambda: max(2, core_count()))
    waiting: int = 500
    seconds: float = 60.0
    move_timeout: float = 5.0
    megabytes: int = 64
    threads: int = field(default_factory=core_count)
    spec: int = 300
    text: int = 8000
    body: int = 64 * 1024
    request_seconds: float = 10.0
    connections: int = field(default_factory=_connections)
    engines: int = 16


@dataclass(frozen=True, kw_only=True)
class ServerConfig:
    """How a server is started.

    :param host: the address to listen at
    :param port: the port to listen at
    :param token: what every client has to present; None accepts every client on this machine
    :param allow_code: whether specs from clients may name files and external engines
    :param agents: a folder whose agents clients may name, if code is allowed
    :param classroom: the folder of a class; None if this server has none
    :param teacher_key: what the teacher of the class has to present
    :param store: the SQLite file of the arena's games and of learning runs
    :param sessions: the SQLite file of sessions; beside the store by default
    """

    host: str = "127.0.0.1"
    port: int = 8080
    token: str | None = None
    allow_code: bool = False
    agents: Path | None = None
    classroom: Path | None = None
    teacher_key: str = ""
    store: Path = field(default_factory=default_path)
    sessions: Path | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if "," in str(self.data):
            raise StoreError(f"{self.store}: the folder's name has a comma, which a player's spec cannot hold")

    @property
    def is_wildcard(self) -> bool:
        """Whether the server listens at all addresses of this machine."""
        return self.host in _WILDCARDS

    @property
    def data(self) -> Path:
        """The folder of all data."""
        return self.store.parent

    @property
    def jobs_folder(self) -> Path:
        return self.data / "jobs"

    @property
    def sessions_file(self) -> Path:
        return self.sessions or self.data / "sessions.db"

    @property
    def address(self) -> str:
        """The URL of the page for a browser on this machine."""
        if self.classroom is not None:
            return self.link("/class/teacher", host=_WILDCARDS.get(self.host, self.host), teacher=self.teacher_key)
        return self.link("/" if self.token else "", host=_WILDCARDS.get(self.host, self.host))

    @property
    def class_address(self) -> str:
        """The URL for the students of a class."""
        return self.link("/class", host=own_address() if self.is_wildcard else self.host)

    def link(self, path: str, *, host: str, **values: str) -> str:
        """The URL of a path, with the token if there is one."""
        query = urlencode(({"token": self.token} if self.token else {}) | values)
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}{path}{query and f'?{query}'}"
