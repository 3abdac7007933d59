"""Jobs are processes that outlive the server, and a later server finds them."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from flipdrop.arena.match import Match
from flipdrop.arena.store import Store
from flipdrop.errors import ArenaError
from flipdrop.games import game
from flipdrop.interface.web.jobs.manager import STOPPED, JobManager
from flipdrop.interface.web.jobs.repository import ResultsRepository
from flipdrop.interface.web.jobs.spec import JobSpec
from flipdrop.model_file import beside_model
from flipdrop.players import player

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.interface.web.jobs.manager import Job

TIMEOUT = 300.0  # s, on a machine that has much else to do


def match(folder: Path, games: int, *, seed: int = 1, players: tuple[str, str] = ("random", "greedy")) -> JobSpec:
    event = Match(players=(players[0], players[1]), game="connect4", games=games, seed=seed)
    return JobSpec("match", event.to_json(), str(folder / "games.db"))


GATED = """
import time
from pathlib import Path

class Gated:
    moves = 0

    def choose(self, position, clock):
        Gated.moves += 1
        while Gated.moves > 30 and not Path(__file__).with_name("open").exists():
            time.sleep(0.01)
        return position.legal_moves[0]
"""
"""An agent that plays 1 to 7 games in each process and then waits until a file exists: its match cannot end early."""

ENDLESS = ("mcts:seconds=0.01", "mcts:seconds=0.011")
"""Two players whose 100,000 games take hours on any machine, and each of whose games takes less than a second."""


def wait(until: Callable[[], object], seconds: float = TIMEOUT) -> None:
    deadline = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.05)


def ended(jobs: JobManager, job: Job) -> Job:
    wait(lambda: not jobs.find(job.id).is_running)
    return jobs.find(job.id)


def games_of(folder: Path) -> list[tuple[int, tuple[int, ...]]]:
    path = folder / "games.db"
    if not path.exists():
        return []
    with Store(path) as store:
        return [(played.task.number, played.moves) for stored in store.events() for played in store.games(stored.id)]


@pytest.mark.slow
def test_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = JobManager(tmp_path / "jobs")
    assert jobs.all() == []
    job = jobs.start(match(tmp_path, 20))
    job = ended(jobs, job)
    assert (job.state, job.error) == ("ended", "")
    assert len(games_of(tmp_path)) == 20
    assert [one.id for one in JobManager(tmp_path / "jobs").all()] == [job.id]
    assert job.ended is not None
    assert job.view.seconds == (job.ended - job.started).total_seconds()

    monkeypatch.setattr("flipdrop.interface.web.jobs.process_lock.PROBE_TIMEOUT", TIMEOUT)
    # A process that only tests the lock does not prevent a restart.
    with (job.folder / "lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        later = threading.Timer(0.1, fcntl.flock, [lock.fileno(), fcntl.LOCK_UN])
        later.start()
        job = jobs.resume(job.id)
        later.join()
    assert ended(jobs, job).state == "ended"

    # The file of its pid stays, and the pid may be reused: here, it is that of this test.
    (job.folder / "pid").write_text(str(os.getpgid(0)))
    (job.folder / "ended.json").unlink()
    assert jobs.find(job.id).state == "lost"
    assert jobs.stop(job.id).state == "lost"


@pytest.mark.slow
def test_job_outlives_server(tmp_path: Path) -> None:
    """The server is killed; another one finds the job running, and stops it."""
    order = match(tmp_path, 100_000, players=ENDLESS)
    program = (
        "import json, sys, time\n"
        "from flipdrop.interface.web.jobs.manager import JobManager\n"
        "from flipdrop.interface.web.jobs.spec import JobSpec\n"
        "print(JobManager(sys.argv[1]).start(JobSpec.from_json(json.loads(sys.argv[2]))).id, flush=True)\n"
        "time.sleep(600)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "jobs"), json.dumps(order.to_json())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        id_ = server.stdout.readline().strip()
        server.kill()
    jobs = JobManager(tmp_path / "jobs", max_jobs=1)
    wait(lambda: games_of(tmp_path))
    before = len(games_of(tmp_path))
    wait(lambda: len(games_of(tmp_path)) > before)
    job = jobs.find(id_)
    assert job.is_running

    # No more jobs than the maximum.
    with pytest.raises(ArenaError, match="1 of at most 1 jobs are running"):
        jobs.start(match(tmp_path, 20, seed=2))
    with pytest.raises(ArenaError, match="1 of at most 1 jobs"):
        jobs.resume(id_)
    with pytest.raises(ArenaError, match="is running; stop it first"):
        jobs.delete(id_)
    assert len(jobs.all()) == 1

    # A job whose pid is not written yet is signalled as soon as it is.
    number = job.folder / "pid"
    later = threading.Timer(0.3, number.write_text, [number.read_text()])
    number.unlink()
    later.start()
    assert jobs.stop(id_, timeout=TIMEOUT).state == "stopped"
    later.join()
    # It ended by itself; a killed job writes no exit status.
    assert json.loads((job.folder / "ended.json").read_text())["code"] == STOPPED

    # A job that has just been resumed, with a stale pid.
    number.write_text("999999999")
    jobs.resume(id_)
    assert jobs.stop(id_, timeout=TIMEOUT).state == "stopped"

    # A job that ignores the request is killed.
    jobs.max_jobs = 2
    played = len(games_of(tmp_path))
    jobs.resume(id_)
    with pytest.raises(ArenaError, match="running already"):
        jobs.resume(id_)
    wait(lambda: len(games_of(tmp_path)) > played)
    assert jobs.stop(id_, timeout=0.0).state == "stopped"


@pytest.mark.slow
def test_interrupted_match(tmp_path: Path) -> None:
    (tmp_path / "gated.py").write_text(GATED)
    games = 40 * (os.cpu_count() or 1)  # more than two runs of all processes can play before the file exists
    players = ("mcts:iterations=50", f"{tmp_path / 'gated.py'}:Gated")
    jobs = JobManager(tmp_path / "jobs")
    job = jobs.start(match(tmp_path, games, players=players))
    assert job.is_running
    wait(lambda: games_of(tmp_path))
    os.killpg(int((job.folder / "pid").read_text()), signal.SIGKILL)
    assert ended(jobs, job).state == "lost"
    before = len(games_of(tmp_path))
    job = jobs.resume(job.id)
    wait(lambda: len(games_of(tmp_path)) > before)
    job = jobs.stop(job.id, timeout=TIMEOUT)
    assert job.state == "stopped"
    assert before < len(games_of(tmp_path)) < games
    (tmp_path / "open").touch()
    whole = tmp_path / "whole"
    whole.mkdir()
    other = jobs.start(match(whole, games, players=players))
    assert ended(jobs, jobs.resume(job.id)).state == "ended"
    assert ended(jobs, other).state == "ended"
    assert len(games_of(tmp_path)) == games
    assert games_of(tmp_path) == games_of(whole)


def test_failed_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = JobManager(tmp_path / "jobs")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no_python"))
    with pytest.raises(OSError, match="no_python"):
        jobs.start(match(tmp_path, 2))
    assert list(jobs.folder.iterdir()) == []


@pytest.mark.slow
def test_failed_job(tmp_path: Path) -> None:
    jobs = JobManager(tmp_path / "jobs")
    job = ended(jobs, jobs.start(match(tmp_path, 20, players=("random", "nobody"))))
    assert job.state == "failed"
    assert "nobody" in job.error
    jobs.delete(job.id)
    assert jobs.all() == []


@pytest.mark.parametrize("id_", ["", "..", "../jobs", "a/b", "x" * 41, "match-1\0", "match-12345678"])
def test_unknown_ids(tmp_path: Path, id_: str) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "job.json").write_text("{}")
    with pytest.raises(ArenaError, match="unknown job"):
        JobManager(tmp_path / "jobs").find(id_)


def test_other_folders(tmp_path: Path) -> None:
    for name, content in (("broken", "{"), ("empty", "{}"), ("other", "[1]")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "job.json").write_text(content)
    (tmp_path / "file").touch()
    assert JobManager(tmp_path).all() == []


@pytest.mark.slow
def test_stopped_learner(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    jobs = JobManager(tmp_path / "link" / "jobs")
    folder = jobs.new_folder("learn")
    model = folder / "q.table"
    settings = {"game": "othello4", "rule": "q", "with": "table", "seconds": 6000.0, "seed": 1}
    spec = JobSpec("learn", settings, str(tmp_path / "games.db"), str(model), f"table:model={model}")
    job = jobs.start(spec, folder)
    wait(beside_model(model, ".checkpoint").exists)
    assert not model.exists()
    assert job.plays_as is None
    job = jobs.stop(job.id)
    assert job.state == "stopped"
    assert job.can_resume
    assert job.plays_as is not None
    assert ResultsRepository(tmp_path / "games.db", jobs).run(job.id).ids == (1, 2)
    start = game("othello4").start()
    assert player(job.plays_as, game="othello4").choose(start) in start.legal_moves
