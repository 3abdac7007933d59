"""Jobs in processes of their own, which outlive the page and the server.

Each job has a folder::

    jobs/match-1a2b3c4d/
        job.json      the specification (`JobSpec`), and when the job was started
        pid           of the process, which leads a process group
        lock          locked while the process lives
        errors        standard error and output of the process
        stop          exists if a stop was requested
        ended.json    the exit status, and when

A server that opens the folder later finds every job again. A job is alive while its file ``lock`` is locked: the system
releases the lock however the process ends, whereas its pid may be reused. Games and curves are in the store.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from flipdrop.errors import DAMAGE, ArenaError, PlayerError, quoted
from flipdrop.files import atomic_write
from flipdrop.interface.web.jobs import process_lock
from flipdrop.interface.web.jobs.spec import JobSpec
from flipdrop.interface.web.schemas import JobView

if TYPE_CHECKING:
    from flipdrop.games import Game
    from flipdrop.interface.web.schemas import JobKind, JobState

MAX_JOBS = 4
"""Jobs that run at once; each uses all cores."""

WORKER = "flipdrop.interface.web.jobs.worker"

STOPPED = 130
"""The exit status of a job that was interrupted."""

STOPPING = ThreadPoolExecutor(MAX_JOBS, thread_name_prefix="stopping")
"""Threads for `JobManager.stop`, which can take minutes and must not block other threads."""

STOP_TIMEOUT = 20.0  # s between the request to stop and SIGKILL
SAVE_TIMEOUT = 180.0  # the same for learners, which save their model first
_ID = re.compile(r"[A-Za-z0-9-]{1,40}")
_POLL = 0.02  # s
_MAX_ERROR = 2_000  # bytes


@dataclass(frozen=True)
class Job:
    """A job as it is at the moment.

    :param started: when it was first started, UTC
    :param ended: None while it runs, and if its end was not recorded
    :param error: the last line that a failed job wrote
    """

    id: str
    spec: JobSpec
    folder: Path
    started: datetime
    state: JobState
    ended: datetime | None = None
    error: str = ""

    @property
    def is_running(self) -> bool:
        return self.state == "running"

    @property
    def can_resume(self) -> bool:
        if self.state in ("running", "ended"):
            return False
        return not self.spec.is_learner or self.spec.checkpoint.is_file()

    @property
    def plays_as(self) -> str | None:
        """The spec of the player that a learner has made; None if there is none yet."""
        return self.spec.plays_as if self.spec.model and Path(self.spec.model).is_file() else None

    @property
    def view(self) -> JobView:
        return JobView(
            id=self.id,
            kind=self.spec.kind,
            settings=self.spec.settings,
            state=self.state,
            started=self.started,
            ended=self.ended,
            error=self.error,
            can_resume=self.can_resume,
            command=self.spec.command,
            player=None if self.plays_as is None else f"learned:{self.id}",
        )


class UnknownJob(ArenaError):
    """A job that does not exist."""


class TooManyJobs(ArenaError):
    """The maximum number of jobs is running."""


class JobConflict(ArenaError):
    """The state of a job forbids this."""


class JobManager:
    """All jobs of a folder. Several servers may share one.

    :param folder: created with the first job
    :param worker: the module that a job's process runs
    """

    def __init__(self, folder: str | os.PathLike[str], *, max_jobs: int = MAX_JOBS, worker: str = WORKER) -> None:
        self.folder = Path(folder)
        self.max_jobs = max_jobs
        self.worker = worker
        self._start_lock = threading.Lock()

    def all(self) -> list[Job]:
        """Every job, the newest first."""
        if not self.folder.is_dir():
            return []
        found = (self._read(folder) for folder in self.folder.iterdir() if (folder / "job.json").is_file())
        return sorted((job for job in found if job), key=lambda job: job.started, reverse=True)

    def find(self, id_: str) -> Job:
        job = self._read(self.folder / id_) if _ID.fullmatch(id_) else None
        if job is None:
            raise UnknownJob(f"unknown job {quoted(id_, 40)}")
        return job

    def new_folder(self, kind: JobKind) -> Path:
        """A folder for `start`, for specifications that name files in it."""
        return self.folder / f"{kind}-{secrets.token_hex(4)}"

    def start(self, spec: JobSpec, folder: Path | None = None) -> Job:
        folder = folder or self.new_folder(spec.kind)
        with self._start_lock:
            self._check_capacity()
            folder.mkdir(parents=True)
            try:
                data = spec.to_json() | {"started": datetime.now(UTC).isoformat()}
                atomic_write(folder / "job.json", (json.dumps(data, indent=1) + "\n").encode())
                self._launch(folder)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        return self.find(folder.name)

    def resume(self, id_: str) -> Job:
        """Starts a job again: it plays the games that the store does not have, or learns from its checkpoint."""
        job = self.find(id_)
        with self._start_lock:
            self._check_capacity()
            self._launch(job.folder)
        return self.find(id_)

    def stop(self, id_: str, *, timeout: float | None = None) -> Job:
        """Interrupts a job and waits for its end.

        :param timeout: seconds before it is killed; `SAVE_TIMEOUT` or `STOP_TIMEOUT` by default
        """
        job = self.find(id_)
        if timeout is None:
            timeout = SAVE_TIMEOUT if job.spec.is_learner else STOP_TIMEOUT
        if not job.is_running:
            return job
        (job.folder / "stop").touch()
        for sent, seconds in ((signal.SIGINT, timeout), (signal.SIGKILL, STOP_TIMEOUT)):
            if self._end(job.folder, sent, time.monotonic() + seconds):
                break
        return self.find(id_)

    def delete(self, id_: str) -> None:
        """Deletes a job that has ended, with its files. Its games stay in the store."""
        job = self.find(id_)
        if job.is_running:
            raise JobConflict(f"job {id_} is running; stop it first")
        shutil.rmtree(job.folder)

    def _check_capacity(self) -> None:
        running = sum(job.is_running for job in self.all())
        if running >= self.max_jobs:
            raise TooManyJobs(
                f"{running} of at most {self.max_jobs} jobs are running; wait for one of them, or stop it"
            )

    def _launch(self, folder: Path) -> None:
        command = [sys.executable, "-m", self.worker, str(folder)]
        with (folder / "lock").open("ab") as lock:
            if not process_lock.acquire(lock):
                raise JobConflict(f"job {folder.name} is running already")
            for name in ("stop", "ended.json", "pid"):
                (folder / name).unlink(missing_ok=True)
            with (folder / "errors").open("wb") as errors:
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=errors,
                    stderr=errors,
                    start_new_session=True,
                    pass_fds=(lock.fileno(),),  # the child holds the lock from now on
                )
            atomic_write(folder / "pid", str(process.pid).encode())
        threading.Thread(target=process.wait, name=folder.name, daemon=True).start()  # reaps the child

    @staticmethod
    def _end(folder: Path, which: signal.Signals, deadline: float) -> bool:
        """Signals the process group of a job once and waits; whether it has ended before the deadline.

        The id of the group cannot be reused while one of its processes lives and holds the lock.
        """
        is_signalled = False
        while process_lock.is_held(folder / "lock"):
            # The job may have just ended, or its pid may not be written yet.
            with contextlib.suppress(OSError, ValueError):
                if not is_signalled:
                    os.killpg(int((folder / "pid").read_text()), which)
                    is_signalled = True
            if time.monotonic() > deadline:
                return False
            time.sleep(_POLL)
        return True

    @staticmethod
    def _read(folder: Path) -> Job | None:
        """The job of a folder; None if there is none, or it is not completely written yet."""
        try:
            # In this order: a job writes its exit status before its lock is released.
            alive = process_lock.is_held(folder / "lock")
            data = json.loads((folder / "job.json").read_text(encoding="utf-8"))
            spec = JobSpec.from_json(data)
            started = datetime.fromisoformat(data["started"] if "started" in data else data["begun"])
        except (OSError, *DAMAGE):
            return None
        if alive:
            return Job(folder.name, spec, folder, started, "running")
        stop_requested = (folder / "stop").exists()
        try:
            end = json.loads((folder / "ended.json").read_text(encoding="utf-8"))
            code, ended = int(end["code"]), datetime.fromisoformat(end["at"])
        except (OSError, *DAMAGE):
            return Job(folder.name, spec, folder, started, "stopped" if stop_requested else "lost")
        if code == 0:
            return Job(folder.name, spec, folder, started, "ended", ended)
        if stop_requested or code == STOPPED:
            return Job(folder.name, spec, folder, started, "stopped", ended)
        return Job(folder.name, spec, folder, started, "failed", ended, _last_line(folder / "errors"))


def find_learned(spec: str, game: Game, folder: Path) -> Job | None:
    """The job whose model ``learned:ID`` names; None if `spec` does not begin so.

    Clients can name models that the server has made in this way, and no other files.

    :param game: the game that the model has to play
    :param folder: of the jobs
    """
    name, colon, id_ = spec.strip().partition(":")
    if name != "learned" or not colon:
        return None
    job = JobManager(folder).find(id_)
    if job.plays_as is None:
        raise ArenaError(f"{quoted(spec, 50)} has no model yet")
    if job.spec.game != game.name:
        raise PlayerError(f"player {quoted(spec, 50)} has learned {job.spec.game}, and this is {game.name}")
    return job


def _last_line(file: Path) -> str:
    try:
        text = file.read_bytes()[-_MAX_ERROR:].decode(errors="replace")
    except OSError:
        return ""
    return text.strip().rpartition("\n")[2].strip()
