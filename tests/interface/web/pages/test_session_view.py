"""A page paints a change of its session once, and replies no faster than people can follow."""

from __future__ import annotations

import asyncio
import time
from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.interface.web.pages import session_view
from flipdrop.interface.web.pages.session_view import MOVE_SECONDS, SessionBinding
from tests.interface.web.sessions.harness import running_manager, until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.interface.web.schemas import SessionView


class FakeClient(nullcontext[None]):
    """The client of a page that is open until `delete`."""

    def __init__(self) -> None:
        super().__init__()
        self._on_delete: list[Callable[[], Any]] = []

    def on_delete(self, callback: Callable[[], Any]) -> None:
        self._on_delete.append(callback)

    def delete(self) -> None:
        for callback in self._on_delete:
            callback()


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> FakeClient:
    client = FakeClient()
    monkeypatch.setattr(session_view, "ui", SimpleNamespace(context=SimpleNamespace(client=client)))
    return client


@pytest.mark.slow
@pytest.mark.timing
def test_two_paints(tmp_path: Path, client: FakeClient) -> None:
    painted: list[tuple[float, SessionView]] = []

    async def run() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello", second="random")
            SessionBinding(session, lambda view: painted.append((time.monotonic(), view)), delay_replies=True)
            assert len(painted) == 1
            session.play("f5")
            await until(lambda: painted[-1][1].cursor == 2)
            await asyncio.sleep(0.2)  # nothing is painted afterwards
            client.delete()

    asyncio.run(run())
    (_, start), (moved_at, moved), (replied_at, replied) = painted
    assert (start.cursor, moved.cursor, replied.cursor) == (0, 1, 2)
    assert moved.thinking == "second"
    assert replied.thinking is None
    assert replied_at - moved_at >= MOVE_SECONDS - 0.01


def test_deleted_page(tmp_path: Path, client: FakeClient) -> None:
    painted: list[SessionView] = []

    async def run() -> None:
        async with running_manager(tmp_path) as manager:
            session = manager.new("othello")
            SessionBinding(session, painted.append)
            session.play("f5")
            client.delete()
            session.undo()
            assert [view.cursor for view in painted] == [0, 1]

    asyncio.run(run())
