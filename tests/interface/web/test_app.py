"""The server as people start it: who may come in, what they see when something fails, and what a kill leaves."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from flipdrop.interface.cli import main
from flipdrop.interface.web.config import ServerConfig
from flipdrop.interface.web.middleware import COOKIE, SecurityMiddleware

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.types import Receive, Scope, Send

TOKEN = "secret-token"
COMMAND = (sys.executable, "-m", "flipdrop", "serve", "--no-open")


async def _application(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with what it was sent; fails where it is asked to."""
    if scope["path"] == "/fail":
        raise RuntimeError("the inside of the server")
    message = await receive()
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": message.get("body", b"") or b"hello"})


def asked(path: str = "/", *, method: str = "GET", **options: Any) -> httpx.Response:
    """The answer of a guarded application."""
    token: str | None = options.pop("token", None)
    guarded = SecurityMiddleware(_application, ServerConfig(token=token, host="0.0.0.0" if token else "127.0.0.1"))

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=guarded)
        base = options.pop("base_url", "http://127.0.0.1:8080")
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            return await client.request(method, path, **options)

    return asyncio.run(ask())


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8080", "localhost:1234", "LOCALHOST", "[::1]:80"])
def test_names_of_this_machine(host: str) -> None:
    assert asked(headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8080", "", "[::1", "a@b", "."]
)
def test_other_names_are_not_answered_to(host: str) -> None:
    """A site that points its own name at this machine does not reach it from a visitor's browser."""
    assert asked(headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "file://", "http://[::1", ""]
)
def test_other_sites_are_not_answered(origin: str) -> None:
    assert asked(headers={"origin": origin}).status_code == 403
    assert asked(method="POST", headers={"origin": origin}, content=b"{}").status_code == 403


def test_the_own_page_is_answered() -> None:
    answer = asked(headers={"origin": "http://127.0.0.1:8080"})
    assert answer.status_code == 200
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_errors_keep_their_insides(caplog: pytest.LogCaptureFixture) -> None:
    answer = asked("/fail")
    assert answer.status_code == 500
    assert "inside" not in answer.text
    assert "the inside of the server" in caplog.text


IN_CHINESE = {"accept": "text/html,*/*", "accept-language": "zh-CN,zh;q=0.9"}


@pytest.mark.parametrize(
    ("path", "headers", "status", "said"),
    [
        ("/", {}, 401, "缺少访问令牌"),
        ("/", {"origin": "http://evil.example"}, 403, "此请求来自其他网站"),
        ("/", {"content-length": "70000"}, 413, "请求过大"),
        ("/fail", {"authorization": f"Bearer {TOKEN}"}, 500, "内部错误"),
    ],
)
def test_people_are_refused_in_their_language_and_programs_in_json(
    path: str, headers: dict[str, str], status: int, said: str
) -> None:
    answer = asked(path, token=TOKEN, headers=IN_CHINESE | headers)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert said in answer.text
    assert asked(path, token=TOKEN, headers=headers).json()["error"]


def test_a_refusal_trusts_no_header() -> None:
    for name, value in (
        ("accept-language", b"<script>,;q=\xff"),
        ("cookie", b"flipdrop-language=<script>; =;;"),
        ("cookie", b"flipdrop-language=\xff\xfe"),
    ):
        answer = asked(token=TOKEN, headers={b"accept": b"text/html", name.encode(): value})
        assert answer.status_code == 401
        assert "script" not in answer.text


@pytest.mark.parametrize("length", ["99999999999", "-1", "x", "70000"])
def test_lengths_that_are_too_much_or_none(length: str) -> None:
    assert asked(method="POST", headers={"content-length": length}).status_code == 413


def test_without_the_token_nobody_comes_in() -> None:
    for headers in (
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": "Bearer "},
        {"cookie": f"{COOKIE}=wrong"},
        {"cookie": f"{COOKIE}=\xff; ;;="},
        {"authorization": "Bearer \xff\xfe"},
    ):
        encoded = {name: value.encode("latin-1") for name, value in headers.items()}
        answer = asked(token=TOKEN, headers=encoded, base_url="http://192.168.1.5:8080")
        assert answer.status_code == 401
        assert TOKEN not in answer.text
    assert asked("/?token=wrong", token=TOKEN).status_code == 401


def test_with_the_token_one_comes_in_by_any_name() -> None:
    for headers in ({"authorization": f"Bearer {TOKEN}"}, {"cookie": f"a=b; {COOKIE}={TOKEN}"}):
        assert asked(token=TOKEN, headers=headers, base_url="http://manager.local:8080").status_code == 200


def test_the_address_that_is_printed_becomes_a_cookie() -> None:
    answer = asked(f"/play/x?a=1&token={TOKEN}", token=TOKEN)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/play/x?a=1"
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=Lax" in answer.headers["set-cookie"]


def test_the_way_in_leads_nowhere_else() -> None:
    answer = asked(f"//evil.example/?token={TOKEN}", token=TOKEN, base_url="http://127.0.0.1:8080")
    assert answer.status_code == 303
    assert not answer.headers["location"].startswith("//")


@pytest.mark.parametrize(
    ("headers", "token", "accepted"),
    [
        ([(b"host", b"127.0.0.1:8080"), (b"origin", b"http://127.0.0.1:8080")], None, True),
        ([(b"host", b"127.0.0.1:8080"), (b"origin", b"http://evil.example")], None, False),
        ([(b"host", b"evil.example"), (b"origin", b"http://evil.example")], None, False),
        ([(b"host", b"manager:8080"), (b"origin", b"http://manager:8080")], TOKEN, False),
        ([(b"host", b"manager:8080"), (b"cookie", f"{COOKIE}={TOKEN}".encode())], TOKEN, True),
    ],
)
def test_sockets_are_guarded_as_pages_are(
    headers: list[tuple[bytes, bytes]], token: str | None, accepted: bool
) -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    guarded = SecurityMiddleware(_application, ServerConfig(token=token))
    scope = {"type": "websocket", "path": "/", "headers": headers, "query_string": b""}
    asyncio.run(guarded(scope, receive, send))
    assert sent[0]["type"] == ("websocket.accept" if accepted else "websocket.close")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server in a process of its own, and the line that it prints when it is there."""
    command = [*COMMAND, "--port", str(free_port()), "--store", str(folder / "games.db"), *options]
    # NiceGUI would take itself for a part of the test.
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()
            process.communicate()


def address_in(line: str) -> str:
    found = re.search(r"http://\S+", line)
    assert found, line
    return found[0]


def test_games_survive_a_kill(tmp_path: Path) -> None:
    with served(tmp_path) as (process, line), httpx.Client(base_url=address_in(line), timeout=60) as client:
        page = client.get("/")
        assert page.status_code == 200
        assert "<title>" in page.text
        assert client.get("/nowhere").status_code == 404
        for path, status, said in (("/nowhere", 404, "找不到此页面"), ("/arena/1/1/x", 422, "链接不完整或有误")):
            wrong = client.get(path, headers=IN_CHINESE)
            assert wrong.status_code == status
            assert said in wrong.text
        assert client.get("/api/nowhere").json() == {"error": "Not Found"}
        view = client.post("/api/sessions", json={"game": "connect4", "second": "level:1"}).json()
        path = f"/api/sessions/{view['id']}"
        played = client.post(f"{path}/moves", json={"move": "4", "cursor": 0})
        assert played.status_code == 200
        process.send_signal(signal.SIGKILL)
        process.wait(60)
    with served(tmp_path) as (_, line), httpx.Client(base_url=address_in(line), timeout=60) as client:
        again = client.get(path).json()
        assert again["transcript"].startswith("4")
        while again["turn"] == "second":  # the computer thinks again about what it was asked
            again = client.get(path, params={"after": again["version"]}).json()
        assert again["cursor"] == 2


def test_other_machines_need_the_token_that_is_printed(tmp_path: Path) -> None:
    with served(tmp_path, "--host", "0.0.0.0") as (process, line):
        address = address_in(line)
        match = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=(\S{20,})", address)
        assert match, line
        here = f"http://127.0.0.1:{match[1]}"
        with httpx.Client(timeout=60) as client:
            assert client.get(f"{here}/api/games").status_code == 401
            entered = client.get(f"{here}/api/games", params={"token": match[2]}, follow_redirects=True)
            assert entered.status_code == 200
            assert client.get(f"{here}/api/games").status_code == 200  # by the cookie
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:8080"),  # which no browser opens everywhere
        ("::", "http://[::1]:8080"),
        ("fe80::1", "http://[fe80::1]:8080"),
        ("manager.local", "http://manager.local:8080"),
    ],
)
def test_the_address_is_one_that_a_browser_opens(host: str, address: str) -> None:
    assert ServerConfig(host=host).address == address
    assert ServerConfig(host=host, token="x").address == f"{address}/?token=x"


def complaint(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    """What the command says that does not begin to serve."""
    monkeypatch.setattr(sys, "argv", ["flipdrop", "serve", "--no-open", *options])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    return capsys.readouterr().err


def test_a_folder_whose_models_no_spec_can_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "one, two" / "games.db"
    assert "comma" in complaint(monkeypatch, capsys, "--port", str(free_port()), "--store", str(store))


def test_a_port_that_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = complaint(monkeypatch, capsys, "--port", str(port), "--store", str(tmp_path / "games.db"))
    assert f"127.0.0.1:{port}: Address already in use" in said
