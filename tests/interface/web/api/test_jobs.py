"""Jobs by calls of the API."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    import httpx

    from flipdrop.interface.web.services import Services
    from tests.interface.web.api.conftest import Service

TIMEOUT = 120.0  # s: for machines that are busy
MATCH = {"kind": "match", "game": "connect4:5x4", "first": "random", "second": "greedy", "games": 4, "seed": 1}
ENDLESS = MATCH | {"first": "mcts:seconds=0.01", "second": "mcts:seconds=0.011", "games": 100_000}
LEARN = {"kind": "learn", "game": "othello4", "rule": "q", "lambda": 0.5, "seconds": 1, "seed": 1}


async def until(client: httpx.AsyncClient, id_: str, state: str) -> dict[str, Any]:
    end = time.monotonic() + TIMEOUT
    while (found := (await client.get(f"/api/jobs/{id_}")).json())["state"] != state:
        assert time.monotonic() < end, found
        await asyncio.sleep(0.05)
    view: dict[str, Any] = found
    return view


@pytest.mark.slow
def test_match(service: Service) -> None:
    async def play(client: httpx.AsyncClient, _: Services) -> None:
        answer = await client.post("/api/jobs", json=MATCH)
        assert answer.status_code == 201, answer.text
        job = answer.json()
        assert (job["kind"], job["settings"]["players"], job["player"]) == ("match", ["random", "greedy"], None)
        assert job["command"].startswith("flipdrop match random greedy --game connect4:5x4 --games 4")
        event = await until(client, job["id"], "ended")
        assert (event["key"], event["games"], event["planned"]) == (job["id"], 4, 4)
        assert event["job"]["ended"] is not None
        assert job["id"] in [one["id"] for one in (await client.get("/api/jobs")).json()]
        again = await client.post(f"/api/jobs/{job['id']}/resume")
        assert (again.status_code, again.json()["error"]) == (409, f"job {job['id']} cannot be resumed; it is ended")
        assert (await client.delete(f"/api/jobs/{job['id']}")).json() == {"deleted": job["id"]}
        assert (await client.get(f"/api/jobs/{job['id']}")).status_code == 404

    service.run(play)


@pytest.mark.slow
def test_stop_and_resume(service: Service) -> None:
    async def play(client: httpx.AsyncClient, _: Services) -> None:
        job = f"/api/jobs/{(await client.post('/api/jobs', json=ENDLESS)).json()['id']}"
        assert (await client.delete(job)).status_code == 409
        stopped = (await client.post(f"{job}/stop", timeout=TIMEOUT)).json()
        assert (stopped["state"], stopped["can_resume"]) == ("stopped", True)
        assert (await client.post(f"{job}/resume")).json()["state"] == "running"
        assert (await client.post(f"{job}/resume")).status_code == 409
        assert (await client.post(f"{job}/stop", timeout=TIMEOUT)).json()["state"] == "stopped"

    service.run(play)


@pytest.mark.slow
def test_learner(service: Service) -> None:
    async def learn(client: httpx.AsyncClient, services: Services) -> None:
        job = (await client.post("/api/jobs", json=LEARN)).json()
        assert job["settings"]["lambda_"] == 0.5
        run = await until(client, job["id"], "ended")
        assert (run["learner"], run["ids"], run["job"]["player"]) == ("q", [1], f"learned:{job['id']}")
        assert "file" not in run
        answer = await client.post("/api/sessions", json={"game": "othello4", "second": run["job"]["player"]})
        assert answer.status_code == 201
        assert services.jobs.models(services.sessions.find(answer.json()["id"]).game) == {
            run["job"]["player"]: "q-othello4"
        }

    service.run(learn)


def test_too_many_jobs(service: Service) -> None:
    async def start(client: httpx.AsyncClient, services: Services) -> None:
        most, services.jobs.manager.max_jobs = services.jobs.manager.max_jobs, 0
        answer = await client.post("/api/jobs", json=MATCH)
        services.jobs.manager.max_jobs = most
        assert (answer.status_code, "at most 0" in answer.json()["error"]) == (503, True)

    service.run(start)


@pytest.mark.parametrize(
    ("wrong", "status", "says"),
    [
        ({"kind": "sweep"}, 422, "kind"),
        ({"first": 5}, 422, "first"),
        ({"games": "20"}, 422, "games"),
        ({"games": 10**9}, 422, "games"),
        ({"games": 3}, 400, "even number"),
        ({"unknown": 1}, 422, "unknown"),
        ({"game": "chess"}, 400, "chess"),
        ({"first": "agent.py:Agent"}, 400, "built-in player"),
        ({"first": "gtp:sh"}, 400, "other programs are not run here"),
        ({"first": "learned:nothing"}, 404, "unknown job"),
        ({"first": "mcts:seconds=61"}, 400, "limit is 60"),
        ({"clock": "61/move"}, 409, "limit is 60 s a move"),
        ({"openings": "/etc/passwd"}, 400, "openings"),
        ({"seed": -1}, 422, "seed"),
    ],
)
def test_invalid_settings(service: Service, wrong: dict[str, object], status: int, says: str) -> None:
    async def ask(client: httpx.AsyncClient, services: Services) -> None:
        before = services.jobs.manager.all()
        answer = await client.post("/api/jobs", json=MATCH | wrong)
        assert answer.status_code == status, answer.text
        assert says in answer.json()["error"]
        assert services.jobs.manager.all() == before

    service.run(ask)


@pytest.mark.parametrize("call", ["", "/stop", "/resume"])
@pytest.mark.parametrize("id_", ["nothing", "..", "a%2Fb", "x" * 41, "match-1%00"])
def test_unknown_jobs(service: Service, call: str, id_: str) -> None:
    async def ask(client: httpx.AsyncClient, _: Services) -> None:
        answer = await client.request("POST" if call else "GET", f"/api/jobs/{id_}{call}")
        assert answer.status_code in (404, 405, 422), answer.text
        assert "Traceback" not in answer.text

    service.run(ask)


JSON = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.lists(st.text(max_size=9))
FIELDS = st.sampled_from(
    ["game", "games", "seed", "first", "players", "rule", "evaluation", "body", "seconds", "depth"]
)
KINDS = st.sampled_from(["match", "tournament", "ladder", "evolve", "learn", "train"])


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(kind=KINDS, body=st.dictionaries(FIELDS, JSON, max_size=4))
def test_any_settings(service: Service, kind: str, body: dict[str, Any]) -> None:
    async def ask(client: httpx.AsyncClient, services: Services) -> None:
        most, services.jobs.manager.max_jobs = services.jobs.manager.max_jobs, 0
        content = json.dumps({"kind": kind, **body}).encode()
        answer = await client.post("/api/jobs", content=content, headers={"content-type": "application/json"})
        services.jobs.manager.max_jobs = most
        assert answer.status_code in (400, 404, 409, 422, 503), answer.text
        answer.json()

    service.run(ask)
