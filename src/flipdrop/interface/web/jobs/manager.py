"""Matches, tournaments, ladders and learners in processes of their own, which outlive the page and the server.

A job is a command of flipdrop's in a folder of its own::

    jobs/match-1a2b3c4d/
        job.json      what was asked for: the command's arguments, and metadata for whoever shows it
        pid           of the process, which leads a group of its own
        lock          locked for as long as the process lives
        output        what it printed: JSON, in the end
        errors        what it complained of
        stop          there if somebody asked for it to be stopped
        ended.json    the exit status, and when

Whoever opens the folder, be it after a restart of the server, finds every job again. Whether one is alive is read from
the lock, which the system lets go whatever ends the process, and not from the number of the process, which may be
another's by then. Games and curves are not here: they are in the store, from which the page reads them.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from flipdrop.errors import ArenaError, quoted
from flipdrop.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Sequence

State = Literal["running", "ended", "stopped", "failed", "lost"]
"""Lost: the process has gone without a word, with the machine for example."""

Kind = Literal["match", "tournament", "ladder", "evolve", "learn", "train"]

MAX_JOBS = 4
"""JobManager at once: each of them uses all cores."""

STOP_TIMEOUT = 20.0
"""Seconds that a job gets to come to an end by itself once it was asked to."""

SAVE_TIMEOUT = 180.0
"""The same, for one that saves what it has learned before it ends."""

STOPPED = 130
"""The exit status of a command that Ctrl-C has ended."""

_BETWEEN_LOOKS = 0.02  # s
_LONGEST_LOOK = 0.5  # s that somebody who only looks whether a job is alive may hold its lock, on a busy machine
_LONGEST_OUTPUT = 4_000_000  # bytes; a tournament of fifty players prints a tenth of it
_LONGEST_ERROR = 2_000


@dataclass(frozen=True)
class JobSpec:
    """What a job is to do.

    :param kind: the command
    :param game: the game's name
    :param arguments: of the command, its name included
    :param metadata: for whoever shows it, as JSON can hold them: players, seed, how many games, ...
    :param on_stop: arguments of a command that runs after it was stopped, to save what there is
    """

    kind: Kind
    game: str
    arguments: tuple[str, ...]
    metadata: dict[str, Any] = field(default_factory=dict)
    on_stop: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Everything, as JSON can hold it."""
        return {
            "kind": self.kind,
            "game": self.game,
            "arguments": list(self.arguments),
            "metadata": self.metadata,
            "on_stop": list(self.on_stop),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> JobSpec:
        """What `to_json` was made of."""
        return cls(
            data["kind"],
            data["game"],
            tuple(data["arguments"]),
            data["metadata"] if "metadata" in data else data["facts"],  # "facts": files of 0.1.0
            tuple(data.get("on_stop") or data.get("when_stopped") or ()),
        )


@dataclass(frozen=True)
class Job:
    """A job as it is at the moment.

    :param begun: when it was first started, UTC
    :param ended: when it ended, None while it runs and if nobody knows
    :param error: why it failed, in its own words; empty if it did not
    """

    id: str
    spec: JobSpec
    folder: Path
    begun: datetime
    state: State
    ended: datetime | None = None
    error: str = ""

    @property
    def is_running(self) -> bool:
        """Whether it goes on."""
        return self.state == "running"

    @property
    def seconds(self) -> float:
        """How long it has run, or ran."""
        return ((self.ended or datetime.now(UTC)) - self.begun).total_seconds()

    @property
    def plays_as(self) -> str | None:
        """The spec of the player that a learner has made; None before it has, and for other jobs."""
        metadata = self.spec.metadata
        if "model" not in metadata or not Path(metadata["model"]).is_file():
            return None
        return str(metadata["plays_as"])

    def output(self) -> dict[str, Any] | None:
        """The JSON that the command printed in the end, if it came so far."""
        try:
            with (self.folder / "output").open("rb") as file:
                found = json.loads(file.read(_LONGEST_OUTPUT))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None


class UnknownJob(ArenaError):
    """A job that does not exist, or no longer."""


class TooManyJobs(ArenaError):
    """As many jobs as can are running already."""


class JobManager:
    """All jobs of a folder. Several servers may share one.

    :param folder: made when the first job begins
    :param most: so many at once
    """

    def __init__(self, folder: str | os.PathLike[str], *, most: int = MAX_JOBS) -> None:
        self.folder = Path(folder)
        self.most = most
        self._guard = threading.Lock()

    def all(self) -> list[Job]:
        """Every job, the newest first."""
        if not self.folder.is_dir():
            return []
        found = (self._read(folder) for folder in self.folder.iterdir() if (folder / "job.json").is_file())
        return sorted((job for job in found if job), key=lambda job: job.begun, reverse=True)

    def find(self, id_: str) -> Job:
        """The job with this id, as it is now."""
        job = self._read(self.folder / id_) if _is_id(id_) else None
        if job is None:
            raise UnknownJob(f"job {quoted(id_, 40)}: there is none")
        return job

    def new_folder(self, kind: Kind) -> Path:
        """Where a job of this kind is going to live, for orders whose arguments name files there."""
        return self.folder / f"{kind}-{secrets.token_hex(4)}"

    def start(self, spec: JobSpec, folder: Path | None = None) -> Job:
        """Begins a job, which goes on whatever becomes of this process.

        :param folder: one of `new_folder`'s
        """
        folder = folder or self.new_folder(spec.kind)
        with self._guard:
            self._check_room()
            folder.mkdir(parents=True)
            try:
                data = spec.to_json() | {"begun": datetime.now(UTC).isoformat()}
                atomic_write(folder / "job.json", (json.dumps(data, indent=1) + "\n").encode())
                self._launch(folder, spec.arguments)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)  # it has not begun, so there is nothing to be shown
                raise
        return self.find(folder.name)

    def resume(self, id_: str, *, from_beginning: bool = False) -> Job:
        """Goes on with a job that was stopped or lost.

        :param from_beginning: it had not come so far that its command knows how to go on
        """
        job = self.find(id_)
        with self._guard:
            self._check_room()
            self._launch(job.folder, job.spec.arguments if from_beginning else resuming(job.spec.arguments))
        return self.find(id_)

    def stop(self, id_: str, *, timeout: float | None = None) -> Job:
        """Asks a job to end, as Ctrl-C does, and waits until it has. One that does not listen is ended for it.

        :param timeout: seconds before it is; the usual ones if it is not given
        """
        job = self.find(id_)
        if timeout is None:
            timeout = SAVE_TIMEOUT if job.spec.on_stop else STOP_TIMEOUT
        if not job.is_running:
            return job
        (job.folder / "stop").touch()
        for sent, seconds in ((signal.SIGINT, timeout), (signal.SIGKILL, STOP_TIMEOUT)):
            deadline = time.monotonic() + seconds
            self._signal(job.folder, sent, deadline)
            if self._has_ended(job.folder, deadline):
                break
        return self.find(id_)

    def forget(self, id_: str) -> None:
        """Removes a job that has ended, and its files. Its games stay in the store."""
        job = self.find(id_)
        if job.is_running:
            raise ArenaError(f"job {id_} is running; stop it first")
        shutil.rmtree(job.folder)

    def _check_room(self) -> None:
        running = sum(job.is_running for job in self.all())
        if running >= self.most:
            raise TooManyJobs(f"{running} jobs are running, and {self.most} can; wait for one of them, or stop it")

    def _launch(self, folder: Path, arguments: Sequence[str]) -> None:
        command = [sys.executable, "-m", "flipdrop.interface.web.jobs.worker", str(folder), *arguments]
        with (folder / "lock").open("ab") as lock:
            if not _take(lock):
                raise ArenaError(f"job {folder.name} is running already")
            for name in ("stop", "ended.json", "pid"):
                (folder / name).unlink(missing_ok=True)
            with (folder / "output").open("wb") as output, (folder / "errors").open("wb") as errors:
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=errors,
                    start_new_session=True,
                    pass_fds=(lock.fileno(),),  # the lock is the child's from now on
                )
            atomic_write(folder / "pid", str(process.pid).encode())
        # Somebody has to take note of its end for as long as this process is its parent.
        threading.Thread(target=process.wait, name=folder.name, daemon=True).start()

    @staticmethod
    def _signal(folder: Path, which: signal.Signals, deadline: float) -> None:
        """Tells the whole group. Its number cannot be another's while somebody of it is alive, and holds the lock."""
        while _is_alive(folder):
            # It may have just ended, or be so young that it has no number yet.
            with contextlib.suppress(OSError, ValueError):
                os.killpg(int((folder / "pid").read_text()), which)
                return
            if time.monotonic() > deadline:
                return
            time.sleep(_BETWEEN_LOOKS)

    @staticmethod
    def _has_ended(folder: Path, deadline: float) -> bool:
        while _is_alive(folder):
            if time.monotonic() > deadline:
                return False
            time.sleep(_BETWEEN_LOOKS)
        return True

    @staticmethod
    def _read(folder: Path) -> Job | None:
        """A job from its folder; None if there is none, or not all of it is written yet."""
        try:
            # In this spec: a job that ends in between has its status written before it lets go of the lock.
            alive = _is_alive(folder)
            data = json.loads((folder / "job.json").read_text(encoding="utf-8"))
            spec, begun = JobSpec.from_json(data), datetime.fromisoformat(data["begun"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        if alive:
            return Job(folder.name, spec, folder, begun, "running")
        asked = (folder / "stop").exists()
        try:
            end = json.loads((folder / "ended.json").read_text(encoding="utf-8"))
            code, ended = int(end["code"]), datetime.fromisoformat(end["at"])
        except (OSError, ValueError, KeyError, TypeError):
            return Job(folder.name, spec, folder, begun, "stopped" if asked else "lost")
        if code == 0:
            return Job(folder.name, spec, folder, begun, "ended", ended)
        if asked or code == STOPPED:
            return Job(folder.name, spec, folder, begun, "stopped", ended)
        return Job(folder.name, spec, folder, begun, "failed", ended, _last_error_line(folder))


def learned(spec: str, folder: str | os.PathLike[str]) -> Job | None:
    """The job whose model plays as ``learned:ID``, of a game that it says; None if this is no such spec.

    So clients can name models that the server itself has made, and no other files.

    :param folder: of the jobs
    """
    name, colon, id_ = spec.strip().partition(":")
    if name != "learned" or not colon:
        return None
    job = JobManager(folder).find(id_)
    if job.plays_as is None:
        raise ArenaError(f"{quoted(spec, 50)} has no model yet")
    return job


def resuming(arguments: Sequence[str]) -> tuple[str, ...]:
    """The arguments of the command that goes on with what another has begun. Options come before all else."""
    return (arguments[0], "--resume", *arguments[1:])


def _is_id(text: str) -> bool:
    return 0 < len(text) <= 40 and all(letter.isascii() and (letter.isalnum() or letter == "-") for letter in text)


def _take(lock: BinaryIO) -> bool:
    """Takes a lock, unless a job has it: whoever only looks lets go of it at once."""
    deadline = time.monotonic() + _LONGEST_LOOK
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                return False
            time.sleep(_BETWEEN_LOOKS)
        else:
            return True


def _is_alive(folder: Path) -> bool:
    """Whether the process of a folder, or one that it has started, still holds the lock."""
    try:
        with (folder / "lock").open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _last_error_line(folder: Path) -> str:
    """The last line that a failed command wrote."""
    try:
        text = (folder / "errors").read_bytes()[-_LONGEST_ERROR:].decode(errors="replace")
    except OSError:
        return ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else ""
