"""`ClassroomService`: takes agents into a class, and runs the job that plays their games."""

from __future__ import annotations

import logging
import secrets
import shutil
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from flipdrop.errors import FlipdropError
from flipdrop.games import game as game_of
from flipdrop.interface.web.agents.checking import check_agent
from flipdrop.interface.web.agents.code import AgentCode
from flipdrop.interface.web.agents.library import files_of
from flipdrop.interface.web.agents.roster import (
    FILE,
    MAX_AGENTS,
    ClassError,
    RosterFolder,
    check_may_submit,
    clean_name,
)
from flipdrop.interface.web.agents.source import player_in
from flipdrop.interface.web.jobs.manager import JobManager
from flipdrop.interface.web.jobs.spec import JobSpec

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flipdrop.interface.web.agents.roster import Roster, Student
    from flipdrop.interface.web.classroom.results import ClassResults
    from flipdrop.interface.web.config import ServerConfig
    from flipdrop.interface.web.jobs.manager import Job

WORKER = "flipdrop.interface.web.classroom.worker"
MIN_SECONDS, MAX_SECONDS = 0.05, 60.0
"""Limits of the seconds for a move."""
MAX_GAMES = 1000
"""Games of each pairing."""
_WATCH_SECONDS = 1.0
_MAX_DELAY = 60.0  # s until a job that failed is started again
_STOP_SECONDS = 10.0
_MAX_CHECKS = MAX_AGENTS  # waiting
_log = logging.getLogger(__name__)


class ClassroomService:
    """The class of a server."""

    def __init__(self, config: ServerConfig) -> None:
        assert config.classroom is not None
        self._config = config
        self.folder = RosterFolder(config.classroom)
        self._jobs = JobManager(config.classroom / "job", max_jobs=1, worker=WORKER)
        self.checks = ThreadPoolExecutor(2, thread_name_prefix="agent-check")
        """Threads for `submit`, which may take as long as an agent takes to fail."""
        self._checking: set[str] = set()
        self._lock, self._watch_lock = threading.Lock(), threading.Lock()
        self._closed = threading.Event()
        self._failures, self._retry_at = 0, 0.0
        self._watcher = threading.Thread(target=self._watch, name="class", daemon=True)

    @cached_property
    def results(self) -> ClassResults:
        """Imported with its first use, since the statistics of the arena take half a second."""
        from flipdrop.interface.web.classroom.results import ClassResults

        return ClassResults(self.folder, self._config.store, is_running=self._is_running)

    @property
    def title(self) -> str:
        return self.folder.folder.absolute().name

    @property
    def address(self) -> str:
        """The URL for the students."""
        return self._config.class_address

    def start(self) -> None:
        """Starts to play, and continues after every change and every failure until `close`."""
        self.folder.read()
        shutil.rmtree(self._staging, ignore_errors=True)  # of checks that a killed server left
        self._watcher.start()

    def close(self) -> None:
        """Stops the job; finished games are in the store."""
        if self._closed.is_set():
            return
        self._closed.set()
        self.checks.shutdown(wait=False, cancel_futures=True)
        with self._watch_lock:
            if (job := self._job()) is not None:
                self._jobs.stop(job.id, timeout=_STOP_SECONDS)

    # Agents.

    @property
    def files(self) -> tuple[str, ...]:
        """Files that students may name instead of uploading one."""
        return tuple(files_of(self._config.agents))

    def submit(self, name: str, code: bytes | str, *, player: str = "", client: str) -> Student:
        """Checks an agent and takes it into the class; raises `AgentRefused` or `ClassError` with the reason.

        :param code: the content of a file, or the name of one of `files`
        :param player: the class or function, if the file has several
        :param client: that sends it; empty for the teacher
        """
        name = clean_name(name)
        roster = self.folder.read()
        check_may_submit(roster, name, client)
        if isinstance(code, str):
            path = files_of(self._config.agents).get(code)
            if path is None:
                raise ClassError(f"there is no file {code[:60]!r} to choose")
            code = path.read_bytes()
        found = player_in(code, player.strip())
        with self._one_check_of(client or name):
            staging = self._staging / secrets.token_hex(8)
            staging.mkdir(parents=True)
            try:
                (staging / FILE).write_bytes(code)
                agent = AgentCode(name, str(staging.absolute()), f"{FILE}:{found}", roster.settings.seconds)
                check_agent(agent, game_of(roster.settings.game), seconds=roster.settings.seconds)
                student = self.folder.add(name, client, found, staging / FILE, roster.settings.game)
            finally:
                shutil.rmtree(staging, ignore_errors=True)
        return student

    @contextmanager
    def _one_check_of(self, client: str) -> Iterator[None]:
        """Inside, an agent of a client is checked: one at a time."""
        with self._lock:
            if client in self._checking:
                raise ClassError("your last agent is still being checked; wait for the result")
            if len(self._checking) >= _MAX_CHECKS:
                raise ClassError("too many agents are being checked; try again in a minute")
            self._checking.add(client)
        try:
            yield
        finally:
            with self._lock:
                self._checking.discard(client)

    def remove(self, name: str) -> None:
        self.folder.remove(name)

    @property
    def _staging(self) -> Path:
        return self.folder.folder / "checking"

    # Settings.

    def set_up(self, *, game: str, seconds: float, games: int) -> None:
        """Chooses what is played; the results of other settings stay in the store, and come back with them."""
        chosen = game_of(game)
        if not MIN_SECONDS <= seconds <= MAX_SECONDS:
            raise ClassError(f"{seconds:g} s for a move; from {MIN_SECONDS:g} to {MAX_SECONDS:g} s are possible")
        if not 2 <= games <= MAX_GAMES or games % 2:
            raise ClassError(f"{games} games for each pairing; give an even number from 2 to {MAX_GAMES}")
        self.folder.set(game=chosen.name, seconds=seconds, games=games)

    def pause(self, paused: bool) -> None:
        """Pauses after the games that are being played, or resumes."""
        self.folder.set(paused=paused)

    # The job.

    def _job(self) -> Job | None:
        return next(iter(self._jobs.all()), None)

    def _is_running(self) -> bool:
        job = self._job()
        return job is not None and job.is_running

    def _watch(self) -> None:
        while not self._closed.wait(_WATCH_SECONDS):
            try:
                with self._watch_lock:
                    if not self._closed.is_set():
                        self.keep_playing()
            except Exception:  # the next round tries again: a failure must not end the class
                _log.exception("the class could not be kept playing")

    def keep_playing(self) -> None:
        """Checks agents for another game, and starts the job if it has something to do and does not run."""
        from flipdrop.interface.web.classroom.games import is_idle

        roster = self.folder.read()
        self._check_for_game(roster)
        job = self._job()
        if roster.settings.paused or not roster.playing or (job is not None and job.is_running):
            return
        if is_idle(self.folder, roster) or time.monotonic() < self._retry_at:
            return
        self._failures = self._failures + 1 if job is not None and job.state == "failed" else 0
        self._retry_at = time.monotonic() + min(_MAX_DELAY, 2.0**self._failures)
        if job is None:
            settings = {"folder": str(self.folder.folder.absolute()), "game": roster.settings.game, "seed": 0}
            self._jobs.start(JobSpec("class", settings, str(self._config.store)))
        else:
            self._jobs.resume(job.id)

    def _check_for_game(self, roster: Roster) -> None:
        """Checks one agent that was not checked for the game of the class yet."""
        game = roster.settings.game
        student = next((one for one in roster.present if game not in one.current.checked), None)
        if student is None:
            return
        error = ""
        try:
            agent = self.folder.code_of(student, roster.settings.seconds)
            check_agent(agent, game_of(game), seconds=roster.settings.seconds)
        except FlipdropError as failure:
            error = str(failure) or type(failure).__name__
        self.folder.record_check(student.name, student.current.number, game, error)
