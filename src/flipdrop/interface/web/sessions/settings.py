"""How a server was started."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path  # noqa: TC003 - a field's type, which dataclasses and their readers look at

from flipdrop.arena.store import default_path
from flipdrop.interface.web.sessions.limits import Limits


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a server was started.

    :param host: the address it listens at
    :param port: and the port
    :param token: what a client has to know; None if anybody on this machine may use it
    :param allow_code: whether specs that come from a client may name files and programs
    :param store: the file of games and runs that the arena and the learners write
    :param sessions: the file in which sessions are kept
    """

    host: str = "127.0.0.1"
    port: int = 8080
    token: str | None = None
    allow_code: bool = False
    store: Path = field(default_factory=default_path)
    sessions: Path | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.limits.models is None:
            object.__setattr__(self, "limits", replace(self.limits, models=self.data / "jobs"))

    @property
    def data(self) -> Path:
        """The folder in which everything is kept."""
        return self.store.parent

    @property
    def sessions_file(self) -> Path:
        """The file in which sessions are kept: beside the store, unless said."""
        return self.sessions or self.data / "sessions.db"

    @property
    def address(self) -> str:
        """Where the page is, as a browser takes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        token = f"/?token={self.token}" if self.token else ""
        return f"http://{host}:{self.port}{token}"
