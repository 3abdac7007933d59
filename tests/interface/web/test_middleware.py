"""Host, origin, token and body size of requests; errors without internals."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from flipdrop.interface.web.clients import is_teacher
from flipdrop.interface.web.config import ServerConfig
from flipdrop.interface.web.middleware import COOKIE, TEACHER_COOKIE, SecurityMiddleware

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send


TOKEN = "secret-token"


async def _application(scope: Scope, receive: Receive, send: Send) -> None:
    """Echoes the request body; raises where the path asks for it."""
    if scope["path"] == "/fail":
        raise RuntimeError("the inside of the server")
    message = await receive()
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": message.get("body", b"") or b"hello"})


def asked(path: str = "/", *, method: str = "GET", **options: Any) -> httpx.Response:
    """The response of an application behind the middleware."""
    token: str | None = options.pop("token", None)
    guarded = SecurityMiddleware(_application, ServerConfig(token=token, host="0.0.0.0" if token else "127.0.0.1"))

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=guarded)
        base = options.pop("base_url", "http://127.0.0.1:8080")
        async with httpx.AsyncClient(transport=transport, base_url=base) as client:
            return await client.request(method, path, **options)

    return asyncio.run(ask())


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8080", "localhost:1234", "LOCALHOST", "[::1]:80"])
def test_local_hosts(host: str) -> None:
    assert asked(headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8080", "", "[::1", "a@b", "."]
)
def test_other_hosts(host: str) -> None:
    """A site that points its own name at this machine does not reach it from a visitor's browser."""
    assert asked(headers={"host": host}).status_code == 421


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:9999", "file://", "http://[::1", ""]
)
def test_other_origins(origin: str) -> None:
    assert asked(headers={"origin": origin}).status_code == 403
    assert asked(method="POST", headers={"origin": origin}, content=b"{}").status_code == 403


def test_same_origin() -> None:
    answer = asked(headers={"origin": "http://127.0.0.1:8080"})
    assert answer.status_code == 200
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_internal_error(caplog: pytest.LogCaptureFixture) -> None:
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
def test_language_of_errors(path: str, headers: dict[str, str], status: int, said: str) -> None:
    answer = asked(path, token=TOKEN, headers=IN_CHINESE | headers)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert said in answer.text
    assert asked(path, token=TOKEN, headers=headers).json()["error"]


def test_hostile_headers() -> None:
    for name, value in (
        ("accept-language", b"<script>,;q=\xff"),
        ("cookie", b"flipdrop-language=<script>; =;;"),
        ("cookie", b"flipdrop-language=\xff\xfe"),
    ):
        answer = asked(token=TOKEN, headers={b"accept": b"text/html", name.encode(): value})
        assert answer.status_code == 401
        assert "script" not in answer.text


@pytest.mark.parametrize("length", ["99999999999", "-1", "x", "70000"])
def test_content_length(length: str) -> None:
    assert asked(method="POST", headers={"content-length": length}).status_code == 413


def test_missing_token() -> None:
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


def test_token() -> None:
    for headers in ({"authorization": f"Bearer {TOKEN}"}, {"cookie": f"a=b; {COOKIE}={TOKEN}"}):
        assert asked(token=TOKEN, headers=headers, base_url="http://manager.local:8080").status_code == 200


def test_token_in_url() -> None:
    answer = asked(f"/play/x?a=1&token={TOKEN}", token=TOKEN)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/play/x?a=1"
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert "SameSite=Lax" in answer.headers["set-cookie"]


def test_redirect_target() -> None:
    answer = asked(f"//evil.example/?token={TOKEN}", token=TOKEN, base_url="http://127.0.0.1:8080")
    assert answer.status_code == 303
    assert not answer.headers["location"].startswith("//")


def test_teacher() -> None:
    """The key in the teacher's link becomes a cookie; a server without a key has no teacher."""
    seen: list[bool] = []

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(is_teacher())
        await _application(scope, receive, send)

    def ask(path: str, cookie: str, key: str) -> httpx.Response:
        guarded = SecurityMiddleware(application, ServerConfig(teacher_key=key))

        async def get() -> httpx.Response:
            transport = httpx.ASGITransport(app=guarded)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client:
                return await client.get(path, headers={"cookie": f"{TEACHER_COOKIE}={cookie}"})

        return asyncio.run(get())

    answer = ask("/class/teacher?teacher=key&a=1", "", "key")
    assert (answer.status_code, answer.headers["location"], seen) == (303, "/class/teacher?a=1", [])
    assert f"{TEACHER_COOKIE}=key" in answer.headers["set-cookie"]
    for cookie, key in (("key", "key"), ("wrong", "key"), ("", "key"), ("", "")):
        assert ask("/?teacher=", cookie, key).status_code == 200
    assert seen == [True, False, False, False]


@pytest.mark.parametrize(
    ("headers", "token", "accepted"),
    [
        ([(b"host", b"127.0.0.1:8080"), (b"origin", b"http://127.0.0.1:8080")], None, True),
        ([(b"host", b"127.0.0.1:8080"), (b"origin", b"http://evil.example")], None, False),
        ([(b"host", b"evil.example"), (b"origin", b"http://evil.example")], None, False),
        ([(b"host", b"server:8080"), (b"origin", b"http://server:8080")], TOKEN, False),
        ([(b"host", b"server:8080"), (b"cookie", f"{COOKIE}={TOKEN}".encode())], TOKEN, True),
    ],
)
def test_websockets(headers: list[tuple[bytes, bytes]], token: str | None, accepted: bool) -> None:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    guarded = SecurityMiddleware(_application, ServerConfig(token=token))
    scope = {"type": "websocket", "path": "/", "headers": headers, "query_string": b""}
    asyncio.run(guarded(scope, receive, send))
    assert sent[0]["type"] == ("websocket.accept" if accepted else "websocket.close")


def test_shutdown_during_request() -> None:
    """uvicorn cancels it; without an answer it would log a traceback."""
    sent: list[Any] = []
    waiting = asyncio.Event()

    async def never_ends(scope: Scope, receive: Receive, send: Send) -> None:
        waiting.set()
        await asyncio.Event().wait()

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    async def shut_down() -> None:
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "headers": [(b"host", b"127.0.0.1:8080")],
            "query_string": b"",
        }
        serving = asyncio.create_task(SecurityMiddleware(never_ends, ServerConfig())(scope, receive, send))
        await waiting.wait()
        serving.cancel()
        await serving

    asyncio.run(shut_down())
    assert sent[0]["status"] == 503
