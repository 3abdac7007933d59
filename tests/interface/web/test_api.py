"""The JSON API: what it does, what it refuses, and that its description is one."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flipdrop.games import Othello
from flipdrop.games.records import decode_games
from flipdrop.interface.web.app import create_app
from tests.interface.web.sessions.harness import running_manager, until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator

    from flipdrop.interface.web.sessions import SessionManager

ADDRESS = "http://127.0.0.1"


@dataclass
class Service:
    """A manager and a client of its API, within a loop."""

    runner: asyncio.Runner
    manager: SessionManager
    client: httpx.AsyncClient

    def run(self, work: Callable[[httpx.AsyncClient, SessionManager], Coroutine[Any, Any, None]]) -> None:
        self.runner.run(work(self.client, self.manager))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()

        async def begin() -> Service:
            manager = await stack.enter_async_context(running_manager(tmp_path_factory.mktemp("manager")))
            transport = httpx.ASGITransport(app=create_app(manager, pages=False), raise_app_exceptions=False)
            client = await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url=ADDRESS))
            return Service(runner, manager, client)

        yield runner.run(begin())
        runner.run(stack.aclose())


async def begun(client: httpx.AsyncClient, **wanted: object) -> dict[str, Any]:
    answer = await client.post("/api/sessions", json=wanted)
    assert answer.status_code == 201, answer.text
    view: dict[str, Any] = answer.json()
    return view


def test_a_game_by_calls(service: Service) -> None:
    async def play(client: httpx.AsyncClient, _: SessionManager) -> None:
        view = await begun(client, game="othello4", second="level:1", seed=1)
        path = f"/api/sessions/{view['id']}"
        while not view["over"]:
            if view["turn"] == "first":
                move = view["legal"][0]["move"] if view["legal"] else "pass"
                answer = await client.post(f"{path}/moves", json={"move": move, "cursor": view["cursor"]})
                assert answer.status_code == 200
                view = answer.json()
            else:
                view = (await client.get(path, params={"after": view["version"]})).json()
        assert view["result"]["reason"] == "board"
        listed = (await client.get("/api/sessions")).json()
        assert listed[0]["id"] == view["id"]
        record = await client.get(f"{path}/record", params={"format": "ggf"})
        (read,) = decode_games(record.content, "ggf")
        assert read.transcript == view["transcript"]
        assert (await client.delete(path)).status_code == 200
        assert (await client.get(path)).status_code == 404

    service.run(play)


def test_going_to_and_fro(service: Service) -> None:
    async def play(client: httpx.AsyncClient, _: SessionManager) -> None:
        view = await begun(client, position="f5d6c3")
        path = f"/api/sessions/{view['id']}"
        assert (view["cursor"], view["transcript"]) == (3, "f5d6c3")
        assert (await client.post(f"{path}/undo")).json()["cursor"] == 2
        assert (await client.post(f"{path}/redo")).json()["cursor"] == 3
        assert (await client.post(f"{path}/redo")).status_code == 409
        assert (await client.post(f"{path}/jump", json={"cursor": 0})).json()["transcript"] == ""
        assert (await client.post(f"{path}/jump", json={"cursor": 7})).status_code == 409
        late = await client.post(f"{path}/moves", json={"move": "d3", "cursor": 3})
        assert late.status_code == 409
        resigned = (await client.post(f"{path}/resign", json={"side": "second"})).json()
        assert resigned["result"]["winner"] == "first"
        changed = (await client.post(f"{path}/position", json={"position": Othello(size=4).board})).json()
        assert changed["game"] == "othello4"
        seated = (await client.post(f"{path}/players", json={"first": "random", "second": "random"})).json()
        assert seated["players"]["first"]["spec"] == "random"
        assert (await client.post(f"{path}/pace", json={"paused": True, "pace": 2})).json()["pace"] == 2
        assert (await client.post(f"{path}/step")).status_code == 200

    service.run(play)


def test_waiting_for_a_change(service: Service) -> None:
    async def wait(client: httpx.AsyncClient, manager: SessionManager) -> None:
        view = await begun(client)
        path = f"/api/sessions/{view['id']}"
        same = await client.get(path, params={"after": view["version"], "wait": 0.05})
        assert same.json()["version"] == view["version"]
        waiting = asyncio.create_task(client.get(path, params={"after": view["version"]}))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        manager.find(view["id"]).play("f5")
        assert (await waiting).json()["transcript"] == "f5"
        assert not manager.find(view["id"]).is_watched

    service.run(wait)


def test_analysis_and_review(service: Service) -> None:
    async def study(client: httpx.AsyncClient, manager: SessionManager) -> None:
        view = await begun(client, game="othello4", position="a2a1")
        path = f"/api/sessions/{view['id']}"
        session = manager.find(view["id"])
        started = await client.post(f"{path}/analysis", json={"method": "search", "evaluation": "D", "seconds": 5})
        assert started.json()["analysis"]["done"] is False
        await until(lambda: session.analysis and session.analysis.done)
        analysis = (await client.get(path)).json()["analysis"]
        assert analysis["evaluation"]["name"] == "D"
        assert analysis["proven"]
        assert (await client.delete(f"{path}/analysis")).json()["analysis"] is None
        await client.post(f"{path}/review", json={})
        await until(lambda: session.review and session.review.done)
        assert len((await client.get(path)).json()["review"]["moves"]) == 2

    service.run(study)


def test_what_there_is(service: Service) -> None:
    async def look(client: httpx.AsyncClient, _: SessionManager) -> None:
        games = (await client.get("/api/games")).json()
        assert {"name": "connect4", "title": "Connect Four 7x6", "sides": ["red", "yellow"]} in games
        players = (await client.get("/api/players")).json()
        assert len(players["levels"]) == 10
        assert "mcts" in {kind["name"] for kind in players["types"]}
        names = {entry["name"] for entry in (await client.get("/api/evaluations")).json()["evaluations"]}
        assert {"D", "Seven", "lines"} <= names
        read = (await client.post("/api/position", json={"position": "f5d6", "evaluation": "Seven"})).json()
        assert read["moves"] == ["f5", "d6"]
        assert read["board"] == Othello.from_transcript("f5d6").board
        assert read["evaluation"]["name"] == "Seven"

    service.run(look)


def test_the_description_names_every_route(service: Service) -> None:
    async def look(client: httpx.AsyncClient, _: SessionManager) -> None:
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
def test_refusals_say_why(service: Service, body: object, status: int, says: str) -> None:
    async def ask(client: httpx.AsyncClient, _: SessionManager) -> None:
        answer = await client.post("/api/sessions", json=body)
        assert answer.status_code == status
        assert says in answer.json()["error"]

    service.run(ask)


@pytest.mark.parametrize("id_", ["nobody", "x" * 41, "%00", "%ff", "..%2f..", "%F0%9F%8E%B2"])
def test_sessions_that_are_not_there(service: Service, id_: str) -> None:
    async def ask(client: httpx.AsyncClient, _: SessionManager) -> None:
        for method, path in (("GET", ""), ("POST", "/undo"), ("DELETE", ""), ("DELETE", "/analysis")):
            answer = await client.request(method, f"/api/sessions/{id_}{path}")
            assert answer.status_code in (404, 405, 422)
            assert "error" in answer.json()

    service.run(ask)


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 50_000, b'"\\ud800"', b"\xff\xfe", b'{"pace": NaN}', b'{"seed": 1e999}', b"nul\x00"]
)
def test_bodies_that_are_no_json(service: Service, body: bytes) -> None:
    async def ask(client: httpx.AsyncClient, _: SessionManager) -> None:
        answer = await client.post("/api/sessions", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422)
        assert "error" in answer.json()

    service.run(ask)


def test_what_is_too_large_is_not_read(service: Service) -> None:
    async def ask(client: httpx.AsyncClient, manager: SessionManager) -> None:
        large = b" " * (manager.limits.body + 1)
        assert (await client.post("/api/position", content=large)).status_code == 413

        async def pieces() -> AsyncIterator[bytes]:  # without saying how many
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


@settings(max_examples=60, deadline=None)
@given(calls=st.lists(st.tuples(ACTIONS, st.dictionaries(FIELDS, JSON, max_size=4)), max_size=8))
def test_whatever_is_called_the_answer_is_orderly(service: Service, calls: list[tuple[str, dict[str, Any]]]) -> None:
    async def ask(client: httpx.AsyncClient, _: SessionManager) -> None:
        view = await begun(client, game="othello4", keep=False)
        for action, body in calls:
            path = f"/api/sessions/{view['id']}{action}" if action else "/api/sessions"
            content = json.dumps(body).encode()
            answer = await client.post(path, content=content, headers={"content-type": "application/json"})
            assert answer.status_code in (200, 201, 400, 404, 409, 422), answer.text
            assert "Traceback" not in answer.text
            answer.json()

    service.run(ask)
