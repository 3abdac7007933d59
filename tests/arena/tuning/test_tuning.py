"""Tuning: ranges, the two searches, and that stopping changes nothing."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flipdrop.arena.optimisers import Method, Searcher, searcher
from flipdrop.arena.option_values import Range
from flipdrop.arena.parameter_tuning import Tuning, TuningResult
from flipdrop.arena.running import runner_for
from flipdrop.arena.store import Store
from flipdrop.errors import ArenaError
from tests.arena.events import play

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from flipdrop.arena.parameter_tuning import Trial
    from flipdrop.arena.run_event import EventProgress

METHODS: tuple[Method, ...] = ("optuna", "cma")


@given(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3), st.booleans(), st.floats(0, 1))
def test_a_value_lies_in_its_range_and_stands_for_its_share(
    low: float, high: float, is_log: bool, share: float
) -> None:
    assume(high > low * 1.01)
    one = Range("c", low, high, is_log=is_log)
    value = float(one.text(share))
    assert low <= value <= high
    assert Range.parse(str(one)) == one
    back = one.unit_value(value)
    assert back is not None
    where = low * (high / low) ** back if is_log else low + back * (high - low)
    assert where == pytest.approx(value, rel=1e-9)
    exact = low * (high / low) ** share if is_log else low + share * (high - low)
    assert value == pytest.approx(exact, rel=1e-3)


@given(st.integers(-20, 20), st.integers(1, 30), st.floats(0, 1))
def test_whole_numbers_stay_whole(low: int, width: int, share: float) -> None:
    one = Range.parse(f"n={low}:{low + width}:int")
    assert int(one.text(share)) in range(low, low + width + 1)
    assert (one.text(0), one.text(1)) == (str(low), str(low + width))


def test_words_take_equal_shares() -> None:
    one = Range.parse("playout=end|depth")
    assert [one.text(share) for share in (0, 0.49, 0.51, 1)] == ["end", "end", "depth", "depth"]
    assert all(one.text(one.unit_value(word) or 0) == word for word in one.words)
    assert one.unit_value("middle") is None
    assert str(one) == "playout=end|depth"


def test_an_option_that_takes_whole_numbers_is_given_no_others() -> None:
    assert Range.parse("iterations=10:100:log").for_player("mcts").is_int
    assert not Range.parse("c=1:10").for_player("mcts").is_int
    with pytest.raises(ArenaError, match="whole numbers lie between whole numbers"):
        Range.parse("iterations=0.5:10").for_player("mcts")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "write NAME=LOW:HIGH"),
        ("c=1", "write NAME=LOW:HIGH"),
        ("c=1:2:3", "write NAME=LOW:HIGH"),
        ("c=1:2:cube", "write NAME=LOW:HIGH"),
        ("c=2:1", "LOW has to be below HIGH"),
        ("c=0:1:log", "only numbers above 0"),
        ("c=0.5:3:int", "whole numbers"),
        ("c=1:1e999", "finite"),
        ("c=a|a", "twice"),
    ],
)
def test_what_is_no_range_is_an_error(text: str, complaint: str) -> None:
    with pytest.raises(ArenaError, match=complaint):
        Range.parse(text)


RANGES = (Range.parse("x=0:10"), Range.parse("y=0.01:100:log"), Range.parse("n=0:20:int"))


def hill(values: dict[str, str]) -> float:
    """Worth 1 at x=7, y=1, n=5, and less away from there."""
    x, y, n = (float(values[name]) for name in "xyn")
    return 1 - ((x - 7) / 5) ** 2 - (math.log10(y) / 2) ** 2 - ((n - 5) / 10) ** 2


def asked(search: Searcher, trials: int, noise: Callable[[], float]) -> list[dict[str, str]]:
    found = []
    for _ in range(trials):
        values, _ = search.ask()
        found.append(values)
        search.tell(hill(values) + noise())
    return found


def new_search(method: Method, seed: int) -> Searcher:
    return searcher(method, RANGES, {"x": 0.1, "y": 0.9, "n": 0.9}, -3.0, seed)


@pytest.mark.parametrize("method", METHODS)
def test_a_search_climbs_a_noisy_hill(method: Method) -> None:
    random = np.random.default_rng(1)
    found = asked(new_search(method, 3), 100, lambda: float(random.normal(0, 0.1)))
    first, last = (np.mean([hill(values) for values in part]) for part in (found[:10], found[-20:]))
    assert last > 0.7 > first


@pytest.mark.parametrize("method", METHODS)
def test_a_search_told_the_same_asks_the_same(method: Method) -> None:
    one, two, other = (asked(new_search(method, seed), 30, lambda: 0.0) for seed in (3, 3, 4))
    assert one == two != other


def test_the_middle_of_the_cloud_is_the_favourite_of_cma() -> None:
    search = new_search("cma", 3)
    random = np.random.default_rng(2)
    found = asked(search, 100, lambda: float(random.normal(0, 0.1)))
    recommended = search.recommended()
    assert recommended is not None
    assert recommended not in found
    assert hill(recommended) > 0.85
    assert new_search("optuna", 3).recommended() is None


def test_the_points_of_a_generation_are_one_batch() -> None:
    search = new_search("cma", 1)
    batches = []
    for _ in range(30):
        batches.append(search.ask()[1])
        search.tell(0.5)
    sizes = [batches.count(batch) for batch in dict.fromkeys(batches)]
    assert batches == sorted(batches)
    assert len(set(sizes[:-1])) == 1 < sizes[0]


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
def test_a_better_player_is_found_and_shown_to_be_better(method: Method) -> None:
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


def test_the_final_and_the_validation_are_played_from_other_openings_and_seeds() -> None:
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
def test_a_search_that_is_stopped_and_resumed_ends_as_if_it_never_was(
    method: Method, games: int, tmp_path: Path
) -> None:
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
def test_more_trials_go_on_from_those_there_are() -> None:
    with Store(None) as store:
        short, long = play(tuning(*OPTIONS, trials=6), store), play(tuning(*OPTIONS, trials=9), store)
    assert long.trials[:7] == short.trials


def test_a_player_that_was_tried_often_counts_once_at_its_mean() -> None:
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


def test_nothing_better_than_the_start_is_said_to_be_so() -> None:
    found = play(tuning("iterations=1:2", spec="mcts:iterations=200", trials=3))
    assert found.best.number == 0
    assert found.validation is None


def test_the_opponent_may_be_the_start_itself() -> None:
    plan = tuning("c=0.1:3", against="mcts:iterations=5", trials=2)
    assert {(task.first, task.second) for task in plan.first_event.tasks()} == {
        ("mcts:iterations=5", "mcts:iterations=5")
    }
    assert [trial.point.tally.games.total for trial in play(plan).trials] == [8, 8, 8]


@pytest.mark.parametrize("method", METHODS)
def test_without_the_library_the_error_says_what_to_install(method: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, method, None)
    with pytest.raises(ArenaError, match=r"pip install '\.\[tune\]'"):
        tuning(*OPTIONS, method=method).check()


@pytest.mark.parametrize(
    ("options", "changes", "complaint"),
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
def test_a_search_that_makes_no_sense_is_an_error(
    options: tuple[str, ...], changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        tuning(*options, **changes).check()
