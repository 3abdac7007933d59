"""Requests that were made to do harm, and clients that want everything: the server stays there for the others."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn

from flipdrop.interface.web.app import create_app
from flipdrop.interface.web.clients import CLIENT_COOKIE
from flipdrop.interface.web.config import Limits, ServerConfig
from flipdrop.interface.web.connections import limited_protocol
from flipdrop.interface.web.services import Services
from flipdrop.interface.web.sessions.errors import NotSaved
from flipdrop.kernel import Side
from tests.interface.web.sessions.harness import running_manager, running_services, until

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator
    from pathlib import Path

    from flipdrop.interface.web.sessions.manager import SessionManager

TIMEOUT = 30.0  # s: for machines that are busy
ENDLESS = "mcts:iterations=1000000000"


@contextmanager
def server(folder: Path, *, token: str | None = None, **limits: Any) -> Iterator[int]:
    """A server on a thread; its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    config = ServerConfig(store=folder / "games.db", port=port, token=token, limits=Limits(searches=2, **limits))
    services = Services(config)
    running = uvicorn.Server(
        uvicorn.Config(
            create_app(services, pages=False),
            http=limited_protocol(config.limits),
            port=port,
            log_level="critical",
            timeout_keep_alive=30,
            timeout_graceful_shutdown=1,
        )
    )
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        deadline = time.monotonic() + TIMEOUT
        while not running.started:
            assert time.monotonic() < deadline, "the server does not start"
            time.sleep(0.01)
        yield port
    finally:
        running.should_exit = True
        thread.join(TIMEOUT)
        assert not thread.is_alive()


def connected(port: int) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port))
    client.settimeout(TIMEOUT)
    return client


def answer_of(client: socket.socket) -> bytes:
    """Everything that the server sends until it closes the connection."""
    received = b""
    with suppress(ConnectionResetError):
        while data := client.recv(4096):
            received += data
    return received


# Half a request.


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"", b"408"),
        (b"GET /api/games HT", b"408"),
        (b"GET /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ", b"408"),
        (b"POST /api/sessions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 50\r\n\r\n{", b"408"),
        (b"GET /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\nx: " + b"a" * 100_000, b"431"),
    ],
    ids=["silence", "line", "head", "body", "endless head"],
)
def test_half_a_request(tmp_path: Path, sent: bytes, status: bytes) -> None:
    with server(tmp_path, request_seconds=0.3) as port, connected(port) as client:
        with suppress(ConnectionError):
            client.sendall(sent)
        answer = answer_of(client)
    assert status in answer.split(b"\r\n")[0]
    assert b"connection: close" in answer  # not held for the rest of the request


def test_a_trickle_of_headers(tmp_path: Path) -> None:
    """Bytes that keep coming do not extend the time."""
    with server(tmp_path, request_seconds=0.5) as port, connected(port) as client:
        client.sendall(b"GET /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\n")
        began = time.monotonic()
        with suppress(ConnectionError):
            while time.monotonic() - began < TIMEOUT:
                client.sendall(b"x: 1\r\n")
                time.sleep(0.05)
        assert time.monotonic() - began < TIMEOUT / 2


LIMITS = (
    0.5,
    2.0,
    8.0,
)  # s for a request: on a busy machine, one that was sent at once may be too late for a short one


def test_the_second_request_of_a_connection(tmp_path: Path) -> None:
    request = b"GET /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"
    assert any(_half_a_third_request(tmp_path, request, limit) for limit in LIMITS)


def _half_a_third_request(folder: Path, request: bytes, limit: float) -> bool:
    """Whether two requests of a connection are answered, the second one after the limit, and half a one is not."""
    with server(folder, request_seconds=limit) as port, connected(port) as client, suppress(ConnectionError):
        client.sendall(request)
        time.sleep(1.5 * limit)  # idle connections are kept longer
        client.sendall(request)
        received = b""
        while received.count(b"HTTP/1.1 200") < 2 or not received.endswith(b"]"):
            if not (data := client.recv(4096)):
                return False
            received += data
        client.sendall(request[:20])
        return answer_of(client).count(b"HTTP/1.1 408") == 1
    return False


def test_a_long_answer_is_not_cut(tmp_path: Path) -> None:
    """The time is for the request, not for the answer."""
    assert any(_waits_beyond(tmp_path, limit) for limit in LIMITS)


def _waits_beyond(folder: Path, limit: float) -> bool:
    """Whether a request is answered that the server holds for longer than the limit."""
    with server(folder, request_seconds=limit) as port, suppress(httpx.TransportError):
        address = f"http://127.0.0.1:{port}/api/sessions"
        with httpx.Client(timeout=TIMEOUT) as client:
            made = client.post(address, json={})
            if made.status_code == 201:
                wait = {"after": made.json()["version"], "wait": 1.25 * limit}
                return client.get(f"{address}/{made.json()['id']}", params=wait).status_code == 200
    return False


# Many connections.


def test_many_connections(tmp_path: Path) -> None:
    with server(tmp_path, connections=16) as port:
        held = [connected(port) for _ in range(8)]
        with connected(port) as one_more:
            assert b"503" in answer_of(one_more)
        for client in held:
            client.close()
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            with suppress(httpx.HTTPError):
                if httpx.get(f"http://127.0.0.1:{port}/api/games").status_code == 200:
                    break
        assert time.monotonic() < deadline


def test_connections_stay_below_the_descriptors() -> None:
    import resource

    descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert Limits().connections < descriptors or descriptors == resource.RLIM_INFINITY


# Addresses that lead elsewhere.


@pytest.mark.parametrize("path", [b"//evil.example", b"/\\evil.example", b"/\\/evil.example", b"///evil.example"])
def test_redirect(tmp_path: Path, path: bytes) -> None:
    with server(tmp_path, token="secret") as port, connected(port) as client:
        host = f"127.0.0.1:{port}".encode()
        client.sendall(b"GET %s?token=secret HTTP/1.1\r\nhost: %s\r\nconnection: close\r\n\r\n" % (path, host))
        head = answer_of(client).decode()
    if " 303 " in head.splitlines()[0]:
        location = next(line.split(": ", 1)[1] for line in head.splitlines() if line.lower().startswith("location"))
        assert location[0] == "/"
        assert location[1] not in "/\\"
        assert "\\" not in location
    else:
        assert " 400 " in head.splitlines()[0]


# A full disk.


def fill(manager: SessionManager) -> sqlite3.Connection:
    """As if the disk of the sessions were full from now on."""
    connection = manager._store._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    connection.execute(
        "CREATE TEMP TRIGGER full BEFORE UPDATE ON sessions BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
    )
    connection.execute(
        "CREATE TEMP TRIGGER more BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
    )
    return connection


def empty(connection: sqlite3.Connection) -> None:
    connection.execute("DROP TRIGGER full")
    connection.execute("DROP TRIGGER more")
    connection.execute("PRAGMA max_page_count = 1000000")


def test_full_disk(tmp_path: Path) -> None:
    async def act() -> None:
        async with running_services(tmp_path) as services:
            transport = httpx.ASGITransport(app=create_app(services, pages=False), raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                made = (await client.post("/api/sessions", json={})).json()
                path = f"/api/sessions/{made['id']}"
                full = fill(services.sessions)
                refused = await client.post("/api/sessions", json={})
                assert refused.status_code == 507
                assert "disk is full" in refused.json()["error"]
                assert len((await client.get("/api/sessions")).json()) == 1
                for action, content in (
                    ("moves", {"move": "f5"}),
                    ("resign", {}),
                    ("players", {"second": "level:1"}),
                    ("position", {"position": "f5d6"}),
                ):
                    refused = await client.post(f"{path}/{action}", json=content)
                    assert refused.status_code == 507, action
                    view = (await client.get(path)).json()
                    for name in ("transcript", "cursor", "result", "players", "turn"):
                        assert view[name] == made[name], action  # as if it had never been asked for
                unsaved = await client.post("/api/sessions", json={"keep": False})  # needs no disk
                assert unsaved.status_code == 201
                empty(full)
                played = await client.post(f"{path}/moves", json={"move": "f5"})
                assert (played.status_code, played.json()["transcript"]) == (200, "f5")

    asyncio.run(act())


def test_move_of_a_computer_on_a_full_disk(tmp_path: Path) -> None:
    """The computer stops, the page shows why, and it can go on later."""

    async def act() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", first="random", second="random", paused=True)
            full = fill(manager)
            with pytest.raises(NotSaved, match="disk is full"):
                session.step()
            assert session.paused
            empty(full)
            session.step()
            await until(lambda: len(session.moves) == 1)
            session.pause(True)
            full = fill(manager)
            with pytest.raises(NotSaved):
                session.pause(False)
            empty(full)
            manager._store._connection.execute(
                "CREATE TEMP TRIGGER full BEFORE UPDATE ON sessions WHEN json_array_length(new.state, '$.moves') > 4 "
                "BEGIN SELECT RAISE(ABORT, 'disk is full'); END"
            )
            session.pause(False)
            await until(lambda: session.error is not None)
            assert session.error is not None
            assert session.error.kind == "NotSaved"
            assert len(session.moves) == 4
            manager._store._connection.execute("DROP TRIGGER full")
            session.set_error(None)
            await until(lambda: len(session.moves) > 6)

    asyncio.run(act())


def test_job_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "job.json")

    async def act() -> None:
        monkeypatch.setattr("flipdrop.interface.web.jobs.manager.atomic_write", full)
        async with running_services(tmp_path) as services:
            transport = httpx.ASGITransport(app=create_app(services, pages=False), raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                asked = {"kind": "match", "game": "othello", "first": "random", "second": "greedy"}
                refused = await client.post("/api/jobs", json=asked)
                assert (refused.status_code, "No space left" in refused.text) == (507, True), refused.text
                assert (await client.get("/api/jobs")).json() == []

    asyncio.run(act())


# A greedy client.


def opened(client: httpx.Client, **settings: Any) -> dict[str, Any]:
    answer = client.post("/api/sessions", json=settings)
    assert answer.status_code == 201, answer.text
    view: dict[str, Any] = answer.json()
    return view


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.parametrize("is_own_client", [True, False])
def test_greedy_client(tmp_path: Path, is_own_client: bool) -> None:
    """Twelve endless searches, which delayed the move of another by 97 s; without a cookie both are one client."""
    with server(tmp_path) as port:
        address = f"http://127.0.0.1:{port}"
        cookie = {CLIENT_COOKIE: "abcdefghijkl"} if is_own_client else None
        with httpx.Client(base_url=address) as greedy, httpx.Client(base_url=address, cookies=cookie) as modest:
            for _ in range(12):
                opened(greedy, first=ENDLESS, second=ENDLESS)
                analysed = opened(greedy)
                greedy.post(f"/api/sessions/{analysed['id']}/analysis", json={"seconds": 60, "infinite": True})
            time.sleep(1)
            slowest = 0.0
            for _ in range(3):
                began = time.monotonic()
                view = opened(modest, first="level:3")
                while view["cursor"] == 0 and time.monotonic() - began < TIMEOUT:
                    view = modest.get(f"/api/sessions/{view['id']}", params={"after": view["version"]}).json()
                slowest = max(slowest, time.monotonic() - began)
            print(f"the slowest of three moves of level 3 took {slowest:.2f} s")
            assert slowest < (10 if is_own_client else TIMEOUT)


def test_searches_of_a_session_belong_to_its_client(tmp_path: Path) -> None:
    async def act() -> None:
        async with running_services(tmp_path) as services:
            transport = httpx.ASGITransport(app=create_app(services, pages=False), client=("192.0.2.7", 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                made = (await client.post("/api/sessions", json={})).json()
                client.cookies.set(CLIENT_COOKIE, "abcdefghijkl")
                second = (await client.post("/api/sessions", json={})).json()
                await client.get(f"/api/sessions/{made['id']}")  # looking does not make it another client's
                client.cookies.set(CLIENT_COOKIE, "x" * 1000)
                third = (await client.post("/api/sessions", json={})).json()
            found = [services.sessions.find(view["id"]).client for view in (made, second, third)]
            assert found == ["192.0.2.7/", "192.0.2.7/abcdefghijkl", "192.0.2.7/"]
            assert services.sessions.new("othello").client == ""
            assert services.sessions.find(made["id"]).position.to_move == Side.FIRST

    asyncio.run(act())


def test_description_of_records(tmp_path: Path) -> None:
    """Records are text, errors are JSON."""
    with server(tmp_path) as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
        described = client.get("/openapi.json").json()["paths"]["/api/sessions/{id}/record"]["get"]["responses"]
        made = client.post("/api/sessions", json={}).json()
        for path, status in ((made["id"], 200), ("nothing", 404)):
            answer = client.get(f"/api/sessions/{path}/record")
            assert answer.status_code == status
            kind = answer.headers["content-type"].partition(";")[0]
            assert list(described[str(status)]["content"]) == [kind]
