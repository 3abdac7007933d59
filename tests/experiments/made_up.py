"""Values that tasks of all kinds might have measured, for experiments to draw conclusions from."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from flipdrop.arena.statistics import Pairs
from flipdrop.experiments.measures import pooled
from tests.experiments import examples

if TYPE_CHECKING:
    from collections.abc import Callable

    from flipdrop.experiments.experiment import Values
    from flipdrop.experiments.tasks import Task


match_values = cache(examples.match_values)  # intervals take time, and most matches of a test are alike


def measured(
    task: Task,
    share: Callable[[str], float],
    *,
    ratio: float = 1.0,
    speed_up: float = 1.5,
    in_python: float = 1.0,
) -> Values:
    """What a task has measured, if the first player of the match with a key wins so large a share of its games."""
    settings = task.settings
    faster = in_python if settings.get("algorithm") == "python" else speed_up
    kind = settings["kind"]
    if kind == "match":
        return match_values(share(task.key), settings["games"]) | {"players": [settings["first"], settings["second"]]}
    if kind == "sweep":
        return _sweep(settings, share)
    if kind == "gauntlet":
        return _gauntlet(settings, share(task.key))
    if kind == "placement":
        return _placement(settings, share(task.key))
    others: dict[str, Values] = {
        "time of moves": {"ratio": ratio, "ratio_interval": [ratio - 0.1, ratio + 0.1], "second_ms": 3.0},
        "learning": {
            "model": "m",
            "learning_games": 1000,
            "learning_seconds": settings.get("cpu_seconds", 70.0),
            "learning_threads": 2,
            "weights": "D",
        },
        "time of searches": {
            "speed_up": faster,
            "speed_up_interval": [faster - 0.09, faster + 0.09],
            "seconds_of_one": 0.3,
            "seconds_of_more": 0.2,
        },
    }
    return others[kind]


def _sweep(settings: Values, share: Callable[[str], float]) -> Values:
    """Values of c whose share lies above a half may be the best."""
    games = 2 * settings["pairs"] * settings["repeats"]
    points = []
    for c in settings["c"]:
        values = match_values(share(str(c)), games)
        repeats = [{"score": values["score"], "margin": values["margin"]}] * settings["repeats"]
        points.append(values | {"c": c, "spread": 20.0, "repeats": repeats, "may_be_best": share(str(c)) > 0.5})
    return {"games": games * len(points), "games_of_a_point": games, "points": points}


def _gauntlet(settings: Values, share: float) -> Values:
    rungs: list[dict[str, Any]] = []
    for place, opponent in zip(settings["places"], settings["opponents"], strict=True):
        values = match_values(share, settings["games"])
        counts = {name: values[name] for name in ("games", "wins", "draws", "losses")}
        rungs.append({"place": place, "opponent": opponent, "pairs": values["pairs"]} | counts)
    assert all(Pairs.from_counts(rung["pairs"]).games == settings["games"] for rung in rungs)
    return {"rungs": rungs} | pooled(rungs)


def _placement(settings: Values, share: float) -> Values:
    """Games against as many opponents, rated 1000, 1010 and so on; the same share of each is won."""
    values = match_values(share, settings["games"])
    opponents = range(settings["opponents"])
    counts = {name: values[name] * len(opponents) for name in ("games", "wins", "draws", "losses")}
    return counts | {
        "player": settings["player"],
        "place": 18,
        "entries": 35,
        "score": share,
        "met": [{"opponent": f"p{n}", "rating": 1000.0 + 10 * n, "pairs": values["pairs"]} for n in opponents],
        "forfeits": 0,
    }
