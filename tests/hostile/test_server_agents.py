"""A server that may run agents (``--allow-code``) loads them in their processes, and serves others meanwhile."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from flipdrop.interface.web.config import Limits
from flipdrop.interface.web.jobs.requests import MatchRequest
from flipdrop.interface.web.validation import parse_player
from tests.interface.web.sessions.harness import running_manager, until

if TYPE_CHECKING:
    from flipdrop.interface.web.sessions.manager import SessionManager

AGENTS = Path(__file__).parent / "agents"
LIMITS = Limits(searches=2, seconds=1.5)


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["sleeps_at_import.py:choose", "loading.py:Sleeps"])
def test_an_agent_that_cannot_be_loaded_stops_nobody_else(agent: str, tmp_path: Path) -> None:
    async def play() -> None:
        async with running_manager(tmp_path, allow_code=True, limits=LIMITS) as manager:
            began = time.monotonic()
            session = manager.new("othello4", first=str(AGENTS / agent))
            other = manager.new("othello4", first="level:1")
            await until(lambda: other.moves)
            await until(lambda: session.error)
            assert time.monotonic() - began < 30  # the agent sleeps for an hour
            assert session.error is not None
            assert "did not answer in time" in session.error.message

    asyncio.run(play())


def test_requests_do_not_load_agents(tmp_path: Path) -> None:
    async def check(manager: SessionManager) -> None:
        began = time.monotonic()
        spec = str(AGENTS / "sleeps_at_import.py:choose")
        view = parse_player(spec, manager.new("othello4").game, manager.config)
        assert (view.spec, view.name) == (spec, spec)
        request = MatchRequest.model_validate({"game": "othello4", "first": spec, "second": "random", "games": 2})
        request.competition(manager.new("othello4").game, manager.config).check(load_code=False)
        assert time.monotonic() - began < 30

    async def run() -> None:
        async with running_manager(tmp_path, allow_code=True, limits=LIMITS) as manager:
            await check(manager)

    asyncio.run(run())
