"""The services of a server, which the API and the pages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flipdrop.interface.web.classroom.service import ClassroomService
from flipdrop.interface.web.jobs.service import JobService
from flipdrop.interface.web.sessions.manager import SessionManager
from flipdrop.interface.web.sessions.puzzle_service import PuzzleService

if TYPE_CHECKING:
    from flipdrop.interface.web.config import ServerConfig


class Services:
    """Sessions, puzzles, jobs, and the class if the server has one."""

    def __init__(self, config: ServerConfig) -> None:
        self.config = config
        self.sessions = SessionManager(config)
        self.puzzles = PuzzleService(self.sessions.search_queue)
        self.jobs = JobService(config)
        self.classroom = None if config.classroom is None else ClassroomService(config)

    def start(self) -> None:
        """Starts on the running event loop."""
        self.sessions.start()
        if self.classroom is not None:
            self.classroom.start()

    def shutdown(self, timeout: float = 1.0) -> bool:
        """Shuts down; jobs keep running. True if all searches ended within `timeout` seconds."""
        if self.classroom is not None:
            self.classroom.close()
        return self.sessions.shutdown(timeout)
