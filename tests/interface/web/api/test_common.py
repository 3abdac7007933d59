"""The API as a whole: its description, its errors, and any input."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.interface.web.api.conftest import create_session

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx

    from flipdrop.interface.web.services import Services
    from tests.interface.web.api.conftest import Service


def test_openapi(service: Service) -> None:
    async def look(client: httpx.AsyncClient, _: Services) -> None:
        described = (await client.get("/openapi.json")).json()
        assert described["info"]["title"] == "flipdrop"
        paths = set(described["paths"])
        assert {"/api/sessions", "/api/sessions/{id}", "/api/sessions/{id}/moves", "/api/position"} <= paths
        assert all(path.startswith("/api/") for path in paths)
        moves = described["paths"]["/api/sessions/{id}/moves"]["post"]
        assert moves["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].endswith("/SessionView")
        assert {"400", "404", "409", "422", "503"} <= set(moves["responses"])

    service.run(look)


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"game": "chess"}, 400, "chess"),
        ({"second": "gtp:sh"}, 400, "other programs are not run here"),
        ({"second": "agent.py:Agent"}, 400, "built-in player"),
        ({"second": "iterative:table=60000"}, 400, "limit is 64"),
        ({"position": "e4"}, 400, "e4"),
        ({"clock": "x"}, 400, "clock"),
        ({"pace": 61}, 422, "pace"),
        ({"seed": -1}, 422, "seed"),
        ({"unknown": 1}, 422, "unknown"),
        ({"game": 5}, 422, "game"),
        ({"position": "x" * 9000}, 422, "position"),
        ([], 422, "body"),
    ],
)
def test_error_responses(service: Service, body: object, status: int, says: str) -> None:
    async def ask(client: httpx.AsyncClient, _: Services) -> None:
        answer = await client.post("/api/sessions", json=body)
        assert answer.status_code == status
        assert says in answer.json()["error"]

    service.run(ask)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 50_000, b'"\\ud800"', b"\xff\xfe", b'{"pace": NaN}', b'{"seed": 1e999}', b"nul\x00"]
)
def test_invalid_json(service: Service, body: bytes) -> None:
    async def ask(client: httpx.AsyncClient, _: Services) -> None:
        answer = await client.post("/api/sessions", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422)
        assert "error" in answer.json()

    service.run(ask)


def test_large_body(service: Service) -> None:
    async def ask(client: httpx.AsyncClient, services: Services) -> None:
        large = b" " * (services.sessions.limits.body + 1)
        assert (await client.post("/api/position", content=large)).status_code == 413

        async def pieces() -> AsyncIterator[bytes]:  # without a content length
            for _ in range(100):
                yield b" " * 4096

        assert (await client.post("/api/position", content=pieces())).status_code == 413

    service.run(ask)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=8), children, max_size=3),
    max_leaves=6,
)


FIELDS = st.sampled_from(
    ["game", "first", "second", "position", "clock", "pace", "paused", "seed", "move", "cursor", "side", "method"]
)


ACTIONS = st.sampled_from(
    [
        "",
        "/moves",
        "/undo",
        "/redo",
        "/jump",
        "/resign",
        "/pace",
        "/step",
        "/players",
        "/position",
        "/analysis",
        "/review",
    ]
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(calls=st.lists(st.tuples(ACTIONS, st.dictionaries(FIELDS, JSON, max_size=4)), max_size=8))
def test_any_calls(service: Service, calls: list[tuple[str, dict[str, Any]]]) -> None:
    async def ask(client: httpx.AsyncClient, _: Services) -> None:
        view = await create_session(client, game="othello4", keep=False)
        for action, body in calls:
            path = f"/api/sessions/{view['id']}{action}" if action else "/api/sessions"
            content = json.dumps(body).encode()
            answer = await client.post(path, content=content, headers={"content-type": "application/json"})
            assert answer.status_code in (200, 201, 400, 404, 409, 422), answer.text
            assert "Traceback" not in answer.text
            answer.json()

    service.run(ask)
