"""Measurements by the tasks of R3, R4, R5 and the open questions, on a small scale."""

from __future__ import annotations

import json
import statistics
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from flipdrop.arena.openings import random_plies
from flipdrop.arena.statistics import score_of_elo
from flipdrop.arena.store import ExperimentResult, Store
from flipdrop.evaluation import evaluation
from flipdrop.experiments import learning_tasks, q_learners, q_threads, r3_2, r4_1
from flipdrop.experiments.equal_time import fair_interval, farthest, favours, timing, timing_key
from flipdrop.experiments.experiment import Results
from flipdrop.experiments.placements import placement, rating
from flipdrop.experiments.tasks import MatchTask, MeasureTask, TaskContext
from flipdrop.experiments.tournaments import cross_table, match_key, matches_between, ratings, round_robin
from flipdrop.games import game
from flipdrop.learning.genetic import PositionGA
from flipdrop.players import player
from flipdrop.search import Minimax
from tests.experiments.examples import match_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from flipdrop.experiments.experiment import Values
    from flipdrop.games import Position


@pytest.fixture
def context(tmp_path: Path) -> Iterator[TaskContext]:
    with Store(None) as store:
        yield TaskContext(store=store, folder=tmp_path, seed=3, threads=2, values={})


def parameters(measure: Callable[[MeasureTask, TaskContext], Values], **settings: Any) -> MeasureTask:
    return MeasureTask(key="it", parameters=settings, measure=measure)


@pytest.mark.slow
def test_forty_times_the_simulations_cost_many_times_the_time(context: TaskContext) -> None:
    few, many = (f"mcts:iterations={iterations},solver=no" for iterations in (50, 2000))
    values = timing(MatchTask(key="m", first=few, second=many, games=2), pairs=2).run(context)
    assert values["timed_games"] == 4
    assert values["ratio"] < 1 / 5
    assert values["first_ms"] < values["second_ms"] / 5
    assert values["ratio_interval"][0] < values["ratio"] < values["ratio_interval"][1]
    turned = timing(MatchTask(key="m", first=many, second=few, games=2), pairs=2).run(context)
    assert turned["ratio"] > 5


def test_games_without_a_choice_are_not_timed(context: TaskContext) -> None:
    """On 4x4 after eight random moves many games are over before either side has a choice."""
    match = MatchTask(
        key="m", first="greedy", second="greedy:evaluation=A", games=2, game="othello4", openings="random:8"
    )
    values = timing(match, pairs=3).run(context)
    assert values["timed_games"] == 6
    assert values["ratio"] > 0


def test_a_timing_is_asked_what_its_match_is_asked() -> None:
    match = MatchTask(key="m", first="greedy", second="random", games=2, game="othello6")
    task = timing(match)
    assert task.key == timing_key("m")
    assert {name: task.settings[name] for name in ("game", "first", "second", "openings")} == {
        name: match.settings[name] for name in ("game", "first", "second", "openings")
    }


def test_the_farthest_ratio_counts_both_ways() -> None:
    done = {
        timing_key(key): ExperimentResult(
            "R1.1", "full", timing_key(key), 1, {}, {"ratio": ratio}, seconds=1.0, threads=2
        )
        for key, ratio in {"a": 1.1, "b": 0.7, "c": 1.3}.items()
    }
    results = Results("full", 1, done)
    assert farthest(results, ["a", "b", "c"]) == 0.7
    assert [favours(results, key) for key in "abc"] == [0, -1, 1]
    assert [fair_interval(results, key, (0.4, 0.6)) for key in "abc"] == [(0.4, 0.6), (0.4, 1.0), (0.0, 0.6)]


def test_a_round_robin_and_its_ratings() -> None:
    players = {"one": "greedy", "two": "random", "three": "mcts:iterations=10"}
    tasks = round_robin(players, games=10, estimate=0.5)
    assert [task.key for task in tasks] == [
        match_key("one", "two"),
        match_key("one", "three"),
        match_key("two", "three"),
    ]
    assert [(task.first, task.second) for task in tasks[:1]] == [("greedy", "random")]
    shares = {match_key("one", "two"): 0.75, match_key("one", "three"): 0.25, match_key("two", "three"): 0.1}
    done = {
        task.key: ExperimentResult(
            "R1.1", "full", task.key, 1, task.settings, match_values(shares[task.key], 400), seconds=1.0, threads=2
        )
        for task in tasks
    }
    results = Results("full", 1, done)
    found = ratings(matches_between(results, list(players)), zero="two")
    assert [rating.name for rating in found.players] == ["three", "one", "two"]
    assert found["two"].elo == 0
    assert score_of_elo(found["one"].elo) == pytest.approx(0.75, abs=0.05)
    order = ["three", "one", "two"]
    table = cross_table("t", results, order)
    assert table.rows == (
        ("three", "", "0.750", "0.900"),
        ("one", "0.250", "", "0.750"),
        ("two", "0.100", "0.250", ""),
    )


def test_a_match_needs_what_its_players_name_alone() -> None:
    one, two = (parameters(never, learner=name) for name in ("one", "two"))
    players = {"a": "greedy:evaluation={x[weights]}", "b": "random", "c": "network:model={folder}/{y[model]}"}
    tasks = round_robin(players, games=2, estimate=1, depends_on={"x": one, "y": two})
    assert [sorted(task.depends_on) for task in tasks] == [["x"], ["x", "y"], ["y"]]


def never(task: MeasureTask, context: TaskContext) -> Values:
    raise AssertionError("no test measures it")


def test_the_sweep_of_r3(context: TaskContext) -> None:
    settings = {"first": "mcts:iterations=20,c={c}", "second": "random", "c": [0, 1, 400]}
    task = parameters(r3_2.sweep_c, **settings, pairs=2, repeats=3, openings="random:8")
    values = task.run(context)
    assert [point["c"] for point in values["points"]] == settings["c"]
    assert values["games_of_a_point"] == 12
    for point in values["points"]:
        assert point["wins"] + point["draws"] + point["losses"] == 12
        assert len(point["repeats"]) == 3
        assert point["margin"] == pytest.approx(sum(repeat["margin"] for repeat in point["repeats"]) / 3)
    assert any(point["may_be_best"] for point in values["points"])
    errors = [_spread_of_pairs(context, "random", c) / 3**0.5 for c in (0, 1, 400)]
    assert r3_2.error_of_report(values["points"], 12) == pytest.approx(statistics.mean(errors))
    assert task.run(context) == values, "what is in the store is not played again"


def _spread_of_pairs(context: TaskContext, opponent: str, c: int) -> float:
    """The standard deviation of the mean margins of a value's pairs, from a list of all games of the store."""
    margins: dict[int, list[int]] = {}
    assert context.event is not None
    for played in context.store.games(context.event):
        first, second = (spec.split(":")[-1].split(",") for spec in (played.task.first, played.task.second))
        assert [opponent] in (first, second)
        if f"c={c}" in first + second:
            margin = played.margin if second == [opponent] else -played.margin
            margins.setdefault(played.task.number // 2, []).append(margin)
    return statistics.stdev(statistics.mean(of) for of in margins.values())


def test_the_ladder_of_r4(context: TaskContext) -> None:
    opponents = ["random", "greedy", "mcts:iterations=400,decisive=tree"]
    settings = {"game": "connect4", "first": "mcts:iterations=50", "opponents": opponents, "places": [1, 16, 40]}
    values = parameters(r4_1.play_ladder, **settings, games=4, openings="start").run(context)
    assert [rung["opponent"] for rung in values["rungs"]] == opponents
    assert values["games"] == 12
    assert values["wins"] == sum(rung["wins"] for rung in values["rungs"])
    assert values["rungs"][0]["wins"] > values["rungs"][2]["wins"]
    for rung in values["rungs"]:
        assert rung["wins"] + rung["draws"] + rung["losses"] == rung["games"] == 4


@pytest.mark.slow
def test_the_genetic_algorithm_of_r5_leaves_weights_that_play(context: TaskContext) -> None:
    def weights(name: str, **settings: Any) -> str:
        learner = learning_tasks.weights_learner(name, "", PositionGA, "Seven", steps=2, generations=3, **settings)
        return str(learning_tasks.learning_task(learner, 60).run(context)["weights"])

    first = weights("one")
    assert player(f"alphabeta:depth=1,evaluation={first}", game="othello")
    assert len({first, weights("two"), weights("one", final="random")}) == 3, "each has a seed of its own"
    assert weights("one") == first


@pytest.mark.parametrize("threads", [1, 2])
def test_minimax_in_python_is_minimax(threads: int) -> None:
    """The kernel is the oracle: the same value by the difference of discs, unless the search sees the game's end."""
    random = Random(4)
    for _ in range(5):
        _, position = random_plies(game("othello").start(), random.randint(4, 20), random)
        expected = Minimax(algorithm="minimax", depth=3, evaluation=evaluation("A")).search(position).value
        assert q_threads.python_minimax(position, 3, threads) == expected


def test_speed_ups_are_measured(context: TaskContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slower search of the two is made so by a depth that depends on its threads."""
    settings = {"algorithm": "alphabeta", "evaluation": "D", "depth": 3, "threads": [1, 2], "plies": [8, 28]}

    def search(parameters: Any, threads: int) -> Callable[[Position], object]:
        return Minimax(algorithm="minimax", depth=1 if threads == 2 else 5, evaluation=evaluation("D")).search

    monkeypatch.setattr(q_threads, "_search", search)
    values = parameters(q_threads.speed_up, **settings, positions=3, repeats=2).run(context)
    assert values["seconds_of_one"] > 5 * values["seconds_of_more"] > 0
    low, high = values["speed_up_interval"]
    assert low <= values["speed_up"] <= high
    assert values["speed_up"] > 5


def test_placements(context: TaskContext) -> None:
    """The rating is computed from the values alone, and a higher level widens the interval."""
    task = placement("it", "mcts:iterations=30", games=2, opponents=3, estimate=1.0, game="connect4")
    values = task.run(context)
    assert values["games"] == values["wins"] + values["draws"] + values["losses"] == 2 * 8 + 2 * 3
    assert 1 <= values["place"] <= values["entries"] + 1
    found, (low, high) = rating(values)
    assert low is not None
    assert high is not None
    assert low < found < high
    wider = rating(values, level=0.999)[1]
    assert wider[0] is not None
    assert wider[0] < low
    assert context.event is not None, "its games are in the store"
    assert json.loads(json.dumps(values)) == values


@pytest.mark.slow
def test_learning_by_cpu_time(context: TaskContext) -> None:
    learner = learning_tasks.weights_learner("GA", "", PositionGA, "Seven", steps=2, generations=3)
    task = learning_tasks.learning_task(learner, 60, of_cpu=True)
    assert "seconds" not in task.settings
    values = task.run(context)
    assert (values["steps"], values["learning_threads"]) == (2, 1)
    assert 0 < values["learning_seconds"] < 60


@pytest.mark.slow
@pytest.mark.parametrize("name", [one.name for one in q_learners.entries("quick") if one.ending != ".onnx"])
def test_students_learn_something_that_plays(name: str, context: TaskContext) -> None:
    entry = next(one for one in q_learners.entries("quick") if one.name == name)
    task = parameters(lambda task, _: learning_tasks.train(entry, task, context), seconds=0.05, steps=entry.steps)
    values = task.run(context)
    for spec in entry.players.values():
        made = player(spec.format(it=values, folder=context.folder), game="othello")
        assert made.choose(game("othello").start()) in game("othello").start().legal_moves
    assert values["learning_seconds"] > 0
    assert context.run is not None, "it is noted in the store"
