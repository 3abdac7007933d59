"""Tuning: trials, final, validation, and resuming."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop.arena.option_values import Range
from flipdrop.arena.parameter_tuning import Tuning, TuningResult
from flipdrop.arena.running import runner_for
from flipdrop.arena.store import Store
from flipdrop.errors import ArenaError
from tests.arena.events import play

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.arena.optimisers import Method
    from flipdrop.arena.parameter_tuning import Trial
    from flipdrop.arena.run_event import EventProgress

METHODS: tuple[Method, ...] = ("optuna", "cma")


def tuning(*options: str, **changes: Any) -> Tuning:
    given: dict[str, Any] = {
        "spec": "mcts:iterations=5",
        "against": "mcts:iterations=20",
        "game": "othello4",
        "openings": "random:2",
        "seed": 8,
        "trials": 12,
        "games": 8,
        "final_games": 12,
        "validation_games": 40,
    }
    return Tuning(ranges=tuple(map(Range.parse, options)), **given | changes)


def plain(found: TuningResult) -> dict[str, Any]:
    data = found.to_json()
    del data["seconds"]
    for name in ("seconds", "games_a_second"):
        if data["validation"]:
            del data["validation"][name]
    return data


OPTIONS = ("iterations=1:60", "c=0.1:3:log")


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_better_values_are_found(method: Method) -> None:
    plan = tuning(*OPTIONS, game="othello6", trials=20, validation_games=120, method=method)
    found = play(plan)
    assert len(found.trials) == 21
    assert len(found.final) == 4
    assert found.best is found.final[0]
    assert int(found.best.values["iterations"]) > 10
    match = found.validation
    assert match is not None
    assert match.event.players == (found.best.point.spec, plan.spec)
    assert match.elo.elo_interval[0] > 0
    assert found.games == 21 * plan.games + 4 * plan.final_games + plan.validation_games
    json.dumps(found.to_json())


def test_fresh_openings_in_final_and_validation() -> None:
    plan = tuning(*OPTIONS)
    events = [plan.first_event, *(plan.trial_event(i, i, plan.against) for i in range(1, 12))]
    events += [plan.final_event(plan.against), plan.validation_event(plan.against)]
    seeds = [task.seed for event in events for task in event.tasks()]
    assert len({event.seed for event in events}) == len(events)
    assert len(set(seeds)) == len(seeds)
    assert len({event.identity for event in events}) == len(events)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("games", [3, 50, 110, 150])
def test_stop_and_resume(method: Method, games: int, tmp_path: Path) -> None:
    plan = tuning(*OPTIONS, method=method)
    unbroken = play(plan)

    def stop(state: EventProgress) -> None:
        assert state.done <= state.total == plan.games_planned
        if state.done >= games:
            raise KeyboardInterrupt

    with Store(tmp_path / "games.db") as store, pytest.raises(KeyboardInterrupt):
        play(plan, store, progress=stop)
    trials: list[Trial] = []
    with Store(tmp_path / "games.db") as store:
        before = sum(stored.games for stored in store.events())
        assert games <= before < unbroken.games
        search = plan.search(TuningResult(plan, on_trial=trials.append))
        states = plan.play(store, runner_for(plan.specs, threads=2), events=search)
        assert plain(plan.result(states)) == plain(unbroken)
    assert trials == unbroken.trials


@pytest.mark.slow
def test_more_trials() -> None:
    with Store(None) as store:
        short, long = play(tuning(*OPTIONS, trials=6), store), play(tuning(*OPTIONS, trials=9), store)
    assert long.trials[:7] == short.trials


def test_repeated_trials() -> None:
    found = play(tuning("playout=end|depth", trials=12, finalists=1))
    ranked = found.ranked()
    assert len(found.trials) == 13
    means = {
        trial.point.spec: np.mean([t.point.tally.pairs.score for t in found.trials if t.point.spec == trial.point.spec])
        for trial in found.trials
    }
    assert [trial.point.spec for trial in ranked] == sorted(means, key=lambda spec: -means[spec])
    assert found.final == []
    assert found.best is ranked[0]


def test_start_values_win() -> None:
    found = play(tuning("iterations=1:2", spec="mcts:iterations=200", trials=3))
    assert found.best.number == 0
    assert found.validation is None


def test_start_values_as_opponent() -> None:
    plan = tuning("c=0.1:3", against="mcts:iterations=5", trials=2)
    assert {(task.first, task.second) for task in plan.first_event.tasks()} == {
        ("mcts:iterations=5", "mcts:iterations=5")
    }
    assert [trial.point.tally.games.total for trial in play(plan).trials] == [8, 8, 8]


@pytest.mark.parametrize("method", METHODS)
def test_missing_library(method: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, method, None)
    with pytest.raises(ArenaError, match=r"pip install '\.\[tune\]'"):
        tuning(*OPTIONS, method=method).check()


@pytest.mark.parametrize(
    ("options", "changes", "expected_error"),
    [
        ((), {}, "no option to tune"),
        (("c=1:2", "c=1:2"), {}, "c is given twice"),
        (("d=1:2",), {}, "no option 'd'"),
        (("c=-5:2",), {}, "c=-5"),
        (("playout=end|middle|depth",), {}, "middle"),
        (("evaluation.corner=1:2",), {}, "did you mean corners"),
        (("c=1:2",), {"method": "cma"}, "two options at least"),
        (("c=1:2", "playout=end|depth"), {"method": "cma"}, "playout takes words"),
    ],
)
def test_invalid_settings(options: tuple[str, ...], changes: dict[str, Any], expected_error: str) -> None:
    with pytest.raises(ValueError, match=expected_error):
        tuning(*options, **changes).check()
