"""Names of learners and their settings that version 0.1 wrote into stores, checkpoints and results, with today's names.

The store's migration and the readers of checkpoints use this table; nothing else knows the old names.
"""

from __future__ import annotations

from typing import Any

LEARNERS = {"ga-R1": "tournament-ga", "ga-R2": "online-ga", "ga-R5": "position-ga"}
SETTINGS = {
    "judging": "fitness_measure",
    "worth": "fitness_measure",
    "pacemakers": "competitors",
    "every": "benchmark_every",
    "different": "openings_per_generation",
    "copying": "copy_probability",
    "keep": "keep_probability",
    "lessons_after": "solver_supervision_after",
    "fast": "cheap_simulations",
    "full": "full_search_probability",
    "warm_plies": "temperature_plies",
    "looked": "searched",
}


def upgrade_learner(name: str) -> str:
    return LEARNERS.get(name, name)


def upgrade_task_settings(data: Any) -> Any:
    """The settings of an experiment's task, which contain names and settings of learners at any depth."""
    if isinstance(data, dict):
        return {SETTINGS.get(name, name): upgrade_task_settings(value) for name, value in data.items()}
    if isinstance(data, list):
        return [upgrade_task_settings(value) for value in data]
    return upgrade_learner(data) if isinstance(data, str) else data


def upgrade_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of a learner under today's names; values are unchanged."""
    return {SETTINGS.get(name, name): value for name, value in settings.items()}
