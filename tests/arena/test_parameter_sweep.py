"""Sweeps: grids, their results, and resuming."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from flipdrop.arena.match import match_result
from flipdrop.arena.model import Event
from flipdrop.arena.option_values import Axis
from flipdrop.arena.parameter_sweep import Sweep, SweepResult
from flipdrop.arena.run_event import run_event
from flipdrop.arena.running import runner_for
from flipdrop.arena.store import Store
from flipdrop.errors import ArenaError
from tests.arena.events import play

if TYPE_CHECKING:
    from pathlib import Path

    from flipdrop.arena.run_event import EventProgress


def sweep(*options: str, **changes: Any) -> Sweep:
    given: dict[str, Any] = {
        "spec": "mcts:iterations=20",
        "against": "greedy",
        "game": "othello4",
        "games": 12,
        "openings": "random:2",
        "seed": 5,
    }
    return Sweep(axes=tuple(map(Axis.parse, options)), **given | changes)


def plain(result: SweepResult) -> dict[str, Any]:
    data = result.to_json()
    del data["seconds"]
    return data


def test_common_openings_and_seeds() -> None:
    plan = sweep("c=0.5:2:0.5", "playout=end|depth", refine={"c": Decimal("0.25")})
    coarse, fine = plan.first_event, plan.event(plan.fine_grid(("1", "end")))
    games: dict[tuple[int, int], set[object]] = {}
    for event in (coarse, fine):
        assert Event.from_json(json.loads(json.dumps(event.to_json()))) == event
        for task in event.tasks():
            pair, rest = divmod(task.number, 2 * len(event.pairings))
            games.setdefault((pair, rest % 2), set()).add((task.opening, task.seed))
    assert len(games) == plan.games
    assert all(len(same) == 1 for same in games.values())
    assert len(set().union(*games.values())) == plan.games


def test_point_is_like_a_match() -> None:
    plan = sweep("c=0.5:2:0.5")
    event = plan.first_event
    with Store(None) as store:
        state = run_event(event, store, runner_for(event.players))
    for pairing, point in enumerate(play(plan).points):
        match = match_result(state, pairing=pairing)
        assert (point.tally, point.elo) == (match.tally, match.elo)
        assert point.margin.value == pytest.approx(match.margin)


def test_fine_pass() -> None:
    result = play(sweep("iterations=5:45:10", refine={"iterations": Decimal(5)}, spec="mcts"))
    coarse = [point for point in result.points if not point.is_fine]
    best = max(coarse, key=lambda point: point.tally.pairs.score)
    around = {int(best.values[0]) - 5, int(best.values[0]) + 5} & set(range(5, 46))
    assert {int(point.values[0]) for point in result.points if point.is_fine} == around
    assert result.games == sum(point.tally.games.total for point in result.points) == 12 * (5 + len(around))
    values = [int(point.values[0]) for point, _ in result.in_order]
    assert values == sorted(values)


def test_fine_pass_of_two_options() -> None:
    plan = sweep("c=1:3:1", "playout=end|depth", refine={"c": Decimal("0.5")})
    assert plan.fine_grid(("2", "depth")) == [("1.5", "depth"), ("2.5", "depth")]


def test_point_equal_to_the_opponent() -> None:
    result = play(sweep("evaluation=A|D", spec="greedy", against="greedy:evaluation=A"))
    itself = next(point for point in result.points if point.values == ("A",))
    assert itself.tally.pairs.counts == (0, 0, 6, 0, 0)
    assert itself.margin.value == 0


def test_repeats() -> None:
    whole, parts = play(sweep("c=1:2:1", games=12)), play(sweep("c=1:2:1", games=4, repeats=3))
    for one, three in zip(whole.points, parts.points, strict=True):
        assert one.tally == three.tally
        assert len(three.repeats) == 3
        assert np.mean([score for score, _ in three.repeats]) == pytest.approx(one.tally.pairs.score)
        assert np.mean([margin for _, margin in three.repeats]) == pytest.approx(one.margin.value)


@pytest.mark.slow
@pytest.mark.parametrize("games", [1, 20, 50])
def test_stop_and_resume(games: int, tmp_path: Path) -> None:
    plan = sweep("c=0.5:2:0.5", refine={"c": Decimal("0.25")})
    unbroken = play(plan)

    def stop(state: EventProgress) -> None:
        if state.done >= games:
            raise KeyboardInterrupt

    with Store(tmp_path / "games.db") as store:
        with pytest.raises(KeyboardInterrupt):
            plan.run(store, runner_for(["random"], threads=1), progress=stop)
        assert 0 < plan.result(plan.stored(store)).games < unbroken.games
    with Store(tmp_path / "games.db") as store:
        assert plain(play(plan, store)) == plain(unbroken)


def test_best_by_margin() -> None:
    points = play(sweep("c=0.2:3:0.4")).points
    by_margin = play(sweep("c=0.2:3:0.4", by="margin"))
    assert by_margin.best.values == max(points, key=lambda point: point.margin.value).values


def test_csv() -> None:
    result = play(sweep("c=1:2:0.5", "playout=end|depth", repeats=2))
    data = result.to_json()
    assert json.loads(json.dumps(data)) == data
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert len(rows) == len(data["points"]) == 6
    for row, point in zip(rows, data["points"], strict=True):
        assert (row["c"], row["playout"], row["spec"]) == (*point["options"].values(), point["spec"])
        assert int(row["games"]) == point["games"] == 24
        assert float(row["score"]) == point["score"]
        assert float(row["margin_high"]) == point["margin_interval"][1]
        assert float(row["repeat_2_score"]) == point["repeats"][1]["score"]
        assert row["may_be_best"] == ("yes" if point["may_be_best"] else "no")


@pytest.mark.parametrize(
    ("options", "changes", "expected_error"),
    [
        ((), {}, "0 options"),
        (("c=1:2:1", "bias=0:1:1", "draw=0:1:1"), {}, "3 options"),
        (("c=1:2:1", "c=1:2:1"), {}, "given twice"),
        (("c=1:900:1", "draw=0:1:0.1"), {}, "9,900 points"),
        (("c=1:2:1",), {"refine": {"c": Decimal(1)}}, "below 1"),
        (("c=1:2:1",), {"refine": {"c": Decimal(0)}}, "above 0"),
        (("c=1:2:1",), {"refine": {"d": Decimal(1)}}, "only options with FROM:TO:STEP"),
        (("playout=end|depth",), {"refine": {"playout": Decimal(1)}}, "only options with FROM:TO:STEP"),
    ],
)
def test_invalid_settings(options: tuple[str, ...], changes: dict[str, Any], expected_error: str) -> None:
    with pytest.raises(ArenaError, match=expected_error):
        sweep(*options, **changes)
