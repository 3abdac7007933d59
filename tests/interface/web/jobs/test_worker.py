"""The learners that a job's process makes; whole processes are tested with `JobManager`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from flipdrop.interface.web.jobs.spec import JobSpec
from flipdrop.interface.web.jobs.worker import make_learner

if TYPE_CHECKING:
    from flipdrop.interface.web.schemas import JobKind


@pytest.mark.parametrize(
    ("kind", "settings", "name", "steps"),
    [
        (
            "evolve",
            {"game": "othello4", "method": "tournament-ga", "evaluation": "D", "generations": 5},
            "tournament-ga",
            5,
        ),
        ("evolve", {"game": "othello4", "method": "online-ga", "evaluation": "D", "depth": 1}, "online-ga", 600),
        ("learn", {"game": "othello4", "rule": "q", "with": "table", "lambda_": 0.5}, "q", None),
        ("learn", {"game": "connect4", "rule": "td", "with": "patterns"}, "td", None),
    ],
)
def test_make_learner(kind: JobKind, settings: dict[str, object], name: str, steps: int | None) -> None:
    spec = JobSpec(kind, settings | {"seed": 7, "seconds": 60.0}, "games.db", "model", "")
    learner, limit = make_learner(spec)
    assert (learner.name, learner.seed, limit) == (name, 7, steps)
    assert learner.game.name == settings["game"]
