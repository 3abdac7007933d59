"""The web page under load: ``python -m benchmarks.web [--quick] [start|sessions|hostile|kill|browser ...]``.

Every part starts a server of its own, ``flipdrop serve``, on a free port with an empty folder, and raises if a promise
is broken:

start     seconds from the command to the first page
sessions  a hundred games at once for a minute against computers, while two analyses run: no error, no move lost, and
          how long it takes until a move is acknowledged
hostile   ten thousand random or malicious requests: nothing but orderly refusals, and memory stays where it was
kill      the server is ended by SIGKILL while games are played: every move that was acknowledged is still there
browser   in Chromium: what the first visit loads, the processor time until the board can be used, and how long a click
          takes until its disc is seen
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.web_hostile import PAGES, Attack, attacks
from flipdrop.interface.web.config import Limits

HOST = "127.0.0.1"
SESSIONS = 100
SECONDS = 60.0
THINK = (0.5, 1.5)  # s that a person takes for a move
REQUESTS = 10_000
ATTACKERS = 6
KILLS = 10
MAX_ACKNOWLEDGEMENT = 0.25  # s, of 95 in 100 moves
MAX_START = 2.5  # s
WARMING = 600  # hostile requests before memory is looked at
VISITS = 20  # to every page, so that more are held than may be without a socket
REST = 8.0  # s, in which the longest analysis ends
MAX_GROWTH = 40.0  # MB during the hostile requests after those
MAX_LOAD = 0.9  # MB
MAX_CLICK = 0.03  # s
MAX_RENDERER = 1.0  # s of processor time


@dataclass
class Served:
    """A server that runs."""

    port: int
    process: subprocess.Popen[bytes]
    log: Path
    started: float

    @property
    def address(self) -> str:
        """Where its pages are."""
        return f"http://{HOST}:{self.port}"

    @property
    def megabytes(self) -> float:
        """Memory that the process holds."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        match = re.search(r"VmRSS:\s+(\d+) kB", text)
        assert match is not None
        return int(match[1]) / 1024

    @property
    def tracebacks(self) -> int:
        """How many are in its log."""
        return self.log.read_text(errors="replace").count("Traceback")

    def kill(self) -> None:
        """Ends it at once."""
        self.process.kill()
        self.process.wait()


def start(folder: Path, *options: str, port: int | None = None) -> Served:
    """Starts a server, and waits for its first page."""
    port = port or _free_port()
    log = folder / "log"
    began = time.perf_counter()
    with log.open("ab") as file:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "flipdrop", "serve", "--no-open", "--port", str(port)),
                *("--store", str(folder / "games.db"), *options),
            ],
            stdout=file,
            stderr=file,
        )
    served = Served(port, process, log, 0.0)
    while True:
        assert process.poll() is None, log.read_text()
        try:
            with urllib.request.urlopen(served.address, timeout=30) as page:
                page.read()
            break
        except OSError:
            time.sleep(0.01)
    served.started = time.perf_counter() - began
    return served


@contextmanager
def server(*options: str) -> Iterator[Served]:
    """A server for the time of the block."""
    with tempfile.TemporaryDirectory() as folder:
        served = start(Path(folder), *options)
        try:
            yield served
        finally:
            served.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


class Client:
    """A connection that speaks JSON over HTTP: little more than the sockets, so that servers are measured, not it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """The status and the content of an answer."""
        data = b"" if body is None else json.dumps(body).encode()
        if self._streams is None:
            self._streams = await asyncio.open_connection(HOST, self._port)
        reader, writer = self._streams
        head = f"{method} {path} HTTP/1.1\r\nhost: {HOST}:{self._port}\r\ncontent-length: {len(data)}\r\n"
        writer.write(head.encode() + b"content-type: application/json\r\n\r\n" + data)
        await writer.drain()
        answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: (\d+)", answer, re.IGNORECASE)
        content = await reader.readexactly(int(length[1]) if length else 0)
        return int(answer.split(" ")[1]), json.loads(content) if content else None

    def close(self) -> None:
        """Ends the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@dataclass
class Person:
    """A client that plays game after game against a computer, and remembers every move that was acknowledged."""

    port: int
    chance: random.Random
    acknowledgements: list[float] = field(default_factory=list)
    moves: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    """By session: at which place of the record, which move."""
    view: dict[str, Any] = field(default_factory=dict)

    async def play(self, until: float) -> None:
        """Plays until a time."""
        client = Client(self.port)
        try:
            await asyncio.sleep(self.chance.uniform(0, THINK[1]))
            while time.perf_counter() < until:
                await self.turn(client)
                await asyncio.sleep(self.chance.uniform(*THINK))
        finally:
            client.close()

    async def turn(self, client: Client) -> None:
        """One move, in a new game if there is none, and the computer's answer."""
        if not self.view or self.view["over"]:
            game = self.chance.choice(["othello", "othello6", "connect4", "connect4:9x10"])
            self.view = await self._ask(client, "POST", "/api/sessions", {"game": game, "second": "level:2"})
        view = self.view
        move = self.chance.choice([entry["move"] for entry in view["legal"]] or ["pass"])
        began = time.perf_counter()
        self.view = await self._ask(
            client, "POST", f"/api/sessions/{view['id']}/moves", {"move": move, "cursor": view["cursor"]}
        )
        self.acknowledgements.append(time.perf_counter() - began)
        self.moves.setdefault(view["id"], []).append((view["cursor"], move))
        while not self.view["over"] and self.view["turn"] == "second":
            assert self.view["error"] is None, self.view["error"]
            path = f"/api/sessions/{view['id']}?after={self.view['version']}&wait=20"
            self.view = await self._ask(client, "GET", path)

    async def check(self) -> int:
        """Looks for every move that was acknowledged; how many there are."""
        client = Client(self.port)
        for id_, moves in self.moves.items():
            record = (await self._ask(client, "GET", f"/api/sessions/{id_}"))["moves"]
            for place, move in moves:
                assert record[place] == record[place] | {"move": move, "by": "first"}, f"{id_}: move {place} is lost"
        client.close()
        return sum(map(len, self.moves.values()))

    async def _ask(self, client: Client, method: str, path: str, body: object = None) -> Any:
        status, found = await client.ask(method, path, body)
        assert status in (200, 201), f"{method} {path} {body}: {status} {found}"
        return found


def measure_start(effort: float) -> None:
    """The median of some starts, and all of them."""
    found = []
    for _ in range(max(3, round(5 * effort))):
        with server() as served:
            found.append(served.started)
    shown = " ".join(f"{seconds:.2f}" for seconds in found)
    middle = statistics.median(found)
    print(f"start: {middle:.2f} s to the first page, the median of {shown}")
    assert middle < MAX_START


def measure_sessions(effort: float) -> None:
    """A hundred people who play at once."""
    with server("--searches", "3") as served:
        people = [Person(served.port, random.Random(number)) for number in range(SESSIONS)]
        searched = asyncio.run(_play_all(served, people, SECONDS * effort))
        times = sorted(seconds for person in people for seconds in person.acknowledgements)
        count = asyncio.run(_check_all(people))
        assert count == len(times)
        middle, most = statistics.median(times), times[round(0.95 * len(times))]
        games = sum(len(person.moves) for person in people)
        print(
            f"sessions: {SESSIONS} people, {SECONDS * effort:.0f} s, {games} games, {count} moves, none lost\n"
            f"  acknowledged within {1000 * middle:.1f} ms (median), {1000 * most:.1f} ms (95 %), "
            f"{1000 * times[-1]:.0f} ms (all), beside {searched} s of analyses; {served.megabytes:.0f} MB"
        )
        assert most < MAX_ACKNOWLEDGEMENT
        assert served.tracebacks == 0, served.log.read_text()


async def _play_all(served: Served, people: list[Person], seconds: float) -> float:
    until = time.perf_counter() + seconds
    studies = [asyncio.create_task(_study(served.port, number, until)) for number in range(2)]
    await asyncio.gather(*(person.play(until) for person in people))
    return round(sum(await asyncio.gather(*studies)))


async def _study(port: int, number: int, until: float) -> float:
    """Keeps an analysis going; the seconds that were searched."""
    client = Client(port)
    spent = 0.0
    while time.perf_counter() < until:
        place = {"game": "othello", "position": "f5d6c3d3c4f4f6"[: 2 * number + 4], "keep": False}
        _, view = await client.ask("POST", "/api/sessions", place)
        path = f"/api/sessions/{view['id']}"
        order = {"seconds": max(1.0, min(20.0, until - time.perf_counter())), "method": ("search", "mcts")[number]}
        await client.ask("POST", f"{path}/analysis", order)
        while not view["analysis"] or not view["analysis"]["done"]:
            _, view = await client.ask("GET", f"{path}?after={view['version']}")
        spent += order["seconds"] if isinstance(order["seconds"], float) else 0.0
    client.close()
    return spent


async def _check_all(people: list[Person]) -> int:
    return sum([await person.check() for person in people])


def measure_hostile(effort: float) -> None:
    """Thousands of requests that no honest page makes."""
    total = round(REQUESTS * effort)
    with server() as served:
        kept = asyncio.run(_one_view(served.port))
        chance = random.Random(5)
        cold = served.megabytes
        asyncio.run(_fill(served.port))
        statuses = _send_all(served, list(attacks(chance, WARMING, kept["id"])))
        before = _at_rest(served, kept["id"])
        statuses += _send_all(served, list(attacks(chance, total, kept["id"])))
        after = _at_rest(served, kept["id"])
        again = asyncio.run(_one_view(served.port))
        assert again["board"] == kept["board"]
        shown = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
        print(
            f"hostile: {WARMING} + {total} requests: {shown}; no traceback in an answer, "
            f"{served.tracebacks} in the log\n"
            f"  memory {cold:.0f} MB at the start, {before:.0f} MB when warm, {after:.0f} MB after all"
        )
        assert not any(status.startswith("5") and status != "503" for status in statuses), statuses
        assert served.tracebacks == 0, served.log.read_text()[-5000:]
        assert after - before < MAX_GROWTH


async def _fill(port: int) -> None:
    """Fills every cache of a server up to its limits, so that later growth of memory is a leak.

    A fresh server loads the pages of the arena and the learners at their first request, and the book and the networks
    at the first search; sessions and unconnected pages stay up to their limits; every search thread keeps a heap.
    """
    client = Client(port)
    for page in PAGES * VISITS:
        with urllib.request.urlopen(f"http://{HOST}:{port}{page}", timeout=60) as answer:
            answer.read()
    for _ in range(Limits().open_sessions):
        status, view = await client.ask("POST", "/api/sessions", {"position": "f5d6c3d3c4f4f6", "keep": False})
        assert status == 201, view
    for method in ("search", "mcts", "level:8"):
        await client.ask("POST", f"/api/sessions/{view['id']}/analysis", {"method": method, "seconds": 1})
        analysis: dict[str, Any] = {"done": False}
        while not analysis["done"]:
            await asyncio.sleep(0.1)
            _, shown = await client.ask("GET", f"/api/sessions/{view['id']}")
            analysis = shown["analysis"]
    client.close()


def _at_rest(served: Served, session: str) -> float:
    """Megabytes that a server holds when nothing is searched: a table of one search is more than a leak would be."""
    request = urllib.request.Request(f"{served.address}/api/sessions/{session}/analysis", method="DELETE")
    with urllib.request.urlopen(request, timeout=60):
        pass
    end = time.perf_counter() + REST
    least = served.megabytes
    while time.perf_counter() < end:
        time.sleep(0.2)
        least = min(least, served.megabytes)
    return least


def _send_all(served: Served, requests: list[Attack]) -> Counter[str]:
    """Sends them, some at once; how often each status was answered."""
    with ThreadPoolExecutor(ATTACKERS) as attackers:
        return Counter(attackers.map(lambda attack: _send(served, attack), requests))


def _send(served: Served, attack: Attack) -> str:
    answer = attack.send(HOST, served.port)
    assert b"Traceback" not in answer, (attack, answer)
    match = re.match(rb"HTTP/1.[01] (\d{3})", answer)
    status = match[1].decode() if match else "closed"
    if status.startswith("5") and status != "503":
        print(attack, answer[:500])
    assert served.process.poll() is None, "the server has gone"
    return status


async def _one_view(port: int) -> Any:
    client = Client(port)
    _, view = await client.ask("POST", "/api/sessions", {"game": "othello", "position": "f5d6"})
    client.close()
    return view


def measure_kill(effort: float) -> None:
    """Games that go on although the server is killed again and again."""
    chance = random.Random(3)
    port = _free_port()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        people = [Person(port, random.Random(number)) for number in range(20)]
        kills = max(2, round(KILLS * effort))
        for _ in range(kills):
            served = start(folder, port=port)
            try:
                asyncio.run(_play_until_killed(served, people, chance.uniform(0.3, 1.5)))
            finally:
                served.kill()
        served = start(folder, port=port)
        try:
            count = asyncio.run(_check_all(people))
            finished = asyncio.run(_finish_all(people))
        finally:
            served.kill()
    print(f"kill: killed {kills} times; {count} moves acknowledged, none lost; {finished} games played to their end")


async def _play_until_killed(served: Served, people: list[Person], seconds: float) -> None:
    async def play(person: Person) -> None:
        client = Client(person.port)
        try:
            if person.view:  # the server may be a move ahead: it saves a move before it acknowledges it
                path = f"/api/sessions/{person.view['id']}"
                _, person.view = await client.ask("GET", path)
                while not person.view["over"] and person.view["turn"] == "second":
                    _, person.view = await client.ask("GET", f"{path}?after={person.view['version']}")
            while True:
                await person.turn(client)
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            client.close()

    playing = [asyncio.create_task(play(person)) for person in people]
    await asyncio.sleep(seconds)
    served.kill()
    await asyncio.gather(*playing)


async def _finish_all(people: list[Person]) -> int:
    async def finish(person: Person) -> None:
        client = Client(person.port)
        path = f"/api/sessions/{person.view['id']}"
        _, person.view = await client.ask("GET", path)
        while not person.view["over"]:
            if person.view["turn"] == "second":
                _, person.view = await client.ask("GET", f"{path}?after={person.view['version']}")
            else:
                await person.turn(client)
        client.close()

    await asyncio.gather(*(finish(person) for person in people if person.view))
    return sum(bool(person.view) for person in people)


def measure_browser(effort: float) -> None:
    """What a browser sees."""
    from benchmarks.web_browser import clicks, first_load, renderer_seconds

    with server() as served:
        megabytes, requests = first_load(served.address)
        print(f"browser: the first visit loads {megabytes:.2f} MB in {requests} requests")
        used = statistics.median(renderer_seconds(served.address) for _ in range(max(3, round(5 * effort))))
        print(f"  the board can be used after {used:.2f} s of the renderer's processor time (median)")
        view = asyncio.run(_new_game(served.port))
        found = clicks(f"{served.address}/play/{view['id']}", max(5, round(20 * effort)))
        middle, most = statistics.median(found), sorted(found)[round(0.95 * (len(found) - 1))]
        print(f"  a click is seen after {1000 * middle:.0f} ms (median), {1000 * most:.0f} ms (95 %)")
        assert megabytes < MAX_LOAD
        assert used < MAX_RENDERER
        assert middle < MAX_CLICK


async def _new_game(port: int) -> Any:
    client = Client(port)
    _, view = await client.ask("POST", "/api/sessions", {"game": "othello"})
    client.close()
    return view


PARTS: dict[str, Callable[[float], None]] = {
    "start": measure_start,
    "sessions": measure_sessions,
    "hostile": measure_hostile,
    "kill": measure_kill,
    "browser": measure_browser,
}


def run(effort: float) -> None:
    """All parts."""
    for part in PARTS.values():
        part(effort)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all if none is given")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.parts if name not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(PARTS)}")
    for name in arguments.parts or PARTS:
        PARTS[name](0.1 if arguments.quick else 1.0)


if __name__ == "__main__":
    main()
