"""A client of the API."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from flipdrop.interface.web.app import create_app
from tests.interface.web.sessions.harness import running_services

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from flipdrop.interface.web.services import Services


ADDRESS = "http://127.0.0.1"


@dataclass
class Service:
    """The services of a server and a client of its API, within a loop."""

    runner: asyncio.Runner
    services: Services
    client: httpx.AsyncClient

    def run(self, work: Callable[[httpx.AsyncClient, Services], Coroutine[Any, Any, None]]) -> None:
        self.runner.run(work(self.client, self.services))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()

        async def begin() -> Service:
            services = await stack.enter_async_context(running_services(tmp_path_factory.mktemp("services")))
            transport = httpx.ASGITransport(app=create_app(services, pages=False), raise_app_exceptions=False)
            client = await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url=ADDRESS))
            return Service(runner, services, client)

        yield runner.run(begin())
        runner.run(stack.aclose())


async def create_session(client: httpx.AsyncClient, **wanted: object) -> dict[str, Any]:
    answer = await client.post("/api/sessions", json=wanted)
    assert answer.status_code == 201, answer.text
    view: dict[str, Any] = answer.json()
    return view
