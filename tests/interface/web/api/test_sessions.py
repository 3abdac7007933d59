"""Sessions by calls of the API."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from flipdrop.games import Othello
from flipdrop.games.records import decode_games
from tests.interface.web.api.conftest import create_session
from tests.interface.web.sessions.harness import until

if TYPE_CHECKING:
    import httpx

    from flipdrop.interface.web.services import Services
    from tests.interface.web.api.conftest import Service


def test_game(service: Service) -> None:
    async def play(client: httpx.AsyncClient, _: Services) -> None:
        view = await create_session(client, game="othello4", second="level:1", seed=1)
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


def test_undo_redo_and_jump(service: Service) -> None:
    async def play(client: httpx.AsyncClient, _: Services) -> None:
        view = await create_session(client, position="f5d6c3")
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
        changed = (await client.post(f"{path}/players", json={"first": "random", "second": "random"})).json()
        assert changed["players"]["first"]["spec"] == "random"
        assert (await client.post(f"{path}/pace", json={"paused": True, "pace": 2})).json()["pace"] == 2
        assert (await client.post(f"{path}/step")).status_code == 200

    service.run(play)


def test_waiting_for_a_change(service: Service) -> None:
    async def wait(client: httpx.AsyncClient, services: Services) -> None:
        view = await create_session(client)
        path = f"/api/sessions/{view['id']}"
        same = await client.get(path, params={"after": view["version"], "wait": 0.05})
        assert same.json()["version"] == view["version"]
        waiting = asyncio.create_task(client.get(path, params={"after": view["version"]}))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        services.sessions.find(view["id"]).play("f5")
        assert (await waiting).json()["transcript"] == "f5"
        assert not services.sessions.find(view["id"]).is_watched

    service.run(wait)


def test_analysis_and_review(service: Service) -> None:
    async def study(client: httpx.AsyncClient, services: Services) -> None:
        view = await create_session(client, game="othello4", position="a2a1")
        path = f"/api/sessions/{view['id']}"
        session = services.sessions.find(view["id"])
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


@pytest.mark.parametrize("id_", ["nobody", "x" * 41, "%00", "%ff", "..%2f..", "%F0%9F%8E%B2"])
def test_unknown_sessions(service: Service, id_: str) -> None:
    async def ask(client: httpx.AsyncClient, _: Services) -> None:
        for method, path in (("GET", ""), ("POST", "/undo"), ("DELETE", ""), ("DELETE", "/analysis")):
            answer = await client.request(method, f"/api/sessions/{id_}{path}")
            assert answer.status_code in (404, 405, 422)
            assert "error" in answer.json()

    service.run(ask)
