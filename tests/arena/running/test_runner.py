"""The runner that some players need."""

from __future__ import annotations

from flipdrop.arena.running import runner_for
from flipdrop.arena.running.processes import ProcessRunner
from flipdrop.arena.running.threads import ThreadRunner


def test_runner_for(agents: str) -> None:
    assert isinstance(runner_for(["random", f"{agents}:first"]), ProcessRunner)
    assert isinstance(runner_for(["random", f"greedy:evaluation={agents}:first"]), ProcessRunner)
    assert isinstance(runner_for(["random", "level:3"]), ThreadRunner)
