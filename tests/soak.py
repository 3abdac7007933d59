"""A soak test of the server: ``python -m tests.soak --minutes 30``.

A hundred games against computers are played through the API, every fifth with an analysis; two matches and a learner
run as jobs. In between the server is terminated and killed in turn, a job is killed and resumed, and a client asks for
endless searches. Checked are:

- errors: no traceback on the server, no answer with a status that a correct client does not expect
- nothing lost: a game has every move that was acknowledged, stores have every game and are not damaged
- memory: between two restarts it does not grow: its mean in the last third of the time is compared with that in the
  middle third, since tables of analyses come and go, and its peak with what the tables that it may keep take
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

import httpx

SESSIONS = 100
GROWTH = 1.15  # times as much memory in the last third of a stretch as in the middle third
SPARE = 128.0  # MB more: two tables of analyses
PEAK = 300.0 + 64.0 * (8 + (os.cpu_count() or 1))  # MB: the program, idle tables, tables and trees of running searches
PAUSE = (0.5, 3.0)  # s between the moves of a person
SLOW = 10.0  # s for an answer
ANSWERS = (200, 201, 409)  # 409: the computer's turn, the game was over


@dataclass
class Stretch:
    """The life of a server process, in seconds and MB."""

    seconds: float = 0.0
    memory: list[float] = field(default_factory=list)
    ended_by: str = ""

    @property
    def thirds(self) -> tuple[float, float]:
        """The mean memory in the middle and in the last third."""
        third = max(1, len(self.memory) // 3)
        return mean(self.memory[-2 * third : -third] or self.memory), mean(self.memory[-third:])

    @property
    def is_flat(self) -> bool:
        middle, last = self.thirds
        return last <= GROWTH * middle + SPARE and max(self.memory) <= PEAK

    def __str__(self) -> str:
        middle, last = self.thirds
        return f"{middle:.0f} MB in the middle, {last:.0f} at the end, {max(self.memory):.0f} at most"


@dataclass
class Report:
    """What happened."""

    minutes: float = 0.0
    games: int = 0
    moves: int = 0
    requests: int = 0
    slowest: float = 0.0
    slowest_request: str = ""
    interrupted: int = 0
    restarts: int = 0
    killed_jobs: int = 0
    match_games: int = 0
    statuses: dict[int, int] = field(default_factory=dict)
    stretches: list[Stretch] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


class Soak:
    """A server, its clients and its jobs."""

    def __init__(self, folder: Path, minutes: float, stretch: float, seed: int) -> None:
        self.folder, self.stretch = folder, stretch
        self.end = time.monotonic() + 60 * minutes
        self.report = Report()
        self.random = random.Random(seed)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        self.up = asyncio.Event()
        self.games = 0  # that the store had at the last look
        self.process: subprocess.Popen[bytes]

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.end

    async def run(self) -> Report:
        began = time.monotonic()
        limits = httpx.Limits(max_connections=120)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=60, limits=limits) as client:
            self.client = client
            await self.start_server()
            await self.start_jobs()
            people = [asyncio.create_task(self.play(number)) for number in range(SESSIONS)]
            greedy = asyncio.create_task(self.be_greedy())
            await self.disturb()
            greedy.cancel()
            for person in people:
                person.cancel()
            results = await asyncio.gather(*people, greedy, return_exceptions=True)
            for result in results:
                if isinstance(result, Exception):
                    self.problem(f"a client failed: {result!r}")
            await self.stop_jobs()
            await self.stop_server(signal.SIGTERM)
        self.check_stores()
        self.report.minutes = (time.monotonic() - began) / 60
        return self.report

    def problem(self, text: str) -> None:
        self.report.problems.append(text[:500])
        print(f"problem: {text[:500]}", file=sys.stderr, flush=True)

    # The server.

    async def start_server(self) -> None:
        command = [sys.executable, "-m", "flipdrop", "serve", "--no-open", "--port", str(self.port)]
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--store", str(self.folder / "games.db")], stdout=log, stderr=log, cwd=self.folder
            )
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            with suppress(httpx.TransportError):
                await self.client.get("/api/games")
                self.up.set()
                return
            await asyncio.sleep(0.2)
        raise AssertionError("the server does not start")

    async def stop_server(self, how: signal.Signals) -> None:
        self.up.clear()
        self.process.send_signal(how)
        status = await asyncio.to_thread(self.process.wait, 60)  # clients go on: their answers are timed
        expected = 143 if how == signal.SIGTERM else -how
        if status != expected:
            self.problem(f"the server ended with status {status} after {how.name}")

    def kill(self) -> None:
        """Ends what still runs."""
        for path in self.folder.glob("jobs/*/pid"):
            if not (path.parent / "ended.json").exists():
                with suppress(ProcessLookupError, ValueError):
                    os.killpg(int(path.read_text()), signal.SIGKILL)
        self.process.kill()
        self.process.wait()

    def memory(self) -> float:
        """MB of the server."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS:")).split()[1]) / 1024

    async def disturb(self) -> None:
        """Terminates and kills the server in turn, and a job; measures memory."""
        for number in range(1_000_000):
            part, began = Stretch(memory=[round(self.memory())]), time.monotonic()
            stop = min(self.end, began + self.stretch)
            while time.monotonic() < stop:
                await asyncio.sleep(min(5.0, max(0.1, stop - time.monotonic())))
                if self.process.poll() is not None:
                    self.problem(f"the server ended by itself with status {self.process.returncode}")
                    break
                part.memory.append(round(self.memory()))
                await asyncio.to_thread(self.look_at_games)
            part.seconds = time.monotonic() - began
            self.report.stretches.append(part)
            if not part.is_flat:
                self.problem(f"memory: {part}")
            if self.is_over:
                return
            how = (signal.SIGTERM, signal.SIGKILL)[number % 2]
            part.ended_by = how.name
            print(f"{how.name} after {part.seconds:.0f} s: {part}", flush=True)
            if self.process.poll() is None:
                await self.stop_server(how)
            self.report.restarts += 1
            await self.start_server()
            if number % 2:
                await self.kill_a_job()

    # Jobs.

    async def start_jobs(self) -> None:
        self.jobs = []
        for asked in (
            {
                "kind": "match",
                "game": "othello6",
                "first": "mcts:iterations=2000",
                "second": "level:5",
                "games": 99_998,
            },
            {"kind": "match", "game": "connect4", "first": "alphabeta:depth=8", "second": "level:4", "games": 99_998},
            {"kind": "learn", "game": "othello4", "rule": "q", "seconds": 7200},
        ):
            answer = await self.client.post("/api/jobs", json=asked)
            if answer.status_code != 201:
                self.problem(f"job: {answer.status_code} {answer.text}")
            else:
                self.jobs.append(answer.json()["id"])

    async def kill_a_job(self) -> None:
        name = self.random.choice(self.jobs)
        job = (await self.client.get(f"/api/jobs/{name}")).json()["job"]
        if job["state"] == "running":
            with suppress(ProcessLookupError):
                os.killpg(int((self.folder / "jobs" / name / "pid").read_text()), signal.SIGKILL)
            self.report.killed_jobs += 1
            await asyncio.sleep(2)
            answer = await self.client.post(f"/api/jobs/{name}/resume")
            if answer.status_code != 200:
                self.problem(f"resuming a job: {answer.status_code} {answer.text}")
        elif job["state"] == "failed":
            self.problem(f"job {name} failed: {job['error']}")

    async def stop_jobs(self) -> None:
        for name in self.jobs:
            answer = await self.client.post(f"/api/jobs/{name}/stop")
            if answer.status_code not in ANSWERS:
                self.problem(f"stopping a job: {answer.status_code} {answer.text}")

    def look_at_games(self) -> None:
        """Games of matches that were stored once stay there."""
        with closing(sqlite3.connect(f"file:{self.folder / 'games.db'}?mode=ro", uri=True, timeout=30)) as store:
            (games,) = store.execute("SELECT count(*) FROM games").fetchone()
        if games < self.games:
            self.problem(f"the store had {self.games} games, and has {games}")
        self.games = self.report.match_games = games

    def check_stores(self) -> None:
        for name in ("games.db", "sessions.db"):
            with closing(sqlite3.connect(self.folder / name)) as store:
                if (found := store.execute("PRAGMA integrity_check").fetchall()) != [("ok",)]:
                    self.problem(f"{name}: {found}")
        lines = (self.folder / "server.log").read_text(errors="replace").splitlines()
        log = "\n".join(line for line in lines if "timeout graceful shutdown exceeded" not in line)  # of uvicorn
        for word in ("Traceback", "ERROR", "could not be saved"):
            if word in log:
                self.problem(f"the log of the server has {word!r}: {log[log.index(word) :][:2000]}")

    # Clients.

    async def ask(self, method: str, path: str, content: Any = None) -> dict[str, Any] | None:
        """The answer; None if the server was stopped meanwhile."""
        await self.up.wait()
        began = time.monotonic()
        try:
            answer = await self.client.request(method, path, json=content)
        except httpx.TransportError:
            self.report.interrupted += 1
            await asyncio.sleep(0.5)
            return None
        if answer.status_code == 503 and "shutting down" in answer.text:
            self.report.interrupted += 1
            return None
        self.report.requests += 1
        self.report.statuses[answer.status_code] = self.report.statuses.get(answer.status_code, 0) + 1
        if (seconds := time.monotonic() - began) > self.report.slowest:
            self.report.slowest, self.report.slowest_request = seconds, f"{method} {path}"
        if answer.status_code not in ANSWERS:
            self.problem(f"{method} {path}: {answer.status_code} {answer.text[:200]}")
            await asyncio.sleep(1)
            return None
        found: dict[str, Any] = answer.json()
        return found if answer.status_code != 409 else {}

    async def play(self, number: int) -> None:
        """Plays one game after the other."""
        source = random.Random(number)
        await asyncio.sleep(source.uniform(0, 20))
        while True:
            game = source.choice(["othello", "othello6", "connect4", "connect4:9x7"])
            made = await self.ask(
                "POST", "/api/sessions", {"game": game, "second": source.choice(["level:1", "level:2"])}
            )
            if not made:
                continue
            path = f"/api/sessions/{made['id']}"
            await self.finish(path, source, is_analysed=number % 5 == 0)
            self.report.games += 1
            await self.ask("DELETE", path)

    async def finish(self, path: str, source: random.Random, *, is_analysed: bool) -> None:
        acknowledged = ""
        while True:
            await asyncio.sleep(source.uniform(*PAUSE))
            view = await self.ask("GET", path)
            if not view:
                continue
            if not view["transcript"].startswith(acknowledged):
                self.problem(f"{path}: {acknowledged!r} was acknowledged, and {view['transcript']!r} is there")
                return
            if view["error"] is not None:
                self.problem(f"{path}: {view['error']}")
                return
            if view["over"]:
                return
            if is_analysed and view["analysis"] is None:  # a new session, or a restarted server
                await self.ask("POST", f"{path}/analysis", {"seconds": 1.0})
            if view["human_to_move"]:
                moves = [legal["move"] for legal in view["legal"]] or ["pass"]
                move = {"move": source.choice(moves), "cursor": view["cursor"]}
                played = await self.ask("POST", f"{path}/moves", move)
                if played:
                    acknowledged = played["transcript"].removesuffix("pass")  # the next move implies it
                    self.report.moves += 1

    async def be_greedy(self) -> None:
        """Now and then asks for endless searches."""
        while True:
            await asyncio.sleep(45)
            searched = {"first": "mcts:iterations=1000000000", "second": "mcts:iterations=1000000000"}
            made = [await self.ask("POST", "/api/sessions", searched) for _ in range(6)]
            await asyncio.sleep(15)
            for one in made:
                if one:
                    await self.ask("DELETE", f"/api/sessions/{one['id']}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--stretch", type=float, default=300.0, help="seconds between two restarts of the server")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        soak = Soak(Path(folder), given.minutes, given.stretch, given.seed)
        try:
            report = asyncio.run(soak.run())
        finally:
            soak.kill()
    print(json.dumps(asdict(report), indent=1))
    sys.exit(1 if report.problems else 0)


if __name__ == "__main__":
    main()
