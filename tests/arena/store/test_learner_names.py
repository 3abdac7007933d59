"""Names of learners and settings of version 0.1."""

from __future__ import annotations

from flipdrop.arena.store.learner_names import upgrade_learner, upgrade_settings, upgrade_task_settings


def test_upgrade() -> None:
    assert upgrade_learner("ga-R5") == "position-ga"
    assert upgrade_learner("cma") == "cma"
    assert upgrade_settings({"judging": "value", "pacemakers": [], "rate": 1.0}) == {
        "fitness_measure": "value",
        "competitors": [],
        "rate": 1.0,
    }


def test_nested_settings() -> None:
    old = {"learner": "ga-R1", "games": 4, "algorithm": {"worth": "points", "every": 0, "start": [[1.0]]}}
    assert upgrade_task_settings(old) == {
        "learner": "tournament-ga",
        "games": 4,
        "algorithm": {"fitness_measure": "points", "benchmark_every": 0, "start": [[1.0]]},
    }
